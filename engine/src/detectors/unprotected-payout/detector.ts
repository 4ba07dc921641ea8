import { isCallersNumber, isForOne, isSender } from '../../facts/index.ts'
import {
  firstThatFits,
  isOwnTokenBalance,
  listFunctions,
  outgoingOf,
  type UnprotectedOp,
  unprotectedFinding,
  unprotectedOpExcuses,
} from '../../idioms/index.ts'
import { type ContractFlow, describeValue, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'
import { namedRecordsPaid } from './named-records.ts'

/** Tokens leave for anyone who asks, although elsewhere only a role can pay them out. */
function* payouts(flow: Flow): Iterable<UnprotectedOp> {
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

export default defineDetector<UnprotectedOp>({
  id: 'unprotected-payout',
  formerly: 'access-control',
  swc: null,
  title: 'Unprotected payout of tokens or deposits',
  aliases: {
    owasp: ['SC01:2025'],
    scwe: ['SCWE-016'],
    words: ['unauthorized withdrawal', 'steal deposits of others', 'unprotected claim', 'missing access control'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that anyone can call pays out tokens that elsewhere only a privileged account pays out, or sends what others deposited under an id to an account of the caller’s choice.',
  recommendation: 'Restrict the payout to a privileged role, or pay each caller only from a record in their own name.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862', 'CWE-639'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'unprotected-selfdestruct',
    'unprotected-initializer',
    'arbitrary-transfer-from',
  ],
  isPerFunction: true,

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* payouts(flow)
      yield* namedRecordsPaid(flow)
    }
  },
  excuses: [
    unprotectedOpExcuses.callerChecked,
    unprotectedOpExcuses.amountPaidFor,
    unprotectedOpExcuses.covered,
    unprotectedOpExcuses.loan,
    unprotectedOpExcuses.proven,
  ],
  finding: unprotectedFinding,
})
