/** Payments from what others have paid in, to callers whose right only a contract of their own choice confirms. */
import { findDependency, guardsAt, isUntrusted } from '../../facts/index.ts'
import {
  entriesOf,
  hasIncomingPayment,
  isForCaller,
  keysOf,
  loweredBy,
  outgoingOf,
  type Payment,
  type UnprotectedOp,
} from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  describeCall,
  type Flow,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'

/** The contract that is called here, where the caller names it. */
const calleeOf = ({ kind, call }: Op): Op | null => {
  const target = kind === 'call' && call.kind === 'external' && call.target !== null ? stripCasts(call.target) : null
  return target?.kind === 'param' ? target : null
}

const messageOf = (flow: Flow, answer: Op): string =>
  `\`${flow.name}()\` pays by what \`${describeCall(flow.model, answer as CallOp)}\` returns, a contract that the caller names, so an attacker names their own contract and is paid from the funds of others.`

/** The token paid, where an entry for that token is lowered: its own answers only move deposits of the same token. */
const debitedToken = (flow: Flow, { token }: Payment): Op | null => {
  const own = token === null ? null : stripCasts(token)
  const isEntry = (store: StoreOp): boolean => keysOf(store.location).some((key) => stripCasts(key) === own)
  return flow.stateStores().some((store) => isEntry(store) && loweredBy(store) !== null) ? own : null
}

/** How much is paid, or whether it is, follows from the answer of a contract that the caller names. */
export function* attestedPayments(flow: Flow): Iterable<UnprotectedOp> {
  const gain = 'is paid by what their own contract returns'
  for (const payment of outgoingOf(flow)) {
    const { op, amount } = payment
    if (!isForCaller(payment) || !flow.contractFlow.answer(keepsDeposits)) continue
    for (const value of [amount, ...guardsAt(flow, op).map(({ condition }) => condition)]) {
      const answer = findDependency(
        flow,
        value,
        (query) => ![null, debitedToken(flow, payment)].includes(calleeOf(query)),
      )
      if (answer !== undefined && answer !== op && isUntrusted(flow, calleeOf(answer)!, op))
        yield { flow, op, account: null, amount, message: messageOf(flow, answer), gain }
    }
  }
}

/** What people pay in is written down for them: there is something to take that is not the caller's. */
const keepsDeposits = ({ entryPoints }: ContractFlow): boolean =>
  entryPoints.some((flow) => hasIncomingPayment(flow) && entriesOf(flow).some(({ isRaised }) => isRaised))
