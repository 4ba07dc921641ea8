/**
 * One ledger over ether, tokens and shares: what leaves whose account here, in which asset, for whom, and who consents. A share
 * is an entry of the contract's own accounting, kept under an account; it is lowered or raised by a store, so one of its two
 * sides is nobody. What a call to an unknown contract may move is not in it: unknown is not a payment.
 */

import { dependsOn, isProtected, isSender } from '../facts/index.ts'
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  sameValueOrPlace,
  stripCasts,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { type Column, columnOf } from './columns.ts'
import { keysOf, loweredBy, raisedBy } from './entries.ts'
import { isKeyed } from './keys.ts'
import { keptIn } from './time.ts'
import { isSelf, tokenCalls } from './token-calls.ts'

/** Ether or tokens that one call moves. */
export interface Payment {
  readonly op: CallOp
  readonly asset: 'ether' | 'token'
  /** Which token; null for ether, and where the code does not say. */
  readonly token: Op | null
  /** Whose account it leaves; null: this contract's own. */
  readonly from: Op | null
  /** Null: the code does not say. */
  readonly to: Op | null
  /** Of an NFT the id. */
  readonly amount: Op
}

/** An entry of the contract's own accounting that a store raises or lowers. */
export interface Entry {
  readonly op: StoreOp
  readonly asset: 'share'
  /** Under whose account it is kept. */
  readonly account: Op
  readonly amount: Op
  readonly isRaised: boolean
}

/** Ether and tokens that move here, in whichever direction. */
export const paymentsOf = (flow: Flow): readonly Payment[] => flow.answer(findPayments)

/** Ether and tokens that leave this contract's own account, calls that create a contract aside. */
export const outgoingOf = (flow: Flow): readonly Payment[] => flow.answer(findOutgoing)

/** Something leaves this contract's own account. */
export const paysOut = (flow: Flow): boolean => outgoingOf(flow).length > 0

/** Tokens that come in from a user's account; ether comes in where a function is payable. */
export const incomingOf = (flow: Flow): readonly Payment[] => flow.answer(findIncoming)

/** Entries of the contract's own accounting that are raised or lowered here by an amount. */
export const entriesOf = (flow: Flow): readonly Entry[] => flow.answer(findEntries)

/** What moves here is worth something to someone: ether, tokens, or entries kept under accounts; of a missing base nobody knows what it keeps. */
export const impactOf = (flow: Flow): 'assets' | 'accounting' | 'none' => {
  if (flow.isPayable || paymentsOf(flow).length > 0) return 'assets'
  if (flow.contract?.hasUnresolvedBase) return 'accounting'
  return flow.stateStores().some(({ location }) => isKeyed(location)) ? 'accounting' : 'none'
}

/** Who agrees to it: a role that no outsider can take, the one whose account it leaves, or nobody. */
export const consentTo = (flow: Flow, { op, from }: Payment): 'role' | 'holder' | 'nobody' => {
  if (isProtected(flow, op)) return 'role'
  return from !== null && isSender(from) ? 'holder' : 'nobody'
}

/** The caller gives something for it: ether, or tokens that come in. */
export const hasIncomingPayment = (flow: Flow): boolean =>
  flow.isPayable || paymentsOf(flow).some(({ from, to }) => from !== null && to !== null && !isSender(to))

/** Ether or tokens go to this account. */
export const isPaid = (flow: Flow, account: Op): boolean =>
  paymentsOf(flow).some(({ to }) => to !== null && sameValueOrPlace(to, account))

/** Ether or tokens leave somewhere in the contract, and how much is read from this variable, or is taken off an entry in it. */
export const isPaidFrom = (flow: Flow, variable: VariableModel): boolean =>
  flow.contractFlow.answer(columnsPaidFrom).has(variable)

/** The same of one field: what stands beside it in the same record is something else. */
export const isColumnPaidFrom = (flow: Flow, { variable, path }: Column): boolean =>
  [...(flow.contractFlow.answer(columnsPaidFrom).get(variable) ?? [])].some(
    (paid) => isWithin(path, paid) || isWithin(paid, path),
  )

/** `.terms.rate` is within `.terms`; `.stakes` is not within `.stake`. */
const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`)

const columnsPaidFrom = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel, ReadonlySet<string>> => {
  const found = new Map<VariableModel, Set<string>>()
  const note = (place: Location, path = ''): void => {
    const column = columnOf(place)
    if (column === null) return
    const paths = found.get(column.variable) ?? new Set()
    found.set(column.variable, paths)
    paths.add(column.path + path)
  }
  // Records that are copied to memory, of which one field is read there.
  const copied = new Set<Op>()
  const noteRead = (load: LoadOp): void => {
    const { space, base } = load.location
    const kept = space === 'memory' ? keptIn(load) : null
    if (kept !== null) {
      copied.add(stripCasts(base!))
      note(kept.place, kept.path)
    } else if (!copied.has(load)) note(load.location)
  }
  for (const payer of entryPoints) {
    // What is lowered while something is paid in may be a debt.
    const taken = hasIncomingPayment(payer) ? [] : entriesOf(payer).filter(({ isRaised }) => !isRaised)
    for (const amount of new Set(outgoingOf(payer).map((payment) => payment.amount)))
      dependsOn(payer, amount, (op) => {
        if (op.kind === 'load') noteRead(op)
        for (const entry of taken) if (entry.amount === op) note(entry.op.location)
        return false
      })
  }
  return found
}

/** Goes to anyone who calls. */
export const isForCaller = ({ to }: Payment): boolean => to !== null && isSender(to)

const findPayments = (flow: Flow): readonly Payment[] => {
  const found: Payment[] = []
  for (const op of flow.sends())
    found.push({ op, asset: 'ether', token: null, from: null, to: op.call.target, amount: op.call.value! })
  for (const { op, name, token, from, to, amount } of tokenCalls(flow))
    if (name !== 'approve')
      found.push({ op, asset: 'token', token, from: from === null || isSelf(from) ? null : from, to, amount })
  return found
}

const findOutgoing = (flow: Flow): readonly Payment[] =>
  paymentsOf(flow).filter(
    ({ op, from, to }) => from === null && op.call.kind !== 'create' && (to === null || !isSelf(to)),
  )

const findIncoming = (flow: Flow): readonly Payment[] =>
  paymentsOf(flow).filter(({ from, to }) => from !== null && to !== null && isSelf(to))

const findEntries = (flow: Flow): readonly Entry[] => {
  const found: Entry[] = []
  for (const op of flow.stateStores()) {
    const [account] = keysOf(op.location)
    if (account === undefined) continue
    const raised = raisedBy(op)
    const amount = raised ?? loweredBy(op)
    if (amount !== null)
      found.push({ op, asset: 'share', account: stripCasts(account), amount, isRaised: raised !== null })
  }
  return found
}
