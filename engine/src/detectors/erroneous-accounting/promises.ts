/** What is promised to two: of what came in, or of what is kept back from a payment. */
import { dependsOn } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  entriesOf,
  incomingOf,
  isMessageValue,
  loweredBy,
  outgoingOf,
  raisedBy,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, type StoreOp, sameValue, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'

export interface PromisedTwice {
  readonly flow: Flow
  readonly op: Op
  /** Where all of it is credited. */
  readonly full: Op
}

/** A fee that stays in what is shared out. */
export interface KeptBack {
  readonly flow: Flow
  /** Lowers the total by what is paid alone. */
  readonly op: Op
  readonly total: VariableModel
  /** Where the part that is not paid is promised to another. */
  readonly kept: StoreOp
}

/** What comes in: tokens, or the ether that is sent along. */
const depositedIn = (flow: Flow): Op[] => {
  const deposited = incomingOf(flow).map(({ amount }) => stripCasts(amount))
  for (const { amount } of entriesOf(flow)) if (isMessageValue(amount)) deposited.push(amount)
  return deposited
}

/** Anyone who has an entry there is paid for it. */
const isPaidOff = (flow: Flow, column: Column): boolean =>
  flow.contractFlow.answer(columnsPaidOff).get(column.variable)?.has(column.path) === true

const columnsPaidOff = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel, ReadonlySet<string>> => {
  const paidOff = new Map<VariableModel, Set<string>>()
  for (const payer of entryPoints)
    for (const { op, isRaised } of outgoingOf(payer).length > 0 ? entriesOf(payer) : []) {
      const column = isRaised ? null : columnOf(op.location)
      if (column === null) continue
      const paths = paidOff.get(column.variable) ?? new Set()
      paidOff.set(column.variable, paths)
      paths.add(column.path)
    }
  return paidOff
}

/** All of a variable is paid to someone, as it stands. */
const isPaidWhole = (flow: Flow, variable: VariableModel): boolean =>
  flow.contractFlow.answer(variablesPaidWhole).has(variable)

const variablesPaidWhole = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel | null> => {
  const found = new Set<VariableModel | null>()
  for (const payer of entryPoints)
    for (const { amount } of outgoingOf(payer)) {
      const paid = stripCasts(amount)
      if (paid.kind === 'load' && paid.location.part === 'root') found.add(paid.location.variable)
    }
  return found
}

/** All that came in is credited to one, and a part of it to another who is paid as well. */
export function* promisedTwice(flow: Flow): Iterable<PromisedTwice> {
  for (const deposited of depositedIn(flow)) {
    const full = entriesOf(flow).find(({ op, amount, isRaised }) => {
      const column = columnOf(op.location)
      return isRaised && sameValue(amount, deposited) && column !== null && isPaidOff(flow, column)
    })
    if (full === undefined) continue
    for (const op of flow.stateStores()) {
      const { variable, part } = op.location
      const by = raisedBy(op)
      if (variable === null || part !== 'root' || by === null || sameValue(by, deposited)) continue
      if (dependsOn(flow, by, (value) => value === deposited) && isPaidWhole(flow, variable))
        yield { flow, op, full: full.op }
    }
  }
}

/** A variable by itself, not an entry of it. */
const rootStores = (flow: Flow): readonly StoreOp[] =>
  flow.stateStores().filter(({ location }) => location.variable !== null && location.part === 'root')

/**
 * `fees += fee; assets -= whole - fee; pay(whole - fee)`, where `whole` is a share of `assets`: the shares behind it are gone, the fee is
 * promised to another, and `assets` still counts it.
 */
export function* keptBackTwice(flow: Flow): Iterable<KeptBack> {
  for (const { amount } of outgoingOf(flow)) {
    const paid = stripCasts(amount)
    if (paid.kind !== 'bin' || paid.operator !== '-') continue
    const [whole, part] = paid.args
    const kept = rootStores(flow).find((store) => {
      const by = raisedBy(store)
      return by !== null && sameValue(by, stripCasts(part)) && isPaidWhole(flow, store.location.variable!)
    })
    if (kept === undefined) continue
    for (const op of rootStores(flow)) {
      const by = loweredBy(op)
      const total = op.location.variable!
      if (by === null || !sameValue(by, paid) || !isShareOf(flow, whole, total)) continue
      if (!isLowered(flow, total, stripCasts(part))) yield { flow, op, total, kept }
    }
  }
}

/** `assets -= whole - fee; assets -= fee`: the rest is taken off by itself. */
const isLowered = (flow: Flow, total: VariableModel, part: Op): boolean =>
  rootStores(flow).some(
    (store) => store.location.variable === total && takenOff(store).some((by) => sameValue(by, part)),
  )

/** All that is taken off what stood there, one after the other. */
const takenOff = ({ args, location }: StoreOp): readonly Op[] => {
  const parts: Op[] = []
  let rest = stripCasts(args[0])
  while (rest.kind === 'bin' && rest.operator === '-') {
    parts.push(stripCasts(rest.args[1]))
    rest = stripCasts(rest.args[0])
  }
  return rest.kind === 'load' && rest.location === location ? parts : []
}

const isShareOf = (flow: Flow, value: Op, total: VariableModel): boolean =>
  dependsOn(flow, value, (op) => op.kind === 'load' && op.location.variable === total)
