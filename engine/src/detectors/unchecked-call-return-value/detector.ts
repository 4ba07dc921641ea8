import {
  isProtected,
  isSender,
  isTestRunner,
  isUntrusted,
  principalAt,
  resultUse,
  roleAt,
  writesState,
} from '../../facts/index.ts'
import {
  checksOfMove,
  type DroppedResult,
  droppedResults,
  isAssembly,
  isConsulted,
  isKeyed,
  isReplaceable,
  isSystemAddress,
  sizeOfAnswer,
  tokenCallOf,
  undone,
  witnessStep,
} from '../../idioms/index.ts'
import { type CallOp, describeCall, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** `to.send()`, or what kind of call it is where assembly makes it. */
const nameOf = ({ model }: Flow, op: CallOp): string => `\`${describeCall(model, op)}\``

const messageOf = ({ flow, op }: DroppedResult): string => {
  const ignored = `\`${flow.name}()\` does not check the result of ${nameOf(flow, op)}, so`
  if (op.call.value !== null) return `${ignored} if it fails the ETH is not sent and execution continues as if it were.`
  return tokenCallOf(op) === null
    ? `${ignored} if it fails execution continues as if it had succeeded.`
    : `${ignored} if it fails no tokens move and execution continues as if they had.`
}

const fixOf = ({ op }: DroppedResult): string => {
  if (op.call.value !== null)
    return 'Require the success flag (OpenZeppelin `Address.sendValue` does), or let recipients withdraw (pull payments).'
  return tokenCallOf(op) === null
    ? 'Require the success flag (OpenZeppelin `Address.functionCall` does), or handle the failure.'
    : 'Use OpenZeppelin `SafeERC20`, or require the success flag and the returned `bool`.'
}

const isBare = ({ call: { kind, value, target } }: CallOp): boolean =>
  kind !== 'send' && value === null && target !== null

/**
 * Who decides what is called. Of a call that sends no ETH, anyone who is in charge of the callee sees the result and can replace the
 * callee. ETH that does not arrive is missing, no matter who it was for.
 */
const deciderOf = ({ flow, op }: DroppedResult): 'outsider' | 'governed' => {
  const callee = isBare(op) ? op.call.target : null
  if (callee === null || (isUntrusted(flow, callee, op) && principalAt(flow, op) !== 'unread')) return 'outsider'
  return isReplaceable(flow, callee) ? 'governed' : 'outsider'
}

/** The callee registered itself for a notification that pays nothing: what it misses is its own loss. */
const isSubscriber = ({ op }: DroppedResult): boolean => {
  const callee = isBare(op) ? stripCasts(op.call.target!) : null
  return callee?.kind === 'load' && callee.location.space !== 'memory' && isKeyed(callee.location)
}

/** A gas limit, and no call or write to an entry follows: a failure in there does not block the rest. */
const isContained = ({ flow, op }: DroppedResult): boolean =>
  isBare(op) &&
  op.call.gasKind === 'limited' &&
  ![...flow.stateStores().filter(({ location }) => isKeyed(location)), ...flow.externalCalls()].some(
    (other) => other !== op && flow.canFollow(op, other),
  )

/** Nothing is written, called or reported once it has been made, and nothing is answered: nobody learns that it worked. */
const isLastAct = ({ flow, op }: DroppedResult): boolean => {
  const isAfter = (other: Op): boolean => other !== op && flow.canFollow(op, other)
  return (
    isBare(op) &&
    flow.ops('return').every(({ args }) => args.length === 0) &&
    !flow.ops('emit').some(isAfter) &&
    !flow.externalCalls().some(isAfter) &&
    !writesState(flow)
  )
}

/** Only a role sets it off, says what is called, and nothing is written down about it: it sees for itself what came of it. */
const isOfRole = ({ flow, op }: DroppedResult): boolean => {
  const target = op.call.target === null ? null : stripCasts(op.call.target)
  return target?.kind === 'param' && !writesState(flow) && roleAt(flow, op) !== null
}

/** ETH alone, without data, that a role sends where it says, and that nothing records: it is still there, and can be sent once more. */
const isRepeatable = (dropped: DroppedResult): boolean =>
  dropped.op.call.value !== null &&
  dropped.op.args.every((arg) => dropped.op.call.kind === 'send' || stripCasts(arg).kind === 'const') &&
  isOfRole(dropped)

/** The result is not wholly ignored, or nobody loses by it. */
const counterEvidenceAbout = (dropped: DroppedResult): string[] => {
  const { flow, op } = dropped
  const isUsed = resultUse(flow, op) === 'used'
  return [
    ...(isUsed ? ['the result is used somewhere'] : []),
    ...(isUsed && isBare(op) ? ['no ETH is sent with the call'] : []),
    ...checksOfMove(flow, op),
    ...(isLastAct(dropped) ? ['nothing afterwards relies on it'] : []),
    ...(isContained(dropped)
      ? ['it comes last, with a fixed amount of gas: its failure may be meant not to block the rest']
      : []),
    ...(isOfRole(dropped) ? ['a privileged account chooses the call and sees the result'] : []),
    ...(isRepeatable(dropped) ? ['only a privileged account sends the ETH, and nothing is recorded'] : []),
    ...(isSubscriber(dropped) ? ['the callee asked for the notification'] : []),
  ]
}

const allCounterEvidence = (dropped: DroppedResult): readonly string[] => {
  const { target } = dropped.op.call
  const found = counterEvidenceAbout(dropped)
  return found.length === 0 && target !== null && isSystemAddress(target)
    ? ['the callee is a contract of the chain itself']
    : found
}

/** A `staticcall`, or a call without ETH where nothing is recorded, whose returned data is read; assembly reads it from memory. */
const isOnlyQueried = ({ flow, op }: DroppedResult): boolean => {
  const { kind, value } = op.call
  const data = flow.usersOf(op).find((part) => part.kind === 'extract' && part.constant === 1n)
  const isRead = data !== undefined && isConsulted(flow, data)
  if (kind === 'static') return isRead || isAssembly(op)
  return isRead && value === null && !writesState(flow)
}

/** The caller sees for itself what arrived. */
const isSeenByCaller = ({ flow, op }: DroppedResult): boolean => {
  const { kind, value, target } = op.call
  if (kind !== 'lowlevel' || value === null || target === null || !isSender(target)) return false
  return !writesState(flow) && isProtected(flow, op)
}

export default defineDetector<DroppedResult>({
  id: 'unchecked-call-return-value',
  swc: 'SWC-104',
  title: 'Unchecked call return value',
  aliases: {
    slither: ['unchecked-lowlevel', 'unchecked-send'],
    aderyn: ['unchecked-low-level-call', 'unchecked-send', 'unchecked-return'],
    owasp: ['SC06:2025'],
    scwe: ['SCWE-048'],
    words: ['unchecked call', 'unchecked send', 'ignored return value', 'low-level call'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    'Low-level calls and `send` return `false` instead of reverting. If the result is ignored or only logged, execution continues as if the call had succeeded.',
  recommendation:
    'Require the success flag or handle the failure. OpenZeppelin’s `Address.sendValue` and `functionCall` do this.',
  references: ['https://swcregistry.io/docs/SWC-104'],
  cwe: ['CWE-252'],

  needs: [holding.externalCall],
  candidates: (context) => droppedResults(context, 'flag'),
  excuses: [
    sizeOfAnswer,
    excuse('read-only-query', 'it is only a query whose result is read or required', isOnlyQueried),
    excuse(
      'test-runner',
      'only a test runner has code at that address',
      ({ op }) => isBare(op) && isTestRunner(op.call.target!),
    ),
    excuse('seen-by-caller', 'the only permitted caller gets its own ETH, and nothing is recorded', isSeenByCaller),
    undone,
  ],
  finding(dropped) {
    const { flow, op, at, other } = dropped
    const harm =
      op.call.value === null ? 'the failed call is treated as successful' : 'the failed payment goes unnoticed'
    return {
      at,
      cause: other ?? op,
      message: messageOf(dropped),
      recommendation: fixOf(dropped),
      // What a helper ignores it ignores for every caller: it takes no transaction that starts there.
      trace: [{ ...witnessStep(flow, op, harm, 'A user'), isEntry: true }, ...flow.trace(op)],
      // No loss is named: a recipient who cannot be paid is needed, and nothing in the code shows one.
      factors: {
        controlledBy: deciderOf(dropped),
        impact: isSubscriber(dropped) || isContained(dropped) || isRepeatable(dropped) ? 'none' : 'assets',
        counterEvidence: allCounterEvidence(dropped),
      },
    }
  },
})
