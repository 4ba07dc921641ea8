import { dependsOn, encodedCallOf, guardsAt, isSender, parametersIn } from '../../facts/index.ts'
import { isSelf, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type ContractFlow, type Flow, holding, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  /** Where the sender is read from the end of the calldata. */
  readonly read: Op
}

const isDataLength = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'msg.data.length'

const isData = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'msg.data'

/** `msg.data[msg.data.length - 20:]`, `calldataload(sub(calldatasize(), 20))` */
const isEndOfData = (flow: Flow, { kind, operator, args }: Op): boolean => {
  const isFromEnd = (from: Op | undefined): boolean =>
    from !== undefined && dependsOn(flow, from, (part) => isDataLength(part) || isData(part))
  if (kind === 'make' && operator === 'slice') return dependsOn(flow, args[0]!, isData) && isFromEnd(args[1])
  return kind === 'builtin' && operator === 'calldataload' && isFromEnd(args[0])
}

const checksSender = (flow: Flow, op: Op): boolean =>
  guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isSender, { keys: true }))

/** An ERC-2771 recipient: if a forwarder calls, the account that it calls for is at the end of the calldata. */
const forwardedSender = ({ flows }: ContractFlow): Op | null => {
  for (const flow of flows)
    for (const op of [...flow.ops('make'), ...flow.ops('builtin')])
      if (isEndOfData(flow, op) && checksSender(flow, op)) return op
  return null
}

/** The contract runs itself with calldata that the caller writes. */
const runsOwnData = (flow: Flow, { call, args: [data] }: CallOp): boolean =>
  call.kind === 'delegate' &&
  call.target !== null &&
  isSelf(call.target) &&
  data !== undefined &&
  encodedCallOf(data) === null &&
  parametersIn(flow, data).size > 0

export default defineDetector<Candidate>({
  id: 'forwarded-sender-spoofing',
  swc: null,
  title: 'ERC-2771 sender spoofing through multicall',
  aliases: {
    owasp: ['SC01:2025'],
    words: ['ERC-2771', 'trusted forwarder', 'meta-transaction', 'multicall', 'address spoofing', '_msgSender'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'An ERC-2771 contract takes the sender from the last 20 bytes of the calldata when its trusted forwarder calls. A batch function that delegates to the contract itself keeps the forwarder as `msg.sender` but passes on calldata that the caller wrote, so the caller chooses the sender of the inner call.',
  recommendation:
    'Append the context suffix to each inner call, as Multicall of OpenZeppelin 4.9.5 and 5.0.1 does, or reject batches from the forwarder.',
  references: [
    'https://eips.ethereum.org/EIPS/eip-2771',
    'https://github.com/OpenZeppelin/openzeppelin-contracts/security/advisories/GHSA-g4vp-m682-qqmp',
  ],
  cwe: ['CWE-290'],

  needs: [holding.delegateCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.ops('call')) {
        const read = runsOwnData(flow, op) ? flow.contractFlow.answer(forwardedSender) : null
        if (read !== null) yield { flow, op, read }
      }
  },
  excuses: [
    excuse('suffix-appended', 'the sender is appended to each inner call', ({ flow, op }) =>
      dependsOn(flow, op.args[0]!, isData),
    ),
    excuse('caller-checked', 'a condition on `msg.sender` decides whether the batch runs', ({ flow, op }) =>
      checksSender(flow, op),
    ),
  ],
  finding: ({ flow, op, read }) => ({
    at: flow.inEntry(op),
    message: `\`${flow.name}()\` delegates to this contract with the caller’s data while \`msg.sender\` is the ERC-2771 forwarder, so the last 20 bytes of that data name any account as the sender.`,
    trace: [
      witnessStep(flow, op, 'acts as any account through the forwarder'),
      ...flow.trace(op),
      { at: read, message: 'The sender is read from the end of the calldata here.' },
    ],
  }),
})
