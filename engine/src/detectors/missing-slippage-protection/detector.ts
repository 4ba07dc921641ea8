import { tradeOf } from '../../idioms/index.ts'
import { type Context, oncePerPlace } from '../../ir/index.ts'
import type { Model } from '../../model/index.ts'
import { type Call, nodesOf } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const minimumFields = new Set(['amountOutMinimum', 'amount0Min', 'amount1Min'])

const findSwaps = (context: Context, hits: Hit[]): void => {
  for (const { flow, op } of context.opsOfKind('call')) {
    const trade = tradeOf(flow, op)
    // Where the contract's own money is traded, everybody depends on who comes first: that is transaction-order.
    if (trade === null || trade.bound !== 'none' || (trade.isPooled && flow.isEntryPoint)) continue
    hits.push({ at: op, message: `\`${trade.name}\` accepts any amount, however small, in return.` })
  }
}

/** `ExactInputSingleParams({… amountOutMinimum: 0 …})` */
const zeroField = (model: Model, { args }: Call) => {
  const { names, values } = args
  if (names === null) return undefined
  return values.find((value, i) => minimumFields.has(names[i]?.name ?? '') && model.constantValue(value) === 0n)
}

const findZeroFields = ({ model, part }: Context, hits: Hit[]): void => {
  for (const { unit } of part.files)
    for (const call of nodesOf(unit, 'Call')) {
      const at = zeroField(model, call)
      if (at) hits.push({ at, message: 'Zero as the least acceptable amount accepts any, however small.' })
    }
}

export default defineDetector({
  id: 'missing-slippage-protection',
  swc: null,
  title: 'Swap without a least acceptable amount',
  severity: 'medium',
  confidence: 'high',
  description:
    'The exchange is told that zero is enough in return. Whoever sees the transaction first moves the price, lets it through and moves the price back, and keeps the difference.',
  recommendation:
    'Let the caller pass the least amount they accept, or compute it from a price that cannot be moved in the same block.',
  references: ['https://docs.uniswap.org/contracts/v2/guides/smart-contract-integration/trading-from-a-smart-contract'],
  cwe: ['CWE-682'],

  run(context) {
    const hits: Hit[] = []
    findSwaps(context, hits)
    findZeroFields(context, hits)
    return oncePerPlace(hits)
  },
})
