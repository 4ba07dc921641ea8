/** Shares and the assets that they are worth: both move together, by amounts that differ. */
import { dependsOn, isCleared } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  isBesides,
  isInColumn,
  isMessageValue,
  isSameAmount,
  keyOfColumn,
  keysOf,
  loweredBy,
  type NumberMove,
  nameOfColumn,
  netMovesOf,
  outgoingOf,
  paymentsOf,
  raisedBy,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, groupBy, type Op } from '../../ir/index.ts'
import type { Violation } from './violation.ts'

interface PlacedMove extends NumberMove {
  readonly flow: Flow
  /** The function that it is written in. */
  readonly writer: unknown
}

interface Pair {
  readonly leader: Column
  readonly companion: Column
  /** Where both move one way, one for each function. */
  readonly kept: Map<unknown, PlacedMove>
}

const movesOf = (flows: readonly Flow[]): readonly PlacedMove[] =>
  flows.flatMap((flow) =>
    netMovesOf(flow).flatMap((move): readonly PlacedMove[] =>
      move.isNew || move.amount.kind === 'const' ? [] : [{ ...move, flow, writer: flow.writtenIn(move.op) }],
    ),
  )

/** Fields of one record, or two numbers of the whole contract. */
const isSameRecord = (one: NumberMove, other: NumberMove): boolean =>
  keyOfColumn(one.column) !== keyOfColumn(other.column) &&
  (one.column.variable === other.column.variable ||
    (keysOf(one.op.location).length === 0 && keysOf(other.op.location).length === 0))

/** Shares, and the assets that are paid for them: one amount is worked out from the other. Assets may move alone, as by a swap or a gain. */
const isShareFor = ({ flow, amount }: PlacedMove, { amount: paid }: PlacedMove): boolean =>
  !isSameAmount(amount, paid) &&
  (isMessageValue(paid) || paymentsOf(flow).some((payment) => isSameAmount(payment.amount, paid))) &&
  (dependsOn(flow, amount, (part) => isSameAmount(part, paid)) ||
    dependsOn(flow, paid, (part) => isSameAmount(part, amount)))

const pairsOf = (moves: readonly PlacedMove[]): readonly Pair[] => {
  const pairs = new Map<string, Pair>()
  for (const inFlow of groupBy(moves, ({ flow }) => flow).values())
    for (const one of inFlow)
      for (const other of inFlow) {
        if (one.isRaised !== other.isRaised || !isSameRecord(one, other)) continue
        if (!isBesides(one.flow, one.op, other.op) || !isShareFor(one, other)) continue
        const key = `${keyOfColumn(one.column)}|${keyOfColumn(other.column)}`
        const pair = pairs.get(key) ?? { leader: one.column, companion: other.column, kept: new Map() }
        pairs.set(key, pair)
        if (!pair.kept.has(one.writer)) pair.kept.set(one.writer, one)
      }
  return [...pairs.values()]
}

const isWrittenBeside = ({ flow, op }: PlacedMove, { variable, path }: Column): boolean =>
  flow.stateStores().some((store) => {
    const written = columnOf(store.location)
    if (written?.variable !== variable) return false
    return (path.startsWith(written.path) || written.path.startsWith(path)) && isBesides(flow, op, store)
  })

/** No function ever lowers or sets it, and something is worked out from it. */
const isNeverLowered = ({ flows }: ContractFlow, column: Column): boolean => {
  const isOf = (op: Op): boolean => op.location !== null && isInColumn(op.location, column)
  const isOnlyRaised = flows.every((flow) =>
    flow.stateStores().every((store) => {
      const written = columnOf(store.location)
      if (written?.variable !== column.variable || !column.path.startsWith(written.path)) return true
      return written.path === column.path && raisedBy(store) !== null && loweredBy(store) === null && !isCleared(store)
    }),
  )
  return (
    isOnlyRaised &&
    flows.some((flow) =>
      flow.stateLoads().some((load) => isOf(load) && flow.usersOf(load).some((user) => isWorkedOut(user))),
    )
  )
}

const isWorkedOut = (user: Op): boolean => user.kind === 'bin' && user.operator !== '+'

/** What every other function that moves the leader does, one function does not. */
export const brokenCompanions = (contractFlow: ContractFlow, flows: readonly Flow[]): readonly Violation[] => {
  const moves = movesOf(flows)
  return pairsOf(moves).flatMap(({ leader, companion, kept }): readonly Violation[] => {
    const alone = moves.filter(
      (move) => keyOfColumn(move.column) === keyOfColumn(leader) && !isWrittenBeside(move, companion),
    )
    const breakers = new Set(alone.map(({ writer }) => writer))
    const [first] = alone
    const [keeper] = kept.values()
    if (first === undefined || keeper === undefined || breakers.size !== 1) return []
    const isHabit = kept.size >= 2 && [...kept.values()].some(({ isRaised }) => isRaised === first.isRaised)
    const isForgotten =
      !first.isRaised &&
      [...kept.values()].every(({ isRaised }) => isRaised) &&
      alone.some(({ flow }) => outgoingOf(flow).length > 0) &&
      isNeverLowered(contractFlow, companion)
    if (!isHabit && !isForgotten) return []
    const [name, other] = [nameOfColumn(leader), nameOfColumn(companion)]
    return alone.map(({ flow, op, isRaised }) => ({
      rule: 'Companion not updated',
      flow,
      at: op,
      text: `\`${name}\` ${isRaised ? 'increases' : 'decreases'} in \`${flow.name}()\`, but \`${other}\`, which moves with it elsewhere, stays the same, so what is paid or checked by it is wrong`,
      kept: keeper.op,
      total: null,
    }))
  })
}
