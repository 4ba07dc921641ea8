import { type Call, nodesOf } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly call: Call
  /** `transfer` and `send` have their amount from the language, other calls from an option. */
  readonly by: 'transfer' | 'send' | 'option'
}

export default defineDetector<Candidate>({
  id: 'hardcoded-gas',
  swc: 'SWC-134',
  title: 'Call with a fixed amount of gas',
  severity: 'info',
  confidence: 'medium',
  description:
    'Prices of instructions change with protocol upgrades. A call that may use only a fixed amount of gas (`transfer` and `send`: 2300) can stop working when the receiver becomes dearer to run.',
  recommendation:
    'Send ether with `call{value: …}("")`, check the result, and keep reentrancy out by order or by a lock.',
  references: ['https://swcregistry.io/docs/SWC-134', 'https://eips.ethereum.org/EIPS/eip-1884'],
  cwe: ['CWE-655'],

  *candidatesInModel(model) {
    for (const { unit } of model.files)
      for (const call of nodesOf(unit, 'Call')) {
        const target = model.callTarget(call)
        if (target === null || target.isOption) continue
        if (target.kind === 'transfer' || target.kind === 'send') yield { call, by: target.kind }
        else if (target.gas !== null && model.constantValue(target.gas) !== undefined) yield { call, by: 'option' }
      }
  },

  finding: ({ call, by }) => ({
    at: call,
    message:
      by === 'option'
        ? 'The amount of gas for this call is fixed in the code.'
        : `\`${by}\` gives the receiver 2300 gas and no more.`,
  }),
})
