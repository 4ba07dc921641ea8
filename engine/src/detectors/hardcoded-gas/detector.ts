import { type Call, nodesOf } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  /** The function it is in; null in an initial value. */
  readonly fn: string | null
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
      const fn = model.functionAt(call.start)?.name ?? null
      const target = model.callTarget(call)
      if (target === null || target.isOption) continue
      if (target.kind === 'transfer' || target.kind === 'send') yield { fn, call, by: target.kind }
      else if (target.gas !== null && isAmount(model.constantValue(target.gas))) yield { fn, call, by: 'option' }
    }
  },

  finding: ({ fn, call, by }) => ({
    at: call,
    ...(by === 'option'
      ? { recommendation: 'Forward all gas, or let a privileged role change the limit.' }
      : undefined),
    message:
      by === 'option'
        ? `${fn ? `\`${fn}()\` hardcodes` : 'This hardcodes'} the gas of a call, so the call can start to fail when a hard fork changes gas costs.`
        : `${fn ? `\`${fn}()\` pays` : 'This pays'} with \`${by}\`, which forwards only 2300 gas: a recipient contract that needs more (a multisig or smart wallet) cannot be paid.`,
  }),
})
