import {
  dependsOn,
  isCleared,
  isKeyedBySender,
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
  isUnownedAddress,
  loweredBy,
  sizeOfAnswer,
  tokenCallOf,
  undone,
  witnessStep,
} from '../../idioms/index.ts'
import { type CallOp, describeCall, type Flow, holding, type Op, sameValueOrPlace, stripCasts } from '../../ir/index.ts'
import type { Node } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** `to.send()`, or what kind of call it is where assembly makes it. */
const nameOf = ({ model }: Flow, { call }: CallOp): string => `\`${describeCall(model, call)}\``

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

/** Nothing is written, called or reported once it has been made, and zero is answered, or nothing: nobody learns that it worked. */
const isLastAct = ({ flow, op }: DroppedResult): boolean => {
  const isAfter = (other: Op): boolean => other !== op && flow.canFollow(op, other)
  return (
    isBare(op) &&
    flow.ops('return').every(({ args }) => args.every(isNothing)) &&
    !flow.ops('emit').some(isAfter) &&
    !flow.externalCalls().some(isAfter) &&
    !writesState(flow)
  )
}

/** Of a function without a result, that it ends says yes. */
const isAnswered = (flow: Flow): boolean => flow.fn !== null && flow.fn.returns.length > 0

/** Zero, false, or an empty object: the caller does not learn that anything came of it. */
const isNothing = (value: Op): boolean => {
  const { kind, constant } = stripCasts(value)
  return kind === 'const' && (constant === null || constant === 0n)
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

/** `faucet.call{value: n}(""); last = faucet.balance;`: the next run counts with what really arrived, and nothing else is made of the number. */
const isCountedAfterwards = ({ flow, op }: DroppedResult): boolean => {
  const { value, target } = op.call
  if (value === null || target === null) return false
  const isOfPayee = (part: Op): boolean =>
    part.kind === 'builtin' && part.operator === 'balance' && sameValueOrPlace(part.args[0]!, target)
  const stores = flow.stateStores()
  return (
    stores.some((store) => isOfPayee(stripCasts(store.args[0])) && flow.isFollowedBy(op, store)) &&
    !stores.some((store) => dependsOn(flow, store.args[0], (part) => part === stripCasts(value)))
  )
}

/** The entry of the caller that is lowered holds something for privileged accounts alone: no other function raises it for anyone else. */
const isEntryOfRole = ({ flow, op }: DroppedResult): boolean =>
  op.call.value !== null &&
  flow.stateStores().some((store) => {
    const { variable } = store.location
    if (variable === null || !isKeyedBySender(store.location) || loweredBy(store) === null) return false
    const raising = flow.contractFlow
      .writersOf(variable)
      .filter((write) => !write.flow.isConstructor && loweredBy(write.op) === null && !isCleared(write.op))
    return raising.length > 0 && raising.every((write) => isProtected(write.flow, write.op))
  })

/** `call(topic, 0xffec, data, 0, 0xffff, 0, 0)`: at some addresses of a rollup, what assembly writes as a call is an instruction of its own. */
const isInstruction = (op: CallOp): boolean =>
  isAssembly(op) && op.call.target !== null && isSystemAddress(op.call.target)

/** Nobody is left without what is theirs. */
const harmlessBecause = (dropped: DroppedResult): string | null => {
  if (isRepeatable(dropped)) return 'only a privileged account sends the ETH, and nothing is recorded'
  if (isCountedAfterwards(dropped)) return 'the balance that really arrived is recorded afterwards'
  return isEntryOfRole(dropped) ? 'only privileged accounts have entries to lose' : null
}

/** The result is not wholly ignored, or nobody loses by it. */
const counterEvidenceAbout = (dropped: DroppedResult): string[] => {
  const { flow, op } = dropped
  const isUsed = resultUse(flow, op) === 'used'
  return [
    ...(isUsed ? ['the result is used somewhere'] : []),
    ...(isUsed && isBare(op) ? ['no ETH is sent with the call'] : []),
    ...checksOfMove(flow, op),
    ...(isLastAct(dropped) ? ['nothing afterwards relies on it'] : []),
    ...(isLastAct(dropped) && op.call.kind === 'static' && isAnswered(flow)
      ? ['it has no effect and returns zero']
      : []),
    ...(isContained(dropped)
      ? ['it comes last, with a fixed amount of gas: its failure may be meant not to block the rest']
      : []),
    ...(isOfRole(dropped) ? ['a privileged account chooses the call and sees the result'] : []),
    ...[harmlessBecause(dropped) ?? []].flat(),
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

const declarations: ReadonlySet<string> = new Set(['VariableStatement', 'Parameter'])

/** A variable that was never assigned is zero as well, but nobody chose to pay that address. */
const isWritten = (address: Op): boolean => {
  const { node } = stripCasts(address)
  return node !== null && !declarations.has((node as Node).kind)
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
    excuse(
      'burned',
      'the ETH goes to an address that nobody owns',
      ({ op }) =>
        !isBare(op) && op.call.target !== null && isUnownedAddress(op.call.target) && isWritten(op.call.target),
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
        impact:
          isSubscriber(dropped) || isContained(dropped) || isInstruction(op) || harmlessBecause(dropped) !== null
            ? 'none'
            : 'assets',
        counterEvidence: allCounterEvidence(dropped),
      },
    }
  },
})
