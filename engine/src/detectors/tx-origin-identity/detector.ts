import {
  dependsOn,
  endsInRevert,
  isKeyedBySender,
  isOrigin,
  type Principal,
  principalAt,
  senderGuardsAt,
} from '../../facts/index.ts'
import { paymentsOf, witnessStep } from '../../idioms/index.ts'
import { describeCall, type Flow, holding, type Location, type Op, type OpOf, type Site } from '../../ir/index.ts'

import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: OpOf<'call' | 'store'>
  readonly message: string
}

const isKeyedByOrigin = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && isOrigin(at.index)) return true
  return false
}

/** How an operation takes the origin for someone; null when it does not. */
const identityIn = (flow: Flow, op: Candidate['op']): string | null => {
  const acts = 'a malicious contract that a user calls can act for that user.'
  if (op.kind === 'store') {
    if (isKeyedByOrigin(op.location))
      return `\`${flow.name}()\` writes \`${flow.describe(op.location)}\`, keyed by \`tx.origin\` instead of \`msg.sender\`: a malicious contract that a user calls can change the entry of that user.`
    const isStored = op.location.space !== 'memory' && isOrigin(op.args[0])
    return isStored
      ? `\`${flow.name}()\` records \`tx.origin\`, not \`msg.sender\`, as \`${flow.describe(op.location)}\`: ${acts}`
      : null
  }
  // In the arguments of an error it authorizes nobody.
  if (endsInRevert(flow, op.block)) return null
  const { target } = op.call
  if (target !== null && isOrigin(target)) return `\`${flow.name}()\` calls \`tx.origin\`, which may not be the caller.`
  const isPassedOn = op.args.some(isOrigin) && op.operator !== 'modifier'
  return isPassedOn
    ? `\`${flow.name}()\` passes \`tx.origin\`, not \`msg.sender\`, to \`${describeCall(flow.model, op)}\`: ${acts}`
    : null
}

/** No contract that an attacker deploys is one of them. */
const appointed: ReadonlySet<Principal> = new Set(['granted', 'role', 'one'])

const isInside = ({ site }: Op, calls: ReadonlySet<Op>): boolean => {
  for (let at: Site | null = site; at !== null; at = at.parent) if (at.call !== null && calls.has(at.call)) return true
  return false
}

/** It is looked up, and what comes after stands in the name of the caller: the user's permission is used, and nothing of the user's moves. */
const isOnlyLookedUp = ({ flow, op }: Candidate): boolean =>
  op.kind === 'call' &&
  op.call.inlined &&
  paymentsOf(flow).length === 0 &&
  flow
    .stateStores()
    .every(
      ({ location, args }) =>
        isKeyedBySender(location) && !isKeyedByOrigin(location) && !dependsOn(flow, args[0], isOrigin),
    ) &&
  flow.externalCalls().every(({ call }) => call.isStatic)

export default defineDetector<Candidate>({
  id: 'tx-origin-identity',
  swc: 'SWC-114',
  title: 'tx.origin used as caller identity',
  aliases: {
    slither: ['tx-origin'],
    aderyn: ['tx-origin-used-for-auth'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-018'],
    words: ['tx.origin', 'phishing'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    '`tx.origin` is stored, used as a key or passed on as if it were the caller. A user who calls a malicious contract acts, pays or receives here unintentionally, and contract wallets do not work.',
  recommendation: 'Use `msg.sender`, or take the account as an argument and check that the caller may act for it.',
  references: [
    'https://swcregistry.io/docs/SWC-115',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#tx-origin',
  ],
  cwe: ['CWE-477', 'CWE-290'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [holding.origin],
  *candidates({ functions }) {
    for (const flow of functions) {
      if (!flow.usesEnvironment('tx.origin')) continue
      const seenValues = new Set<Op>()
      for (const op of [...flow.ops('call'), ...flow.ops('store')]) {
        const message = identityIn(flow, op)
        if (message === null) continue
        if (op.kind === 'call') seenValues.add(op)
        // What a callee does with the origin that it was handed is said at the call.
        if (!isInside(op, seenValues)) yield { flow, op, message }
      }
    }
  },
  excuses: [
    excuse(
      'deployer',
      'it runs once at deployment, where a factory may be the caller',
      ({ flow }) => flow.isConstructor,
    ),
    excuse(
      'caller-known',
      '`msg.sender` is compared with a stored account first, or holds what only a role grants',
      ({ flow, op }) =>
        appointed.has(principalAt(flow, op)) || senderGuardsAt(flow, op).some(({ against }) => against === 'state'),
    ),
  ],
  finding: (candidate) => {
    const { flow, op, message } = candidate
    return {
      at: op,
      message,
      ...(isOnlyLookedUp(candidate) ? { severity: 'medium' as const } : {}),
      trace: [
        witnessStep(flow, op, 'acts as `tx.origin`', 'An attacker’s contract, called by a user,'),
        ...flow.trace(op),
      ],
    }
  },
})
