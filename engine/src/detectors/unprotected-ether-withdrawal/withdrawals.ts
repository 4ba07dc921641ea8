import { dependsOn, isSender, runsOnce, type SenderGuard, senderGuardsAt } from '../../facts/index.ts'
import { keysOf } from '../../idioms/index.ts'
import type { ContractFlow, Flow, Location, Op, StoreOp } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'

/** Ether leaves for a user whom an outsider can be, and no guard keeps outsiders from it. */
export interface Withdrawal {
  readonly flow: Flow
  /** What sends. */
  readonly op: Op
  readonly receiver: Op
  readonly amount: Op
  /** A guard that anyone passes. */
  readonly guard: SenderGuard | null
  /** Where anyone gives the right to pass it to an account of their choice. */
  readonly grant: Grant | null
}

/** A write by which anyone decides who passes a guard. */
export interface Grant {
  readonly flow: Flow
  readonly op: Op
  readonly variable: VariableModel
}

/** No question of authority: where a test stands that anyone passes, anyone who breaks that test is the one to blame. */
export function* grantsOf({ contractFlow }: Flow, { places }: SenderGuard): Iterable<Grant> {
  for (const place of places) yield* contractFlow.answerAt(place, grantsAt)
}

const grantsAt = (contractFlow: ContractFlow, place: Location): readonly Grant[] =>
  contractFlow.writersTo(place).flatMap(({ flow, op }) => {
    if (!flow.isEntryPoint || senderGuardsAt(flow, op).length > 0) return []
    return !runsOnce(flow, op) && isGivenAway(flow, op) ? [{ flow, op, variable: place.variable! }] : []
  })

/** An address from the caller is stored, or something is stored under it. */
const isGivenAway = (flow: Flow, { location, args }: StoreOp): boolean => {
  const isGiven = (value: Op): boolean => dependsOn(flow, value, (op) => op.kind === 'param')
  const keys = keysOf(location)
  return keys.length === 0 ? isGiven(args[0]) : keys.some((key) => !isSender(key) && isGiven(key))
}
