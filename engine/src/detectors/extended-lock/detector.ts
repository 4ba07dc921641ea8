import { dependsOn, isProtected, isSender, readsBlock, relationsAt, senderGuardsAt } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  entriesOf,
  isInColumn,
  isNow,
  keptIn,
  keysOf,
  nameOfColumn,
  outgoingOf,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** Until the time that is kept for an account has come, it can not get at what is its own. */
interface Lock {
  readonly until: Column
  readonly at: Op
}

interface Postponed {
  readonly flow: Flow
  readonly store: StoreOp
  readonly account: Op
  readonly lock: Lock
}

const ownTime = (flow: Flow, value: Op): Column | null => {
  let found: Column | null = null
  dependsOn(flow, value, (op) => {
    const kept = keptIn(op)
    const column = kept !== null && keysOf(kept.place).some(isSender) ? columnOf(kept.place) : null
    if (column !== null) found = { ...column, path: column.path + kept!.path }
    return found !== null
  })
  return found
}

/** What leaves an account of the caller's: a payment, or an entry that is lowered. */
const leavingFrom = (flow: Flow): Op[] => [
  ...outgoingOf(flow).map(({ op }) => op),
  ...entriesOf(flow).flatMap(({ op, account, isRaised }) => (!isRaised && isSender(account) ? [op] : [])),
]

/** `require(now >= until[msg.sender])` before something is paid. */
const locksOf = ({ entryPoints }: ContractFlow): readonly Lock[] => {
  const locks: Lock[] = []
  for (const flow of entryPoints)
    for (const op of leavingFrom(flow))
      for (const { greater, smaller } of relationsAt(flow, op)) {
        const until = isNow(stripCasts(greater)) ? ownTime(flow, smaller) : null
        if (until !== null) locks.push({ until, at: op })
      }
  return locks
}

/** `require(ownerOf[account] == msg.sender)` */
const isOfCaller = (flow: Flow, store: StoreOp, account: Op): boolean =>
  senderGuardsAt(flow, store).some(({ places }) => places.some((place) => keysOf(place).includes(account)))

/** The time of an account that the caller names is set again, counted from now. */
function* postponed(flow: Flow): Iterable<Postponed> {
  if (!flow.usesEnvironment('block.timestamp') && !flow.usesEnvironment('block.number')) return
  for (const store of flow.stateStores()) {
    const keys = keysOf(store.location)
    const [account] = keys
    // Under the caller's own name as well, it is an entry of the caller's.
    if (keys.some(isSender)) continue
    if (account?.kind !== 'param' || flow.typeOf(account)?.kind !== 'address' || isOfCaller(flow, store, account))
      continue
    if (!dependsOn(flow, store.args[0], isNow)) continue
    const lock = flow.contractFlow.answer(locksOf).find(({ until }) => isInColumn(store.location, until))
    if (lock !== undefined) yield { flow, store, account, lock }
  }
}

/** The new time is set only where the account has nothing yet, or is not later than the old. */
const isNoLater = ({ flow, store, account }: Postponed): boolean =>
  relationsAt(flow, store).some(({ greater, smaller }) =>
    [greater, smaller].some((side) => {
      const op = stripCasts(side)
      return op.kind === 'load' && keysOf(op.location).includes(account)
    }),
  )

/** `(old * balance + now * amount) / (balance + amount)`: a little that is added moves it by little. */
const isAveraged = ({ flow, store }: Postponed): boolean =>
  flow
    .ops('bin')
    .some(
      (quotient) =>
        quotient.operator === '/' &&
        dependsOn(flow, store.args[0], (op) => op === quotient) &&
        dependsOn(
          flow,
          quotient,
          (op) =>
            op.kind === 'load' && op.location.variable !== null && op.location.variable === store.location.variable,
        ),
    )

export default defineDetector<Postponed>({
  id: 'extended-lock',
  swc: null,
  title: 'Lock-time griefing',
  aliases: { owasp: ['SC10:2025'], words: ['lock griefing', 'time lock reset'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'An account can withdraw only after its unlock time. Anyone can name that account and reset its unlock time, so an attacker keeps its funds locked for the cost of gas or dust.',
  recommendation:
    'Only extend the caller’s own lock, require the account’s consent, or keep a separate unlock time per deposit.',
  references: ['https://cwe.mitre.org/data/definitions/840.html'],
  cwe: ['CWE-840', 'CWE-400'],

  needs: [holding.stateWrite, readsBlock],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) yield* postponed(flow)
  },
  excuses: [
    excuse('protected', 'only privileged accounts get there', ({ flow, store }) => isProtected(flow, store)),
    excuse('averaged', 'the new time is an average with the old one, weighted by what is added', isAveraged),
    excuse('no-later', 'a record of the account decides whether its time is set', isNoLater),
  ],
  finding: ({ flow, store, lock }) => ({
    at: store,
    message: `Anyone can call \`${flow.name}()\` for another account and move its \`${nameOfColumn(lock.until)}\` to a later time, again and again, so that account cannot withdraw its funds.`,
    trace: [...flow.trace(store), { at: lock.at, message: 'This withdrawal waits for that time.' }],
  }),
})
