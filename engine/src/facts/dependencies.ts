/** What a value is made of: through operations, memory, arguments of calls, and state that the contract keeps. */

import { budget, type Flow, groupBy, isBefore, type LoadOp, type Location, type Op, type StoreOp } from '../ir/index.ts'

type Predicate = (op: Op) => boolean

/** What one predicate returned for the values seen so far. */
interface Findings {
  /** Neither they nor anything that they are made of satisfies it. */
  readonly none: Set<Op>
  readonly first: Map<Op, Op>
}

class Dependencies {
  readonly #flow: Flow
  readonly #known = new Map<Predicate, Findings>()
  readonly #knownWithKeys = new Map<Predicate, Findings>()
  #marks: number[] | null = null
  #mark = 0

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** The first value that satisfies the predicate among those that `op` depends on, itself included. */
  find(op: Op, predicate: (op: Op) => boolean, storage: boolean, keys: boolean, limit: number): Op | undefined {
    if (storage) return this.#findThroughStorage(op, predicate, keys, limit)
    if (predicate(op)) return op
    // Marks instead of a set: this is evaluated often. A predicate that asks again may wipe marks; the limit ends it anyway.
    this.#marks ??= new Array<number>(this.#flow.ir.ops.length).fill(0)
    const marks = this.#marks
    const mine = ++this.#mark
    marks[op.id] = mine
    const work: Op[] = []
    const read = new Set<Location>()
    pushSources(this.#flow, op, keys, work, read)
    for (let visited = 1; work.length > 0 && visited < limit; ) {
      const at = work.pop()!
      if (marks[at.id] === mine) continue
      marks[at.id] = mine
      visited++
      if (predicate(at)) return at
      pushSources(this.#flow, at, keys, work, read)
    }
    return undefined
  }

  /** Of a predicate that is evaluated again and again: what a value is made of is looked through once, and not by each that is made of it. */
  findAgain(op: Op, predicate: Predicate, keys: boolean, limit: number): Op | undefined {
    const { none, first } = this.#findingsOf(predicate, keys)
    const usedBy = new Map<Op, Op>()
    const seen = new Set<Op>()
    const read = new Set<Location>()
    const work: Op[] = [op]
    while (work.length > 0 && seen.size < limit) {
      const at = work.pop()!
      if (seen.has(at) || none.has(at)) continue
      seen.add(at)
      const found = first.get(at) ?? (predicate(at) ? at : undefined)
      if (found !== undefined) {
        // All that lead to it are made of it as well.
        for (let user: Op | undefined = at; user !== undefined; user = usedBy.get(user)) first.set(user, found)
        return found
      }
      const before = work.length
      pushSources(this.#flow, at, keys, work, read)
      for (let i = before; i < work.length; i++) if (!seen.has(work[i]!)) usedBy.set(work[i]!, at)
    }
    if (work.length === 0) for (const at of seen) none.add(at)
    return undefined
  }

  #findingsOf(predicate: Predicate, keys: boolean): Findings {
    const known = keys ? this.#knownWithKeys : this.#known
    let findings = known.get(predicate)
    if (findings === undefined) {
      findings = { none: new Set(), first: new Map() }
      known.set(predicate, findings)
    }
    return findings
  }

  #findThroughStorage(op: Op, predicate: (op: Op) => boolean, keys: boolean, limit: number): Op | undefined {
    const seen = new Set<Op>()
    const read = new Set<Location>()
    const work: { op: Op; flow: Flow; hops: number }[] = [{ op, flow: this.#flow, hops: 0 }]
    while (work.length > 0 && seen.size < limit) {
      const { op: at, flow, hops } = work.pop()!
      if (seen.has(at)) continue
      seen.add(at)
      if (predicate(at)) return at
      const inner: Op[] = []
      pushSources(flow, at, keys, inner, read)
      for (const source of inner) work.push({ op: source, flow, hops })
      const place = at.kind === 'load' ? at.location : null
      if (place === null || place.space === 'memory' || place.variable === null || hops >= 3) continue
      for (const write of this.#flow.contractFlow.writersTo(place))
        work.push({ op: write.op.args[0], flow: write.flow, hops: hops + 1 })
    }
    return undefined
  }
}

/** What a value is made of at once, inside this flow; `read` are the places whose writes are on the list already. */
export const pushSources = (flow: Flow, at: Op, keys: boolean, work: Op[], read: Set<Location>): void => {
  const { args } = at
  for (const arg of args) work.push(arg)
  if (at.call !== null && at.call.target !== null) work.push(at.call.target)
  if (at.kind !== 'load') return
  const place = at.location
  if (keys) for (let p: Location | null = place; p !== null; p = p.parent) if (p.index !== null) work.push(p.index)
  if (place.space !== 'memory') return
  if (place.base !== null) {
    work.push(givenFor(flow, place) ?? place.base)
    for (const store of writtenBeforeCopy(flow, place)) work.push(store.args[0])
  }
  // What many reads of one place find is the same.
  if (read.has(place)) return
  read.add(place)
  for (const store of flow.memoryStoresTo(place)) work.push(store.args[0])
}

/** `Header({root: r, size: n}).size`: what was given for this field when the struct was made in place. */
const givenFor = (flow: Flow, { part, parent, name }: Location): Op | null => {
  const made = part === 'field' && parent !== null && parent.parent === null ? parent.base : null
  if (made?.kind !== 'make') return null
  const type = flow.typeOf(made)
  if (type?.kind !== 'struct' || made.args.length !== type.struct.fields.length) return null
  const field = type.struct.fields.findIndex((one) => one.name === name)
  return field < 0 ? null : made.args[field]!
}

const fieldStores = (flow: Flow): ReadonlyMap<Location | null, readonly StoreOp[]> =>
  groupBy(
    flow.stateStores().filter(({ location }) => location.part === 'field'),
    ({ location }) => location.parent,
  )

/** `record.size += n; check(record)`: what was written into this field before the record was copied to memory. */
const writtenBeforeCopy = (flow: Flow, { part, parent, name }: Location): readonly StoreOp[] => {
  const copied = part === 'field' && parent !== null && parent.parent === null ? parent.base : null
  if (copied?.kind !== 'load' || copied.location.space !== 'state') return []
  const written = flow.answer(fieldStores).get(copied.location)
  return written?.filter((store) => store.location.name === name && isBefore(store, copied)) ?? []
}

/** How far dependencies are followed. */
export interface DependencyOptions {
  /** Through values that any function of the contract stores in the state that is read. */
  readonly storage?: boolean
  /** Through the keys of what is read. */
  readonly keys?: boolean
  /** The predicate is one function for all who ask, and many do: inside the flow, what was found is kept. */
  readonly isKept?: boolean
}

const inFlow: DependencyOptions = {}

const createDependencies = (flow: Flow): Dependencies => new Dependencies(flow)

/**
 * Whether a value depends on one that satisfies the predicate: through operations, memory, arguments of calls and,
 * with `storage`, values that any function of the contract stores in the state it reads.
 */
export const dependsOn = (
  flow: Flow,
  op: Op,
  predicate: (op: Op) => boolean,
  options: DependencyOptions = inFlow,
): boolean => findDependency(flow, op, predicate, options) !== undefined

/** The first value that satisfies the predicate among those that `op` depends on, itself included. */
export function findDependency<Sought extends Op>(
  flow: Flow,
  op: Op,
  predicate: (op: Op) => op is Sought,
  options?: DependencyOptions,
  limit?: number,
): Sought | undefined
export function findDependency(
  flow: Flow,
  op: Op,
  predicate: (op: Op) => boolean,
  options?: DependencyOptions,
  limit?: number,
): Op | undefined
export function findDependency(
  flow: Flow,
  op: Op,
  predicate: (op: Op) => boolean,
  options: DependencyOptions = inFlow,
  limit: number = budget.work.dependencies,
): Op | undefined {
  const { storage = false, keys = false, isKept = false } = options
  const dependencies = flow.answer(createDependencies)
  return isKept && !storage
    ? dependencies.findAgain(op, predicate, keys, limit)
    : dependencies.find(op, predicate, storage, keys, limit)
}

/** Whether a value is made of state. */
export const readsState = (flow: Flow, value: Op): boolean => dependsOn(flow, value, isStateRead, { isKept: true })

/** A value that is read from the state of the contract, not from memory. */
export const isStateRead = (op: Op): op is LoadOp => op.kind === 'load' && op.location.space !== 'memory'

/** The reads of state that a value is made of, kept: the same condition stands before many operations. */
export const stateReadsOf = (flow: Flow, value: Op): readonly LoadOp[] =>
  flow.remember(stateReadsOf, value, () => everyPart(flow, value).filter(isStateRead))

/** The parameters that a value is made of. */
export const parametersIn = (flow: Flow, value: Op): ReadonlySet<Op> =>
  flow.remember(parametersIn, value, () => new Set(everyPart(flow, value).filter(isParameter)))

/** All that a value is made of. */
export const everyPart = (flow: Flow, value: Op, options?: DependencyOptions): readonly Op[] => {
  const parts: Op[] = []
  dependsOn(flow, value, (op) => parts.push(op) < 0, options)
  return parts
}

/** A parameter as it is, or worked out from parameters alone: no state, no contract and nothing that comes with the call has a say in it. */
export const isCallersNumber = (flow: Flow, value: Op): boolean =>
  dependsOn(flow, value, isParameter, kept) && !dependsOn(flow, value, isSaidByOthers, kept)

const kept: DependencyOptions = { isKept: true }

const isParameter = ({ kind }: Op): boolean => kind === 'param'

/** State, what a contract answers, who calls and when. */
export const isSaidByOthers = (op: Op): boolean =>
  op.kind === 'call' ||
  (op.kind === 'env' && op.operator !== 'this') ||
  (op.kind === 'load' && op.location.space !== 'memory')
