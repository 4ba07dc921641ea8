/** A clock that stands still while there is nothing to share: anyone who comes next is counted for all the time before. */
import { dependsOn, guardsAt } from '../../facts/index.ts'
import { clockOf, elapsedSince, keysOf, raisedBy } from '../../idioms/index.ts'
import {
  type Flow,
  isZero,
  type LoadOp,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { Candidate } from './unnoted.ts'

/** `last = block.timestamp` */
const isClockMoved = ({ args }: StoreOp): boolean => clockOf(stripCasts(args[0])) !== null

/** Something that is kept grows with the time since then. */
const isCounted = (flow: Flow, clock: StoreOp): boolean => {
  const isSpan = (op: Op): boolean => elapsedSince(op) === clock.location
  return flow.stateStores().some((store) => store !== clock && dependsOn(flow, store.args[0], isSpan))
}

/** The total that must not be nothing for the clock to move: `if (total == 0) return`. */
const totalsCompared = (flow: Flow, clock: StoreOp): readonly LoadOp[] => comparedWithNothing(flow, clock, true)

/** `if (last == 0) last = block.timestamp`: set for the first time, and never again. */
const isFirst = (flow: Flow, store: StoreOp): boolean =>
  comparedWithNothing(flow, store, false).some(({ location }) => location === store.location)

/** What is known to be something, or nothing, at a point. */
const comparedWithNothing = (flow: Flow, at: Op, isSome: boolean): readonly LoadOp[] =>
  guardsAt(flow, at).flatMap(({ condition, polarity }) => {
    const op = stripCasts(condition)
    if (op.kind !== 'bin') return []
    const [left, right] = op.args.map(stripCasts) as [Op, Op]
    const holding = polarity === isSome ? someWhenTrue : someWhenFalse
    if (isZero(right) && isTotal(left) && holding.has(op.operator)) return [left]
    return isZero(left) && isTotal(right) && holding.has(mirrored.get(op.operator) ?? '') ? [right] : []
  })

const someWhenTrue: ReadonlySet<string> = new Set(['>', '!='])
const someWhenFalse: ReadonlySet<string> = new Set(['==', '<='])
const mirrored: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['>=', '<='],
  ['==', '=='],
  ['!=', '!='],
])

const isTotal = (op: Op): op is LoadOp => op.kind === 'load' && op.location.space === 'state'

/** The total is raised on a way on which the clock was left where it was, and nothing else moves it there. */
export function* leftBehind(flow: Flow): Iterable<Candidate> {
  const stores = flow.stateStores()
  for (const clock of stores) {
    if (!isClockMoved(clock) || !isCounted(flow, clock)) continue
    const moves = stores.filter((store) => mayOverlap(store.location, clock.location) && !isFirst(flow, store))
    for (const total of totalsCompared(flow, clock)) {
      if (!isTotalOver(clock, total)) continue
      const isLeft = moves.every((move) =>
        totalsCompared(flow, move).some((other) => other.location === total.location),
      )
      const op = isLeft ? stores.find((store) => isRaisedAfter(flow, store, clock, total)) : undefined
      const amount = op && raisedBy(op)
      if (op && amount) yield { flow, payment: { op, amount }, why: { kind: 'idle', record: clock.location, clock } }
    }
  }
}

/** Kept under no other keys than the clock: what one account holds is no total of what the clock counts for. */
const isTotalOver = (clock: StoreOp, total: LoadOp): boolean => {
  const keys = keysOf(clock.location)
  return keysOf(total.location).every((key) => keys.some((other) => sameValue(key, other)))
}

const isRaisedAfter = (flow: Flow, store: StoreOp, clock: StoreOp, total: LoadOp): boolean =>
  store.location === total.location &&
  raisedBy(store) !== null &&
  !flow.canFollow(store, total) &&
  !flow.dominates(clock, store)
