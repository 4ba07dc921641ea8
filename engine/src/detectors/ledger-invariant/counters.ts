/** What a number of the whole contract counts of an asset: it rises by what comes in and falls by what leaves, and one function forgets it. */
import {
  type Column,
  columnOf,
  incomingOf,
  isSameAmount,
  keyOfColumn,
  keysOf,
  nameOfColumn,
  netMovesOf,
  outgoingOf,
  type Payment,
  tokenCalls,
} from '../../idioms/index.ts'
import type { Flow, Op } from '../../ir/index.ts'
import { assetOf } from './unrecorded-payouts.ts'
import type { Violation } from './violation.ts'

interface Passage {
  readonly flow: Flow
  readonly payment: Payment
  readonly isIn: boolean
}

const passagesOf = (flow: Flow): readonly Passage[] => {
  const all = [
    ...incomingOf(flow).map((payment) => ({ flow, payment, isIn: true })),
    ...outgoingOf(flow).map((payment) => ({ flow, payment, isIn: false })),
  ]
  // What only passes through is nowhere counted.
  return all.filter(
    ({ payment, isIn }) =>
      payment.asset === 'token' &&
      assetOf(payment) !== '' &&
      !all.some((other) => other.isIn !== isIn && assetOf(other.payment) === assetOf(payment)) &&
      !(isIn && isApprovedAfter(flow, payment)),
  )
}

/** Another contract is allowed to take tokens of that kind in the same call. */
const isApprovedAfter = (flow: Flow, payment: Payment): boolean =>
  tokenCalls(flow).some(
    ({ name, op, token }) =>
      name === 'approve' && flow.canFollow(payment.op, op) && assetOf({ ...payment, token }) === assetOf(payment),
  )

/** Numbers that move by the amount as the asset does, with how many keys. */
const movedWith = ({ flow, payment, isIn }: Passage): readonly { column: Column; op: Op; keys: number }[] =>
  netMovesOf(flow)
    .filter(({ amount, isRaised }) => isRaised === isIn && isSameAmount(amount, payment.amount))
    .map(({ column, op }) => ({ column, op, keys: keysOf(op.location).length }))

const isWritten = ({ flow }: Passage, column: Column): boolean =>
  flow.stateStores().some(({ location }) => columnOf(location)?.variable === column.variable)

/** `cash += n` with every `pull(n)`, `cash -= n` with every `push(n)`; a payment that moves another number by its amount is of that. */
export const uncountedPassages = (flows: readonly Flow[]): readonly Violation[] => {
  const passages = flows.flatMap((flow) => (flow.isEntryPoint && !flow.isPartial ? passagesOf(flow) : []))
  const counters = new Map<string, { column: Column; asset: string }>()
  for (const passage of passages)
    for (const { column, keys } of movedWith(passage))
      if (keys === 0) {
        const asset = assetOf(passage.payment)
        counters.set(`${keyOfColumn(column)} ${asset}`, { column, asset })
      }
  return [...counters.values()].flatMap(({ column, asset }): readonly Violation[] => {
    const own = passages.filter(({ payment }) => assetOf(payment) === asset)
    const isCounted = (passage: Passage): boolean =>
      movedWith(passage).some((move) => keyOfColumn(move.column) === keyOfColumn(column))
    const counted = own.filter(isCounted)
    const missed = own.filter((passage) => !isWritten(passage, column) && movedWith(passage).length === 0)
    const [breach] = missed
    if (breach === undefined || new Set(missed.map(({ flow }) => flow)).size !== 1) return []
    if (counted.length + missed.length < own.length) return []
    if (!counted.some(({ isIn }) => isIn) || !counted.some(({ isIn }) => !isIn)) return []
    const kept = counted.find(({ isIn }) => isIn === breach.isIn)!
    const name = nameOfColumn(column)
    return missed.map(({ flow, payment, isIn }) => ({
      rule: isIn ? 'Payment not counted' : 'Payout not counted',
      flow,
      at: payment.op,
      place: flow.inEntry(payment.op),
      text: `\`${flow.name}()\` ${isIn ? 'takes in' : 'pays out'} tokens without ${isIn ? 'raising' : 'lowering'} \`${name}\`, which moves with every other payment of this token, so it shows ${isIn ? 'less' : 'more'} than the contract holds`,
      kept: movedWith(kept)[0]!.op,
      total: null,
      unsure: counted.length < 3 ? 'few functions show the rule' : undefined,
    }))
  })
}
