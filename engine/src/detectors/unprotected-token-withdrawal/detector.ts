import { dependsOn, guardsAt, isCallersNumber, isSender, lockedAt } from '../../facts/index.ts'
import {
  callsToken,
  consentTo,
  incomingOf,
  isKeyed,
  isMadeBy,
  isOwnTokenBalance,
  lossAt,
  outgoingOf,
  outsiderNamedBy,
  type Payment,
  tokensOfUsers,
  uncheckedStep,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** Tokens leave for an outsider, and nothing is written down about it. */
interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly receiver: Op
}

/** Tokens come in from callers, and it is written down for whom. */
const keepsTokens = ({ flows }: ContractFlow): boolean =>
  flows.some(
    (flow) =>
      flow.stateStores().some(({ location }) => isKeyed(location)) &&
      incomingOf(flow).some(({ from }) => isSender(from!)),
  )

/** As much as the caller says of the token that the contract works with: whatever it holds of it is theirs, unless it weighs that. */
const isNamedSum = (flow: Flow, { token, amount }: Payment): boolean => {
  const kept = token === null ? null : stripCasts(token)
  if (kept?.kind !== 'load' || kept.location.space === 'memory') return false
  return isCallersNumber(flow, amount) && !flow.ops('call').some((call) => isOwnTokenBalance(call))
}

/** A lock that is taken and released is no record. */
const isWrittenDown = (flow: Flow, op: Op): boolean => {
  const lock = lockedAt(flow, op)
  return flow.stateStores().some(({ location }) => lock === null || location.variable !== lock.variable)
}

/** Something else is called that could have paid the tokens in, or taken something for them. */
const isExchange = ({ flow, op }: Candidate): boolean =>
  flow
    .externalCalls()
    .some((call) => call.start !== op.start && !isMadeBy(op, call) && !call.call.isStatic && !isOwnTokenBalance(call))

/** Which token it may be, who receives, when. A mere limit of the amount is no condition. */
const isConditional = ({ flow, op }: Candidate): boolean =>
  guardsAt(flow, op).some(({ condition }) =>
    dependsOn(
      flow,
      condition,
      (part) =>
        (part.kind === 'load' && part.location.space !== 'memory') || (part.kind === 'env' && part.operator !== 'this'),
      { keys: true },
    ),
  )

export default defineDetector<Candidate>({
  id: 'unprotected-token-withdrawal',
  formerly: 'unprotected-ether-withdrawal',
  swc: 'SWC-105',
  title: 'Unprotected token withdrawal',
  aliases: { owasp: ['SC01:2025'], words: ['drain tokens', 'sweep', 'rescue tokens'] },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A contract that holds tokens for others sends them to an address the caller chooses. It neither checks the caller nor updates a record, so an attacker can drain it.',
  recommendation:
    'Restrict token transfers to a privileged role, or pay each caller at most their recorded balance and reduce it.',
  references: ['https://swcregistry.io/docs/SWC-105'],
  cwe: ['CWE-284'],
  yieldsTo: ['uncounted-payment'],
  isPerFunction: true,

  needs: [callsToken],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      for (const payment of outgoingOf(flow)) {
        const { op, token, to: receiver } = payment
        if (isWrittenDown(flow, op)) continue
        if (token === null || receiver === null || outsiderNamedBy(flow, receiver) === null) continue
        if (consentTo(flow, payment) !== 'nobody') continue
        if (flow.contractFlow.answer(keepsTokens) || isNamedSum(flow, payment)) yield { flow, op, receiver }
      }
    }
  },
  excuses: [
    excuse('exchange', 'another call may have deposited the tokens or taken something for them', isExchange),
    excuse('conditional', 'a condition on state or on the caller decides', isConditional),
  ],
  finding: ({ flow, op, receiver }) => ({
    at: op,
    message: `Anyone can call \`${flow.name}()\` and send tokens that the contract holds for others to ${outsiderNamedBy(flow, receiver)}.`,
    trace: [uncheckedStep(flow, op, 'drains tokens deposited by others'), ...flow.trace(op)],
    factors: { hasWitness: true, loss: lossAt(flow, op, tokensOfUsers(flow)) },
  }),
})
