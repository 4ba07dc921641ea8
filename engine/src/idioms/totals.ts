/** Totals that are never less than the sum of their parts, because whatever changes the one changes the other. */
import { isCleared, isProtected } from '../facts/index.ts'
import {
  type ContractFlow,
  type Flow,
  fieldPath,
  type LoadOp,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import { keysOf, loweredBy, raisedBy } from './entries.ts'
import { isPlace } from './wrap-around.ts'

/**
 * Anyone who raises a part raises the total by as much, or lowers another part of it; and anyone who lowers the total takes as much off a part.
 * A total that is kept under keys is that of the parts that are kept under the same ones.
 */
export const isTotalOf = (contractFlow: ContractFlow, total: Location, part: Location): boolean => {
  const links = linksOf(total, part)
  if (links === null) return false
  const sum: Sum = { total, part, links }
  return (
    contractFlow.writersTo(part).every(({ flow, op }) => isCountedPart(flow, op, sum)) &&
    contractFlow.writersTo(total).every(({ flow, op }) => isCountedTotal(flow, op, sum))
  )
}

interface Sum {
  readonly total: Location
  readonly part: Location
  /** For each key of the total, which key of a part it is. */
  readonly links: readonly number[]
}

/** For each key of a total, which key of its parts it is; null when it is kept under another one. */
export const linksOf = (total: Location, part: Location): readonly number[] | null => {
  const keys = keysOf(part)
  const links = keysOf(total).map((key) => keys.findIndex((other) => sameValue(key, other)))
  return links.includes(-1) ? null : links
}

const isCountedPart = (flow: Flow, store: StoreOp, sum: Sum): boolean => {
  if (isCleared(store) || loweredBy(store) !== null) return true
  const by = raisedBy(store)
  if (by === null || !isSameKind(store.location, sum.part)) return false
  const partners = (other: StoreOp): boolean =>
    (isChange(other, sum.total, raisedBy, by) && isKeptFor(other.location, store.location, sum.links)) ||
    (isChange(other, sum.part, loweredBy, by) && isOfOneTotal(other.location, store.location, sum))
  return isMatched(flow, store, (other) => isChange(other, sum.part, raisedBy, by), partners)
}

const isCountedTotal = (flow: Flow, store: StoreOp, sum: Sum): boolean => {
  if (flow.isConstructor || raisedBy(store) !== null) return true
  const by = loweredBy(store)
  if (by === null || !isSameKind(store.location, sum.total)) return false
  const isAlike = (other: StoreOp): boolean => isChange(other, sum.total, loweredBy, by)
  if (isPlace(by) && isSameKind(by.location, sum.part))
    return (
      isKeptFor(store.location, by.location, sum.links) &&
      isMatched(flow, store, isAlike, (clear) => isEnd(flow, by, clear))
    )
  return isMatched(
    flow,
    store,
    isAlike,
    (other) => isChange(other, sum.part, loweredBy, by) && isKeptFor(store.location, other.location, sum.links),
  )
}

/** Some outsider lowers a total where no part of it is lowered by as much: from then on there is less than the sum of the parts. */
export const isLoweredAlone = (contractFlow: ContractFlow, total: Location): boolean =>
  contractFlow.writersTo(total).some(({ flow, op }) => {
    const by = loweredBy(op)
    if (flow.isConstructor || (by === null && !isCleared(op))) return false
    return !flow.stateStores().some((other) => isPartGone(flow, op, by, other)) && !isProtected(flow, op)
  })

/** The same is taken off another entry, or all that was there. */
const isPartGone = (flow: Flow, store: StoreOp, by: Op | null, other: StoreOp): boolean => {
  if (other === store || !isBesides(flow, store, other)) return false
  if (by === null || (isPlace(by) && other.location === by.location)) return isCleared(other)
  const taken = loweredBy(other)
  return taken !== null && isSameAmount(taken, by)
}

type By = (store: StoreOp) => Op | null

const isChange = (store: StoreOp, of: Location, by: By, amount: Op): boolean => {
  const changed = by(store)
  return changed !== null && isSameKind(store.location, of) && isSameAmount(changed, amount)
}

/** The same number; of a place that is emptied, also where it is read twice. */
export const isSameAmount = (a: Op, b: Op): boolean => {
  const [x, y] = [stripCasts(a), stripCasts(b)]
  return sameValue(x, y) || (isPlace(x) && isPlace(y) && x.location === y.location)
}

/** On every way with the store, and as often, there is one of the partners for each store like it. */
const isMatched = (
  flow: Flow,
  store: StoreOp,
  isAlike: (other: StoreOp) => boolean,
  isPartner: (other: StoreOp) => boolean,
): boolean => {
  const stores = flow.stateStores()
  const partners = stores.filter((other) => other !== store && isPartner(other) && isWith(flow, store, other))
  const alike = stores.filter((other) => other === store || (isAlike(other) && isBesides(flow, store, other)))
  return alike.length <= partners.length
}

/** Whenever the one runs the other does, once for each time. */
export const isWith = (flow: Flow, op: Op, other: Op): boolean =>
  flow.loopMarkAround(op) === flow.loopMarkAround(other) && (flow.dominates(other, op) || flow.isFollowedBy(op, other))

/** Both can run in one execution. */
export const isBesides = (flow: Flow, op: Op, other: Op): boolean =>
  flow.canFollow(op, other) || flow.canFollow(other, op)

/** The total at the one place is that of the part at the other. */
export const isKeptFor = (total: Location, part: Location, links: readonly number[]): boolean => {
  const [keys, parts] = [keysOf(total), keysOf(part)]
  return keys.length === links.length && keys.every((key, i) => isSameKey(key, parts[links[i]!]))
}

const isOfOneTotal = (one: Location, other: Location, { links }: Sum): boolean => {
  const [keys, others] = [keysOf(one), keysOf(other)]
  return links.every((link) => keys[link] !== undefined && isSameKey(keys[link], others[link]))
}

const isSameKey = (key: Op, other: Op | undefined): boolean => other !== undefined && sameValue(key, other)

/** The same entry of the same records, whichever key it is kept under. */
export const isSameKind = (a: Location, b: Location): boolean =>
  a.variable === b.variable && fieldPath(a) === fieldPath(b)

/** Nothing is written there between the read and the end of it, and every way from the read leads to that. */
export const isEnd = (flow: Flow, read: LoadOp, clear: StoreOp): boolean =>
  isCleared(clear) &&
  clear.location === read.location &&
  flow.isFollowedBy(read, clear) &&
  flow.loopMarkAround(read) === flow.loopMarkAround(clear) &&
  !flow
    .stateStores()
    .some(
      (store) =>
        store !== clear &&
        mayOverlap(store.location, read.location) &&
        flow.canFollow(read, store) &&
        flow.canFollow(store, clear),
    )
