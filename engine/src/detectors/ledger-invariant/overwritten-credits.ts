/** Credits that replace an entry, where others are added to it: what the recipient had before is lost. */
import { dependsOn, isSender, roleAt } from '../../facts/index.ts'
import {
  columnOf,
  incomingOf,
  isBesides,
  isMessageValue,
  isSameAmount,
  keyOfColumn,
  keysOf,
  nameOfColumn,
  numberMovesOf,
} from '../../idioms/index.ts'
import { type Flow, type Op, type StoreOp, sameValue, stripCasts } from '../../ir/index.ts'
import type { Violation } from './violation.ts'

/** Under an account that the caller is or names: a new id has nothing to lose. */
const isOfAccount = (key: Op): boolean => isSender(key) || key.kind === 'param'

/** A number kept under an account, written without a look at what it was. */
const isReplaced = (flow: Flow, { location }: StoreOp): boolean => {
  const keys = keysOf(location)
  if (location.type?.kind !== 'int' || keys.length === 0 || !keys.every(isOfAccount)) return false
  return !flow.stateLoads().some((load) => load.location === location)
}

/** Another entry of the same column is lowered by as much: `balances[from] -= n; balances[to] = n`. */
const debitOf = (flow: Flow, store: StoreOp, amount: Op): Op | null => {
  const column = keyOfColumn(columnOf(store.location)!)
  const debit = numberMovesOf(flow).find(
    (move) =>
      !move.isRaised &&
      keyOfColumn(move.column) === column &&
      isSameAmount(move.amount, amount) &&
      !keysOf(move.op.location).every((key, i) => sameValue(key, keysOf(store.location)[i] ?? key)) &&
      isBesides(flow, move.op, store),
  )
  return debit?.op ?? null
}

const isPaidIn = (flow: Flow, amount: Op): boolean =>
  isMessageValue(amount) || incomingOf(flow).some((payment) => isSameAmount(payment.amount, amount))

/** Elsewhere the column is lowered by an amount: it is a balance, of which less than all can be taken. */
const isLowered = (flows: readonly Flow[], store: StoreOp): Op | null => {
  const column = keyOfColumn(columnOf(store.location)!)
  const moves = flows.flatMap(numberMovesOf)
  return moves.find((move) => !move.isRaised && keyOfColumn(move.column) === column)?.op ?? null
}

export const overwrittenCredits = (flows: readonly Flow[]): readonly Violation[] =>
  flows.flatMap((flow) =>
    flow.stateStores().flatMap((store): readonly Violation[] => {
      const column = columnOf(store.location)
      const amount = stripCasts(store.args[0])
      if (column === null || amount.kind === 'const' || !isReplaced(flow, store)) return []
      const kept = debitOf(flow, store, amount) ?? (isPaidIn(flow, amount) ? isLowered(flows, store) : null)
      if (kept === null || roleAt(flow, store) !== null || dependsOn(flow, amount, ({ kind }) => kind === 'load'))
        return []
      const text = `\`${flow.name}()\` sets an entry of \`${nameOfColumn(column)}\` to the credited amount instead of adding it, so what the account had before is lost`
      return [{ rule: 'Credit overwrites balance', flow, at: store, text, kept, total: null }]
    }),
  )
