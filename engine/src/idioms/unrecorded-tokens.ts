/** Tokens that the caller names in a function that nothing else comes of: anyone who names one that answers false bears it. */
import { isKeyedBySender, isSender, writesState } from '../facts/index.ts'
import {
  alternativesOf,
  budget,
  type CallOp,
  type ContractFlow,
  type Flow,
  type Op,
  rootOf,
  stripCasts,
} from '../ir/index.ts'
import { incomingOf } from './ledger.ts'
import { tokenCallOf } from './token-calls.ts'

/**
 * The caller names the token, no number is recorded about it, here or by another contract that is notified of the caller, and nothing is
 * paid for it. A contract that keeps what users pay in pays one of them from what is another's.
 */
export const isBorneByCaller = (flow: Flow, op: CallOp): boolean => {
  const move = tokenCallOf(op)
  if (move === null || move.token === null || !isNamed(move.token) || recordsNumber(flow)) return false
  const isAfter = (other: CallOp): boolean => other !== op && !other.call.isStatic && flow.canFollow(op, other)
  const later = flow.externalCalls().filter(isAfter)
  if (later.length === 0) return true
  return !flow.contractFlow.answer(keepsTokens) && later.every((other) => creditsNoCaller(other))
}

/** Also a part of what the caller hands in, and one or the other of such. */
const isNamed = (value: Op, depth = 0): boolean => {
  const token = stripCasts(value)
  if (token.kind === 'param') return true
  if (token.kind === 'load' && token.location.space === 'memory') return rootOf(token.location).base?.kind === 'param'
  const choices = depth < budget.depth.senderValue ? alternativesOf(token) : []
  return choices.length > 0 && choices.every((choice) => isNamed(choice, depth + 1))
}

/** Marks and switches aside. */
const recordsNumber = (flow: Flow): boolean =>
  writesState(flow) &&
  (flow.stateStores().length === 0 ||
    flow
      .stateStores()
      .some(({ flag, args, location }) => isKeyedBySender(location) || !(flag || stripCasts(args[0]).kind === 'const')))

/** Some function takes tokens in and writes down how many, or whose. */
const keepsTokens = ({ entryPoints }: ContractFlow): boolean =>
  entryPoints.some((flow) => incomingOf(flow).length > 0 && recordsNumber(flow))

/** It moves tokens, or answers with a number, as an exchange does, and is given nobody to credit. */
const creditsNoCaller = (call: CallOp): boolean =>
  tokenCallOf(call) !== null ||
  (call.call.definition?.returns[0]?.type.kind === 'int' && !call.args.some((arg) => isSender(arg)))
