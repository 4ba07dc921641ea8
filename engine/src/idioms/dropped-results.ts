/** Calls that do not revert when they fail, where nobody acts on the result. */
import { resultUse, writesState } from '../facts/index.ts'
import {
  type BasicBlock,
  type CallInfo,
  type CallOp,
  type Context,
  type ContractFlow,
  type Flow,
  isZero,
  type Op,
  sameValueOrPlace,
  stripCasts,
} from '../ir/index.ts'
import { returnsErrorCode } from '../knowledge/index.ts'
import type { FunctionModel, VariableModel } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import { isAssembly } from './harmless-arithmetic.ts'
import { tokenCallOf, tokenCalls, tokenVariable } from './token-calls.ts'

/** How a failure shows: in the flag of a low-level call, in the answer of a token, in the code of a money market. */
type Sign = 'flag' | 'answer' | 'code'

interface Dropped {
  readonly flow: Flow
  readonly op: CallOp
}

export interface DroppedResult extends Dropped {
  /** The call, or that of the helper which returns the result to a caller that ignores it. */
  readonly at: Span
  /** The same payment on another path through the function, of which one is taken. */
  readonly other: CallOp | null
}

/** Of all calls whose failure shows by this sign, those whose result is ignored. */
export function* droppedResults({ functions }: Context, sign: Sign): Iterable<DroppedResult> {
  const byFlow = functions.map((flow) => droppedIn(flow, sign))
  const dropped = new Set(byFlow.flatMap((ofFlow) => ofFlow.map(({ op }) => op)))
  if (dropped.size === 0) return
  const used = usedSomewhere(functions, dropped)
  for (const ofFlow of byFlow) {
    const byBlock = new Map<number, Dropped[]>()
    for (const each of ofFlow) byBlock.set(each.op.block, [...(byBlock.get(each.op.block) ?? []), each])
    for (const { flow, op } of ofFlow)
      yield { flow, op, at: placeOf(op, used), other: sameOnOtherPath(flow, op, byBlock) }
  }
}

const droppedIn = (flow: Flow, sign: Sign): Dropped[] =>
  flow
    .externalCalls()
    .filter((op) => signOf(flow, op) === sign && isDropped(flow, op, sign))
    .map((op) => ({ flow, op }))

/** Calls inside of functions that return the outcome, which some of their callers use. */
const usedSomewhere = (functions: readonly Flow[], dropped: ReadonlySet<CallOp>): ReadonlySet<number> => {
  const used = new Set<number>()
  for (const flow of functions)
    for (const op of flow.externalCalls()) if (!dropped.has(op) && resultUse(flow, op) !== 'unused') used.add(op.start)
  return used
}

/** The helper returns the outcome and this caller of it ignores it: the mistake is made at the call of the helper. */
const placeOf = (op: Op, used: ReadonlySet<number>): Span => {
  if (op.site === null || (!used.has(op.start) && !isPassedOn(op))) return op
  return op.site.at
}

/** `success := call(…)` of a helper that returns true or false. */
const isPassedOn = (op: Op): boolean =>
  isAssembly(op) && op.site?.fn.kind === 'function' && op.site.fn.returns.some(({ type }) => type.kind === 'bool')

/** `if (won) to.send(a); else to.send(b);`: one payment, of one amount or the other, and one mistake. */
const sameOnOtherPath = (flow: Flow, op: CallOp, byBlock: ReadonlyMap<number, readonly Dropped[]>): CallOp | null => {
  const isSame = ({ op: { start, site, call } }: Dropped): boolean =>
    start < op.start && site === op.site && call.kind === op.call.kind && isSamePayee(call, op.call)
  if (byBlock.size > 1)
    for (const block of flow.blocksOnOtherPaths(op)) {
      const same = byBlock.get(block)?.find(isSame)
      if (same !== undefined) return same.op
    }
  return null
}

const isSamePayee = (one: CallInfo, other: CallInfo): boolean => {
  if (one.value === null || other.value === null || one.target === null || other.target === null) return false
  return sameValueOrPlace(one.target, other.target)
}

const withFlag = new Set(['lowlevel', 'delegate', 'callcode', 'static', 'send'])

const signOf = (flow: Flow, op: CallOp): Sign | null => {
  const { kind, isTried } = op.call
  if (withFlag.has(kind)) return 'flag'
  if (kind !== 'external' || isTried) return null
  if (answersWithCode(op)) return 'code'
  return answersWithSuccess(flow, op) ? 'answer' : null
}

const isDropped = (flow: Flow, op: CallOp, sign: Sign): boolean => {
  const use = resultUse(flow, op)
  if (use === 'unused' || sign === 'code') return use === 'unused'
  if (use === 'checked' && sign === 'flag') return isIgnoredAfterTest(flow, op)
  return (op.call.value !== null || writesState(flow)) && isOnlyReturnedOrLogged(flow, op)
}

/** The transfer of a token that answers with true or false. NFTs move by the same signature and return nothing, and zero tokens cannot fail to move. */
const answersWithSuccess = (flow: Flow, op: CallOp): boolean => {
  const token = tokenCallOf(op)
  if (token === null || token.isSafe || token.name === 'approve' || isZero(stripCasts(token.amount))) return false
  const { definition } = op.call
  if (definition !== null) return definition.returns[0]?.type.kind === 'bool'
  return token.name === 'transfer' || isPaidOutElsewhere(flow, token.token)
}

/** The contract also tells the same token to `transfer(to, amount)`, which NFTs do not know. */
const isPaidOutElsewhere = ({ contractFlow }: Flow, token: Op | null): boolean => {
  const variable = tokenVariable(token)
  return variable !== null && contractFlow.answer(tokensPaidOut).has(variable)
}

const tokensPaidOut = ({ flows }: ContractFlow): ReadonlySet<VariableModel | null> =>
  new Set(
    flows.flatMap((flow) =>
      tokenCalls(flow).flatMap(({ name, isSafe, token }) =>
        name === 'transfer' && !isSafe ? [tokenVariable(token)] : [],
      ),
    ),
  )

/** One such function alone may be anything; a contract that has two of them, each with one number as answer, is a money market. */
const answersWithCode = ({ call: { definition } }: CallOp): boolean =>
  definition !== null && isCoded(definition) && (definition.contract?.functions.filter(isCoded).length ?? 0) > 1

const isCoded = ({ signature, returns }: FunctionModel): boolean =>
  returns.length === 1 && returnsErrorCode(signature) && returns[0]!.type.kind === 'int'

const isRefusal = ({ kind }: Op): boolean => kind === 'revert' || kind === 'assume'

/** `if (!x.send(1)) {}`: looked at, and then nothing differs but that success may be refused. */
const isIgnoredAfterTest = (flow: Flow, op: CallOp): boolean => {
  const outcomes = outcomesOf(flow, op)
  const tests = outcomes.flatMap((outcome) => flow.branchesOn(outcome))
  const users = outcomes.flatMap((outcome) => flow.usersOf(outcome).filter(({ args }) => args[0] === outcome))
  if (tests.length !== 1 || users.some(({ kind }) => kind === 'assume') || isCombined(flow, op)) return false
  return !isReactedTo(flow, tests[0]!)
}

/** What tells whether a call succeeded, also turned round. */
const outcomesOf = (flow: Flow, op: CallOp): readonly Op[] =>
  [op, ...flow.usersOf(op).filter(isSuccess)].flatMap((outcome) => formsOf(flow, outcome))

/** Something differs when a branch on an outcome goes the one way or the other. */
const isReactedTo = (flow: Flow, test: BasicBlock): boolean => {
  const [yes, no] = test.succs as [number, number]
  const isNegated = test.condition!.kind === 'un'
  const [onFailure, onSuccess] = isNegated ? [yes, no] : [no, yes]
  if (isDoneAfter(flow, onFailure, (other) => hasEffect(other) || isRefusal(other))) return true
  if (isDoneAfter(flow, onSuccess, hasEffect)) return true
  // A value that differs afterwards and that someone uses is a reaction too.
  return flow.blocks.some((block) => block.phis.some((phi) => isConsulted(flow, phi)) && isJoinOf(flow, block, test))
}

/** `sent && isTrue(answer)`, `!sent || isEmpty(answer)`: tested first for the sake of what comes second, and again together with it. */
const isCombined = (flow: Flow, op: CallOp): boolean =>
  outcomesOf(flow, op)
    .flatMap((outcome) => flow.usersOf(outcome))
    .some((user) => {
      const isBoth = user.kind === 'bin' && (user.operator === '&&' || user.operator === '||')
      return isBoth && isHeeded(flow, user)
    })

/** A truth and its denial. */
const formsOf = (flow: Flow, truth: Op): readonly Op[] => [
  truth,
  ...flow.usersOf(truth).filter(({ kind, operator }) => kind === 'un' && operator === '!'),
]

/** It is required, returned or stored, or a branch that it decides makes a difference. */
const isHeeded = (flow: Flow, truth: Op): boolean =>
  formsOf(flow, truth).some(
    (form) =>
      flow.usersOf(form).some(({ kind }) => kind !== 'emit' && kind !== 'un') ||
      flow.branchesOn(form).some((test) => isReactedTo(flow, test)),
  )

/** Some operation takes it, or what is in it, or a branch is decided by it. */
export const isConsulted = (flow: Flow, value: Op): boolean =>
  flow.usersOf(value).length > 0 ||
  flow.isCondition(value) ||
  flow.ops('load').some((part) => part.location.base === value && isActedOn(flow, part))

/** A branch is decided by it, or it goes elsewhere than into an event. */
const isActedOn = (flow: Flow, value: Op): boolean =>
  flow.branchesOn(value).length > 0 || flow.usersOf(value).some(({ kind }) => kind !== 'emit')

/** Something of the kind is done only when a branch went this way; mostly at once. */
const isDoneAfter = (flow: Flow, successor: number, isMeant: (op: Op) => boolean): boolean => {
  if (flow.blocks[successor]!.preds.length !== 1) return false
  for (const block of flow.blocksUnder(successor)) if (flow.blocks[block]!.ops.some(isMeant)) return true
  return false
}

const hasEffect = (op: Op): boolean =>
  op.kind === 'emit' ||
  op.kind === 'opaque' ||
  (op.kind === 'call' && !op.call.inlined) ||
  op.kind === 'store' ||
  (op.kind === 'return' && op.args.length > 0)

/** The ways from a branch come together here, at once or after more branches: one of them with what only it brings. */
const isJoinOf = (flow: Flow, { id, preds }: BasicBlock, branch: BasicBlock): boolean =>
  flow.idom[id] === branch.id ||
  branch.succs.some(
    (successor) =>
      id !== successor &&
      preds.some((pred) => flow.blockDominates(successor, pred)) &&
      !flow.blockDominates(successor, id),
  )

/** The outcome appears in an event and nowhere else: anyone who called is not stopped by it. */
const isOnlyReturnedOrLogged = (flow: Flow, op: CallOp): boolean => {
  if (!flow.has('emit')) return false
  const users = flow.usersOf(flow.usersOf(op).find(isSuccess) ?? op)
  return (
    users.every(({ kind, call }) => kind === 'emit' || (kind === 'call' && call.inlined)) &&
    users.some(({ kind }) => kind === 'emit')
  )
}

const isSuccess = ({ kind, constant }: Op): boolean => kind === 'extract' && constant === 0n

/** The shared excuse for results that are checked by their size, not by their value. */
export const sizeOfAnswer = {
  name: 'size-of-answer',
  sentence: 'the return data size is checked in assembly',
  holds: ({ flow, op }: Dropped): boolean => flow.builtins('returndatasize').some((size) => flow.dominates(op, size)),
}

/** Whose callee someone names or can replace: it is not written into the code for good. */
export const isReplaceable = (flow: Flow, callee: Op): boolean => {
  const value = stripCasts(callee)
  if (value.kind === 'param') return true
  const variable = value.kind === 'load' ? value.location.variable : null
  return variable !== null && flow.contractFlow.writersOf(variable).some(({ flow: writer }) => writer.isEntryPoint)
}
