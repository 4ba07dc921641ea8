/** Records that name whose they are: what is paid by them is changed by anyone who likes. */
import { dependsOn, isCallersNumber, isSaidByOthers, isSender, parametersIn } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  hasIncomingPayment,
  holdersOfRecord,
  isMessageValue,
  isNow,
  keptIn,
  keyOfColumn,
  keysOf,
  listFunctions,
  loweredBy,
  mayRequireRight,
  nameOfColumn,
  paymentsOf,
  raisedBy,
  type UnprotectedOp,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, isComparison, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'

/** Where callers open records in their own name: `offers[id] = Offer({seller: msg.sender, …})`. */
const openings = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel, ReadonlySet<Flow>> => {
  const found = new Map<VariableModel, Set<Flow>>()
  for (const flow of entryPoints)
    for (const { location, args } of flow.stateStores()) {
      const value = stripCasts(args[0])
      const isOwned =
        location.part === 'field' ? isSender(value) : value.kind === 'make' && value.args.some((part) => isSender(part))
      if (!isOwned || location.variable === null || keysOf(location).length === 0) continue
      if (found.get(location.variable)?.add(flow) === undefined) found.set(location.variable, new Set([flow]))
    }
  return found
}

const isOthers = (flow: Flow, variable: VariableModel): boolean => {
  const openers = flow.contractFlow.answer(openings).get(variable)
  return openers !== undefined && !openers.has(flow)
}

/** What is paid, or has to be, follows from what stands in these fields. */
const pricesIn = ({ entryPoints }: ContractFlow): ReadonlySet<string> => {
  const found = new Set<string>()
  const note = (flow: Flow, value: Op): void => {
    dependsOn(flow, value, (op) => {
      const column = fieldOf(op)
      if (column !== null) found.add(keyOfColumn(column))
      return false
    })
  }
  for (const flow of entryPoints) {
    for (const { amount } of paymentsOf(flow)) note(flow, amount)
    for (const { operator, args } of flow.isPayable ? flow.ops('bin') : [])
      if (isComparison(operator) && args.some(isMessageValue)) for (const side of args) note(flow, side)
  }
  return found
}

/** Also where the record was copied to memory before. */
const fieldOf = (op: Op): Column | null => {
  const kept = keptIn(op)
  const column = kept === null ? null : columnOf(kept.place)
  return column === null ? null : { ...column, path: column.path + kept!.path }
}

/** A record in a user’s name, and the caller says what is paid by it. */
export function* rewritten(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const { part, variable } = op.location
    if (part !== 'field' || variable === null || raisedBy(op) !== null || loweredBy(op) !== null) continue
    const keys = keysOf(op.location)
    const value = stripCasts(op.args[0])
    if (keys.length === 0 || ![...keys, value].every((each) => isCallersNumber(flow, each))) continue
    if (!isOthers(flow, variable) || hasIncomingPayment(flow) || mayRequireRight(flow, op)) continue
    const field = columnOf(op.location)!
    if (!flow.contractFlow.answer(pricesIn).has(keyOfColumn(field))) continue
    const name = `\`${nameOfColumn(field)}\``
    const message = `\`${flow.name}()\` lets any caller overwrite ${name} in records that other users opened, so an attacker changes the terms of these users.`
    yield { flow, op, account: null, amount: value, message, gain: `overwrites ${name} of another user’s record` }
  }
}

/** What the caller says, also from now on: nothing that is on record and no contract has a say in it. */
const isFreeChoice = (flow: Flow, value: Op): boolean =>
  parametersIn(flow, value).size > 0 &&
  !dependsOn(flow, value, (part) => isSaidByOthers(part) && !isNow(part)) &&
  value.kind !== 'make'

/** A record is given other terms by anyone, where other functions change it only for who holds its id. */
export function* overwritten(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    if (op.location.depth === 0 || raisedBy(op) !== null || loweredBy(op) !== null) continue
    const holders = keysOf(op.location).some(isSender) ? [] : holdersOfRecord(flow, op.location)
    const value = stripCasts(op.args[0])
    if (holders.length === 0 || !isFreeChoice(flow, value)) continue
    if (hasIncomingPayment(flow) || mayRequireRight(flow, op)) continue
    const name = nameOfColumn(columnOf(op.location)!)
    const message = `Anyone can call \`${flow.name}()\` and overwrite \`${name}\` in a record that another account holds, although ${listFunctions(holders)} check${holders.length === 1 ? 's' : ''} that the caller holds it.`
    const gain = `overwrites \`${name}\` of another account’s record`
    yield { flow, op, account: null, amount: value, message, gain, severity: 'medium' }
  }
}
