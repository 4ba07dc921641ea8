/**
 * Answers that one transaction can move: anyone who trades, deposits or borrows first changes them. Two ways to know:
 *
 * - Type knowledge. ERC-20 says what `balanceOf` means, and the interfaces of well-known pools say that these questions are
 *   answered from what the pool holds at the moment. Recognized by name and number of arguments, whatever the receiver is called.
 * - Contracts of the same scan. A pool is a contract in which one open call raises one total and lowers another, and a second
 *   one does the reverse; an answer is movable when it is made of such totals.
 */
import { dependsOn, implementationsOf, principalAt } from '../facts/index.ts'
import { budget, type CallOp, type Context, type Flow, type Op, stripCasts } from '../ir/index.ts'
import { type KnownReading, readingOf, resultPosition } from '../knowledge/index.ts'
import type { ContractModel, FunctionModel, VariableModel } from '../model/index.ts'
import { loweredBy, raisedBy } from './entries.ts'
import { isSelf, tokenCallOf } from './token-calls.ts'

/** The description of what a pool answers from its state of the moment. */
const spotReading = (op: Op): KnownReading | undefined => {
  const reading =
    op.kind === 'call' && op.call.kind === 'external' ? readingOf(op.call.name, op.args.length) : undefined
  return reading?.movedBy === 'trade' ? reading : undefined
}

/** How much one would get from a pool at the moment. */
export const isPoolQuote = (op: Op): boolean => spotReading(op)?.isQuote === true

/** What a share of a vault is worth: deposits leave it as it is, and a gift that raises it belongs to all holders. */
export const isShareRate = (op: Op): boolean => spotReading(op)?.protocol.name === 'ERC-4626'

/** What a well-known pool answers about its state of the moment. */
export const isPoolAnswer = (op: Op): boolean => isPoolState(op) || isPoolQuote(op)

/** Of several numbers only those that speak of value. */
const isPoolState = (op: Op): boolean => {
  if (op.kind !== 'extract') return spotReading(op) !== undefined && (op.call?.definition?.returns.length ?? 1) < 2
  const reading = spotReading(op.args[0])
  return reading?.values.some((name) => resultPosition(reading, name) === Number(op.constant ?? 0n)) ?? false
}

/** `token.balanceOf(pool)` where the holder is itself a contract that this function calls, not as a token: a pool, neither a person nor an asset. */
export const isPoolBalance = (flow: Flow, op: Op): boolean => {
  if (op.kind !== 'call' || op.call.name !== 'balanceOf' || op.args.length !== 1) return false
  const holder = stripCasts(op.args[0]!)
  if (isSelf(holder) || holder.kind === 'env') return false
  return flow.externalCalls().some((other) => {
    const target = other.call.target === null ? null : stripCasts(other.call.target)
    if (target === null || other.call.kind !== 'external' || isOfToken(other)) return false
    return (
      target === holder || (target.kind === 'load' && holder.kind === 'load' && target.location === holder.location)
    )
  })
}

const isOfToken = (op: CallOp): boolean =>
  tokenCallOf(op) !== null || (op.call.name === 'balanceOf' && op.args.length === 1)

const maxHops = budget.depth.answers

/** What another contract of the scan answers from totals that anyone moves by trading with it. */
export const isMovableAnswer = (context: Context, flow: Flow, op: Op, hops = 0): boolean => {
  if (op.kind !== 'call' || op.call.kind !== 'external' || hops > maxHops) return false
  const callee = op.call.definition
  if (callee === null || callee.isImplemented || (callee.mutability !== 'view' && callee.mutability !== 'pure'))
    return false
  const isMovable = (): boolean =>
    implementationsOf(context.model, callee).some((contract) =>
      answersFromTotals(context, flow, contract, callee, hops),
    )
  return flow.contractFlow.shared.remember(isMovableAnswer, callee, isMovable, false)
}

const answersFromTotals = (
  context: Context,
  asker: Flow,
  contract: ContractModel,
  callee: FunctionModel,
  hops: number,
): boolean => {
  // What a pool holds is a number: of a contract that answers with something else nothing has to be followed.
  const isReserve = (variable: VariableModel | null): boolean =>
    variable?.type.kind === 'int' && reservesOf(context, asker, contract).has(variable)
  const getter = contract.allStateVariables.find(({ name }) => name === callee.name)
  if (getter !== undefined) return isReserve(getter)
  const fn = contract.allFunctions.find(
    ({ signature, isImplemented }) => signature === callee.signature && isImplemented,
  )
  const flow = fn === undefined ? undefined : context.flowOf(fn)
  if (flow === undefined) return false
  const isMovable = (op: Op): boolean =>
    isPoolAnswer(op) ||
    isMovableAnswer(context, flow, op, hops + 1) ||
    (op.kind === 'load' && isReserve(op.location.variable))
  return flow.ops('return').some(({ args }) => args.some((arg) => dependsOn(flow, arg, isMovable)))
}

/** Totals that open calls raise at the cost of another, and the other way round: what a pool holds of two things. */
const reservesOf = (context: Context, { contractFlow }: Flow, contract: ContractModel): ReadonlySet<VariableModel> =>
  contractFlow.shared.remember(reservesOf, contract, () => findReserves(context, contract))

/** The contract itself is a pool: it knows its own totals, and those who trade with it say what they accept. */
export const isExchange = (context: Context, flow: Flow): boolean =>
  flow.contract !== null && reservesOf(context, flow, flow.contract).size > 0

const findReserves = (context: Context, contract: ContractModel): ReadonlySet<VariableModel> => {
  const exchanges = new Map<VariableModel, Set<VariableModel>>()
  for (const fn of contract.allFunctions) {
    if (!fn.isImplemented || (fn.visibility !== 'public' && fn.visibility !== 'external')) continue
    const flow = fn.mutability === 'view' || fn.mutability === 'pure' ? undefined : context.flowOf(fn)
    if (flow === undefined) continue
    const totals = flow
      .stateStores()
      .filter((store) => store.location.depth === 0 && principalAt(flow, store) === 'anyone')
    for (const up of totals.filter((store) => raisedBy(store) !== null))
      for (const down of totals.filter((store) => loweredBy(store) !== null)) {
        const [raised, lowered] = [up.location.variable, down.location.variable]
        if (raised === null || lowered === null || raised === lowered) continue
        exchanges.set(raised, (exchanges.get(raised) ?? new Set()).add(lowered))
      }
  }
  const isExchanged = (total: VariableModel): boolean =>
    [...(exchanges.get(total) ?? [])].some((other) => exchanges.get(other)?.has(total))
  return new Set([...exchanges.keys()].filter(isExchanged))
}
