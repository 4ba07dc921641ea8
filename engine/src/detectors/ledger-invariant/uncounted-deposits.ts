/** Deposits that are passed on to another contract and not counted here, although the same act elsewhere is. */
import { dependsOn, isProtected, isSender } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  incomingOf,
  isSameAmount,
  keyOfColumn,
  nameOfColumn,
  numberMovesOf,
  outgoingOf,
  type Payment,
} from '../../idioms/index.ts'
import { type CallOp, type Flow, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Violation } from './violation.ts'

/** The contract, named by a state variable, that a function passes the amount to. */
interface Notified {
  readonly call: CallOp
  readonly variable: VariableModel
}

const isPartOf = (flow: Flow, call: CallOp, { op }: Payment): boolean =>
  call.start === op.start || flow.inEntry(call).start === flow.inEntry(op).start

const notifiedBy = (flow: Flow, payment: Payment): readonly Notified[] =>
  flow.externalCalls().flatMap((call): readonly Notified[] => {
    const target = call.call.target === null ? null : stripCasts(call.call.target)
    if (call.call.isStatic || target?.kind !== 'load' || target.location.variable === null) return []
    if (isPartOf(flow, call, payment) || !call.args.some((arg) => isSameAmount(stripCasts(arg), payment.amount)))
      return []
    return [{ call, variable: target.location.variable }]
  })

/** A caller's own tokens, as many as they name. */
const depositsOf = (flow: Flow): readonly Payment[] =>
  incomingOf(flow).filter(({ from, amount }) => isSender(from!) && stripCasts(amount).kind === 'param')

interface Counted {
  readonly column: Column
  readonly at: Op
  readonly registry: VariableModel
}

/** `token.transferFrom(sender, this, n); held[token] += n; registry.opened(n)`, and something lowers `held` again. */
const countedIn = (flows: readonly Flow[]): readonly Counted[] => {
  const lowered = new Set(
    flows.flatMap((flow) =>
      outgoingOf(flow).length === 0
        ? []
        : numberMovesOf(flow).flatMap(({ column, isRaised }) => (isRaised ? [] : [keyOfColumn(column)])),
    ),
  )
  return flows.flatMap((flow) =>
    depositsOf(flow).flatMap((payment) =>
      notifiedBy(flow, payment).flatMap(({ variable }) =>
        numberMovesOf(flow).flatMap(({ op, column, amount, isRaised }): readonly Counted[] =>
          isRaised && lowered.has(keyOfColumn(column)) && isSameAmount(amount, payment.amount)
            ? [{ column, at: op, registry: variable }]
            : [],
        ),
      ),
    ),
  )
}

/** Nothing that the function writes follows from the amount. */
const isUncounted = (flow: Flow, { amount }: Payment): boolean => {
  const isPaid = (part: Op): boolean => sameValue(stripCasts(part), stripCasts(amount))
  return !flow.stateStores().some(({ args }) => dependsOn(flow, args[0], isPaid))
}

export const uncountedDeposits = (flows: readonly Flow[]): readonly Violation[] => {
  const counted = countedIn(flows)
  if (counted.length === 0) return []
  return flows.flatMap((flow) => {
    if (!flow.isEntryPoint || flow.isPartial || outgoingOf(flow).some(({ to }) => to === null)) return []
    return depositsOf(flow).flatMap((payment): readonly Violation[] => {
      if (!isUncounted(flow, payment) || isProtected(flow, payment.op)) return []
      const registries = new Set(notifiedBy(flow, payment).map(({ variable }) => variable))
      const kept = counted.find(({ column, registry }) => registries.has(registry) && !isWritten(flow, column))
      if (kept === undefined) return []
      const name = nameOfColumn(kept.column)
      const text = `\`${flow.name}()\` takes a deposit and passes it on to \`${kept.registry.name}\`, but does not add it to \`${name}\`, as another deposit does. A withdrawal subtracts it, so the last withdrawals revert`
      return [{ rule: 'Deposit not counted', flow, at: payment.op, text, kept: kept.at, total: null }]
    })
  })
}

const isWritten = (flow: Flow, column: Column): boolean =>
  flow.stateStores().some(({ location }) => columnOf(location)?.variable === column.variable)
