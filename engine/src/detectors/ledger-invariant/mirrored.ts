/** Two branches that trade one number against another, each in its own direction: what the one branch moves, the other moves the other way round. */
import {
  isBesides,
  isSameAmount,
  keyOfColumn,
  keysOf,
  type NumberMove,
  nameOfColumn,
  numberMovesOf,
} from '../../idioms/index.ts'
import type { Flow } from '../../ir/index.ts'
import type { Violation } from './violation.ts'

/** `a += paidIn; b -= paidOut`: one number takes in what the caller gives, another one gives what they take. */
interface Trade {
  readonly raised: NumberMove
  readonly lowered: NumberMove
}

const isPaired = (one: NumberMove, other: NumberMove): boolean =>
  keyOfColumn(one.column) !== keyOfColumn(other.column) &&
  (one.column.variable === other.column.variable ||
    (keysOf(one.op.location).length === 0 && keysOf(other.op.location).length === 0))

const isMovedLike = (move: NumberMove, { amount, isRaised }: NumberMove): boolean =>
  move.isRaised === isRaised && isSameAmount(move.amount, amount)

const tradesOf = (flow: Flow, moves: readonly NumberMove[]): readonly Trade[] =>
  moves.flatMap((raised) =>
    raised.isRaised
      ? moves.flatMap((lowered): readonly Trade[] =>
          !lowered.isRaised &&
          isPaired(raised, lowered) &&
          !isSameAmount(raised.amount, lowered.amount) &&
          isBesides(flow, raised.op, lowered.op)
            ? [{ raised, lowered }]
            : [],
        )
      : [],
  )

const isOf = (move: NumberMove, { column }: NumberMove): boolean => keyOfColumn(move.column) === keyOfColumn(column)

/** In another branch than the trade, half of the same trade the other way round. */
const halvesOf = (flow: Flow, moves: readonly NumberMove[], { raised, lowered }: Trade): readonly Violation[] =>
  moves.flatMap((move): readonly Violation[] => {
    const [like, missing] = isOf(move, lowered)
      ? [raised, raised]
      : isOf(move, raised)
        ? [lowered, lowered]
        : [null, null]
    if (like === null || missing === null || !isMovedLike(move, like)) return []
    if (isBesides(flow, move.op, raised.op) || isBesides(flow, move.op, lowered.op)) return []
    const counter = like === raised ? lowered : raised
    const isWhole = moves.some(
      (other) => isOf(other, missing) && isMovedLike(other, counter) && isBesides(flow, move.op, other.op),
    )
    if (isWhole) return []
    const [name, other] = [nameOfColumn(move.column), nameOfColumn(missing.column)]
    const text = `\`${name}\` ${move.isRaised ? 'increases' : 'decreases'} in one branch of \`${flow.name}()\`, but \`${other}\` does not ${counter.isRaised ? 'increase' : 'decrease'} as in the other branch, so the two no longer match what the contract holds`
    return [{ rule: 'Branches move different numbers', flow, at: move.op, text, kept: counter.op, total: null }]
  })

export const brokenMirrors = (flows: readonly Flow[]): readonly Violation[] =>
  flows.flatMap((flow) => {
    const moves = flow.isPartial
      ? []
      : numberMovesOf(flow).filter(({ isNew, amount }) => !isNew && amount.kind !== 'const')
    return tradesOf(flow, moves).flatMap((trade) => halvesOf(flow, moves, trade))
  })
