/** All functions of one contract together: who writes what, and which state an outsider can set. */

import {
  Answers,
  type Budget,
  type Decision,
  fieldPath,
  type Ir,
  type Location,
  Lowering,
  type Op,
  stripCasts,
} from '../ir/index.ts'
import type { ContractModel, FunctionModel, Model, VariableModel } from '../model/index.ts'
import { Flow, type FlowKind } from './flow.ts'
import type { GrownBy } from './loops.ts'
import { Covered, type FlowCache } from './made-flows.ts'
import type { Interval } from './ranges.ts'
import { isRefill } from './refills.ts'
import { relationsAt } from './relations.ts'
import { isSender, type SenderGuard } from './senders.ts'
import { isSameSlot } from './trust.ts'
import { closeState, forgetLater, isInnerUnsettled, openState, touchOpenState } from './unsettled.ts'

export interface Access {
  readonly flow: Flow
  readonly op: Op
}

export interface Summary {
  readonly writes: readonly VariableModel[]
  readonly reads: readonly VariableModel[]
  /** It may hand control to another contract with enough gas to call back. */
  readonly calls: boolean
  /** It may send ether. */
  readonly sends: boolean
}

/** Bounds of variables; null where nothing is known. */
type Limits = Map<VariableModel, Interval | null>

const noAccess: readonly Access[] = []
const emptySummary: Summary = { writes: [], reads: [], calls: false, sends: false }

export class ContractFlow {
  readonly model: Model
  readonly contract: ContractModel | null
  /** Constructor, entry points, then functions that none of them reaches; flows shared with another contract included. */
  readonly flows: readonly Flow[]
  readonly #budget: Budget
  #summaries: Map<FunctionModel, Summary> | null = null
  #calledParameters: Map<FunctionModel, readonly number[]> | null = null
  #writers: Map<VariableModel, Access[]> | null = null
  #readers: Map<VariableModel, Access[]> | null = null
  #limits: Limits | null = null
  /** By path of fields, which few places have. */
  #limitsOfFields: Map<string, Limits> | null = null
  #settable: SettablePaths | null = null
  /** Of these, what an outsider can set to more than nothing. */
  #grantable: SettablePaths | null = null
  #entryPoints: readonly Flow[] | null = null
  #answers: Answers<ContractFlow> | null = null
  #isComputing = false

  constructor(
    model: Model,
    contract: ContractModel | null,
    free: readonly FunctionModel[],
    cache: FlowCache,
    budget: Budget,
    lowering: Lowering = new Lowering(model, budget),
  ) {
    this.model = model
    this.contract = contract
    this.#budget = budget
    this.flows =
      contract === null
        ? free.map((fn) => this.#flowOf(fn, 'free', cache, lowering))
        : this.#build(contract, cache, lowering)
  }

  #build(contract: ContractModel, cache: FlowCache, lowering: Lowering): Flow[] {
    const flows: Flow[] = []
    if (contract.contractKind === 'library') {
      for (const fn of contract.functions) {
        if (fn.isImplemented) flows.push(this.#flowOf(fn, 'library', cache, lowering))
      }
      return flows
    }
    const construction = this.#construction(contract, lowering)
    if (construction !== null) flows.push(construction)
    const { entryPoints } = contract
    for (let i = 0; i < entryPoints.length; i++) {
      const fn = entryPoints[i]!
      if (fn.isStub || !fn.isImplemented || fn.role === 'constructor') continue
      const kind = fn.role === 'fallback' || fn.role === 'receive' ? fn.role : 'entry'
      flows.push(this.#flowOf(fn, kind, cache, lowering))
    }
    this.#addUnreached(contract, flows, cache, lowering)
    return flows
  }

  /** Functions that none of the flows so far runs: overridden ones, and inner ones that wait for an heir. */
  #addUnreached(contract: ContractModel, flows: Flow[], cache: FlowCache, lowering: Lowering): void {
    const { allFunctions, entryPoints } = contract
    const covered = new Covered(flows)
    let nextEntry = 0
    for (let i = 0; i < allFunctions.length; i++) {
      const fn = allFunctions[i]!
      // Entry points come in the same order, nearly always, and have flows of their own.
      if (fn === entryPoints[nextEntry]) {
        nextEntry++
        continue
      }
      if (fn.isStub || !fn.isImplemented || fn.role === 'constructor' || covered.includes(fn)) continue
      const overridden = fn.visibility === 'public' || fn.visibility === 'external'
      flows.push(this.#flowOf(fn, overridden ? 'entry' : 'internal', cache, lowering))
    }
  }

  #construction(contract: ContractModel, lowering: Lowering): Flow | null {
    if (!contract.linearization.some(isConstructed)) return null
    const ir = lowering.construction(contract)
    if (ir.ops.length <= 1) return null
    return new Flow(this.model, contract.constructor_, contract, 'constructor', ir, this)
  }

  #flowOf(fn: FunctionModel, kind: FlowKind, cache: FlowCache, lowering: Lowering): Flow {
    const known = cache.of(fn)
    for (let i = 0; i < known.length; i++) if (this.#agrees(known[i]!.ir)) return known[i]!
    const flow = new Flow(this.model, fn, this.contract, kind, lowering.function(fn, this.contract), this)
    cache.add(fn, flow)
    return flow
  }

  /** Every question that dispatch answered while lowering has the same answer in this contract. */
  #agrees(ir: Ir): boolean {
    const contract = this.contract
    return contract !== null && ir.decisions.every((decision) => this.#answer(decision, contract) === decision.got)
  }

  #answer(decision: Decision, contract: ContractModel): object | null {
    if (decision.use !== null) return this.model.modifierFor(decision.use, contract)
    const fn = decision.asked as FunctionModel
    if (decision.from !== null) return this.model.superOf(fn, decision.from, contract) ?? fn
    return decision.virtual ? this.model.dispatch(fn, contract) : fn
  }

  /** Flows that outsiders can start; the constructor is not among them. */
  get entryPoints(): readonly Flow[] {
    this.#entryPoints ??= this.flows.filter((flow) => flow.isEntryPoint)
    return this.#entryPoints
  }

  /** A question about the whole contract, worked out once. */
  answer<T>(question: (whole: ContractFlow) => T): T {
    this.#answers ??= new Answers()
    return this.#answers.to(question, this)
  }

  /** Every write to a state variable, in the constructor too. */
  writersOf(variable: VariableModel): readonly Access[] {
    this.#writers ??= indexBy(this.flows, (flow) => flow.stateStores())
    return this.#writers.get(variable) ?? noAccess
  }

  readersOf(variable: VariableModel): readonly Access[] {
    this.#readers ??= indexBy(this.flows, (flow) => flow.stateLoads())
    return this.#readers.get(variable) ?? noAccess
  }

  /** The sum of what a function does when it was not inlined. */
  summaryOf(fn: FunctionModel): Summary {
    this.#summaries ??= new Map()
    const known = this.#summaries.get(fn)
    if (known !== undefined) return known
    this.#summaries.set(fn, emptySummary)
    const ir = new Lowering(this.model, this.#budget).function(fn, this.contract)
    const flow = new Flow(this.model, fn, this.contract, 'internal', ir, this)
    const writes = new Set<VariableModel>()
    const reads = new Set<VariableModel>()
    for (const op of flow.stateStores()) if (op.location!.variable !== null) writes.add(op.location!.variable)
    for (const op of flow.stateLoads()) if (op.location!.variable !== null) reads.add(op.location!.variable)
    let calls = flow.externalCalls().some((op) => op.call!.gasKind !== 'stipend' && !op.call!.isStatic)
    let sends = flow.sends().length > 0
    for (const op of flow.ops('call')) {
      const callee = op.call!.inlined ? null : op.call!.definition
      if (callee === null || (op.call!.kind !== 'internal' && op.call!.kind !== 'library')) continue
      const inner = this.summaryOf(callee)
      for (const variable of inner.writes) writes.add(variable)
      for (const variable of inner.reads) reads.add(variable)
      calls ||= inner.calls
      sends ||= inner.sends
    }
    const summary: Summary = { writes: [...writes], reads: [...reads], calls, sends }
    this.#summaries.set(fn, summary)
    return summary
  }

  /** A function of any contract by itself, as it runs in its own. */
  alone(fn: FunctionModel): Flow {
    const ir = new Lowering(this.model, this.#budget).function(fn, fn.contract)
    return new Flow(this.model, fn, fn.contract, 'internal', ir, this)
  }

  /** Parameters of a function (of any contract) that it calls with enough gas to call back. */
  parametersCalledBy(fn: FunctionModel): readonly number[] {
    this.#calledParameters ??= new Map()
    const known = this.#calledParameters.get(fn)
    if (known !== undefined) return known
    this.#calledParameters.set(fn, [])
    const flow = this.alone(fn)
    const found = new Set<number>()
    for (const call of flow.externalCalls()) {
      const info = call.call!
      if (info.gasKind === 'stipend' || info.isStatic || info.target === null) continue
      const index = flow.params.indexOf(stripCasts(info.target))
      if (index >= 0) found.add(index)
    }
    const parameters = [...found]
    this.#calledParameters.set(fn, parameters)
    return parameters
  }

  /** Bounds of a place over the whole contract, worked out once; null while that is under way. */
  stateLimit(place: Location, compute: (whole: ContractFlow, place: Location) => Interval | null): Interval | null {
    const limits = this.#limitsFor(fieldPath(place))
    const variable = place.variable!
    const known = limits.get(variable)
    if (known === underWay) {
      touchOpenState()
      return null
    }
    if (known !== undefined) return known
    return this.#workOut(limits, variable, () => compute(this, place))
  }

  #limitsFor(path: string): Limits {
    if (path === '') {
      this.#limits ??= new Map()
      return this.#limits
    }
    this.#limitsOfFields ??= new Map()
    let limits = this.#limitsOfFields.get(path)
    if (limits === undefined) {
      limits = new Map()
      this.#limitsOfFields.set(path, limits)
    }
    return limits
  }

  #workOut(limits: Limits, variable: VariableModel, compute: () => Interval | null): Interval | null {
    limits.set(variable, underWay)
    openState()
    try {
      const limit = compute()
      limits.set(variable, limit)
      if (isInnerUnsettled()) forgetLater({ forget: () => limits.delete(variable) })
      return limit
    } finally {
      if (limits.get(variable) === underWay) limits.delete(variable)
      closeState()
    }
  }

  /** Some function lets anybody write this variable or a part of it (not counting functions that work only once). */
  outsiderCanSet(variable: VariableModel): boolean {
    if (variable.isConstant || variable.isImmutable) return false
    return this.#settablePaths().has(variable)
  }

  /** The same for one place: fields of a struct are told apart, elements are not. */
  outsiderCanSetPlace(place: Location): boolean {
    const variable = place.variable
    if (variable === null || variable.isConstant || variable.isImmutable) return false
    return isSettable(this.#settablePaths(), variable, fieldPath(place))
  }

  /** The guard rests on state that an outsider can set, so it guards nothing. */
  isBroken(guard: SenderGuard): boolean {
    if (guard.places.length === 0) return false
    const settable = this.#settablePaths()
    return restsOn(guard, settable, this.#grantable ?? settable)
  }

  /** Least fixpoint: what unguarded functions write; then what functions write whose guard rests on such state; and so on. */
  #settablePaths(): SettablePaths {
    if (this.#settable !== null) return this.#settable
    const settable: SettablePaths = new Map()
    if (this.#isComputing) return settable
    const grantable: SettablePaths = new Map()
    this.#isComputing = true
    let open: { place: Location; flow: Flow; op: Op }[] = []
    for (const flow of this.entryPoints) {
      for (const op of flow.stateStores()) {
        if (op.location!.variable !== null) open.push({ place: op.location!, flow, op })
      }
    }
    for (let changed = true; changed; ) {
      changed = false
      const rest: typeof open = []
      for (const write of open) {
        const variable = write.place.variable!
        const path = fieldPath(write.place)
        const paths = isCleared(write.op) ? settable : grantable
        if (paths.get(variable)?.includes(path)) continue
        const guards = write.flow.senderGuardsAt(write.op)
        if (someHolds(guards, settable, grantable) || runsOnce(write.flow, write.op)) rest.push(write)
        else {
          addPath(paths, variable, path)
          if (paths === grantable) addPath(settable, variable, path)
          changed = true
        }
      }
      open = rest
    }
    this.#isComputing = false
    this.#settable = settable
    this.#grantable = grantable
    return settable
  }

  /** Who can make an array longer (beyond `few` elements), or a number larger; `path` tells a list in a struct from its neighbours. */
  grownBy(variable: VariableModel, isLength: boolean, path: string | null = null, few = fewElements): GrownBy {
    let grown: GrownBy = 'nobody'
    for (const { flow, op } of this.writersOf(variable)) {
      if (flow.isConstructor || !grows(op, isLength)) continue
      // An initialiser brings as much as one call can.
      if (flow.isEntryPoint && runsOnce(flow, op)) continue
      if (path !== null && isElsewhere(op.location!, path, isLength)) continue
      if (isCapped(flow, op, few)) continue
      const isSetting = !isLength && !isIncrement(op)
      // Inner functions that nothing here calls wait for an heir, which decides who may call them.
      if (!flow.isEntryPoint || flow.isProtected(op)) {
        if (grown === 'nobody' && !isSetting && !(isLength && isRefill(flow, op))) grown = 'privileged'
      } else if (isKeyedBySender(op.location!)) {
        grown = 'self'
      } else return 'anyone'
    }
    return grown
  }
}

/** Stands for bounds that are being worked out. */
const underWay: Interval = { min: 0n, max: 0n }

const isConstructed = (contract: ContractModel): boolean =>
  (contract.constructor_?.isImplemented ?? false) ||
  contract.stateVariables.some((variable) => variable.value !== null && !variable.isConstant)

/** Field paths (`.owner`, `.terms.rate`; empty for all) that outsiders can write, per variable. */
type SettablePaths = Map<VariableModel, string[]>

/** Writing the whole writes each part, and writing a part changes the whole. */
const isSettable = (settable: SettablePaths, variable: VariableModel, path: string): boolean => {
  const paths = settable.get(variable)
  if (paths === undefined) return false
  for (let i = 0; i < paths.length; i++) {
    const written = paths[i]!
    if (written === path || isInside(written, path) || isInside(path, written)) return true
  }
  return false
}

const isInside = (outer: string, inner: string): boolean =>
  inner.length > outer.length && inner.startsWith(outer) && inner[outer.length] === '.'

const addPath = (settable: SettablePaths, variable: VariableModel, path: string): void => {
  const paths = settable.get(variable)
  if (paths === undefined) settable.set(variable, [path])
  else if (!paths.includes(path)) paths.push(path)
}

const isCleared = ({ flag, args }: Op): boolean => flag || (args[0]!.kind === 'const' && args[0]!.constant === 0n)

const someHolds = (guards: readonly SenderGuard[], settable: SettablePaths, grantable: SettablePaths): boolean => {
  for (let i = 0; i < guards.length; i++) if (!restsOn(guards[i]!, settable, grantable)) return true
  return false
}

/** Nobody passes because an entry was taken out; but a signature that is none may be by nobody. */
const restsOn = (guard: SenderGuard, settable: SettablePaths, grantable: SettablePaths): boolean => {
  const paths = guard.against === 'signature' ? settable : grantable
  return guard.places.some((place) => place.variable !== null && isSettable(paths, place.variable, fieldPath(place)))
}

const grows = (store: Op, isLength: boolean): boolean => {
  if (store.flag) return false
  const value = stripCasts(store.args[0]!)
  if (value.kind === 'const' && value.constant === 0n) return false
  if (isLength) {
    if (store.location!.part === 'length') return !(value.kind === 'bin' && value.operator === '-')
    // A whole array assigned.
    return store.location!.part === 'root' && value.kind !== 'const'
  }
  return !(value.kind === 'bin' && (value.operator === '-' || value.operator === '/'))
}

/** A list, or a number, in another field. */
const isElsewhere = (written: Location, path: string, isLength: boolean): boolean => {
  const at = fieldPath(written)
  return isLength ? written.part === 'length' && at !== path : !path.startsWith(at)
}

/** So few that even some 200,000 gas for each fit into a block. */
const fewElements = 64n

/** `require(list.length < MAX)` on the way to each new element, with a limit written into the code. */
const isCapped = (flow: Flow, store: Op, few: bigint): boolean => {
  const place = store.location!
  for (const { greater, smaller, strict } of relationsAt(flow, store)) {
    const counted = stripCasts(smaller)
    const isCount = counted.kind === 'load' && counted.location === place
    const isSum = counted.kind === 'bin' && counted.operator === '+' && isRaised(counted, place)
    if (!isCount && !isSum) continue
    if ((isCount && !strict && !isRaised(stripCasts(store.args[0]!), place)) || !isFew(stripCasts(greater), few))
      continue
    // One check before a loop does not hold for what the loop adds.
    if (flow.loopMarkAround(counted) === flow.loopMarkAround(store)) return true
  }
  return isRefilled(flow, store, few)
}

/** The list is cleared and then filled by a loop of few rounds: `require(entries.length <= MAX)`. */
const isRefilled = (flow: Flow, store: Op, few: bigint): boolean => {
  const loop = flow.loopMarkAround(store)
  const condition = loop === null || loop.test === -1 ? null : flow.blocks[loop.test]!.condition
  if (loop === null || condition?.kind !== 'bin' || store.location!.part !== 'length') return false
  if (!condition.args.some((end) => stripCasts(end).kind !== 'phi' && flow.interval(end, store).max <= few))
    return false
  const list = store.location!.parent
  return flow.stateStores().some((other) => {
    if (!other.flag || other.location !== list || other.id > store.id || !flow.dominates(other, store)) return false
    return other.block < loop.header
  })
}

const isFew = ({ kind, constant }: Op, few: bigint): boolean => kind === 'const' && constant !== null && constant <= few

const isRaised = (sum: Op, place: Location): boolean =>
  sum.args.some((arg) => {
    const part = stripCasts(arg)
    return part.kind === 'load' && part.location === place
  })

/** `n += x`, `n++`, also through a local copy that a loop counts up. */
const isIncrement = (store: Op): boolean => addsTo(stripCasts(store.args[0]!), store.location!.variable, 0)

const addsTo = (value: Op, variable: VariableModel | null, depth: number): boolean => {
  if (value.kind === 'call') return true
  if (depth > 3) return false
  if (value.kind === 'phi')
    return value.args.some((arg) => arg.id < value.id && isCopy(stripCasts(arg), variable, depth + 1))
  return (
    value.kind === 'bin' &&
    value.operator === '+' &&
    value.args.some((arg) => isCopy(stripCasts(arg), variable, depth + 1))
  )
}

const isCopy = (value: Op, variable: VariableModel | null, depth: number): boolean =>
  value.kind === 'load' ? value.location!.variable === variable : addsTo(value, variable, depth)

const isKeyedBySender = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && isSender(at.index)) return true
  return false
}

/** One of many: another key starts afresh. */
const isKeyed = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.index !== null && at.index.kind !== 'const') return true
  }
  return false
}

/** A state is required to be still unset, and this function sets it: an initialiser. */
export const runsOnce = (flow: Flow, op: Op): boolean => {
  for (const call of flow.guardCallsAt(op)) {
    const decl = call.decl
    const effect = decl !== null && decl.kind === 'modifier' ? decl.effect : call.call!.definition?.effect
    if (effect === 'initializer') return true
  }
  for (const fact of flow.guardsAt(op)) {
    const load = unsetLoad(fact.condition, fact.polarity)
    if (load === null || isKeyed(load.location!)) continue
    let sets = false
    let resets = false
    for (const store of flow.stateStores()) {
      if (!isSamePlace(store.location!, load.location!)) continue
      const value = stripCasts(store.args[0]!)
      if (value.kind === 'const' && value.constant === 0n) resets = true
      else sets = true
    }
    if (sets && !resets) return true
  }
  return false
}

const isSamePlace = (a: Location, b: Location): boolean =>
  a === b || (a.space === 'slot' && b.space === 'slot' && isSameSlot(a, b))

const isKept = ({ kind, location }: Op): boolean =>
  kind === 'load' && (location!.space === 'state' || location!.space === 'slot')

/** The load in `x == 0`, `!x`, `x < 1`… when the fact says that it is unset. */
const unsetLoad = (condition: Op, polarity: boolean): Op | null => {
  const op = stripCasts(condition)
  if (!polarity && isKept(op)) return op
  if (op.kind !== 'bin') return null
  const equal = (op.operator === '==' && polarity) || (op.operator === '!=' && !polarity)
  if (!equal) return null
  for (let i = 0; i < 2; i++) {
    const load = stripCasts(op.args[i]!)
    const other = stripCasts(op.args[1 - i]!)
    if (other.kind === 'const' && other.constant === 0n && isKept(load)) return load
  }
  return null
}

const indexBy = (flows: readonly Flow[], opsOf: (flow: Flow) => readonly Op[]): Map<VariableModel, Access[]> => {
  const index = new Map<VariableModel, Access[]>()
  for (const flow of flows) {
    for (const op of opsOf(flow)) {
      const variable = op.location!.variable
      if (variable === null) continue
      const list = index.get(variable)
      if (list === undefined) index.set(variable, [{ flow, op }])
      else list.push({ flow, op })
    }
  }
  return index
}
