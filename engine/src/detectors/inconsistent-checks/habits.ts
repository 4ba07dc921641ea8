/** What functions of a contract do besides an act, each in a form by which they can be compared: one property each. */
import { dependsOn, endsInRevert, type Fact, guardsAt, lockedAt } from '../../facts/index.ts'
import { columnOf, isKeyed, isOwnTokenBalance, keyOfColumn, shapeOfCondition } from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  type Location,
  type Op,
  opposites,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { FunctionModel, ModifierModel, VariableModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'

export interface Habit {
  readonly kind: 'condition' | 'lock' | 'settlement' | 'phase' | 'limit' | 'order' | 'mark'
  /** Equal for what can be compared, within a contract. */
  readonly key: string
  /** After "the other functions". */
  readonly words: string
  readonly at: Span
  /** State that it tests. */
  readonly state: ReadonlySet<VariableModel>
  /** Columns that it brings up to date. */
  readonly settled: ReadonlySet<string>
  /** Names of the functions of other contracts that it asks. */
  readonly queried: ReadonlySet<string>
  readonly checksSender: boolean
  /** Names of the arguments that it tests, and what they are. */
  readonly given: ReadonlyMap<string, string>
  /** The function that a condition is written in, where it is not the entry point itself. */
  readonly writtenIn: FunctionModel | ModifierModel | null
}

export const plain = {
  state: new Set<VariableModel>(),
  settled: new Set<string>(),
  queried: new Set<string>(),
  checksSender: false,
  given: new Map<string, string>(),
  writtenIn: null,
}

/** What a pure function requires, as of a number that has to fit its type, is no rule of the protocol. */
export const isOfNumbers = ({ site }: Op): boolean =>
  site !== null && 'mutability' in site.fn && site.fn.mutability === 'pure'

/** What a function does for the sake of the operations that perform an act. */
type Property = (flow: Flow, ops: readonly Op[]) => readonly Habit[]

/** What a condition rests on; of a number what it is worked out from, and not under which keys that was found or which contract was called. */
export const leavesOf = (condition: Op, isNumber = false): readonly Op[] => {
  const seen = new Set<Op>()
  const work = [condition]
  while (work.length > 0 && seen.size < 60) {
    const op = stripCasts(work.pop()!)
    if (seen.has(op)) continue
    seen.add(op)
    work.push(...op.args)
    if (op.kind === 'call' && op.call.target !== null && !isNumber) work.push(op.call.target)
    if (op.kind !== 'load') continue
    for (let at: Location | null = op.location; at !== null; at = at.parent) {
      if (at.index !== null && !isNumber) work.push(at.index)
      if (at.base !== null) work.push(at.base)
    }
  }
  return [...seen]
}

/** State that can change. */
const variablesIn = (ops: readonly Op[]): ReadonlySet<VariableModel> =>
  new Set(
    ops.flatMap(({ kind, location }) =>
      kind === 'load' && location?.variable && !location.variable.isConstant && !location.variable.isImmutable
        ? [location.variable]
        : [],
    ),
  )

/** Functions of other contracts that are called. */
const calleesIn = (ops: readonly Op[]): ReadonlySet<string> =>
  new Set(ops.flatMap(({ kind, call }) => (kind === 'call' && call?.target ? [call.name] : [])))

const sourceOf = ({ model }: Flow, span: Span): string => model.fileAt(span.start)?.excerpt(span) ?? ''

/** `whenNotPaused` for a condition on `paused`. */
const isNamedOtherwise = (flow: Flow, condition: Op): boolean => {
  const source = sourceOf(flow, condition)
  const name = condition.kind === 'load' ? condition.location.variable?.name : undefined
  return /^\w+$/.test(source) && name !== undefined && name !== source
}

/** As a `require` would put it. */
const wordsOf = (flow: Flow, condition: Op, polarity: boolean): string => {
  if (condition.kind === 'un' && condition.operator === '!') return wordsOf(flow, condition.args[0]!, !polarity)
  // A comparison that a modifier of a library makes has no source but the modifier's name: `onlyOwner`.
  if (condition.kind === 'bin' && /^\w+$/.test(sourceOf(flow, condition))) return sourceOf(flow, condition)
  const opposite = condition.kind === 'bin' ? opposites[condition.operator] : undefined
  // `if (a == b) revert` is `a != b` here, without a sign of its own in the source.
  const operator = polarity && opposite !== undefined ? condition.operator : opposite
  if (polarity && operator === undefined) return sourceOf(flow, condition)
  // A modifier of a library is shown by its name, which says what holds: `whenNotPaused`.
  if (operator === undefined) return `${isNamedOtherwise(flow, condition) ? '' : '!'}${sourceOf(flow, condition)}`
  return `${sourceOf(flow, condition.args[0]!)} ${operator} ${sourceOf(flow, condition.args[1]!)}`
}

/** Contracts are given as addresses, too. */
export const kindOf = (flow: Flow, op: Op): string => {
  const kind = flow.typeOf(op)?.kind ?? ''
  return kind === 'contract' ? 'address' : kind
}

/** A check turns callers away; what only chooses between two ways is none. */
const rejects = (flow: Flow, op: Op): boolean =>
  op.kind === 'assume' || flow.branchesOn(op).some(({ succs }) => succs.some((succ) => endsInRevert(flow, succ)))

/** Conditions on the path to an act, or after it on every path to the end, that rest on state. */
export const conditions: Property = (flow, ops) =>
  ops.flatMap((op) => {
    const later = flow.ops('assume').filter((check) => flow.isFollowedBy(op, check))
    const facts: readonly Fact[] = [
      ...guardsAt(flow, op).filter((fact) => flow.answerAbout(fact.op, rejects)),
      ...later.map((check) => ({ condition: check.args[0], polarity: true, op: check })),
    ]
    const lock = lockedAt(flow, op)?.variable
    return facts
      .flatMap((fact) => flow.answerAbout(fact.condition, fact.polarity ? whenTrue : whenFalse) ?? [])
      .filter(({ state, writtenIn }) => !(lock && state.has(lock)) && !isLock(writtenIn))
  })

/** A known modifier that takes a reentrancy lock. */
const isLock = (fn: FunctionModel | ModifierModel | null): boolean => fn?.effect === 'lock'

const habitOf = (flow: Flow, condition: Op, polarity: boolean): Habit | null => {
  const leaves = leavesOf(condition)
  const state = variablesIn(leaves)
  const isRule = state.size > 0 || (leaves.some(isClock) && leaves.some(({ kind }) => kind === 'param'))
  const shape = isRule ? shapeOfCondition(condition, polarity) : null
  if (shape === null) return null
  return {
    ...plain,
    kind: 'condition',
    key: shape,
    words: `check \`${wordsOf(flow, condition, polarity)}\``,
    at: condition,
    state,
    queried: calleesIn(leaves),
    checksSender: leaves.some(({ kind, operator }) => kind === 'env' && operator === 'msg.sender'),
    given: new Map(leaves.flatMap((leaf) => (leaf.kind === 'param' ? [[leaf.operator, kindOf(flow, leaf)]] : []))),
    writtenIn: condition.site?.fn ?? null,
  }
}

const whenTrue = (flow: Flow, condition: Op): Habit | null => habitOf(flow, condition, true)
const whenFalse = (flow: Flow, condition: Op): Habit | null => habitOf(flow, condition, false)

/** A reentrancy lock around what hands control to another contract; without such a call, around the act. */
export const locks: Property = (flow, ops) => {
  const calls = flow.externalCalls().filter(({ call }) => !call.isStatic && call.gasKind !== 'stipend')
  const held = (calls.length > 0 ? calls : ops).map((op) => lockedAt(flow, op))
  const lock = held[0]
  // The status of a record keeps that record from being used twice: it locks no other.
  if (!lock || held.includes(null) || (lock.location !== null && isKeyed(lock.location))) return []
  return [{ ...plain, kind: 'lock', key: 'lock', words: 'hold a reentrancy lock', at: lock }]
}

/** A function or modifier that runs before an act, and before which state is out of date: it reads the time and writes state. */
export const settlements: Property = (flow, ops) =>
  flow.answer(settlementsOf).flatMap(({ fn, first, habit }) => {
    const outside = ops.filter((op) => !writersOf(op).includes(fn))
    return outside.length > 0 && outside.every((op) => flow.dominates(first, op)) ? [habit] : []
  })

interface Settlement {
  readonly fn: FunctionModel | ModifierModel
  /** The first operation of its body. */
  readonly first: Op
  readonly habit: Habit
}

/** Functions and modifiers through which an operation came in. */
export const writersOf = (op: Op): readonly (FunctionModel | ModifierModel)[] => {
  const found: (FunctionModel | ModifierModel)[] = []
  for (let site = op.site; site !== null; site = site.parent) found.push(site.fn)
  return found
}

/** Columns that are written by the clock. */
export const clockedBy = ({ location, args }: StoreOp): string | null => {
  const column = columnOf(location)
  return column !== null && leavesOf(args[0]).some(isClock) ? keyOfColumn(column) : null
}

/** What a settlement counts with: state, and what the contract holds of a token. */
export interface Base {
  readonly fn: FunctionModel | ModifierModel
  readonly key: string
  readonly columns: ReadonlySet<string>
  readonly isBalance: boolean
}

/** Where a value can follow from the time. */
const clockedStores = (flow: Flow): readonly StoreOp[] =>
  flow.isConstructor || flow.isPartial || !readsClock(flow) ? [] : flow.stateStores()

const readsClock = (flow: Flow): boolean =>
  flow.usesEnvironment('block.timestamp') || flow.usesEnvironment('block.number')

/** Of each function or modifier that lets something grow with the time: what else its growth follows from. */
export const basesOf = ({ flows }: ContractFlow): readonly Base[] => {
  const found = new Map<FunctionModel | ModifierModel, Base & { readonly columns: Set<string>; isBalance: boolean }>()
  for (const flow of flows)
    for (const store of clockedStores(flow)) {
      const leaves = leavesOf(store.args[0])
      if (!leaves.some(isClock) || !leaves.some((leaf) => leaf.kind === 'make' || isElapsed(leaf))) continue
      const read = columnsIn(leavesOf(store.args[0], true))
      const stamping = flow.answer(stampersOf)
      for (const fn of new Set(writersOf(store))) {
        if (!stamping.has(fn)) continue
        const base = found.get(fn) ?? { fn, key: keyOf(fn), columns: new Set<string>(), isBalance: false }
        found.set(fn, base)
        for (const column of read) base.columns.add(column)
        base.isBalance ||= leaves.some(isOwnTokenBalance)
      }
    }
  return [...found.values()]
}

/** Functions and modifiers that record the time: what they let grow starts again. A reward for being quick is counted once. */
const stampersOf = (flow: Flow): ReadonlySet<FunctionModel | ModifierModel> =>
  new Set(flow.stateStores().flatMap((store) => (isStamp(stripCasts(store.args[0])) ? writersOf(store) : [])))

const isStamp = (value: Op): boolean => isClock(value) || (value.kind === 'make' && leavesOf(value).some(isClock))

/** What each function or modifier lets grow with the time since its last run, and not by a number of the caller's. */
export const settledColumns = ({ flows }: ContractFlow): readonly Omit<Base, 'isBalance'>[] => {
  const found = new Map<FunctionModel | ModifierModel, Set<string>>()
  for (const flow of flows)
    for (const { fn, column } of flow.answer(settledIn)) found.set(fn, (found.get(fn) ?? new Set()).add(column))
  return [...found].map(([fn, columns]) => ({ fn, key: keyOf(fn), columns }))
}

/** Contracts with one base share its flows. */
const settledIn = (flow: Flow): readonly { readonly fn: FunctionModel | ModifierModel; readonly column: string }[] =>
  clockedStores(flow).flatMap((store) => {
    const leaves = leavesOf(store.args[0])
    const grows = leaves.some(isClock) && leaves.some(isElapsed) && !dependsOn(flow, store.args[0], isArgument)
    const column = grows ? columnOf(store.location) : null
    return column === null ? [] : writersOf(store).map((fn) => ({ fn, column: keyOfColumn(column) }))
  })

/** `debts[account] * index`: state by the state that it is multiplied with. */
export const multipliedColumns = ({ flows }: ContractFlow): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  for (const flow of flows)
    for (const { operator, args } of flow.ops('bin')) {
      if (operator !== '*') continue
      const [left, right] = args.map((arg) => columnsIn(leavesOf(arg)))
      for (const [a, b] of left!.flatMap((each) => right!.map((other) => [each, other] as const))) {
        found.set(a, (found.get(a) ?? new Set()).add(b))
        found.set(b, (found.get(b) ?? new Set()).add(a))
      }
    }
  return found
}

const columnsIn = (leaves: readonly Op[]): readonly string[] =>
  leaves.flatMap((leaf) => {
    const column = leaf.kind === 'load' ? columnOf(leaf.location) : null
    return column === null ? [] : [keyOfColumn(column)]
  })

const settlementsOf = (flow: Flow): readonly Settlement[] => {
  const written = new Map<FunctionModel | ModifierModel, Set<string>>()
  for (const store of readsClock(flow) ? flow.stateStores() : []) {
    const column = clockedBy(store)
    if (column === null) continue
    for (const fn of writersOf(store)) written.set(fn, (written.get(fn) ?? new Set()).add(column))
  }
  const moving = written.size === 0 ? noFunctions : movingBy(flow)
  return [...written].flatMap(([fn, settled]) => {
    if (moving.has(fn)) return []
    const first = flow.ir.ops.find((op) => op.site !== null && writersOf(op).includes(fn))
    if (first === undefined) return []
    const words = `call \`${fn.name}()\` first`
    const habit: Habit = { ...plain, kind: 'settlement', key: keyOf(fn), words, at: first, settled }
    return [{ fn, first, habit }]
  })
}

const noFunctions: ReadonlySet<FunctionModel | ModifierModel> = new Set()

/**
 * `_burn(account, amount)`: functions that store what follows from an argument do more than bring state up to date, whatever else
 * runs in them. A rate that another contract answers for an argument is no amount.
 */
const movingBy = (flow: Flow): ReadonlySet<FunctionModel | ModifierModel> =>
  new Set(flow.stateStores().flatMap((store) => (isAmount(flow, store.args[0]) ? writersOf(store) : [])))

const isAmount = (flow: Flow, value: Op): boolean =>
  dependsOn(flow, value, isArgument) && !dependsOn(flow, value, ({ kind }) => kind === 'call')

const keyOf = ({ node }: FunctionModel | ModifierModel): string => `settled by ${node.start}`

/** `block.timestamp - last`; a point of a history has the time beside the number. */
const isElapsed = ({ kind, operator, args }: Op): boolean =>
  kind === 'bin' && operator === '-' && args.some((arg) => leavesOf(arg).some(isClock))

/** `paid + (block.timestamp - last) * rate`: what has grown since is added where it is read. */
export const isCompleted = (flow: Flow, load: Op): boolean =>
  flow
    .ops('bin')
    .some(
      ({ operator, args }) =>
        operator === '+' &&
        args.some((side) => stripCasts(side) === load) &&
        args.some((side) => stripCasts(side) !== load && leavesOf(side).some(isElapsed)),
    )

const isArgument = ({ kind }: Op): boolean => kind === 'param'

const isClock = ({ kind, operator }: Op): boolean =>
  kind === 'env' && (operator === 'block.timestamp' || operator === 'block.number')
