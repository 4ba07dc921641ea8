import { isReserved } from '../../facts/index.ts'
import { type HookWindow, hookWindow, tokenCallOf, witnessStep } from '../../idioms/index.ts'
import { describeCall, describeValue, type Flow, holding, type Op } from '../../ir/index.ts'
import type { Model } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly window: HookWindow
}

const upsets: Readonly<Record<HookWindow['kind'], string>> = {
  measured: 'the deposit is measured around this transfer, so a re-entered deposit is counted twice',
  kept: 'a sum read before this transfer is stored after it, so updates in between are lost',
  priced: 'an amount computed from balances before this transfer is paid out after it',
  limited: 'a limit is checked before this transfer and its counter is updated after it',
  tracked:
    'the recorded balance is updated only after this transfer, while another function takes the difference as new tokens',
  split: 'one part of the accounting is updated before this transfer and the rest after it',
}

/** `token.safeTransfer()`, also where a library's function is called on the token. */
const calleeOf = (model: Model, op: Op): string => {
  if (op.call === null) return 'the transfer'
  const token = op.call.target === null ? tokenCallOf(op)?.token : null
  const name = token == null ? '…' : describeValue(model, token)
  return `\`${name === '…' ? describeCall(model, op.call) : `${name}.${op.call.name}()`}\``
}

const messageOf = ({ name, model }: Flow, { call, kind }: HookWindow): string => {
  const callee = calleeOf(model, call)
  return `Check whether ${callee} in \`${name}()\` can call back (ERC-777) and re-enter. No lock is held, and ${upsets[kind]}.`
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
        message: `The value is ${after.kind === 'store' ? 'updated only' : 'used'} here, after the transfer.`,
      },
    ],
  }),
})
