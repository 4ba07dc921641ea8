/** Tokens that are handed out or created for anyone who asks. */
import { isCallersNumber, isForOne, isSender, isUntrusted } from '../../facts/index.ts'
import { firstThatFits, isOwnTokenBalance, listFunctions, outgoingOf } from '../../idioms/index.ts'
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
    const payers = payersByRole(flow, token)
    if (payers.length === 0) continue
    yield {
      flow,
      op,
      account: null,
      amount,
      message: firstThatFits(
        `Anyone can call \`${flow.name}()\` and take ${tokenName(flow, token)} held by this contract, although ${listFunctions(payers)} let${payers.length === 1 ? 's' : ''} only one privileged account pay it out.`,
        `Anyone can call \`${flow.name}()\` and take ${tokenName(flow, token)} held by this contract, although elsewhere only one privileged account pays it out.`,
      ),
      gain: `takes ${tokenName(flow, token)} from this contract`,
    }
  }
}

const tokenName = (flow: Flow, token: Op): string => `\`${describeValue(flow.model, token)}\``

/** Other functions that pay out the same token, kept in the same variable, and ask who calls. */
const payersByRole = (flow: Flow, token: Op): readonly Flow[] => {
  const kept = stripCasts(token)
  if (kept.kind !== 'load' || kept.location.variable === null) return []
  return flow.contractFlow.answer(tokensOfRoles).get(kept.location.variable) ?? []
}

/** Variables that name a token which somewhere only one account pays out, and the functions that do. */
const tokensOfRoles = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel | null, readonly Flow[]> => {
  const found = new Map<VariableModel | null, Flow[]>()
  for (const payer of entryPoints)
    for (const { op, token } of outgoingOf(payer)) {
      const kept = token === null ? null : stripCasts(token)
      if (kept?.kind !== 'load' || !isForOne(payer, op)) continue
      found.set(kept.location.variable, [...(found.get(kept.location.variable) ?? []), payer])
    }
  return found
}

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
    const receiver = isSender(to!) ? 'themselves' : 'any account'
    const message = `Anyone can call \`${flow.name}()\` and mint any amount of ${tokenName(flow, target)} to ${receiver} without paying.`
    const gain = `mints ${tokenName(flow, target)} without paying`
    yield { flow, op, account: null, amount: stripCasts(amount!), message, gain, isCreation: true }
  }
}
