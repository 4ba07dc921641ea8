/**
 * What the numbers of a flow can be. Bounds, overflow, order and the limits of state follow from each other, round and round;
 * each has a file of its own, and asks the others by this object, which is handed on.
 */
import type { ContractFlow, Flow, Interval, Location, Op } from '../ir/index.ts'

export interface Numbers {
  readonly flow: Flow
  /** Bounds of a value when `at` runs (without it: always), from its type, constants and conditions. */
  interval(op: Op, at?: Op): Interval
  /** Whether an arithmetic operation can leave the range of its type without anything stopping it. */
  canOverflow(op: Op): boolean
  /** Whether `a >= b` certainly holds at `at`. */
  isAtLeast(a: Op, b: Op, at: Op): boolean
  /** Bounds of a place over the whole contract; null where nothing is known, or while that is worked out. */
  stateLimit(contractFlow: ContractFlow, place: Location): Interval | null
  /** The same questions about another flow. */
  of(flow: Flow): Numbers
}
