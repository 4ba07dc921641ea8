import { type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { ContractModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const checkCall = (op: Op, contract: ContractModel | null, hits: Hit[]): void => {
  const target = op.call!.kind === 'delegate' && op.call!.target ? stripCasts(op.call!.target) : null
  if (target?.kind !== 'load' || target.location!.space !== 'state' || target.location!.part !== 'root') return
  const { variable } = target.location!
  if (!variable || variable.isConstant || variable.isImmutable) return
  hits.push({
    at: variable.span,
    message: `The code that \`${contract?.name}\` delegates to keeps its own variables in the same slots, and can overwrite \`${variable.name}\`.`,
    trace: [{ at: op, message: 'Everything else is delegated here.' }],
  })
}

export default defineDetector({
  id: 'proxy-storage-collision',
  swc: null,
  title: 'Proxy keeps its target in an ordinary slot',
  severity: 'medium',
  confidence: 'medium',
  description:
    'A proxy runs foreign code on its own storage. Its target lies in an ordinary slot, which the foreign code uses for something else: a write there replaces the target, and the proxy with it.',
  recommendation: 'Keep the target in the slot that ERC-1967 sets aside for it, or make it immutable.',
  references: ['https://eips.ethereum.org/EIPS/eip-1967'],
  cwe: ['CWE-787'],

  run(context) {
    const hits: Hit[] = []
    for (const { contract, flows } of context.contracts)
      for (const flow of flows)
        if (flow.kind === 'fallback') for (const op of flow.ops('call')) checkCall(op, contract, hits)
    return oncePerPlace(hits)
  },
})
