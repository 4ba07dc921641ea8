/** Payouts of a caller's amount that no number remembers, although others lower a claim by what they pay. */
import { dependsOn, guardsAt, isCleared, isProtected } from '../../facts/index.ts'
import {
  isDemandedBack,
  isMadeBy,
  keyOfColumn,
  keysOf,
  nameOfColumn,
  outgoingOf,
  type Payment,
  shapeOf,
} from '../../idioms/index.ts'
import { type Flow, isOrdering, type Op, type StoreOp, sameValue, stripCasts } from '../../ir/index.ts'
import type { Evidence, Violation } from './violation.ts'

/** Empty where the code does not say. */
export const assetOf = ({ asset, token }: Payment): string =>
  asset === 'ether' ? 'ether' : ((token && shapeOf(token)) ?? '')

/** An amount that the caller names, alone or in a record. */
const isNamedByCaller = (amount: Op): boolean => {
  const { kind, location } = stripCasts(amount)
  return kind === 'param' || (location?.part === 'field' && location.parent?.base?.kind === 'param')
}

/** The call itself, or what its wrapper calls. */
const isPartOf = (call: Op, payment: Op): boolean => call.start === payment.start || isMadeBy(payment, call)

/** An entry is used up by it, whatever it was. */
const isUsedUp = (store: StoreOp): boolean => isCleared(store) && keysOf(store.location).length > 0

/** Something in the execution follows from the amount: a number, another call, a proof. */
const isAccountedFor = (flow: Flow, { op: payment, amount }: Payment): boolean => {
  const paid = stripCasts(amount)
  const isPaid = (part: Op): boolean => sameValue(stripCasts(part), paid)
  const follows = (value: Op): boolean => dependsOn(flow, value, isPaid)
  return (
    flow.stateStores().some((store) => follows(store.args[0]) || isUsedUp(store)) ||
    flow.externalCalls().some((call) => !isPartOf(call, payment) && call.args.some(follows)) ||
    guardsAt(flow, payment).some(
      ({ condition }) => follows(condition) && !(condition.kind === 'bin' && isOrdering(condition.operator)),
    )
  )
}

export const unrecordedPayouts = (flows: readonly Flow[], all: readonly Evidence[]): readonly Violation[] => {
  const claims = all.filter(({ isClaim }) => isClaim)
  const raised = new Set(claims.flatMap(({ move, isPayout }) => (isPayout ? [] : [keyOfColumn(move.column)])))
  const lowered = new Map<string, Evidence>()
  for (const evidence of claims)
    for (const payment of evidence.isPayout && raised.has(keyOfColumn(evidence.move.column))
      ? outgoingOf(evidence.flow)
      : [])
      lowered.set(assetOf(payment), evidence)
  lowered.delete('')
  if (lowered.size === 0) return []
  return flows.flatMap((flow) => {
    if (!flow.isEntryPoint || flow.isPartial) return []
    return outgoingOf(flow).flatMap((payment): readonly Violation[] => {
      const evidence = lowered.get(assetOf(payment))
      if (evidence === undefined || !isNamedByCaller(payment.amount)) return []
      if (isProtected(flow, payment.op) || isAccountedFor(flow, payment) || isDemandedBack(flow, payment.op)) return []
      const text = `\`${flow.name}()\` pays out an amount that the caller names and lowers nothing by it, so it can be taken again; elsewhere \`${nameOfColumn(evidence.move.column)}\` falls by what is paid`
      return [{ rule: 'Payout not recorded', flow, at: payment.op, text, kept: evidence.move.op, total: null }]
    })
  })
}
