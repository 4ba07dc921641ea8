/** Accounts that are paid by what is on record, and anyone who puts themselves there. */
import { anyChoice, isSender } from '../../facts/index.ts'
import {
  byVariable,
  flowsAt,
  isNamedAccount,
  keysOf,
  listFunctions,
  outgoingOf,
  type PlaceOfFlow,
  type PlacesOfFlows,
  type UnprotectedOp,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Location, type Op, stripCasts } from '../../ir/index.ts'

/** Others are paid what stands in an account's name on record, and anyone can put another account there. */
export function* redirected(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const { variable } = op.location
    if (variable === null || !isAccountOfCaller(flow, stripCasts(op.args[0])) || !isExisting(op.location)) continue
    const payers = payersOf(flow, op.location)
    if (payers.length === 0) continue
    const message = `Anyone can call \`${flow.name}()\` and set \`${variable.name}\`, the recipient of payments in ${listFunctions(payers)}, to their own address, so an attacker receives that money.`
    yield {
      flow,
      op,
      account: keysOf(op.location).findLast((key) => isNamedAccount(flow, key)) ?? null,
      amount: null,
      message,
      gain: 'redirects payments to their own account',
    }
  }
}

const isAccountOfCaller = (flow: Flow, value: Op): boolean => isSender(value) || isNamedAccount(flow, value)

/** A record that may stand already, of someone else: kept under nothing, or under what the caller names. */
const isExisting = (location: Location): boolean => keysOf(location).every(({ kind }) => kind === 'param')

/** Other functions that pay the account kept there, on some path at least. */
const payersOf = (flow: Flow, place: Location): readonly Flow[] =>
  flow.contractFlow.answerAt(place, payersTo).filter((payer) => payer !== flow)

const payersTo = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  flowsAt(contractFlow.answer(payees), place)

/** The accounts that functions pay. */
const payees = ({ entryPoints }: ContractFlow): PlacesOfFlows => {
  const found: PlaceOfFlow[] = []
  for (const flow of entryPoints)
    for (const { to } of outgoingOf(flow))
      if (to !== null)
        anyChoice(to, (value) => {
          if (value.kind === 'load') found.push({ flow, place: value.location })
          return false
        })
  return byVariable(found)
}
