/**
 * Counts of records: how many of them meet a test, as `state == OPEN` or `owner != 0`. Where a count goes down by one, a record that met the
 * test is changed so that it meets it no more; and anyone who makes one meet it counts up. So there are never fewer than the count says.
 */
import {
  contentOf,
  type Fact,
  factsOnPath,
  guardsAt,
  intervalOf,
  isCleared,
  isSender,
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
  isOne,
  type Location,
  type Op,
  opposites,
  rangeOf,
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
  return demandsAt(flow, op).filter(isEnded)
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
    return [[...testsOf(flow, facts, at).filter(isOfSomething), ...testsOnEachPath(flow, pred, at, depth + 1)]]
  })
  const [first, ...others] = pathTests
  return (first ?? [])
    .filter(({ place }) => others.every((tests) => tests.some((test) => isSamePlace(test.place, place))))
    .map(({ place }) => isNotNothing(place))
}

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
const isSomething = (flow: Flow, value: Op, at: Op): boolean => isSender(value) || intervalOf(flow, value, at).min > 0n

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
    if (flow.isConstructor) return true
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
      isInOneRecord(store.location, test.place) && !isMetNever(flow, store, test, demands)
    if (!makes(op)) return true
    const raises = flow.stateStores().filter((store) => {
      const by = raisedBy(store)
      if (by === null || !isOne(by) || !isSameKind(store.location, count)) return false
      return isKeptFor(store.location, op.location, links) && flow.loopMarkAround(op) === flow.loopMarkAround(store)
    })
    const made = flow.stateStores().filter((store) => store === op || (makes(store) && isBesides(flow, op, store)))
    const certain = raises.filter((store) => isWith(flow, op, store))
    if (certain.length > 0) return made.length <= certain.length
    return false
  })
}

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
  return !isPlace(value) || whole === path ? valuesFor(flow, store, place) : null
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
