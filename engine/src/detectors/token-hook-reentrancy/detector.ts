import { isReserved } from '../../facts/index.ts'
import { firstThatFits, type HookWindow, hookWindow, tokenCallOf, witnessStep } from '../../idioms/index.ts'
import { describeCall, describeValue, type Flow, holding, type Op } from '../../ir/index.ts'
import type { Model } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly window: HookWindow
}

/** What is updated or used too late, by name. */
const lateOf = (flow: Flow, { after }: HookWindow): string =>
  after.kind === 'store' ? `\`${flow.describe(after.location)}\`` : 'the value'

const upsets: Readonly<Record<HookWindow['kind'], (late: string) => string>> = {
  measured: () => 'the deposit is measured around this transfer, so a re-entered deposit is counted twice',
  kept: (late) => `${late} is read before this transfer and stored after it, so updates in between are lost`,
  priced: () => 'an amount computed from balances before this transfer is paid out after it',
  limited: (late) => `a limit is checked before this transfer, and ${late} is updated after it`,
  tracked: (late) =>
    `${late} is updated only after this transfer, while another function takes what exceeds it as new tokens`,
  split: (late) => `one part of the accounting is updated before this transfer, and ${late} after it`,
}

/** `token.safeTransfer()`, also where a library's function is called on the token. */
const calleeOf = (model: Model, op: Op): string => {
  if (op.call === null) return 'the transfer'
  const token = op.call.target === null ? tokenCallOf(op)?.token : null
  const name = token == null ? '…' : describeValue(model, token)
  return `\`${name === '…' ? describeCall(model, op.call) : `${name}.${op.call.name}()`}\``
}

const messageOf = (flow: Flow, window: HookWindow): string => {
  const question = `Check whether ${calleeOf(flow.model, window.call)} in \`${flow.name}()\` can call back (ERC-777) and re-enter. No lock is held`
  const upset = upsets[window.kind]
  return firstThatFits(
    `${question}, and ${upset(lateOf(flow, window))}.`,
    `${question}, and ${upset('the record')}.`,
    `${question}.`,
  )
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
  yieldsTo: ['reentrancy'],

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
      ...(before === call ? [] : [{ at: before, message: 'This value is read before the transfer.' }]),
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
