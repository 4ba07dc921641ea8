/** Phases of a record: some functions move its total, others run only when those do not any more. */
import { dependsOn, type Fact, guardsAt } from '../../facts/index.ts'
import { keyOfColumn, numberMovesOf, shapeOfCondition } from '../../idioms/index.ts'
import { type Flow, isOrdering, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Violation } from './violation.ts'

/** Of which one must hold: `a || b` leaves two ways open. */
const alternativesOf = ({
  condition,
  polarity,
}: Pick<Fact, 'condition' | 'polarity'>): readonly Pick<Fact, 'condition' | 'polarity'>[] => {
  const op = stripCasts(condition)
  if (op.kind !== 'bin' || op.operator !== (polarity ? '||' : '&&')) return [{ condition, polarity }]
  return op.args.flatMap((arg) => alternativesOf({ condition: stripCasts(arg), polarity }))
}

const shapeOf = ({ condition, polarity }: Pick<Fact, 'condition' | 'polarity'>): string =>
  shapeOfCondition(condition, polarity) ?? `${polarity ? '' : '!'}${condition.start}`

const isOfTime = ({ kind, operator }: Op): boolean =>
  kind === 'env' && (operator === 'block.timestamp' || operator === 'block.number')

/** The conditions that hold at `op`, on a record where one is given, each with what it leaves open. An argument opens and closes no phase. */
const conditionsAt = (flow: Flow, op: Op, record: VariableModel | null): ReturnType<typeof alternativesOf>[] =>
  guardsAt(flow, op)
    .filter(({ condition }) =>
      dependsOn(flow, condition, (part) =>
        record === null
          ? isOfTime(part) || (part.kind === 'load' && part.location.space === 'state')
          : part.kind === 'load' && part.location.variable === record,
      ),
    )
    .map(alternativesOf)

/** That one number is more than another one closes no record; that the time has come does. */
const isOfPhase = (flow: Flow, condition: Op): boolean => {
  const { kind, operator } = stripCasts(condition)
  return kind !== 'bin' || !isOrdering(operator) || dependsOn(flow, condition, isOfTime)
}

/**
 * `require(rounds[id].phase == Phase.Cancelled)`, or `require(block.timestamp >= end)` where deposits are taken before the end: the total
 * stays what it was when the record is closed, and functions that move it do not run any more.
 */
export const isInOtherPhase = ({ flow, at, total }: Violation): boolean => {
  if (total === null) return false
  const movers = flow.contractFlow.entryPoints.flatMap((other) =>
    numberMovesOf(other)
      .filter(({ column }) => keyOfColumn(column) === keyOfColumn(total))
      .map(({ op }) => ({ other, op })),
  )
  const required = new Set(conditionsAt(flow, at, null).flatMap((open) => (open.length === 1 ? open.map(shapeOf) : [])))
  const isRejected = (open: ReturnType<typeof alternativesOf>): boolean =>
    open.every(({ condition, polarity }) => required.has(shapeOf({ condition, polarity: !polarity })))
  if (movers.length > 0 && movers.every(({ other, op }) => conditionsAt(other, op, null).some(isRejected))) return true
  if (total.variable.type.kind !== 'mapping') return false
  const known = new Set(movers.flatMap(({ other, op }) => conditionsAt(other, op, total.variable).flat().map(shapeOf)))
  return conditionsAt(flow, at, total.variable).some((open) =>
    open.every((fact) => !known.has(shapeOf(fact)) && isOfPhase(flow, fact.condition)),
  )
}
