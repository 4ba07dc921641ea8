import { type HookWindow, hookWindow, isReserved, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly window: HookWindow
}

const upsets: Readonly<Record<HookWindow['kind'], string>> = {
  measured: 'what comes in is measured from before this transfer to after it, so that a nested entry counts twice',
  kept: 'a sum begun before this transfer is stored after it, and what is booked meanwhile is lost',
  priced: 'an amount computed from balances before this transfer is handed out after it',
  limited: 'a limit is tested before this transfer, and what counts towards it is raised after it',
  tracked: 'tokens move here before they are booked, and another function takes what is not booked as new',
  split: 'one part of the accounting state is written before this transfer and the other after it',
  unsettled:
    'shares are booked before this call at a price from the balance, and the tokens that pay for them move after it',
  quoted: 'what another contract answered before this transfer decides what it is told after it',
}

export default defineDetector<Candidate>({
  id: 'token-hook-reentrancy',
  swc: 'SWC-107',
  title: 'A token hook finds the accounting half done',
  severity: 'critical',
  confidence: 'low',
  description:
    'Some tokens let the one who pays or receives run code during a transfer. Where this contract has looked something up before the transfer and relies on it afterwards, that code can enter again in between and find the accounting half done.',
  recommendation:
    'Hold a lock during the transfer that every function sharing that state tests, or look everything up anew after it.',
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

  finding: ({ flow, window: { call, before, after, kind } }) => ({
    at: flow.inCommonCaller(call, after),
    cause: call,
    grounds: { hasWitness: kind === 'unsettled' },
    message: `${kind === 'unsettled' ? 'An outsider chooses what runs here' : 'A token may let the one who pays or receives run code'}, and no lock is held: ${upsets[kind]}.`,
    trace: [
      witnessStep(flow, call, 'a token that runs code of theirs lets them in again, at the cost of the others'),
      ...(before === call ? [] : [{ at: before, message: 'This is looked up before.' }]),
      ...flow.trace(call),
      {
        at: call,
        message: kind === 'unsettled' ? 'Control passes here.' : 'The tokens move here, and others may run.',
      },
      { at: after, message: 'This relies on it afterwards.' },
    ],
  }),
})
