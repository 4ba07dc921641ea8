import { isOwnTokenBalance } from '../../idioms/index.ts'
import { type Flow, type Op, oncePerPlace } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isZero = (value: { readonly kind: string; readonly constant: bigint | null }): boolean =>
  value.kind === 'const' && value.constant === 0n

const checkComparison = (flow: Flow, op: Op, hits: Hit[]): void => {
  if (op.operator !== '==' && op.operator !== '!=') return
  const [left, right] = op.args
  if (!left || !right || !(isOwnTokenBalance(left) || isOwnTokenBalance(right))) return
  // Arithmetic libraries compare what they computed with what they were given.
  if (flow.writtenIn(op)?.contract?.contractKind === 'library') return
  // Anybody can make it non-zero, but nobody is harmed by a test for emptiness that only skips work.
  if (isZero(left) || isZero(right)) return
  hits.push({
    at: op,
    message: 'Anybody can send a few tokens here and make this exact comparison come out as they like.',
    trace: flow.trace(op),
  })
}

export default defineDetector({
  id: 'strict-token-balance',
  swc: null,
  title: 'Exact comparison with a token balance',
  severity: 'low',
  confidence: 'high',
  description:
    'Tokens can be sent to any address without asking. A condition that demands an exact token balance can be broken for good by a stranger with one unit of the token.',
  recommendation: 'Keep the sum in a state variable of your own, or compare with `>=`.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#dangerous-strict-equalities'],
  cwe: ['CWE-697'],
  yieldsTo: ['unexpected-gas-usage'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.functions) for (const op of flow.ops('bin')) checkComparison(flow, op, hits)
    return oncePerPlace(hits)
  },
})
