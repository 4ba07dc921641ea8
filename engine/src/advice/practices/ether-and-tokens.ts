import { callsToken, type TokenCall, tokenCalls } from '../../idioms/index.ts'
import { holding } from '../../ir/index.ts'
import { definePractice, namesOf, type Practice } from '../practice.ts'
import { functionsThat, writerOf } from '../subjects.ts'

const category = 'Ether and tokens'

/** By its interface it answers nothing: then it reverts by itself, as NFTs do. */
const answersNothing = ({ op }: TokenCall): boolean => op.call.definition?.returns.length === 0

const safeTokenCalls = definePractice({
  id: 'safe-token-calls',
  category,
  needs: [callsToken],
  *subjects({ functions }) {
    for (const flow of functions)
      for (const call of tokenCalls(flow)) {
        const subject = call.isSafe || !answersNothing(call) ? writerOf(flow, call.op, call.isSafe) : null
        if (subject !== null) yield subject
      }
  },
  kept: 'Token calls go through a safe wrapper.',
  advice: (open) => `Use \`SafeERC20\` in ${namesOf(open)}: some tokens return false or nothing at all.`,
  isUrgent: true,
})

const unusualTokens = definePractice({
  id: 'unusual-tokens',
  category,
  needs: [callsToken],
  *subjects({ functions }) {
    for (const flow of functions)
      for (const { op, name } of tokenCalls(flow)) {
        const subject = name === 'approve' ? null : writerOf(flow, op)
        if (subject !== null) yield subject
      }
  },
  isCheck: true,
  advice: () => 'Tokens that take a fee, rebase or call back on transfer are refused or accounted for.',
})

const wayOut = definePractice({
  id: 'way-out',
  category,
  subjects: ({ entryPoints }) => functionsThat(entryPoints, ({ isPayable, ir }) => isPayable && ir.exits.length > 0),
  isCheck: true,
  advice: (_, all) => `Ether that comes in through ${namesOf(all)} can get out again.`,
})

const noSelfDestruct = definePractice({
  id: 'no-selfdestruct',
  category,
  needs: [holding.selfDestruct],
  *subjects({ functions }) {
    for (const flow of functions)
      for (const op of flow.ops('builtin')) {
        const isEnd = op.operator === 'selfdestruct' || op.operator === 'suicide'
        const subject = isEnd ? writerOf(flow, op) : null
        if (subject !== null) yield subject
      }
  },
  advice: () =>
    'Do without `selfdestruct`: since the Cancun upgrade it mostly only sends the balance, and it breaks whoever depends on the contract.',
  isUrgent: true,
})

export const etherAndTokens: readonly Practice[] = [safeTokenCalls, unusualTokens, wayOut, noSelfDestruct]
