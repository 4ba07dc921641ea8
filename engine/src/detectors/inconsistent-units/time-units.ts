/**
 * What a number counts, as far as time is concerned: exponents of seconds and of blocks. Known sources are `block.timestamp`, `block.number`, literals
 * such as `3 days` and the times that price feeds report; products and quotients add and subtract exponents, and a variable has the unit of what is
 * stored in it. Numbers written without a unit fit any other in a sum or a comparison.
 */
import { implementationsOf, implementedBy } from '../../facts/index.ts'
import { type Column, columnOf, feedAnswer, isBlockNumber, keyOfColumn, storedBehind } from '../../idioms/index.ts'
import {
  alternativesOf,
  bothOrders,
  budget,
  type Context,
  type ContractFlow,
  type Flow,
  type LoadOp,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { resultPosition } from '../../knowledge/index.ts'
import type { ContractModel, FunctionModel, Model, VariableModel } from '../../model/index.ts'
import type { Expression, Span } from '../../syntax/index.ts'

/** The exponents of seconds and of blocks, as text, so that equal units are the same. */
export type TimeUnit = `${number} ${number}`

const unit = (seconds: number, blocks: number): TimeUnit => `${seconds} ${blocks}`

export const inSeconds = unit(1, 0)
export const inBlocks = unit(0, 1)
const plain = unit(0, 0)

/** The unit of a value; null where it is not known. */
export const timeUnitOf = (context: Context, flow: Flow, value: Op, depth = 0): TimeUnit | null =>
  depth > budget.depth.units
    ? null
    : flow.remember(timeUnitOf, value, () => find(context, flow, value, depth + 1), null)

const find = (context: Context, flow: Flow, op: Op, depth: number): TimeUnit | null => {
  const of = (part: Op): TimeUnit | null => timeUnitOf(context, flow, part, depth)
  switch (op.kind) {
    case 'env':
      return isBlockNumber(op) ? inBlocks : op.operator === 'block.timestamp' ? inSeconds : null
    case 'const':
      return isWrittenAsTime(flow.model, op.node) ? inSeconds : plain
    case 'cast':
      return of(op.args[0])
    case 'phi':
    case 'select':
      return common(
        alternativesOf(op)
          .filter(({ kind }) => kind !== 'const')
          .map(of),
      )
    case 'bin':
      return ofArithmetic(op.operator, op.args, of)
    case 'load':
      return op.location.space === 'memory' ? ofMemory(context, flow, op, of) : ofState(context, flow, op)
    case 'extract': {
      const feed = feedAnswer(op.args[0])
      const isTime =
        feed?.reportedAt !== undefined && Number(op.constant ?? 0n) === resultPosition(feed, feed.reportedAt)
      return isTime ? inSeconds : null
    }
    case 'call':
      return ofAnswer(context, flow, op, depth)
    default:
      return null
  }
}

/** What all known ones agree on. */
const common = (units: readonly (TimeUnit | null)[]): TimeUnit | null => {
  const [first, ...others] = units.filter((one) => one !== null)
  return first !== undefined && others.every((other) => other === first) ? first : null
}

const ofArithmetic = (
  operator: string,
  [left, right]: readonly Op[],
  of: (op: Op) => TimeUnit | null,
): TimeUnit | null => {
  const [a, b] = [of(left!), of(right!)]
  switch (operator) {
    case '+':
    case '-':
      if (isPlainNumber(left!, a)) return b
      return isPlainNumber(right!, b) || b === null ? a : a === null || a === b ? b : null
    case '%':
      return a
    case '*':
      return combined(a, b, 1)
    case '/':
      return combined(a, b, -1)
    default:
      return null
  }
}

const combined = (a: TimeUnit | null, b: TimeUnit | null, sign: 1 | -1): TimeUnit | null => {
  if (a === null || b === null) return null
  const [x, y] = [a, b].map((one) => one.split(' ').map(Number)) as [number[], number[]]
  return unit(x[0]! + sign * y[0]!, x[1]! + sign * y[1]!)
}

/** Written without a unit: `100` may be blocks, seconds or anything else. */
const isPlainNumber = ({ kind }: Op, of: TimeUnit | null): boolean => kind === 'const' && of === plain

const timeWords = new Set(['seconds', 'minutes', 'hours', 'days', 'weeks', 'years'])

/** `3 days`, `2 * 1 weeks`, also by the name of a constant; `1 weeks / 12 seconds` is a count. */
const isWrittenAsTime = (model: Model, node: Span | null, depth = 0): boolean => {
  if (node === null || depth > budget.depth.units) return false
  const e = node as Expression
  switch (e.kind) {
    case 'Literal':
      return e.unit !== null && timeWords.has(e.unit)
    case 'Tuple':
      return e.elements.length === 1 && isWrittenAsTime(model, e.elements[0] ?? null, depth + 1)
    case 'Binary': {
      const [left, right] = [isWrittenAsTime(model, e.left, depth + 1), isWrittenAsTime(model, e.right, depth + 1)]
      if (e.operator === '+' || e.operator === '-' || e.operator === '*')
        return left !== right || (left && e.operator !== '*')
      return e.operator === '/' && left && !right
    }
    case 'Identifier': {
      const named = model.declarationOf(e)
      return named?.kind === 'variable' && named.isConstant && isWrittenAsTime(model, named.value, depth + 1)
    }
    default:
      return false
  }
}

/** A field of a struct that was put together here, or what was stored in the place. */
const ofMemory = (context: Context, flow: Flow, load: LoadOp, of: (op: Op) => TimeUnit | null): TimeUnit | null => {
  const { base, part, name, parent } = load.location
  const given = flow.memoryStoresTo(load.location).map(({ args }) => args[0])
  const type = base?.kind === 'make' ? flow.typeOf(base) : null
  if (type?.kind === 'struct' && part === 'field' && parent?.parent === null) {
    const field = base!.args[type.struct.fields.findIndex((one) => one.name === name)]
    if (field !== undefined) given.push(field)
  }
  return common([...given.map(of), ...stored(context, flow, load)])
}

const stored = (context: Context, flow: Flow, load: LoadOp): (TimeUnit | null)[] =>
  storedBehind(flow, load).map(({ flow: writer, value }) => ofStored(context, writer, value))

const ofStored = (context: Context, writer: Flow, value: Op): TimeUnit | null => {
  const found = timeUnitOf(context, writer, value)
  return found === plain && value.kind === 'const' ? null : found
}

const createColumnUnits = (): Map<string, TimeUnit | null> => new Map()

const ofState = (context: Context, flow: Flow, load: LoadOp): TimeUnit | null => {
  const column = columnOf(load.location)
  if (column === null) return null
  const units = flow.contractFlow.answer(createColumnUnits)
  const key = keyOfColumn(column)
  const before = units.get(key)
  if (before !== undefined) return before
  // What is stored may rest on what was there before.
  units.set(key, null)
  const found = common(stored(context, flow, load))
  units.set(key, found)
  return found
}

/** What another contract of the scan answers. */
const ofAnswer = (context: Context, flow: Flow, { call }: Op, depth: number): TimeUnit | null => {
  const fn = call?.kind === 'external' ? call.definition : null
  if (fn === null || fn === undefined || fn.returns.length !== 1) return null
  const behind = fn.isImplemented ? [fn] : implementedBy(flow, fn)
  const answers = behind.flatMap((one) => {
    const answering = context.flowOf(one)
    return answering?.ops('return').map(({ args: [arg] }) => arg && timeUnitOf(context, answering, arg, depth)) ?? []
  })
  return common([...answers.map((one) => one ?? null), ...ofGetters(context, flow, fn)])
}

/** `function end() external view` of an interface, where the contract behind it has a public variable of that name. */
const ofGetters = (context: Context, { model, contractFlow }: Flow, fn: FunctionModel): readonly (TimeUnit | null)[] =>
  contractFlow.shared.remember(ofGetters, fn, () =>
    implementationsOf(model, fn).flatMap((contract) => {
      const variable = contract.allStateVariables.find(
        ({ name, visibility }) => name === fn.name && visibility === 'public',
      )
      return variable === undefined ? [] : storedIn(context, contract, variable)
    }),
  )

const storedIn = (context: Context, contract: ContractModel, variable: VariableModel): (TimeUnit | null)[] =>
  contract.allFunctions.flatMap((fn) => {
    const writer = fn.isImplemented ? context.flowOf(fn) : undefined
    const stores = writer?.stateStores().filter(({ location }) => location.variable === variable) ?? []
    return stores.map((store) => ofStored(context, writer!, store.args[0]))
  })

/** Units of what is stored, each with a place where it is: for a variable that holds two of them. */
export const unitsStored = (
  context: Context,
  contractFlow: ContractFlow,
): ReadonlyMap<string, ReadonlyMap<TimeUnit, { readonly flow: Flow; readonly op: Op }>> => {
  const byColumn = new Map<string, Map<TimeUnit, { flow: Flow; op: Op }>>()
  for (const flow of contractFlow.flows)
    for (const op of flow.stateStores()) {
      const column = columnOf(op.location)
      const found = column === null || op.args[0].kind === 'const' ? null : timeUnitOf(context, flow, op.args[0])
      if (column === null || (found !== inSeconds && found !== inBlocks)) continue
      const key = keyOfColumn(column)
      const units = byColumn.get(key) ?? new Map()
      if (!units.has(found)) units.set(found, { flow, op })
      byColumn.set(key, units)
    }
  return byColumn
}

export interface RateUse {
  readonly flow: Flow
  readonly op: Op
  readonly column: Column
  readonly unit: TimeUnit
}

/** `rate * (block.timestamp - last)`: per second; `rate = amount / 7 days` likewise. */
export function* rateUsesIn(context: Context, flow: Flow): Iterable<RateUse> {
  for (const op of flow.ops('bin')) {
    if (op.operator !== '*') continue
    for (const [rate, span] of bothOrders(op)) {
      const column = rate.kind === 'load' && rate.location.space !== 'memory' ? columnOf(rate.location) : null
      const found = column === null || !isSpan(span) ? null : timeUnitOf(context, flow, span)
      if (column !== null && isTime(found)) yield { flow, op, column, unit: found }
    }
  }
  for (const op of flow.stateStores()) {
    const value = stripCasts(op.args[0])
    const column = value.kind === 'bin' && value.operator === '/' ? columnOf(op.location) : null
    const found = column === null ? null : timeUnitOf(context, flow, value.args[1]!)
    if (column !== null && isTime(found) && !isTime(timeUnitOf(context, flow, value.args[0]!)))
      yield { flow, op, column, unit: found }
  }
}

/** `now - last`, `3 days`: not a number that is kept, such as an average. */
const isSpan = ({ kind, operator }: Op): boolean => kind === 'const' || (kind === 'bin' && operator === '-')

export const isTime = (found: TimeUnit | null): found is TimeUnit => found === inSeconds || found === inBlocks
