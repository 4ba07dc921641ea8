import { type Call, nodesOf } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly call: Call
  /** `transfer` and `send` have their amount from the language, other calls from an option. */
  readonly by: 'transfer' | 'send' | 'option'
}

/** `gas: type(uint256).max` passes on everything there is. */
const isAmount = (value: unknown): boolean => value !== undefined && !(typeof value === 'bigint' && value >= 2n ** 64n)

export default defineDetector<Candidate>({
  id: 'hardcoded-gas',
  swc: 'SWC-134',
  title: 'Hardcoded gas amount',
  aliases: { scwe: ['SCWE-073', 'SCWE-079'], words: ['2300 gas', 'transfer and send', 'gas stipend'] },
  severity: 'info',
  confidence: 'medium',
  description:
    'Opcode costs change with hard forks. A call with a fixed gas stipend (`transfer` and `send`: 2300 gas) can start to fail when the recipient’s code costs more.',
  recommendation:
    'Send ETH with `call{value: …}("")`, check the result, and prevent reentrancy by checks-effects-interactions or a lock.',
  references: ['https://swcregistry.io/docs/SWC-134', 'https://eips.ethereum.org/EIPS/eip-1884'],
  cwe: ['CWE-655'],

  *candidatesInFile({ unit }, model) {
    for (const call of nodesOf(unit, 'Call')) {
      const target = model.callTarget(call)
      if (target === null || target.isOption) continue
      if (target.kind === 'transfer' || target.kind === 'send') yield { call, by: target.kind }
      else if (target.gas !== null && isAmount(model.constantValue(target.gas))) yield { call, by: 'option' }
    }
  },

  finding: ({ call, by }) => ({
    at: call,
    message:
      by === 'option'
        ? 'The gas for this call is hardcoded, so the call can fail when a hard fork changes gas costs.'
        : `\`${by}\` forwards only 2300 gas, so the payment fails if the recipient is a contract that needs more.`,
  }),
})
