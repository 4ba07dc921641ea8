/** Operations that an outsider reaches with arguments and money of their own: the evidence that a claim of high confidence rests on. */
import { type BasicBlock, type CallOp, type Flow, isEquality, type Op, stripCasts } from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import { dependsOn } from './dependencies.ts'
import { endsInRevert } from './failures.ts'
import { guardsAt, someFactAt } from './guards.ts'

/** What reads nothing but the chain’s own accounting. */
const plainBuiltins = new Set(['balance', 'gasleft', 'codesize', 'extcodesize'])

const answeringCalls = new Set(['external', 'static', 'pointer', 'internal', 'library'])

/** Being someone, a preimage, a signature, what another contract answers, what is missing: no caller has it at will. */
const isBeyondCaller = (op: Op): boolean => {
  if (op.kind === 'env') return op.operator === 'msg.sender' || op.operator === 'tx.origin'
  // Tokens can be bought, lent and handed on.
  if (op.kind === 'call' && op.call.isStatic && op.call.name === 'balanceOf') return false
  if (op.kind === 'call') return answeringCalls.has(op.call.kind) && !op.call.inlined
  if (op.kind === 'builtin') return !plainBuiltins.has(op.operator)
  return op.kind === 'unknown' || op.kind === 'compute'
}

/** That a low-level call went through says nothing about the caller. */
const isOutcome = (condition: Op): boolean => {
  const op = stripCasts(condition)
  if (op.kind === 'un' && op.operator === '!') return isOutcome(op.args[0])
  const call = op.kind === 'extract' ? op.args[0] : op
  return call.kind === 'call' && !call.call.inlined && !answeringCalls.has(call.call.kind)
}

const rejects = (flow: Flow, { condition, succs }: BasicBlock): boolean =>
  condition !== null && succs.some((next) => endsInRevert(flow, next))

const checksIn = (flow: Flow): readonly Op[] =>
  [
    ...flow.ops('assume').map(({ args }) => args[0]),
    ...flow.blocks.filter((block) => rejects(flow, block)).map(({ condition }) => condition!),
  ].filter((condition) => !isOutcome(condition))

/**
 * Whatever is checked on some way to `op` or from it: a check on each of two branches is on every path and dominates neither, and what
 * reverts later undoes `op` as well. That `op` itself went through is no check.
 */
export function* checksAround(flow: Flow, op: Op): Generator<Op> {
  for (const { condition } of guardsAt(flow, op)) if (!isOutcome(condition)) yield condition
  for (const check of flow.answer(checksIn)) if (isAround(flow, check, op)) yield check
}

const isAround = (flow: Flow, check: Op, op: Op): boolean =>
  (flow.canFollow(check, op) || flow.canFollow(op, check)) && !dependsOn(flow, check, (part) => part === op)

/** A function that was not followed may refuse the caller. */
const isUnread = (flow: Flow, op: Op): boolean =>
  flow
    .ops('call')
    .some(
      (call) =>
        call !== op &&
        (call.call.kind === 'internal' || call.call.kind === 'library') &&
        !call.call.inlined &&
        flow.canFollow(call, op),
    )

/** `address(this) != self`: code that only runs for others, by `delegatecall`. */
const isForDelegatecall = (condition: Op): boolean => {
  if (condition.kind !== 'bin' || !isEquality(condition.operator)) return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const isSelf = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'this'
  return (isSelf(left) && right.kind === 'load') || (isSelf(right) && left.kind === 'load')
}

const isBeyond = (flow: Flow, condition: Op): boolean =>
  isForDelegatecall(stripCasts(condition)) || dependsOn(flow, condition, isBeyondCaller)

const proofs: ReadonlySet<string> = new Set(['keccak256', 'sha256', 'ripemd160', 'ecrecover'])

const moves: ReadonlySet<string | null> = new Set(['transfer', 'transferFrom', 'approve', 'mint', 'burn', 'burnFrom'])

/** What another contract answers about the caller. About the arguments is no barrier: an attacker names a listed market. That tokens were moved is an outcome. */
const isAnswerToCaller = (flow: Flow, op: Op): boolean => {
  if (op.kind !== 'call' || op.call.inlined || op.call.kind === 'internal' || !answeringCalls.has(op.call.kind))
    return false
  // Whom the caller names answers as the caller likes.
  const { target } = op.call
  if (isMove(op) || (target !== null && dependsOn(flow, target, isOfCaller))) return false
  return op.args.some((arg) => dependsOn(flow, arg, isSender))
}

const isMove = ({ call }: CallOp): boolean => moves.has(call.name) || (call.isStatic && call.name === 'balanceOf')

const isSender = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'msg.sender'

const isOfCaller = (op: Op): boolean => op.kind === 'param' || isSender(op)

/** A preimage, a signature, or an answer about the caller. */
const requiresProof = (flow: Flow, condition: Op): boolean => {
  const tested = stripCasts(condition)
  if (isForDelegatecall(tested)) return true
  if (tested.kind === 'call' && isMove(tested)) return false
  const isHash = ({ kind, operator }: Op): boolean => kind === 'builtin' && proofs.has(operator)
  // A hash of what the caller says, held against what the caller says, proves nothing.
  const isKept = ({ kind, location }: Op): boolean => kind === 'load' && location?.space !== 'memory'
  return dependsOn(flow, tested, (part) =>
    isHash(part) ? dependsOn(flow, tested, isKept) : isAnswerToCaller(flow, part),
  )
}

const hasProof = (flow: Flow, { condition }: Fact): boolean => !isOutcome(condition) && requiresProof(flow, condition)

const proofsIn = (flow: Flow): readonly Op[] => flow.answer(checksIn).filter((check) => requiresProof(flow, check))

/** No check on the path requires a proof, as far as the files are there. Who may call is the question of `principalAt`. */
export const isWithoutProof = (flow: Flow, op: Op): boolean =>
  !someFactAt(flow, op, hasProof) && !flow.answer(proofsIn).some((check) => isAround(flow, check, op))

const hasBeyond = (flow: Flow, { condition }: Fact): boolean => !isOutcome(condition) && isBeyond(flow, condition)

const checksBeyond = (flow: Flow): readonly Op[] => flow.answer(checksIn).filter((check) => isBeyond(flow, check))

/** No check on the path asks for what an outsider cannot bring by choosing arguments, paying, or waiting. */
export const isOpenPath = (flow: Flow, op: Op): boolean => {
  if (isUnread(flow, op) || someFactAt(flow, op, hasBeyond)) return false
  return !flow.answer(checksBeyond).some((check) => isAround(flow, check, op))
}
