/** Numbers that payouts subtract or divide by: the larger they are, the less is paid. */
import { dependsOn } from '../../facts/index.ts'
import { type Column, columnOf, entriesOf, keptIn, keyOfColumn, outgoingOf } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, fieldPath, type Op, stripCasts } from '../../ir/index.ts'

/** `amount - withdrawn - passedOn` is paid, or `pot / votes`: every payout that reads the column falls when it rises. */
export const onlyLowersPayouts = ({ entryPoints }: ContractFlow, column: Column): boolean => {
  const key = keyOfColumn(column)
  const isOfColumn = (part: Op): boolean => {
    const kept = part.kind === 'load' ? keptIn(part) : null
    if (kept === null || kept.place.variable === null) return false
    return keyOfColumn({ variable: kept.place.variable, path: fieldPath(kept.place) + kept.path }) === key
  }
  const isLowered = ({ op, isRaised }: ReturnType<typeof entriesOf>[number]): boolean => {
    const lowered = isRaised ? null : columnOf(op.location)
    return lowered !== null && keyOfColumn(lowered) === key
  }
  if (entryPoints.some((payer) => entriesOf(payer).some(isLowered))) return false
  const amounts = entryPoints.flatMap((payer) =>
    [...new Set(outgoingOf(payer).map(({ amount }) => amount))]
      .filter((amount) => dependsOn(payer, amount, isOfColumn))
      .map((amount) => ({ payer, amount })),
  )
  return amounts.length > 0 && !amounts.some(({ payer, amount }) => raises(payer, amount, isOfColumn))
}

const lowering = new Set(['-', '/', '%'])

/** A part that satisfies the predicate is added or multiplied into the value, or goes into it in a way that is not followed here. */
const raises = (flow: Flow, value: Op, isPart: (part: Op) => boolean, seen = new Set<Op>()): boolean => {
  const op = stripCasts(value)
  if (seen.has(op)) return false
  seen.add(op)
  if (isPart(op)) return true
  const follow = (arg: Op): boolean => raises(flow, arg, isPart, seen)
  if (op.kind === 'bin') return lowering.has(op.operator) ? follow(op.args[0]) : op.args.some(follow)
  if (op.kind === 'phi') return op.args.some((arg) => follow(arg))
  if (op.kind === 'select') return op.args.slice(1).some(follow)
  return dependsOn(flow, op, isPart)
}
