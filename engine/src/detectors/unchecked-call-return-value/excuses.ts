import {
  dependsOn,
  isDemandedAfter,
  isProtected,
  isSender,
  isTestRunner,
  neverAnsweredFalse,
  neverAnswersCode,
  neverAnswersFalse,
  roleAt,
  senderGuardAt,
  writesState,
} from '../../facts/index.ts'
import { isAssembly, tokenCallOf, undone } from '../../idioms/index.ts'
import { type CallInfo, type CallOp, type Flow, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { ContractModel } from '../../model/index.ts'
import { excuse } from '../define-detector.ts'
import { type DroppedResult, isConsulted, variableOf } from './dropped-results.ts'
import { isOfKind, standardNames } from './own-kind.ts'

/** Why nobody is deceived when such a call fails. */
export const excuses = [
  excuse<DroppedResult>(
    'fixed-token',
    'it is the one token the contract was written for',
    ({ op, sign }) => sign === 'answer' && isFixedToken(op.call, tokenCallOf(op)!.token),
  ),
  excuse<DroppedResult>(
    'never-false',
    'the token or market is a contract of the same project that reverts on failure',
    ({ flow, op, sign }) =>
      (sign === 'answer' && isOwnToken(op.call) && neverAnswersFalse(flow, op.call.definition!)) ||
      (sign === 'code' && neverAnswersCode(flow, op.call.definition!)),
  ),
  excuse<DroppedResult>(
    'own-kind',
    'the token type is defined in the project and never returns false',
    ({ flow, op, sign }) => sign === 'answer' && isOwnKind(flow, op.call) && isOfKind(flow, op),
  ),
  excuse<DroppedResult>(
    'nothing-recorded',
    'only a privileged account moves these tokens, and nothing is recorded',
    ({ flow, op, sign }) => sign === 'answer' && !writesState(flow) && roleAt(flow, op) !== null,
  ),
  excuse<DroppedResult>(
    'still-owed',
    'nothing is recorded or emitted as success, and the rest can be claimed again',
    ({ flow, op, sign }) => sign === 'answer' && isStillOwed(flow, op),
  ),
  excuse<DroppedResult>(
    'verified-later',
    'the same contract is queried afterwards and the result is required',
    ({ flow, op, sign }) => sign === 'answer' && isVerifiedLater(flow, op),
  ),
  excuse<DroppedResult>('size-of-answer', 'the return data size is checked in assembly', ({ flow, op }) =>
    flow.builtins('returndatasize').some((size) => flow.dominates(op, size)),
  ),
  excuse<DroppedResult>(
    'read-only-query',
    'it is only a query whose result is read or required',
    ({ flow, op, sign }) => sign === 'flag' && isOnlyQueried(flow, op),
  ),
  excuse<DroppedResult>(
    'test-runner',
    'only a test runner has code at that address',
    ({ op, sign }) => sign === 'flag' && isBare(op.call) && isTestRunner(op.call.target!),
  ),
  excuse<DroppedResult>(
    'seen-by-caller',
    'the only permitted caller gets its own ETH, and nothing is recorded',
    ({ flow, op, sign }) => sign === 'flag' && isSeenByCaller(flow, op),
  ),
  undone,
]

const isBare = ({ kind, value, target }: CallInfo): boolean => kind !== 'send' && value === null && target !== null

/** Of a token that is declared in a missing file nobody knows how it answers, not even that it is a token. */
const isFixedToken = ({ contract, definition }: CallInfo, token: Op | null): boolean => {
  if (token === null) return false
  const { kind } = behindConversion(stripCasts(token))
  if (kind === 'unknown' || kind === 'const') return true
  const variable = variableOf(token)
  if (variable === null || variable.isConstant) return variable !== null
  return variable.isImmutable && isParticular(contract ?? definition?.contract ?? null)
}

/** Its code is here, and it does more than any token: not a type that stands for all of them. */
const isOwnToken = ({ definition }: CallInfo): boolean => {
  if (definition === null || !definition.isImplemented || definition.isStub) return false
  return definition.contract?.allFunctions.some(({ name }) => !standardNames.has(name)) === true
}

/** Asked as an interface that has more than any token, and whatever contract of the scan stands behind that moves tokens or reverts. */
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

/** Not any token: it is asked for what the standards do not have, as wrapped ether is. */
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

/** It does something, and answers what came of that; or it is asked how much someone has from whom or to whom something was to be moved. */
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

/**
 * A `staticcall`, or a call without ether where no accounting is kept; assembly reads what came back from memory. Of a call
 * that failed there is no answer that says what is asked for.
 */
const isOnlyQueried = (flow: Flow, op: CallOp): boolean => {
  const { kind, value } = op.call
  const data = flow.usersOf(op).find((part) => part.kind === 'extract' && part.constant === 1n)
  const isRead = data !== undefined && isConsulted(flow, data)
  if (kind === 'static') return isRead || isAssembly(op)
  return isRead && value === null && !writesState(flow)
}

/** The caller sees for itself what arrived. */
const isSeenByCaller = (flow: Flow, op: CallOp): boolean => {
  const { kind, value, target } = op.call
  if (kind !== 'lowlevel' || value === null || target === null || !isSender(target)) return false
  return !writesState(flow) && isProtected(flow, op)
}
