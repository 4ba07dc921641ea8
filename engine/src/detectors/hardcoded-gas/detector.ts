import { type Call, type Expression, nodesOf } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly call: Call
  /** `transfer` and `send` have their amount from the language, other calls from an option. */
  readonly by: 'transfer' | 'send' | 'option'
}

/** Told by its shape before anybody is asked what it means: most calls are none of these. */
const mayLimitGas = (callee: Expression): boolean => {
  if (callee.kind === 'Member') return callee.name.name === 'transfer' || callee.name.name === 'send'
  if (callee.kind === 'CallOptions') return callee.names.some(({ name }) => name === 'gas')
  return callee.kind === 'Call'
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
        const target = mayLimitGas(call.callee) ? model.callTarget(call) : null
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
