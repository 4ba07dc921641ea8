import { isSender, isUntrusted, principalAt, resultUse } from '../../facts/index.ts'
import {
  callsToken,
  checksOfMove,
  type DroppedResult,
  droppedResults,
  isBorneByCaller,
  isSelf,
  isSystemAddress,
  tokenCallOf,
  tokenCalls,
  tokensOfUsers,
  witnessStep,
} from '../../idioms/index.ts'
import { type CallOp, type ContractFlow, describeCall, type Flow, sameValueOrPlace } from '../../ir/index.ts'
import type { Expression } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { isOwnKindElsewhere } from './own-kind-elsewhere.ts'
import { isVettedLater } from './vetted-later.ts'

/** A failure that shows only in a token's answer depends on the token, and anyone who chose it knows how it answers. */
const deciderOf = ({ flow, op }: DroppedResult): 'outsider' | 'governed' => {
  const token = tokenCallOf(op)?.token ?? null
  if (token === null) return 'outsider'
  return isUntrusted(flow, token, op) && principalAt(flow, op) !== 'unread' ? 'outsider' : 'governed'
}

/** The contract pays from what it holds: a recipient cannot make that fail as a payer can, only the token, or an empty account. */
const isOwnPayment = (op: CallOp): boolean => {
  const moved = tokenCallOf(op)
  return moved !== null && moved.name !== 'approve' && (moved.from === null || isSelf(moved.from))
}

/**
 * `coin.approve(shop, n); coin.transferFrom(msg.sender, this, n); shop.buy(n);`: the shop pulls the same number from this contract, which
 * holds no deposits of others that could stand in for what did not arrive.
 */
const isPulledOn = ({ flow, op }: DroppedResult): boolean => {
  const { token, from, to, amount } = tokenCallOf(op) ?? {}
  if (!token || !from || !isSender(from) || !isSelf(to!) || tokensOfUsers(flow) !== null) return false
  const spenders = tokenCalls(flow).flatMap((call) =>
    call.name === 'approve' && call.token !== null && sameValueOrPlace(call.token, token) ? [call.to] : [],
  )
  return flow
    .externalCalls()
    .some(
      (next) =>
        tokenCallOf(next) === null &&
        next.call.target !== null &&
        spenders.some((spender) => sameValueOrPlace(spender, next.call.target!)) &&
        next.args.some((arg) => sameValueOrPlace(arg, amount!)) &&
        flow.isFollowedBy(op, next),
    )
}

/** That nobody can make it fail alone, or with any token, lowers the confidence only where nothing else does. */
const allCounterEvidence = (dropped: DroppedResult): readonly string[] => {
  const { flow, op } = dropped
  const found = counterEvidenceAbout(dropped)
  if (found.length > 0) return found
  if (op.call.target !== null && isSystemAddress(op.call.target))
    return ['the callee is a contract of the chain itself']
  if (isOwnPayment(op)) return ['whether this token returns `false` when a transfer fails is not known']
  if (isOwnKindElsewhere(flow, op)) return ['it is a contract of the project that never returns false']
  return isVettedLater(flow, op) ? ['a contract that receives the token accepts only listed tokens'] : []
}

const counterEvidenceAbout = (dropped: DroppedResult): string[] => {
  const { flow, op } = dropped
  return [
    ...(op.call.definition === null ? ['the token’s code is missing'] : []),
    ...(isOfUnwrittenType(flow, op) ? ['nothing shows that it is a token'] : []),
    ...(resultUse(flow, op) === 'used' ? ['the result is used somewhere'] : []),
    ...checksOfMove(flow, op),
    ...(isBorneByCaller(flow, op) ? ['the caller names the token and nothing is recorded'] : []),
    ...(isPulledOn(dropped) ? ['the next contract must pull the same amount from this one'] : []),
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

export default defineDetector<DroppedResult>({
  id: 'unchecked-token-transfer',
  formerly: 'unchecked-call-return-value',
  swc: 'SWC-104',
  title: 'Unchecked token transfer',
  aliases: {
    slither: ['unchecked-transfer', 'unused-return'],
    aderyn: ['unsafe-erc20-operation', 'unchecked-return'],
    owasp: ['SC06:2025'],
    scwe: ['SCWE-048'],
    words: ['unchecked transfer', 'transfer returns false', 'SafeERC20', 'ignored return value'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    'Many ERC-20 tokens return `false` instead of reverting when a transfer fails. If the result is ignored or only logged, the contract records a payment that never happened.',
  recommendation: 'Use OpenZeppelin `SafeERC20`, or require the returned `bool`.',
  references: ['https://swcregistry.io/docs/SWC-104', 'https://github.com/d-xo/weird-erc20#no-revert-on-failure'],
  cwe: ['CWE-252'],

  needs: [callsToken],
  candidates: (context) => droppedResults(context, 'answer'),
  excuses,
  finding(dropped) {
    const { flow, op, at } = dropped
    const call = describeCall(flow.model, op)
    return {
      at,
      cause: op,
      message: `\`${flow.name}()\` does not check the result of \`${call}\`, so with a token that returns false instead of reverting no tokens move and execution continues.`,
      // What a helper ignores it ignores for every caller: it takes no transaction that starts there.
      trace: [
        { ...witnessStep(flow, op, 'the failed call is treated as successful', 'A user'), isEntry: true },
        ...flow.trace(op),
      ],
      factors: {
        controlledBy: deciderOf(dropped),
        impact: isBorneByCaller(flow, op) || isPulledOn(dropped) ? 'none' : 'assets',
        counterEvidence: allCounterEvidence(dropped),
      },
    }
  },
})
