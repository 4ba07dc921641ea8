import type { Context } from '../flow/index.ts'
import { type Op, oncePerPlace, stripCasts } from '../flow/index.ts'
import { type Call, collect } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

/** Positions of the least acceptable amounts in the well-known exchange interfaces, with the number of arguments. */
const minimums: Readonly<Record<string, { readonly count: number; readonly at: readonly number[] }>> = {
  swapExactTokensForTokens: { count: 5, at: [1] },
  swapExactETHForTokens: { count: 4, at: [0] },
  swapExactTokensForETH: { count: 5, at: [1] },
  swapExactTokensForTokensSupportingFeeOnTransferTokens: { count: 5, at: [1] },
  swapExactETHForTokensSupportingFeeOnTransferTokens: { count: 4, at: [0] },
  swapExactTokensForETHSupportingFeeOnTransferTokens: { count: 5, at: [1] },
  addLiquidity: { count: 8, at: [4, 5] },
  addLiquidityETH: { count: 6, at: [2, 3] },
  removeLiquidity: { count: 7, at: [3, 4] },
  removeLiquidityETH: { count: 6, at: [2, 3] },
  exchange: { count: 4, at: [3] },
  exchange_underlying: { count: 4, at: [3] },
}

const minimumFields = new Set(['amountOutMinimum', 'amount0Min', 'amount1Min'])

const isZero = (op: Op | undefined): boolean => {
  if (!op) return false
  const value = stripCasts(op)
  return value.kind === 'const' && value.constant === 0n
}

function* findSwaps(context: Context): Generator<Hit> {
  for (const { op } of context.opsOfKind('call')) {
    const info = op.call!
    const shape = info.kind === 'external' ? minimums[info.name] : undefined
    if (!shape || op.args.length !== shape.count) continue
    if (shape.at.some((index) => isZero(op.args[index])))
      yield { at: op, message: `\`${info.name}\` accepts any amount, however small, in return.` }
  }
  for (const file of context.model.files) {
    if (!['amountOutMinimum', 'amount0Min', 'amount1Min'].some((name) => file.text.includes(name))) continue
    for (const call of collect(file.unit, 'Call')) {
      const field = zeroField(context, call)
      if (field) yield { at: field, message: 'Zero as the least acceptable amount accepts any, however small.' }
    }
  }
}

/** `ExactInputSingleParams({… amountOutMinimum: 0 …})` */
const zeroField = ({ model }: Context, { args }: Call) => {
  const { names, values } = args
  if (names === null) return undefined
  return values.find((value, i) => minimumFields.has(names[i]?.name ?? '') && model.constantValue(value) === 0n)
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

  *run(context) {
    yield* oncePerPlace(findSwaps(context))
  },
})
