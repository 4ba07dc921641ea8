/** What all writers of a record keep true of its fields: which are written together, how much they get, and in which order. */
import {
  type Access,
  type ContractFlow,
  type Flow,
  type LoadOp,
  type Location,
  mayOverlapAcross,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { guardsAt } from './guards.ts'
import { contentOf, mayBeLeftOut, valuesFor } from './memory-values.ts'
import type { Numbers } from './numbers.ts'
import { addRelation, type Relation } from './relations.ts'

/**
 * `orders[id].maker == msg.sender`: the record is there. Where everything that makes it so writes another field too, that one holds at
 * least the least that was ever written.
 */
export const leastInRecord = (numbers: Numbers, load: LoadOp): bigint => {
  const { flow } = numbers
  const field = load.location
  if (!isInRecord(field)) return 0n
  const marks = guardsAt(flow, load).flatMap((fact) => markedBy(fact, field.parent!))
  if (marks.length === 0 || isEndedBefore(flow, load)) return 0n
  if (!marks.some((mark) => isWrittenWith(flow.contractFlow, field, mark))) return 0n
  return leastWritten(numbers, field)
}

/** A field of a struct that is kept under a key. */
const isInRecord = ({ part, parent, space, variable }: Location): boolean =>
  part === 'field' && parent?.part === 'index' && space === 'state' && variable !== null

const isFieldOf = (record: Location, value: Op): value is LoadOp =>
  value.kind === 'load' && value.location.parent === record && value.location.part === 'field'

/** The field of a record that a fact says is not empty. */
const markedBy = ({ condition, polarity }: Fact, record: Location): readonly Location[] => {
  if (isFieldOf(record, condition)) return polarity ? [condition.location] : []
  if (condition.kind !== 'bin') return []
  const relations: Relation[] = []
  addRelation(relations, condition, polarity)
  return relations.flatMap(({ greater, smaller, strict }) => {
    const value = stripCasts(greater)
    return isFieldOf(record, value) && (strict || isSomething(stripCasts(smaller))) ? [value.location] : []
  })
}

/** Nobody calls from the address of nobody. */
const isSomething = ({ kind, operator, constant }: Op): boolean =>
  (kind === 'env' && operator === 'msg.sender') || (kind === 'const' && constant !== null && constant > 0n)

/** The flow itself takes it away before it looks. */
const isEndedBefore = (flow: Flow, op: LoadOp | StoreOp): boolean => clearsBefore(flow, op).length > 0

const clearsBefore = (flow: Flow, op: LoadOp | StoreOp): readonly StoreOp[] =>
  flow
    .stateStores()
    .filter((store) => isCleared(store) && mayOverlapAcross(store.location, op.location) && flow.canFollow(store, op))

const writesTo = (contractFlow: ContractFlow, place: Location): readonly Access<'store'>[] =>
  contractFlow.writersTo(place)

/** Whatever fills the mark of a record writes the field as well, or has found it marked before and left it there. */
const isWrittenWith = (contractFlow: ContractFlow, field: Location, mark: Location): boolean =>
  writesTo(contractFlow, mark).every(({ flow, op }) => {
    const { depth, parent } = op.location
    if (isCleared(op) || depth < mark.depth) return true
    if (depth > mark.depth || parent === null) return false
    const isMarked = guardsAt(flow, op).some((fact) => markedBy(fact, parent).some(({ name }) => name === mark.name))
    return (
      (isMarked && !isEndedBefore(flow, op)) ||
      flow.stateStores().some((store) => isWrittenBeside(flow, store, op, field))
    )
  })

/** Both in one call, and the record is not taken away between the two. */
const isWrittenBeside = (flow: Flow, store: StoreOp, op: StoreOp, { name }: Location): boolean => {
  if (store.location.parent !== op.location.parent || store.location.name !== name) return false
  if (flow.isFollowedBy(op, store)) return true
  return flow.dominates(store, op) && !clearsBefore(flow, op).some((clear) => flow.canFollow(store, clear))
}

/** The least that anything writes there, not counting what takes the whole record away. */
const leastWritten = (numbers: Numbers, field: Location): bigint => {
  let least: bigint | null = null
  for (const { flow, op } of writesTo(numbers.flow.contractFlow, field)) {
    if (isCleared(op) && op.location.depth < field.depth) continue
    const values = valuesFor(flow, op, field)
    if (values === null || mayBeLeftOut(flow, op, field)) return 0n
    for (const value of values) {
      const { min } = numbers.of(flow).interval(value, op)
      if (least === null || min < least) least = min
    }
  }
  return least ?? 0n
}

/** Two fields of one record, of which the one is never written as less than the other. */
export const isKeptInOrder = (numbers: Numbers, a: Op, b: Op): boolean => {
  const { flow } = numbers
  const more = keptAt(flow, stripCasts(a))
  const less = keptAt(flow, stripCasts(b))
  if (more === null || less === null || more.parent === null || more.parent !== less.parent) return false
  const { contractFlow } = flow
  return [...writesTo(contractFlow, more), ...writesTo(contractFlow, less)].every((write) =>
    writesInOrder(numbers.of(write.flow), write.op, more, less),
  )
}

/** Where a number is kept that is read, also from a copy of the record. */
const keptAt = (flow: Flow, value: Op): Location | null => {
  if (value.kind !== 'load' || value.location.part !== 'field') return null
  if (value.location.space === 'state') return value.location.variable === null ? null : value.location
  const content = contentOf(flow, value.location)
  return content?.values.length === 0 && content.copies.length === 1 ? content.copies[0]! : null
}

/** Both at once, in a whole record or one beside the other; or the whole record is taken away. */
const writesInOrder = (numbers: Numbers, op: StoreOp, more: Location, less: Location): boolean => {
  const { flow } = numbers
  if (op.location.depth < more.depth) {
    if (isCleared(op)) return true
    const [a, b] = [valuesFor(flow, op, more), valuesFor(flow, op, less)]
    if (a?.length !== 1 || b?.length !== 1 || mayBeLeftOut(flow, op, more)) return false
    return numbers.isAtLeast(a[0]!, b[0]!, op)
  }
  const other = op.location.name === more.name ? less : more
  const beside = flow.stateStores().find((store) => isWrittenBeside(flow, store, op, other))
  if (beside === undefined) return false
  const [a, b] = op.location.name === more.name ? [op, beside] : [beside, op]
  return numbers.isAtLeast(a.args[0], b.args[0], flow.dominates(op, beside) ? beside : op)
}
