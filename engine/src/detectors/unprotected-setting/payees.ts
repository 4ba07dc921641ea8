/** Accounts that are paid by what is on record, and anyone who puts themselves there. */
import { anyChoice, isSender } from '../../facts/index.ts'
import { isNamedAccount, keysOf, listFunctions, outgoingOf, type UnprotectedOp } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Location, mayOverlapAcross, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'

/** Others are paid what stands in an account's name on record, and anyone can put another account there. */
export function* redirected(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const { variable } = op.location
    if (variable === null || !isAccountOfCaller(flow, stripCasts(op.args[0])) || !isExisting(op.location)) continue
    const payers = payersOf(flow, op.location)
    if (payers.length === 0) continue
    const message = `Anyone can call \`${flow.name}()\` and set \`${variable.name}\`, the recipient of payments in ${listFunctions(payers)}, to their own address.`
    yield { flow, op, account: null, amount: null, message, gain: 'redirects payments to their own account' }
  }
}

const isAccountOfCaller = (flow: Flow, value: Op): boolean => isSender(value) || isNamedAccount(flow, value)

/** A record that may stand already, of someone else: kept under nothing, or under what the caller names. */
const isExisting = (location: Location): boolean => keysOf(location).every(({ kind }) => kind === 'param')

/** Other functions that pay the account kept there, on some path at least. */
const payersOf = (flow: Flow, place: Location): readonly Flow[] =>
  flow.contractFlow.answerAt(place, payersTo).filter((payer) => payer !== flow)

const payersTo = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  (contractFlow.answer(payeesOf).get(place.variable) ?? []).flatMap((payee) =>
    mayOverlapAcross(payee.place, place) ? [payee.payer] : [],
  )

interface Payee {
  readonly payer: Flow
  readonly place: Location
}

/** The accounts that functions pay, by the variables that they are kept in. */
const payeesOf = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel | null, readonly Payee[]> => {
  const payees = new Map<VariableModel | null, Payee[]>()
  for (const payer of entryPoints)
    for (const { to } of outgoingOf(payer)) {
      const note = (value: Op): boolean => {
        if (value.kind !== 'load') return false
        const known = payees.get(value.location.variable) ?? []
        payees.set(value.location.variable, known)
        known.push({ payer, place: value.location })
        return false
      }
      if (to !== null) anyChoice(to, note)
    }
  return payees
}
