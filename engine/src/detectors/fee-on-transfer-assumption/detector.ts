import { dependsOn, isProtected, Source, taintOf } from '../../facts/index.ts'
import { callsToken, entriesOf, isOwnTokenBalance, isSelf, quoteValue, tokenCalls } from '../../idioms/index.ts'
import { type CallOp, type Context, type Flow, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { ContractModel, SourceFile } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** The tokens come in here. */
  readonly transfer: CallOp
  /** The same amount is added to state here. */
  readonly credit: StoreOp
  readonly amount: Op
}

/** A store that adds exactly this amount to some state, or puts it there as part of a record. */
const findCredit = (flow: Flow, amount: Op): StoreOp | undefined =>
  flow.stateStores().find((store) => {
    const value = stripCasts(store.args[0])
    if (value === amount || (value.kind === 'make' && value.args.some((part) => stripCasts(part) === amount)))
      return true
    return value.kind === 'bin' && value.operator === '+' && value.args.some((arg) => stripCasts(arg) === amount)
  })

/** Any token may come: the caller names it. */
const isAnyToken = (flow: Flow, token: Op | null): boolean =>
  token !== null && (taintOf(flow, token) & Source.param) !== 0

const standard = 'transferFrom(address,address,uint256)'

/** Delivers another number than it is called with: it keeps, burns or gives away a part. */
const isPartial = (flow: Flow): boolean => {
  if (flow.fn?.signature !== standard || flow.contract?.isStub) return false
  const [, to, amount] = flow.params as [Op, Op, Op]
  const credits = entriesOf(flow).filter((entry) => entry.isRaised && entry.account === to)
  return credits.length > 0 && credits.every((entry) => isPartOf(flow, entry.amount, amount))
}

/** Whether there is such a token among those that are analyzed together, or beside the contract that takes it. */
const createPartialTokens = (context: Context): ((flow: Flow) => boolean) => {
  const byFile = new Map<SourceFile, boolean>()
  let isAnalysed: boolean | null = null
  return ({ contract }) => {
    isAnalysed ??= context.entryPoints.some(isPartial)
    if (isAnalysed || contract === null) return isAnalysed
    const { file } = contract
    const isBeside =
      byFile.get(file) ?? context.model.contracts.some((other) => other.file === file && isPartialToken(context, other))
    byFile.set(file, isBeside)
    return isBeside
  }
}

const isPartialToken = (context: Context, { functions }: ContractModel): boolean =>
  functions.some((fn) => {
    const flow = fn.signature === standard ? context.flowOf(fn) : undefined
    return flow !== undefined && isPartial(flow)
  })

/** Worked out from the whole, and not the whole. */
const isPartOf = (flow: Flow, part: Op, whole: Op): boolean =>
  stripCasts(part) !== whole && part.kind === 'bin' && dependsOn(flow, part, (op) => op === whole)

/** Which token it is was said when the contract was made, in terms that fit every token. */
const isUnnamedToken = (token: Op | null): boolean => {
  const kept = token === null ? null : stripCasts(token)
  return kept?.kind === 'load' && kept.location.variable !== null && !kept.location.variable.isConstant
}

export default defineDetector<Candidate>({
  id: 'fee-on-transfer-assumption',
  swc: null,
  title: 'Fee-on-transfer tokens not supported',
  aliases: { owasp: ['SC03:2025'], words: ['deflationary token', 'rebasing token', 'balance before and after'] },
  severity: 'low',
  confidence: 'medium',
  description:
    'Tokens of the caller’s choice, or tokens known to charge a fee, are credited at the requested amount without measuring what arrived. With fee-on-transfer or rebasing tokens the contract owes more than it holds, and the last users cannot withdraw.',
  recommendation:
    'Credit the difference of `balanceOf(address(this))` before and after the transfer, or accept only allowlisted tokens.',
  references: ['https://github.com/d-xo/weird-erc20#fee-on-transfer'],
  cwe: ['CWE-682'],

  *candidates(context) {
    const { entryPoints } = context.having([callsToken])
    const hasPartialToken = createPartialTokens(context)
    for (const flow of entryPoints)
      for (const { op: transfer, from, to, token, amount } of tokenCalls(flow)) {
        if (from === null || !isSelf(to) || stripCasts(amount).kind === 'const') continue
        if (!isAnyToken(flow, token) && !(isUnnamedToken(token) && hasPartialToken(flow))) continue
        const credit = findCredit(flow, stripCasts(amount))
        if (credit) yield { flow, transfer, credit, amount }
      }
  },

  excuses: [
    excuse('measured', 'the contract reads its own token balance', ({ flow }) =>
      flow.ops('call').some(isOwnTokenBalance),
    ),
    excuse('protected', 'only privileged accounts deposit tokens', ({ flow, transfer }) => isProtected(flow, transfer)),
  ],

  finding: ({ flow, transfer, credit, amount }) => ({
    at: credit,
    message: `\`${flow.name}()\` credits ${quoteValue(flow, amount, 'the full amount')} to \`${flow.describe(credit.location)}\` without measuring what arrived. A token that charges a fee delivers less, so the last users to withdraw are not paid.`,
    trace: [{ at: transfer, message: 'Tokens arrive here; the received amount is not measured.' }],
  }),
})
