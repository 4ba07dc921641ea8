/** Tokens that are handed out or created for anyone who asks. */
import { isCallersNumber, isForOne, isSender, isUntrusted } from '../../facts/index.ts'
import { isOwnTokenBalance, outgoingOf } from '../../idioms/index.ts'
import { type ContractFlow, describeValue, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { ContractModel, VariableModel } from '../../model/index.ts'
import type { Candidate } from './candidate.ts'

/** Tokens leave for anyone who asks, although elsewhere only a role can pay them out. */
export function* payouts(flow: Flow): Iterable<Candidate> {
  for (const { op, token, to, amount } of outgoingOf(flow)) {
    if (token === null || to === null) continue
    const receiver = stripCasts(to)
    if (!isSender(receiver) && receiver.kind !== 'param') continue
    if (!isCallersNumber(flow, amount) && !isOwnTokenBalance(amount)) continue
    if (!isKeptForRole(flow, token)) continue
    yield {
      flow,
      op,
      account: null,
      amount,
      message: 'Anyone can withdraw these tokens, although every other payout requires a role.',
    }
  }
}

/** Another function pays out the same token, kept in the same variable, and asks who calls. */
const isKeptForRole = (flow: Flow, token: Op): boolean => {
  const kept = stripCasts(token)
  if (kept.kind !== 'load' || kept.location.variable === null) return false
  return flow.contractFlow.answer(tokensOfRoles).has(kept.location.variable)
}

/** Variables that name a token which somewhere only one account pays out. */
const tokensOfRoles = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel | null> =>
  new Set(
    entryPoints.flatMap((payer) =>
      outgoingOf(payer).flatMap(({ op, token }) => {
        const kept = token === null ? null : stripCasts(token)
        const isOfRole = kept?.kind === 'load' && isForOne(payer, op)
        return isOfRole ? [kept.location.variable] : []
      }),
    ),
  )

const mint = 'mint(address,uint256)'

/** Only who counts its tokens has such a function: elsewhere the number after the account may be the id of a single one. */
const ofAmounts = new Set([
  'decimals()',
  'allowance(address,address)',
  'transfer(address,uint256)',
  'burn(address,uint256)',
  'burnFrom(address,uint256)',
])

const countsAmounts = (token: ContractModel | null): boolean =>
  token?.allFunctions.some(({ signature }) => ofAmounts.has(signature)) ?? false

/** Kept in state, or written into the code. */
const isOnRecord = (token: Op): boolean => {
  const { kind } = stripCasts(token)
  return kind === 'load' || kind === 'const'
}

/** A token that the protocol chose is instructed to create as much as the caller says, for whom they say. */
export function* createdElsewhere(flow: Flow): Iterable<Candidate> {
  for (const op of flow.externalCalls()) {
    const { definition, target } = op.call
    const [to, amount] = op.args
    if (definition?.signature !== mint || target === null || isUntrusted(flow, target, op)) continue
    if (!isOnRecord(target) || !countsAmounts(definition.contract)) continue
    if (!isCallersNumber(flow, amount!) || !(isSender(to!) || isCallersNumber(flow, to!))) continue
    const message = `Anyone can mint any amount of \`${describeValue(flow.model, target)}\` to an account of their choice.`
    yield { flow, op, account: null, amount: stripCasts(amount!), message, isCreation: true }
  }
}
