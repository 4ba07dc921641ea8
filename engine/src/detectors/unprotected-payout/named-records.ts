/** Records that others have paid for, paid out to anyone who names them. */
import {
  dependsOn,
  guardsAt,
  isCallersNumber,
  isCleared,
  isKeyedBySender,
  isProtected,
  isSender,
  isUntrusted,
} from '../../facts/index.ts'
import {
  hasIncomingPayment,
  isHash,
  keptIn,
  keysOf,
  loweredBy,
  outgoingOf,
  type UnprotectedOp,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Location, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'

/** What others wrote there when they paid in. */
const paidInto = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel, ReadonlySet<Flow>> => {
  const found = new Map<VariableModel, Set<Flow>>()
  for (const flow of entryPoints)
    for (const { location } of hasIncomingPayment(flow) ? flow.stateStores() : [])
      if (location.variable !== null && keysOf(location).length > 0)
        found.set(location.variable, (found.get(location.variable) ?? new Set()).add(flow))
  return found
}

/** The record under an id that the caller names; null where the amount rests on an entry of the caller, or on one whose keys are not known. */
const namedRecord = (flow: Flow, amount: Op): Location | null => {
  let record: Location | null = null
  const isTheirs = dependsOn(flow, amount, (part) => {
    const place = keptIn(part)?.place
    const keys = place === undefined ? [] : keysOf(place).map(stripCasts)
    const isNamed = keys.length > 0 && keys.every((key) => key.kind === 'param' && isCallersNumber(flow, key))
    if (isNamed && place!.variable !== null) record ??= place!
    return place?.part === 'any' || keys.some(isSender)
  })
  return isTheirs ? null : record
}

/** The record is cleared, lowered, or marked: `status = Status.Closed`. */
const isUsedUp = (flow: Flow, { variable }: Location): boolean =>
  flow
    .stateStores()
    .some(
      (store) =>
        store.location.variable === variable &&
        (isCleared(store) || loweredBy(store) !== null || stripCasts(store.args[0]).kind === 'const'),
    )

/** The caller's own entry becomes less by it, or the caller's tokens are burnt: `shares.burnFrom(msg.sender, n)` for a number that decides the amount. */
const givesUpOwn = (flow: Flow, payout: Op, amount: Op): boolean =>
  flow
    .stateStores()
    .some((store) => isKeyedBySender(store.location) && (isCleared(store) || loweredBy(store) !== null)) ||
  flow
    .externalCalls()
    .some(
      ({ args: [from, number], call, start }) =>
        start !== payout.start &&
        burning.has(call.name) &&
        from !== undefined &&
        number !== undefined &&
        isSender(from) &&
        dependsOn(flow, amount, (part) => sameValue(part, number)) &&
        (call.target === null || !isUntrusted(flow, call.target, payout)),
    )

const burning = new Set(['burn', 'burnFrom'])

/** The answer of another contract, or what a function does that is missing. */
const isForeign = ({ kind, call }: Op): boolean => kind === 'unknown' || (kind === 'call' && call?.kind === 'external')

/** Something asks who calls, or for what only the right one knows, or another contract has a say: a price that makes a position open to liquidation. */
const mayCheckCaller = (flow: Flow, op: Op): boolean =>
  flow.externalCalls().some((call) => call.call.isStatic && call.args.some(isSender)) ||
  guardsAt(flow, op).some(({ condition }) =>
    dependsOn(flow, condition, (part) => isSender(part) || isHash(part) || isForeign(part), { keys: true }),
  )

/** `pay(to, positions[id].amount); delete positions[id]`, where `to` and `id` are the caller's choice, and `to` has no entry that is meant. */
export function* namedRecordsPaid(flow: Flow): Iterable<UnprotectedOp> {
  if (flow.isPartial || hasIncomingPayment(flow)) return
  for (const { op, to, amount } of outgoingOf(flow)) {
    const receiver = to === null ? null : stripCasts(to)
    if (receiver === null || !(isSender(receiver) || (receiver.kind === 'param' && !flow.isIndex(receiver)))) continue
    const record = namedRecord(flow, amount)
    if (record === null || !isUsedUp(flow, record) || givesUpOwn(flow, op, amount)) continue
    const openers = [...(flow.contractFlow.answer(paidInto).get(record.variable!) ?? [])].filter(
      (each) => each !== flow,
    )
    if (openers.length === 0 || isProtected(flow, op) || mayCheckCaller(flow, op)) continue
    const place = `\`${flow.describe(record)}\``
    const message = `Anyone can call \`${flow.name}()\` and have ${place}, paid in by others through \`${openers[0]!.name}()\`, sent to an account of their choice.`
    yield { flow, op, account: null, amount: null, message, gain: `is paid ${place} of someone else`, isOfOthers: true }
  }
}
