import {
  dependsOn,
  isDemandedAfter,
  neverAnsweredFalse,
  neverAnswersFalse,
  roleAt,
  senderGuardAt,
  writesState,
} from '../../facts/index.ts'
import { type DroppedResult, sizeOfAnswer, tokenCallOf, tokenVariable } from '../../idioms/index.ts'
import { type CallInfo, type CallOp, type Flow, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { ContractModel } from '../../model/index.ts'
import { excuse } from '../define-detector.ts'
import { isOfKind, standardNames } from './own-kind.ts'

/** Why nobody loses when such a transfer fails. */
export const excuses = [
  excuse<DroppedResult>('fixed-token', 'it is the one token the contract was written for', ({ op }) =>
    isFixedToken(op.call, tokenCallOf(op)!.token),
  ),
  excuse<DroppedResult>(
    'never-false',
    'the token is a contract of the same project that reverts on failure',
    ({ flow, op }) => isOwnToken(op.call) && neverAnswersFalse(flow, op.call.definition!),
  ),
  excuse<DroppedResult>(
    'own-kind',
    'the token type is defined in the project and never returns false',
    ({ flow, op }) => isOwnKind(flow, op.call) && isOfKind(flow, op),
  ),
  excuse<DroppedResult>(
    'nothing-recorded',
    'only a privileged account moves these tokens, and nothing is recorded',
    ({ flow, op }) => !writesState(flow) && roleAt(flow, op) !== null,
  ),
  excuse<DroppedResult>(
    'still-owed',
    'nothing is recorded or emitted as success, and the rest can be claimed again',
    ({ flow, op }) => isStillOwed(flow, op),
  ),
  excuse<DroppedResult>(
    'verified-later',
    'the same contract is queried afterwards and the result is required',
    ({ flow, op }) => isVerifiedLater(flow, op),
  ),
  sizeOfAnswer,
]

/** Of a token that is declared in a missing file nobody knows how it answers, not even that it is a token. */
const isFixedToken = ({ contract, definition }: CallInfo, token: Op | null): boolean => {
  if (token === null) return false
  const { kind } = behindConversion(stripCasts(token))
  if (kind === 'unknown' || kind === 'const') return true
  const variable = tokenVariable(token)
  if (variable === null || variable.isConstant) return variable !== null
  return variable.isImmutable && isParticular(contract ?? definition?.contract ?? null)
}

/** Its code is here, and it does more than any token: not a type that stands for all of them. */
const isOwnToken = ({ definition }: CallInfo): boolean => {
  if (definition === null || !definition.isImplemented || definition.isStub) return false
  return definition.contract?.allFunctions.some(({ name }) => !standardNames.has(name)) === true
}

/** Called as an interface that has more than any token, and whatever contract of the scan stands behind that moves tokens or reverts. */
const isOwnKind = (flow: Flow, { contract, definition }: CallInfo): boolean =>
  contract !== null &&
  definition !== null &&
  !definition.isImplemented &&
  isParticular(contract) &&
  neverAnsweredFalse(flow, definition, contract)

/** `Comp(address)` with a name that nothing here declares is a conversion. */
const behindConversion = (op: Op): Op => {
  const isConversion = op.kind === 'call' && op.call.kind === 'internal' && op.call.definition === null
  return isConversion && op.args.length === 1 ? stripCasts(op.args[0]!) : op
}

/** Not any token: it is called by functions that the standards do not have, as wrapped ether is. */
const isParticular = (token: ContractModel | null): boolean =>
  token?.allFunctions.some(({ name, isImplemented }) => !isImplemented && !standardNames.has(name)) === true

/** A debt stays in the accounting, or anyone can ask once more for what is still there. */
const isStillOwed = (flow: Flow, op: CallOp): boolean => {
  const { name, amount } = tokenCallOf(op)!
  if (name !== 'transfer' || writesState(flow)) return false
  if (flow.ops('emit').some((event) => flow.canFollow(op, event))) return false
  const rest = stripCasts(amount)
  if (rest.kind === 'load') return rest.location.space === 'state'
  return rest.kind === 'call' && flow.isEntryPoint && senderGuardAt(flow, op) === null
}

const isVerifiedLater = (flow: Flow, op: CallOp): boolean =>
  laterCalls(flow, op, flow.answer(callsBesideTokens)).some(
    (later) =>
      isAboutIt(op, later) &&
      isDemandedAfter(flow, later, op, (condition) => dependsOn(flow, condition, (part) => part === later)),
  )

/** It does something, and answers what came of that; or it is called for how much someone has from whom or to whom something was to be moved. */
const isAboutIt = (op: CallOp, later: CallOp): boolean => {
  const { mutability } = later.call.definition ?? {}
  if (mutability !== 'view' && mutability !== 'pure') return true
  const { from, to } = tokenCallOf(op)!
  return later.args.some((arg) => sameValue(arg, to) || (from !== null && sameValue(arg, from)))
}

/** Calls of the same contract on every path that went through this one. */
const laterCalls = (flow: Flow, op: CallOp, calls: readonly CallOp[]): CallOp[] => {
  const { target } = op.call
  return calls.filter(
    (later) =>
      later !== op &&
      target !== null &&
      later.call.target !== null &&
      sameValue(later.call.target, target) &&
      flow.dominates(op, later),
  )
}

const callsBesideTokens = (flow: Flow): readonly CallOp[] =>
  flow.externalCalls().filter((call) => tokenCallOf(call) === null)
