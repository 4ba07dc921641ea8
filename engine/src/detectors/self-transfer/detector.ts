import { dependsOn, guardsAt } from '../../facts/index.ts'
import {
  type Flow,
  holding,
  isBefore,
  type Location,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly first: Op
  readonly second: Op
  readonly from: Op
  readonly to: Op
}

/** The account in `balances[account]`, `vaults[account]`. */
const keyOf = (place: Location): Op | null => (place.part === 'index' ? stripCasts(place.index!) : null)

/** What a value was worked out from at one place, before another write. */
const readBefore = (flow: Flow, value: Op, place: Location, before: Op): boolean =>
  dependsOn(
    flow,
    value,
    (op) => op.kind === 'load' && op.location === place && isBefore(op, before) && flow.dominates(op, before),
  )

const isLowering = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '-'
}

const isRaising = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '+'
}

/** One of the two is taken from and the other given to; a record as a whole counts as either. */
const isMove = (first: StoreOp, second: StoreOp): boolean => {
  const [a, b] = [first.args[0], second.args[0]]
  const isRecord = stripCasts(a).kind === 'load' && stripCasts(b).kind === 'load'
  return isRecord || (isLowering(a) && isRaising(b)) || (isRaising(a) && isLowering(b))
}

/** `require(from != to)` */
const areToldApart = ({ flow, second, from, to }: Candidate): boolean =>
  guardsAt(flow, second).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '!=' : '==')) return false
    const [left, right] = condition.args as [Op, Op]
    return (sameValue(left, from) && sameValue(right, to)) || (sameValue(left, to) && sameValue(right, from))
  })

export default defineDetector<Candidate>({
  id: 'self-transfer',
  swc: null,
  title: 'A transfer to oneself creates money',
  severity: 'high',
  confidence: 'medium',
  description:
    'Both balances are read before either is written. When sender and recipient are the same account the second write overwrites the first, and the amount is added without being taken.',
  recommendation: 'Refuse equal accounts, or read the second balance after the first was written.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682'],

  needs: [holding.stateWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const stores = flow.stateStores().filter(({ location, flag }) => !flag && keyOf(location) !== null)
      for (const first of stores)
        for (const second of stores) {
          if (!isBefore(first, second) || first.location === second.location) continue
          const [from, to] = [keyOf(first.location)!, keyOf(second.location)!]
          if (first.location.parent !== second.location.parent || sameValue(from, to)) continue
          if (from.kind === 'const' || to.kind === 'const' || !isMove(first, second)) continue
          if (readBefore(flow, second.args[0], second.location, first)) yield { flow, first, second, from, to }
        }
    }
  },
  excuses: [excuse('told-apart', 'the two accounts are required to differ', areToldApart)],
  finding: ({ flow, first, second }) => ({
    at: second,
    message: 'If both accounts are the same this overwrites what was taken: the amount is created from nothing.',
    trace: [
      ...flow.trace(second),
      {
        at: { start: first.start, end: first.end },
        message: 'The first balance is written here, after both were read.',
      },
    ],
  }),
})
