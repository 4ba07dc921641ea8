import { isReserved } from '../../facts/index.ts'
import { firstThatFits, type HookWindow, hookWindow, tokenCallOf, witnessStep } from '../../idioms/index.ts'
import { describeCall, describeValue, type Flow, holding, type Op } from '../../ir/index.ts'
import type { Model } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly window: HookWindow
}

const readOf = (flow: Flow, before: Op): string => {
  if (before.kind === 'load' && before.location.space === 'state') return `\`${flow.describe(before.location)}\``
  return before.kind === 'call' ? `\`${describeCall(flow.model, before)}\`` : 'This value'
}

/** What is updated or used too late, by name. */
const lateOf = (flow: Flow, { after }: HookWindow): string =>
  after.kind === 'store' ? `\`${flow.describe(after.location)}\`` : 'the value'

const upsets: Readonly<Record<HookWindow['kind'], (late: string) => string>> = {
  measured: () => 'the deposit is measured around the transfer, so it is counted twice',
  kept: (late) => `${late} is read before the transfer and stored after it, so the update in between is lost`,
  priced: () => 'the amount paid out after the transfer was computed before it, at the old price',
  limited: (late) =>
    `the limit is checked before the transfer and ${late} updated after it, so the limit can be exceeded`,
  tracked: (late) =>
    `another function takes what exceeds ${late} as new tokens, and it is updated only after the transfer`,
  split: (late) => `other numbers are updated before the transfer and ${late} after it, so they do not agree`,
}

/** `token.safeTransfer()`, also where a library's function is called on the token. */
const calleeOf = (model: Model, op: Op): string => {
  if (op.call === null) return 'the transfer'
  const token = op.call.target === null ? tokenCallOf(op)?.token : null
  const name = token == null ? '…' : describeValue(model, token)
  return `\`${name === '…' ? describeCall(model, op) : `${name}.${op.call.name}()`}\``
}

const messageOf = (flow: Flow, window: HookWindow): string => {
  const attack = `\`${flow.name}()\` holds no lock during ${calleeOf(flow.model, window.call)}. If the token calls back (ERC-777), an attacker re-enters`
  const upset = upsets[window.kind]
  return firstThatFits(`${attack}: ${upset(lateOf(flow, window))}.`, `${attack}: ${upset('the record')}.`, `${attack}.`)
}

export default defineDetector<Candidate>({
  id: 'token-hook-reentrancy',
  swc: 'SWC-107',
  title: 'Reentrancy through token callback (ERC-777)',
  aliases: {
    owasp: ['SC05:2025'],
    scwe: ['SCWE-046', 'SCWE-104'],
    words: ['ERC-777', 'ERC-721 callback', 'onERC721Received', 'tokensReceived', 'hook'],
  },
  severity: 'critical',
  confidence: 'low',
  description:
    'Some tokens (ERC-777, ERC-721, ERC-1155) call the sender or recipient during a transfer. If the contract uses values read before the transfer afterwards, that callback can re-enter while the accounting is inconsistent.',
  recommendation:
    'Update all state before the transfer, or add a reentrancy guard to every function that shares the state.',
  references: ['https://swcregistry.io/docs/SWC-107', 'https://eips.ethereum.org/EIPS/eip-777#hooks'],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy', 'inconsistent-checks'],

  needs: [holding.foreignCall],
  *candidates({ functions }) {
    for (const flow of functions) {
      const window = flow.isConstructor ? null : hookWindow(flow, (call) => !isReserved(flow, call))
      if (window !== null) yield { flow, window }
    }
  },

  finding: ({ flow, window, window: { call, before, after } }) => ({
    at: flow.inCommonCaller(call, after),
    cause: call,
    factors: { hasWitness: false },
    message: messageOf(flow, window),
    trace: [
      witnessStep(flow, call, 're-enters from the token callback'),
      ...(before === call ? [] : [{ at: before, message: `${readOf(flow, before)} is read before the transfer.` }]),
      ...flow.trace(call),
      { at: call, message: 'An ERC-777 token calls back sender and recipient here.' },
      {
        at: after,
        message:
          after.kind === 'store'
            ? `\`${flow.describe(after.location)}\` is updated only here, after the transfer.`
            : 'The value is used here, after the transfer.',
      },
    ],
  }),
})
