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
  kept: 'Token calls use a safe wrapper.',
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
  advice: () => 'Reject or account for tokens that charge a fee, rebase or call back on transfer.',
})

const withdrawal = definePractice({
  id: 'way-out',
  category,
  subjects: ({ entryPoints }) => functionsThat(entryPoints, ({ isPayable, ir }) => isPayable && ir.exits.length > 0),
  isCheck: true,
  advice: (_, all) => `Make sure that ETH received by ${namesOf(all)} can be withdrawn.`,
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
    'Avoid `selfdestruct`: since the Cancun upgrade it mostly only sends the balance, and it breaks contracts that depend on this one.',
  isUrgent: true,
})

export const etherAndTokens: readonly Practice[] = [safeTokenCalls, unusualTokens, withdrawal, noSelfDestruct]
