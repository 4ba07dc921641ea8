/** A number says how much may be given, and giving it uses the number up in every function but one. */
import { isProtected, relationsAt } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  isSameAmount,
  keyOfColumn,
  keysOf,
  numberMovesOf,
  outgoingOf,
} from '../../idioms/index.ts'
import type { Flow, LoadOp, Op } from '../../ir/index.ts'
import { stripCasts } from '../../ir/index.ts'
import type { Violation } from './violation.ts'

interface Use {
  readonly flow: Flow
  readonly at: Op
  readonly limit: LoadOp
  readonly column: Column
  readonly amount: Op
}

const isEntryNumber = (op: Op): op is LoadOp =>
  op.kind === 'load' &&
  op.location.space === 'state' &&
  op.location.type?.kind === 'int' &&
  keysOf(op.location).length > 0

/** `require(entry >= n)` where `op` runs. */
const limitsAt = (flow: Flow, op: Op): readonly Omit<Use, 'at'>[] =>
  relationsAt(flow, op).flatMap(({ greater, smaller }) => {
    const limit = stripCasts(greater)
    const amount = stripCasts(smaller)
    const column = isEntryNumber(limit) ? columnOf(limit.location) : null
    return column === null || amount.kind === 'const' ? [] : [{ flow, limit: limit as LoadOp, column, amount }]
  })

const isLoweredBy = (flow: Flow, { column, amount }: Pick<Use, 'column' | 'amount'>): boolean =>
  numberMovesOf(flow).some(
    (move) => !move.isRaised && keyOfColumn(move.column) === keyOfColumn(column) && isSameAmount(move.amount, amount),
  )

/** Payments of the amount, and calls that hand it on. */
const effectsOf = (flow: Flow): readonly { readonly op: Op; readonly amounts: readonly Op[] }[] => [
  ...outgoingOf(flow).map(({ op, amount }) => ({ op, amounts: [amount] })),
  ...flow
    .externalCalls()
    .filter(({ call }) => !call.isStatic)
    .map((op) => ({ op, amounts: op.args })),
]

const unspentIn = (flow: Flow): readonly Use[] =>
  effectsOf(flow).flatMap(({ op, amounts }) =>
    limitsAt(flow, op).flatMap((use) =>
      amounts.some((amount) => isSameAmount(amount, use.amount)) && !isLoweredBy(flow, use) ? [{ ...use, at: op }] : [],
    ),
  )

/** The functions that hold an amount against an entry and lower the entry by it. */
const spendersOf = (flows: readonly Flow[]): ReadonlyMap<string, ReadonlyMap<unknown, Op>> => {
  const found = new Map<string, Map<unknown, Op>>()
  for (const flow of flows)
    for (const { op, column, amount, isRaised } of numberMovesOf(flow)) {
      if (isRaised) continue
      const isHeldAgainst = limitsAt(flow, op).some(
        (use) => keyOfColumn(use.column) === keyOfColumn(column) && isSameAmount(use.amount, amount),
      )
      if (!isHeldAgainst) continue
      const known = found.get(keyOfColumn(column)) ?? new Map<unknown, Op>()
      found.set(keyOfColumn(column), known.set(flow.writtenIn(op), op))
    }
  return found
}

export const unspentLimits = (flows: readonly Flow[]): readonly Violation[] => {
  const entries = flows.filter(({ isEntryPoint, isPartial }) => isEntryPoint && !isPartial)
  const spenders = spendersOf(entries)
  if (spenders.size === 0) return []
  const uses = entries.flatMap(unspentIn)
  return uses.flatMap(({ flow, at, limit, column }): readonly Violation[] => {
    const kept = spenders.get(keyOfColumn(column))
    if (kept === undefined || kept.size < 2 || kept.has(flow.writtenIn(at)) || isProtected(flow, at)) return []
    const isAlone = uses.every(
      (other) =>
        keyOfColumn(other.column) !== keyOfColumn(column) || other.flow.writtenIn(other.at) === flow.writtenIn(at),
    )
    if (!isAlone) return []
    const text = `\`${flow.describe(limit.location)}\` must cover the amount that \`${flow.name}()\` passes on, but unlike in the other functions it is not reduced, so the same amount can be used again`
    return [{ rule: 'Limit not reduced', flow, at, text, kept: [...kept.values()][0]!, total: null }]
  })
}
