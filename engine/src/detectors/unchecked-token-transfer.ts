import { type Context, oncePerPlace } from '../flow/index.ts'
import { tokenCalls } from '../flow/token-calls.ts'
import { defineDetector, type Hit } from './detector.ts'

function* findUnchecked({ functions }: Context): Generator<Hit> {
  for (const flow of functions) {
    for (const { op, name, isSafe } of tokenCalls(flow)) {
      if (isSafe || name === 'approve' || op.call!.kind !== 'external' || op.call!.isTried) continue
      const { definition } = op.call!
      // NFTs move by the same signature and return nothing.
      const returnsBool = definition === null ? name === 'transfer' : definition.returns[0]?.type.kind === 'bool'
      if (!returnsBool || flow.resultUse(op) !== 'unused') continue
      yield {
        at: op,
        message: `The result of \`${name}\` is dropped: a token that returns false instead of reverting moves nothing, and nobody notices.`,
        trace: flow.trace(op),
      }
    }
  }
}

export default defineDetector({
  id: 'unchecked-token-transfer',
  swc: null,
  title: 'Result of a token transfer is ignored',
  severity: 'medium',
  confidence: 'high',
  description:
    'Some tokens signal failure by returning false. When the result is dropped, the bookkeeping goes on as if the tokens had moved, and balances can be made out of nothing.',
  recommendation: 'Use `SafeERC20.safeTransfer` and `safeTransferFrom`, or require the result.',
  references: [
    'https://eips.ethereum.org/EIPS/eip-20',
    'https://docs.openzeppelin.com/contracts/5.x/api/token/erc20#SafeERC20',
  ],
  cwe: ['CWE-252'],

  *run(context) {
    yield* oncePerPlace(findUnchecked(context))
  },
})
