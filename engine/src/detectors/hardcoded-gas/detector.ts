import type { Model } from '../../model/index.ts'
import { type Call, type Expression, nodesOf } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** Told by its shape before anybody is asked what it means: most calls are none of these. */
const mayLimitGas = (callee: Expression): boolean => {
  if (callee.kind === 'Member') return callee.name.name === 'transfer' || callee.name.name === 'send'
  if (callee.kind === 'CallOptions') return callee.names.some(({ name }) => name === 'gas')
  return callee.kind === 'Call'
}

const checkCall = (model: Model, call: Call, hits: Hit[]): void => {
  const target = model.callTarget(call)
  if (target.isOption) return
  if (target.kind === 'transfer' || target.kind === 'send')
    hits.push({ at: call, message: `\`${target.kind}\` gives the receiver 2300 gas and no more.` })
  else if (target.gas !== null && model.constantValue(target.gas) !== undefined)
    hits.push({ at: call, message: 'The amount of gas for this call is fixed in the code.' })
}

export default defineDetector({
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

  run({ model, part }) {
    const hits: Hit[] = []
    for (const { unit } of part.files)
      for (const call of nodesOf(unit, 'Call')) if (mayLimitGas(call.callee)) checkCall(model, call, hits)
    return hits
  },
})
