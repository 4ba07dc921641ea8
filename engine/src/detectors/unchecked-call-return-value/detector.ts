import { isUntrusted, principalAt, resultUse, roleAt, writesState } from '../../facts/index.ts'
import {
  isAssembly,
  isBorneByCaller,
  isKeyed,
  isSelf,
  isSystemAddress,
  tokenCallOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type CallOp,
  type Context,
  type ContractFlow,
  describeCall,
  type Flow,
  holding,
  type Op,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import type { Expression, Span } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'
import { isCheckedBefore } from './checked-before.ts'
import { type DroppedResult, droppedResults } from './dropped-results.ts'
import { excuses } from './excuses.ts'
import { isOwnKindElsewhere } from './own-kind-elsewhere.ts'
import { isVettedLater } from './vetted-later.ts'

interface Candidate extends DroppedResult {
  readonly at: Span
  /** The same payment on another way through the function, of which one is taken. */
  readonly other: CallOp | null
}

/** `to.send()`, or what kind of call it is where assembly makes it. */
const nameOf = ({ model }: Flow, { call }: CallOp): string => `\`${describeCall(model, call)}\``

const messageOf = ({ flow, op }: Candidate): string => {
  const ignored = `\`${flow.name}()\` does not check the result of ${nameOf(flow, op)}, so`
  if (op.call.value !== null) return `${ignored} if it fails the ETH is not sent and execution continues as if it were.`
  return tokenCallOf(op) === null
    ? `${ignored} if it fails execution continues as if it had succeeded.`
    : `${ignored} with a token that returns false instead of reverting no tokens move and execution continues.`
}

const fixOf = (op: CallOp): string => {
  if (op.call.value !== null)
    return 'Require the success flag (OpenZeppelin `Address.sendValue` does), or let recipients withdraw (pull payments).'
  return tokenCallOf(op) === null
    ? 'Require the success flag (OpenZeppelin `Address.functionCall` does), or handle the failure.'
    : 'Use OpenZeppelin `SafeERC20`, or require the returned `bool`.'
}

/** Calls inside of functions that hand the outcome on, which some of their callers use. */
const usedSomewhere = ({ functions }: Context, dropped: ReadonlySet<CallOp>): ReadonlySet<number> => {
  const used = new Set<number>()
  for (const flow of functions)
    for (const op of flow.externalCalls()) if (!dropped.has(op) && resultUse(flow, op) !== 'unused') used.add(op.start)
  return used
}

/** The helper hands the outcome on and this caller of it drops it: the mistake is made at the call of the helper. */
const placeOf = (op: Op, used: ReadonlySet<number>): Span => {
  if (op.site === null || (!used.has(op.start) && !isPassedOn(op))) return op
  return op.site.at
}

/** `success := call(…)` of a helper that answers with true or false. */
const isPassedOn = (op: Op): boolean =>
  isAssembly(op) && op.site?.fn.kind === 'function' && op.site.fn.returns.some(({ type }) => type.kind === 'bool')

/**
 * Who decides on what is called. A failure that shows only in a token's answer depends on the token, and anyone who chose it
 * knows how it answers. Of a call that brings no ether, anyone who is in charge of the callee sees what became of it, and can
 * put another in its place. Ether that does not arrive is missing, no matter who it was for.
 */
const deciderOf = ({ flow, op, sign }: DroppedResult): 'outsider' | 'governed' => {
  const callee = sign === 'answer' ? (tokenCallOf(op)?.token ?? null) : isBare(op) ? op.call.target : null
  if (callee === null || (isUntrusted(flow, callee, op) && principalAt(flow, op) !== 'unread')) return 'outsider'
  return sign === 'answer' || isInCharge(flow, callee) ? 'governed' : 'outsider'
}

/** `if (won) to.send(a); else to.send(b);`: one payment, of one amount or the other, and one mistake. */
const sameOnOtherPath = (
  flow: Flow,
  op: CallOp,
  byBlock: ReadonlyMap<number, readonly DroppedResult[]>,
): CallOp | null => {
  const isSame = ({ op: { start, site, call } }: DroppedResult): boolean =>
    start < op.start && site === op.site && call.kind === op.call.kind && isSamePayee(call, op.call)
  if (byBlock.size > 1)
    for (const block of flow.blocksOnOtherPaths(op)) {
      const same = byBlock.get(block)?.find(isSame)
      if (same !== undefined) return same.op
    }
  return null
}

const isSamePayee = (one: CallOp['call'], other: CallOp['call']): boolean => {
  if (one.value === null || other.value === null || one.target === null || other.target === null) return false
  return sameValueOrPlace(one.target, other.target)
}

/** Someone names it, or can replace it: it is not written into the code for good. */
const isInCharge = (flow: Flow, callee: Op): boolean => {
  const value = stripCasts(callee)
  if (value.kind === 'param') return true
  const variable = value.kind === 'load' ? value.location.variable : null
  return variable !== null && flow.contractFlow.writersOf(variable).some(({ flow: writer }) => writer.isEntryPoint)
}

const isBare = ({ call: { kind, value } }: CallOp): boolean => kind !== 'send' && value === null

/** Who put itself on record to be notified of something, and nothing is paid by telling it: what it misses is its own. */
const isSubscriber = ({ op, sign }: DroppedResult): boolean => {
  const callee = sign === 'flag' && isBare(op) && op.call.target !== null ? stripCasts(op.call.target) : null
  return callee?.kind === 'load' && callee.location.space !== 'memory' && isKeyed(callee.location)
}

const isUnrecorded = ({ flow, op, sign }: DroppedResult): boolean => sign === 'answer' && isBorneByCaller(flow, op)

/** Nothing is written, called or reported once it has been made, and zero is answered, or nothing: nobody learns that it worked. */
const isLastAct = ({ flow, op, sign }: DroppedResult): boolean => {
  const isAfter = (other: Op): boolean => other !== op && flow.canFollow(op, other)
  return (
    sign === 'flag' &&
    isBare(op) &&
    flow.ops('return').every(({ args }) => args.every(isNothing)) &&
    !flow.ops('emit').some(isAfter) &&
    !flow.externalCalls().some(isAfter) &&
    !writesState(flow)
  )
}

/** Of a function without a result, that it ends says yes. */
const isAnswered = (flow: Flow): boolean => flow.fn !== null && flow.fn.returns.length > 0

/** Zero, false, or an empty object: anyone who asked does not learn that anything came of it. */
const isNothing = (value: Op): boolean => {
  const { kind, constant } = stripCasts(value)
  return kind === 'const' && (constant === null || constant === 0n)
}

/** Only a role sets it off, says what is called, and nothing is written down about it: it sees for itself what came of it. */
const isOfRole = ({ flow, op, sign }: DroppedResult): boolean => {
  const target = op.call.target === null ? null : stripCasts(op.call.target)
  return sign === 'flag' && target?.kind === 'param' && !writesState(flow) && roleAt(flow, op) !== null
}

/** What it holds itself is paid out: anyone who is paid cannot make that fail, as a payer can, but the token, or anyone who empties the account first. */
const isOwnPayment = (op: CallOp, sign: DroppedResult['sign']): boolean => {
  const moved = sign === 'answer' ? tokenCallOf(op) : null
  return moved !== null && moved.name !== 'approve' && (moved.from === null || isSelf(moved.from))
}

/** That nobody can bring the failure about alone, or with any token, speaks against being sure, and not against what else is in doubt anyway. */
const allCounterEvidence = (dropped: DroppedResult): readonly string[] => {
  const counterEvidence = counterEvidenceAbout(dropped)
  if (counterEvidence.length > 0) return counterEvidence
  const { target } = dropped.op.call
  if (target !== null && isSystemAddress(target)) return ['the callee is a contract of the chain itself']
  if (isOwnPayment(dropped.op, dropped.sign)) return ['only the token can make it fail']
  if (dropped.sign === 'answer' && isOwnKindElsewhere(dropped.flow, dropped.op))
    return ['it is a contract of the project that never returns false']
  return isVettedLater(dropped.flow, dropped.op)
    ? ['a contract that receives the token accepts only listed tokens']
    : counterEvidence
}

/** What the call says, or what came of it, is not wholly ignored. */
const counterEvidenceAbout = (dropped: DroppedResult): string[] => {
  const { flow, op, sign } = dropped
  return [
    ...(sign === 'answer' && op.call.definition === null ? ['the token’s code is missing'] : []),
    ...(sign === 'answer' && isOfUnwrittenType(flow, op) ? ['nothing shows that it is a token'] : []),
    ...(resultUse(flow, op) === 'used' ? ['the result is used somewhere'] : []),
    ...(resultUse(flow, op) === 'used' && sign === 'flag' && isBare(op) ? ['no ETH is sent with the call'] : []),
    ...(tokenCallOf(op) !== null && isCounted(flow, op)
      ? ['the received amount is measured from the balance afterwards']
      : []),
    ...(isCheckedBefore(flow, op, 'balanceOf') ? ['the token balance was checked first'] : []),
    ...(isCheckedBefore(flow, op, 'allowance') ? ['the allowance was checked first'] : []),
    ...(isLastAct(dropped) ? ['nothing afterwards relies on it'] : []),
    ...(isLastAct(dropped) && op.call.kind === 'static' && isAnswered(flow)
      ? ['it has no effect and returns zero']
      : []),
    ...(isOfRole(dropped) ? ['a privileged account chooses the call and sees the result'] : []),
    ...(isSubscriber(dropped) ? ['the callee asked for the notification'] : []),
    ...(isUnrecorded(dropped) ? ['the caller names the token and nothing is recorded'] : []),
  ]
}

/**
 * `key.currency.transfer(to, amount)` with a field of a record that a missing file declares: its type is written nowhere here, and
 * the function may as well be that of a library, which reverts. It is one by the rules of the language where what it is called on is no
 * contract: an address, or a type of a missing file that is unwrapped elsewhere.
 */
const isOfUnwrittenType = ({ model, contractFlow }: Flow, { call: { definition }, node }: CallOp): boolean => {
  const called = node as Expression | null
  if (definition !== null || called?.kind !== 'Call' || called.callee.kind !== 'Member') return false
  const type = model.typeOf(called.callee.object)
  if (type === null || type.kind === 'contract') return false
  return type.kind !== 'unknown' || type.reason.startsWith('.') || contractFlow.answer(unwrappedTypes).has(type.reason)
}

/** `Currency.unwrap(x)`: only a type that stands for a plain value can be unwrapped. */
const unwrappedTypes = ({ flows }: ContractFlow): ReadonlySet<string> =>
  new Set(
    flows
      .flatMap((flow) => flow.ops('call'))
      .filter(({ call: { name, definition } }) => definition === null && (name === 'unwrap' || name === 'wrap'))
      .flatMap(({ args: [type] }) => (type?.kind === 'unknown' ? [type.operator] : [])),
  )

/** `balanceOf(…)` is asked after the call, and what it was before is taken off. */
const isCounted = (flow: Flow, op: CallOp): boolean =>
  flow.answer(holdingsCompared).some(([after, before]) => flow.canFollow(op, after) && flow.canFollow(before, op))

const holdingsCompared = (flow: Flow): readonly (readonly [after: Op, before: Op])[] =>
  flow.ops('bin').flatMap(({ operator, args: [now, then] }) => {
    const [after, before] = [stripCasts(now), stripCasts(then)]
    return operator === '-' && isHolding(after) && isHolding(before) ? [[after, before] as const] : []
  })

const isHolding = ({ kind, call }: Op): boolean => kind === 'call' && call.name === 'balanceOf'

export default defineDetector<Candidate>({
  id: 'unchecked-call-return-value',
  swc: 'SWC-104',
  title: 'Unchecked call return value',
  aliases: {
    slither: ['unchecked-lowlevel', 'unchecked-send', 'unchecked-transfer', 'unused-return'],
    aderyn: ['unchecked-low-level-call', 'unchecked-send', 'unchecked-return', 'unsafe-erc20-operation'],
    owasp: ['SC06:2025'],
    scwe: ['SCWE-048'],
    words: ['unchecked transfer', 'unchecked call', 'unchecked send', 'SafeERC20', 'ignored return value'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    'Low-level calls, `send` and many tokens return `false` instead of reverting; Compound-style markets return an error code. If the result is ignored or only logged, accounting continues as if the call had succeeded.',
  recommendation:
    'Require the success flag or handle the failure. OpenZeppelin’s `Address.sendValue`, `functionCall` and `SafeERC20` do this.',
  references: ['https://swcregistry.io/docs/SWC-104'],
  cwe: ['CWE-252'],

  needs: [holding.externalCall],
  *candidates(context) {
    const byFlow = context.functions.map((flow) => [...droppedResults(flow)])
    const dropped = new Set(byFlow.flat().map(({ op }) => op))
    if (dropped.size === 0) return
    const used = usedSomewhere(context, dropped)
    for (const ofFlow of byFlow) {
      const byBlock = new Map<number, DroppedResult[]>()
      for (const each of ofFlow) byBlock.set(each.op.block, [...(byBlock.get(each.op.block) ?? []), each])
      for (const candidate of ofFlow) {
        const { flow, op } = candidate
        yield { ...candidate, at: placeOf(op, used), other: sameOnOtherPath(flow, op, byBlock) }
      }
    }
  },
  excuses,
  finding(candidate) {
    const { flow, op, at, other } = candidate
    const harm =
      op.call.value === null ? 'the failed call is treated as successful' : 'the failed payment goes unnoticed'
    return {
      at,
      cause: other ?? op,
      message: messageOf(candidate),
      recommendation: fixOf(op),
      // What a helper ignores it ignores for every caller: it takes no transaction that starts there.
      trace: [{ ...witnessStep(flow, op, harm, 'A user'), isEntry: true }, ...flow.trace(op)],
      // No loss is named: a recipient who cannot be paid is needed, and nothing in the code shows one.
      factors: {
        controlledBy: deciderOf(candidate),
        impact: isSubscriber(candidate) || isUnrecorded(candidate) ? 'none' : 'assets',
        counterEvidence: allCounterEvidence(candidate),
      },
    }
  },
})
