import { guardsAt, isSender } from '../../facts/index.ts'
import { isSelf, keysOf, outgoingOf, type Payment, paymentsOf } from '../../idioms/index.ts'
import { type Flow, holding, isOrdering, type Location, mayOverlap, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly payment: Leaving
  /** The record that says how much there is. */
  readonly record: Location
  /** Where it is brought up to date, if only on some ways. */
  readonly store: Op | null
}

type Leaving = Pick<Payment, 'op' | 'amount'>

/** What leaves: ether, tokens, or an amount that another contract is told to move from here. */
const leavingFrom = (flow: Flow): Leaving[] => {
  const known = new Set(paymentsOf(flow).map(({ op }) => op.start))
  const moved = flow.externalCalls().flatMap((op) => {
    if (op.call.isStatic || known.has(op.start) || !op.args.some((arg) => isSelf(arg))) return []
    return op.args.filter((arg) => stripCasts(arg).kind === 'param').map((amount) => ({ op, amount }))
  })
  return [...outgoingOf(flow), ...moved]
}

/** The record that `require(record >= amount)` holds a number of the caller's against. */
const limitOf = (condition: Op, amount: Op): Location | null => {
  if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return null
  const sides = condition.args.map(stripCasts)
  const other = sides[0] === amount ? sides[1] : sides[1] === amount ? sides[0] : undefined
  if (other?.kind !== 'load' || other.location.space === 'memory') return null
  return keysOf(other.location).length > 0 ? other.location : null
}

/** A record limits what is paid, and after the payment it says the same as before. */
function* neverUsedUp(flow: Flow): Iterable<Candidate> {
  for (const payment of leavingFrom(flow)) {
    const amount = stripCasts(payment.amount)
    if (amount.kind !== 'param') continue
    for (const { condition } of guardsAt(flow, payment.op)) {
      const record = limitOf(stripCasts(condition), amount)
      if (record !== null) yield { flow, payment, record, store: null }
    }
  }
}

/** All of the record is paid, and it is cleared only on some of the ways that lead to the payment. */
function* clearedSometimes(flow: Flow): Iterable<Candidate> {
  for (const payment of leavingFrom(flow)) {
    const amount = stripCasts(payment.amount)
    if (amount.kind !== 'load' || amount.location.space === 'memory') continue
    const record = amount.location
    if (!keysOf(record).some(isSender)) continue
    const stores = flow.stateStores().filter(({ location }) => mayOverlap(location, record))
    const [store] = stores
    if (stores.length !== 1 || store === undefined) continue
    if (!flow.dominates(store, payment.op) && !flow.isFollowedBy(payment.op, store))
      yield { flow, payment, record, store }
  }
}

export default defineDetector<Candidate>({
  id: 'missing-state-update',
  swc: null,
  title: 'Paid, but the record still says it is owed',
  severity: 'high',
  confidence: 'medium',
  description:
    'A record says how much may be paid out, and the payment does not change it, or only on some ways. The same amount can be had again and again, at the cost of everybody else.',
  recommendation: 'Lower the record by what is paid, before the payment and on every way that leads to it.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682', 'CWE-841'],
  yieldsTo: ['unprotected-ether-withdrawal', 'unprotected-token-withdrawal', 'uncounted-payment', 'reentrancy'],

  needs: [holding.call],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* neverUsedUp(flow)
      yield* clearedSometimes(flow)
    }
  },
  excuses: [
    excuse('written-down', 'the function writes down that something was paid', ({ flow, store }) =>
      flow.stateStores().some((other) => other !== store && other.location.space !== 'memory'),
    ),
    excuse(
      'told-elsewhere',
      'another contract, which may keep the accounting, is told the amount',
      ({ flow, payment }) =>
        flow
          .externalCalls()
          .some(
            (call) =>
              call.start !== payment.op.start &&
              !call.call.isStatic &&
              call.args.some((arg) => stripCasts(arg) === stripCasts(payment.amount)),
          ),
    ),
  ],
  finding: ({ flow, payment, record, store }) => ({
    at: payment.op,
    message:
      store === null
        ? `\`${flow.describe(record)}\` limits what is paid and is never lowered: it can be paid again.`
        : `\`${flow.describe(record)}\` is cleared only on some ways to this payment: on the others it can be paid again.`,
    trace: [
      ...flow.trace(payment.op),
      ...(store === null ? [] : [{ at: { start: store.start, end: store.end }, message: 'Only here it is cleared.' }]),
    ],
  }),
})
