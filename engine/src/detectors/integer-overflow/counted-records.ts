/**
 * Counts of records: how many of them meet a test, as `state == OPEN` or `owner != 0`. Where a count goes down by one, a record that met the
 * test is changed so that it meets it no more; and anyone who makes one meet it counts up. So there are never fewer than the count says.
 */
import {
  contentOf,
  dependsOn,
  type Fact,
  factsOnPath,
  guardsAt,
  intervalOf,
  isCleared,
  isPassedIn,
  isProtected,
  isSender,
  loopAround,
  rangeOf,
  valuesFor,
} from '../../facts/index.ts'
import {
  isBesides,
  isKeptFor,
  isPlace,
  isSameKind,
  isWith,
  keysOf,
  linksOf,
  loweredBy,
  raisedBy,
} from '../../idioms/index.ts'
import {
  type BinaryOp,
  budget,
  type Flow,
  fieldPath,
  isBefore,
  isEquality,
  isOne,
  isZero,
  type Location,
  type Op,
  opposites,
  rootOf,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'

/** A test of what lies in one place of a record. */
interface Test {
  readonly place: Location
  readonly isMetBy: (number: bigint) => boolean
  /** The same words for the same test. */
  readonly words: string
}

/** What a record has to meet, and nothing that is empty does: one test, or another one with it. */
type Demands = readonly Test[]

/** `require(claims[id].paid > 0); open--; delete claims[id];`, where anyone who opens such a record counts `open` up. */
export const isCountOfRecords = (flow: Flow, op: BinaryOp): boolean => {
  const count = stripCasts(op.args[0])
  if (op.operator !== '-' || !isOne(op.args[1]) || !isPlace(count)) return false
  if (loweredWith(flow, op, count.location).length > 1) return false
  return endedAt(flow, op).some((demands) => {
    const [{ place }] = demands as [Test]
    const links = linksOf(count.location, place)
    if (links === null || demands.some((test) => isInOneRecord(count.location, test.place))) return false
    const counted: Counted = { count: count.location, place, links, flow, op }
    return isOnlyCounted(counted) && demands.every((test) => isAlwaysCounted(counted, test, demands))
  })
}

/** What is asked on the path to an operation of a record that meets it no more afterwards. */
const endedAt = (flow: Flow, op: Op): readonly Demands[] => {
  const stores = flow.stateStores().filter((store) => isWith(flow, op, store))
  if (stores.length === 0) return []
  const isEnded = (demands: Demands): boolean =>
    stores.some((store) => demands.some((test) => isOfRecord(store, test) && isMetNever(flow, store, test, demands)))
  return [
    ...demandsAt(flow, op).filter(isEnded),
    ...guardsAt(flow, op).flatMap((fact) => takenOutBy(flow, fact, op, stores) ?? []),
  ]
}

/** What is asked of records on the path to an operation, also if it is one thing on one way and another on the other. */
const demandsAt = (flow: Flow, op: Op): readonly Demands[] => {
  const tests = testsOf(flow, guardsAt(flow, op), op)
  const sound = tests.filter(isOfSomething)
  const besides = tests.filter((test) => !isOfSomething(test))
  return [
    ...[...sound, ...testsOnEachPath(flow, op.block, op)].map((test) => [test]),
    ...besides.flatMap((test) =>
      sound.filter((other) => isOfOneRecord(test.place, other.place)).map((other) => [test, other]),
    ),
  ]
}

const testsOf = (flow: Flow, facts: readonly Fact[], at: Op): readonly Test[] =>
  facts.flatMap(({ condition, polarity }) => readTest(flow, condition, polarity, at) ?? [])

/** Nothing that is empty meets it. */
const isOfSomething = (test: Test): boolean => !test.isMetBy(0n)

/** `if (state == PAID) …; else if (state == OWED) …; else revert();`: it is not nothing on any of the ways that meet in a block. */
const testsOnEachPath = (flow: Flow, block: number, at: Op, depth = 0): readonly Test[] => {
  const { preds } = flow.blocks[block]!
  if (preds.length < 2 || depth > budget.depth.oldValue || preds.some((pred) => pred >= block)) return []
  const pathTests = preds.flatMap((pred, edge) => {
    const facts = factsOnPath(flow, { block }, edge)
    if (facts.some(isNeverTrue)) return []
    return [[...testsOf(flow, facts, at).filter(isOfSomething), ...testsOnEachPath(flow, pred, at, depth + 1)]]
  })
  const [first, ...others] = pathTests
  return (first ?? [])
    .filter(({ place }) => others.every((tests) => tests.some((test) => isSamePlace(test.place, place))))
    .map(({ place }) => isNotNothing(place))
}

/** `assert(false)` */
const isNeverTrue = ({ condition, polarity }: Fact): boolean =>
  condition.kind === 'const' && (condition.constant !== 0n) !== polarity

/** The stores that lower the same count in one execution; what other loops do is asked about there. */
const loweredWith = (flow: Flow, op: Op, count: Location): readonly StoreOp[] =>
  flow.stateStores().filter((store) => {
    if (!isSameKind(store.location, count) || loweredBy(store) === null || !isBesides(flow, op, store)) return false
    return flow.loopMarkAround(store) === flow.loopMarkAround(op)
  })

/** As a comparison with zero has it. */
const notNothing = '!= 0'

const isNotNothing = (place: Location): Test => ({ place, isMetBy: (number) => number !== 0n, words: notNothing })

const readTest = (flow: Flow, condition: Op, polarity: boolean, at: Op): Test | null => {
  const flag = placeRead(flow, condition)
  if (flag !== null) return polarity ? isNotNothing(flag) : null
  if (condition.kind !== 'bin') return null
  for (const side of [0, 1] as const) {
    const place = placeRead(flow, condition.args[side])
    const other = stripCasts(condition.args[side === 0 ? 1 : 0])
    const operator = asSaid(condition.operator, side === 1, polarity)
    if (place === null || operator === null) continue
    const isUnsigned = rangeOf(flow.typeOf(other)).min === 0n
    if (other.kind === 'const' && other.constant !== null) {
      const limit = other.constant
      if (isUnsigned && (operator === '>' ? limit === 0n : operator === '>=' && limit === 1n))
        return isNotNothing(place)
      return { place, isMetBy: (number) => compares[operator]!(number, limit), words: `${operator} ${limit}` }
    }
    if ((operator === '==' || operator === '>=') && isSomething(flow, other, at)) return isNotNothing(place)
    if (operator === '>' && isUnsigned) return isNotNothing(place)
  }
  return null
}

const compares: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}
const turned: Readonly<Record<string, string>> = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** The comparison with the place on its left, as it came out. */
const asSaid = (operator: string, isTurned: boolean, polarity: boolean): string | null => {
  const said = isTurned ? turned[operator] : operator
  return (polarity ? said : opposites[said ?? '']) ?? null
}

/** The caller, or something that is not nothing: an empty record is nobody's. */
const isSomething = (flow: Flow, value: Op, at: Op): boolean =>
  isSender(value) ||
  intervalOf(flow, value, at).min > 0n ||
  guardsAt(flow, at).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '!=') !== polarity)
      return false
    return condition.args.some((side) => sameValue(side, value)) && condition.args.some(isZero)
  })

/** The place in a record that a value was read from, also by way of a copy in memory that nothing was written to before. */
const placeRead = (flow: Flow, value: Op): Location | null => {
  const load = stripCasts(value)
  if (load.kind !== 'load') return null
  if (load.location.space === 'state') return keysOf(load.location).length > 0 ? load.location : null
  const copies = contentOf(flow, load.location)?.copies ?? []
  if (copies.length !== 1 || keysOf(copies[0]!).length === 0) return null
  const isChanged = flow.memoryStores().some((store) => store.location === load.location && flow.canFollow(store, load))
  return isChanged ? null : copies[0]!
}

/** `require(next[before] == one); next[before] = next[one]; delete next[one];`: anyone who is in a list has a record in it. */
const takenOutBy = (flow: Flow, fact: Fact, op: Op, stores: readonly StoreOp[]): readonly [Demands] | null => {
  const { condition, polarity } = fact
  if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '==') !== polarity)
    return null
  for (const side of [0, 1] as const) {
    const before = placeRead(flow, condition.args[side])
    const one = condition.args[side === 0 ? 1 : 0]
    if (before === null || !isSomething(flow, one, op)) continue
    const end = stores.find(
      (store) => isCleared(store) && isSameKind(store.location, before) && sameValue(keysOf(store.location)[0]!, one),
    )
    const isPassedBy = stores.some((store) => {
      const value = stripCasts(store.args[0])
      return isSamePlace(store.location, before) && isPlace(value) && value.location === end?.location
    })
    if (end !== undefined && isPassedBy) return [[isNotNothing(end.location)]]
  }
  return null
}

interface Counted {
  readonly count: Location
  /** In such a record. */
  readonly place: Location
  /** For each key of the count, which key of a record it is. */
  readonly links: readonly number[]
  /** Where it goes down. */
  readonly flow: Flow
  readonly op: Op
}

/** Anyone who changes the count changes it by one, with a record; and anyone who lowers it has asked for that record and ends it. */
const isOnlyCounted = ({ count, place, links, flow: { contractFlow } }: Counted): boolean =>
  contractFlow.writersTo(count).every(({ flow, op }) => {
    if (flow.isConstructor || isClearedWith(flow, op, place)) return true
    const by = raisedBy(op) ?? loweredBy(op)
    if (by === null || !isOne(by)) return false
    if (
      raisedBy(op) === null &&
      !endedAt(flow, op).some((demands) => demands.some((test) => isInOneRecord(test.place, place)))
    )
      return false
    return flow.stateStores().some((store) => {
      const isRecord = isInOneRecord(store.location, place) && isKeptFor(op.location, store.location, links)
      return isRecord && (flow.dominates(store, op) || flow.isFollowedBy(op, store))
    })
  })

/** Anyone who makes a record meet the test counts it, on every way and once for each. */
const isAlwaysCounted = (counted: Counted, test: Test, demands: Demands): boolean => {
  const { count, links } = counted
  return counted.flow.contractFlow.writersTo(test.place).every(({ flow, op }) => {
    const makes = (store: StoreOp): boolean =>
      isInOneRecord(store.location, test.place) &&
      !isMetNever(flow, store, test, demands) &&
      !isUnderOtherKey(counted, store)
    if (!makes(op) || isMetBefore(flow, guardsAt(flow, op), op, test)) return true
    const raises = flow.stateStores().filter((store) => {
      const by = raisedBy(store)
      if (by === null || !isOne(by) || !isSameKind(store.location, count)) return false
      return isKeptFor(store.location, op.location, links) && flow.loopMarkAround(op) === flow.loopMarkAround(store)
    })
    const made = flow.stateStores().filter((store) => store === op || (makes(store) && isBesides(flow, op, store)))
    const certain = raises.filter((store) => isWith(flow, op, store))
    if (certain.length > 0) return made.length <= certain.length
    return made.every((store) => store === op || store.site !== op.site) && isRaisedOrMet(flow, op, test, raises)
  })
}

/** `if (state == NEW) open++; state = next;`: anyone who does not count comes with a record that met the test before. */
const isRaisedOrMet = (flow: Flow, op: StoreOp, test: Test, raises: readonly StoreOp[]): boolean => {
  if (raises.length === 0) return false
  const counting = new Set(raises.map(({ block }) => block))
  const seen = new Set([op.block])
  for (const block of seen) {
    const { preds } = flow.blocks[block]!
    if (preds.length === 0) return false
    preds.forEach((pred, edge) => {
      if (!counting.has(pred) && !isMetBefore(flow, factsOnPath(flow, { block }, edge), op, test)) seen.add(pred)
    })
  }
  return true
}

/** `next[address(1)] = one`, where what is counted down is required not to be the record under that key. */
const isUnderOtherKey = ({ place, flow, op }: Counted, store: StoreOp): boolean =>
  keysOf(store.location).some((key, i) => {
    const own = keysOf(place)[i]
    if (key.kind !== 'const' || own === undefined) return false
    return guardsAt(flow, op).some(({ condition, polarity }) => {
      if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '!=') !== polarity)
        return false
      const isKey = (side: Op): boolean =>
        stripCasts(side).kind === 'const' && stripCasts(side).constant === key.constant
      return condition.args.some((side) => sameValue(side, own)) && condition.args.some(isKey)
    })
  })

/** The record met the test already, and nothing was written to it since: it is no new one. */
const isMetBefore = (flow: Flow, facts: readonly Fact[], store: StoreOp, test: Test): boolean =>
  testsOf(flow, facts, store).some((before) => {
    if (!isSameKind(before.place, test.place) || !isOfRecord(store, before)) return false
    if (before.words !== test.words && (test.words !== notNothing || !isOfSomething(before))) return false
    return !flow
      .stateStores()
      .some((end) => isBefore(end, store) && flow.canFollow(end, store) && isOfRecord(end, before))
  })

/** The store writes the record, or the part of it, that a test is about. */
const isOfRecord = ({ location }: StoreOp, { place }: Test): boolean => {
  const [keys, others] = [keysOf(location), keysOf(place)]
  return (
    location.variable === place.variable &&
    isWithin(fieldPath(place), fieldPath(location)) &&
    keys.length === others.length &&
    keys.every((key, i) => sameValue(key, others[i]!))
  )
}

/** Whatever the store writes there does not meet the test, or if it clears all of the record, another one that is asked with it. */
const isMetNever = (flow: Flow, store: StoreOp, test: Test, demands: Demands): boolean => {
  if (isCleared(store))
    return demands.some((one) => isOfSomething(one) && isWithin(fieldPath(one.place), fieldPath(store.location)))
  return writtenTo(flow, store, test.place)?.every((value) => failsTest(value, test, 0)) ?? false
}

const failsTest = (written: Op, test: Test, depth: number): boolean => {
  const value = stripCasts(written)
  if (value.kind === 'const') return value.constant !== null && !test.isMetBy(value.constant)
  if ((value.kind !== 'select' && value.kind !== 'phi') || depth >= budget.depth.oldValue) return false
  return value.args.slice(value.kind === 'select' ? 1 : 0).every((one) => failsTest(one, test, depth + 1))
}

/** What a store puts into a place of the record that it writes; null when that is not seen. */
const writtenTo = (flow: Flow, store: StoreOp, place: Location): readonly Op[] | null => {
  const value = stripCasts(store.args[0])
  const [whole, path] = [fieldPath(store.location), fieldPath(place)]
  if (!isPlace(value) || whole === path) return valuesFor(flow, store, place)
  const changes = flow
    .memoryStores()
    .filter(({ location }) => fieldPath(location) === path.slice(whole.length) && isPartOfCopy(location, value))
  return changes.length === 1 && flow.dominates(changes[0]!, store) ? [changes[0]!.args[0]] : null
}

const isPartOfCopy = (location: Location, copy: Op): boolean => {
  const { base } = rootOf(location)
  return base !== null && stripCasts(base) === copy
}

/** Parts of one record under the same keys. */
const isOfOneRecord = (a: Location, b: Location): boolean => {
  const [keys, others] = [keysOf(a), keysOf(b)]
  return (
    a.variable === b.variable && keys.length === others.length && keys.every((key, i) => sameValue(key, others[i]!))
  )
}

const isSamePlace = (a: Location, b: Location): boolean => isSameKind(a, b) && isOfOneRecord(a, b)

/** The same field, or one of them is the record that the other is a field of. */
const isInOneRecord = (a: Location, b: Location): boolean => {
  const [path, other] = [fieldPath(a), fieldPath(b)]
  return a.variable === b.variable && (isWithin(path, other) || isWithin(other, path))
}

const isWithin = (path: string, whole: string): boolean => path === whole || path.startsWith(`${whole}.`)

/** `count = 0` where a loop takes out all records; how many those are an outsider may not say. */
const isClearedWith = (flow: Flow, op: StoreOp, record: Location): boolean =>
  isZero(op.args[0]) &&
  flow.stateStores().some((store) => {
    const loop = store.flag && isInOneRecord(store.location, record) ? loopAround(flow, store) : undefined
    if (loop === undefined) return false
    return isProtected(flow, op) || (loop.bound !== null && !dependsOn(flow, loop.bound, isPassedIn))
  })
