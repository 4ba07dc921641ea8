/**
 * Bounds of numbers, overflow and order between values, each worked out once. The files beside this one say how; here is what
 * they share while they ask each other, and how that comes to an end.
 *
 * While the bounds of a value are worked out (a loop), its type's range stands for it. Bounds that were worked out while the
 * limits of some state were still under way, and that needed those, rest on less than is known afterwards. They serve
 * until the state is settled (nothing is worked out twice in between) and are forgotten then; otherwise the answer would
 * depend on which function was looked at first.
 */
import {
  budget,
  type ContractFlow,
  type Flow,
  fieldPath,
  type Interval,
  type Location,
  type Op,
  rangeOf,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { holdsAtLeast, isWithin } from './at-least.ts'
import { relationsAt } from './guards.ts'
import { bounded, derivedInterval, ownInterval } from './intervals.ts'
import type { Numbers } from './numbers.ts'
import { overflows } from './overflow.ts'
import type { Relation } from './relations.ts'
import { limitByWrites } from './state-limits.ts'

const maxIntervalDepth = budget.depth.intervals

/** What is under way, in all flows that can ask each other. */
class InProgress {
  /** Intervals being worked out. */
  intervals = 0
  #states = 0
  #isTouched = false
  #unsettled: (() => void)[] = []

  /** The limits of some state are being worked out from here on. */
  openState(): void {
    this.#states++
  }

  /** They were needed meanwhile. */
  touchState(): void {
    this.#isTouched = true
  }

  /** Whether what is worked out now may rest on limits that are not final. */
  get isUnsettled(): boolean {
    return this.#isTouched
  }

  /** The same for the limits of state that are worked out on the path to those of other state; the outermost are final. */
  get isInnerUnsettled(): boolean {
    return this.#isTouched && this.#states > 1
  }

  /** Keeps an answer until the state is settled. */
  forgetLater(forget: () => void): void {
    this.#unsettled.push(forget)
  }

  closeState(): void {
    this.#states--
    if (this.#states > 0 || !this.#isTouched) return
    this.#isTouched = false
    const forgotten = this.#unsettled
    this.#unsettled = []
    for (const forget of forgotten) forget()
  }
}

/** Limits of variables; null where nothing is known. */
type Limits = Map<VariableModel, Interval | null>

/** Stands for limits that are being worked out. */
const pending: Interval = { min: 0n, max: 0n }

class FlowNumbers implements Numbers {
  readonly flow: Flow
  readonly #inProgress: InProgress
  readonly #intervals: (Interval | undefined)[]
  readonly #atPoints = new Map<readonly Relation[], Map<Op, Interval>>()
  #depth = 0
  #overflows: number[] | null = null

  constructor(flow: Flow) {
    this.flow = flow
    this.#inProgress = flow.contractFlow.shared.answer(createInProgress)
    this.#intervals = new Array(flow.ir.ops.length)
  }

  of(flow: Flow): Numbers {
    return numbersOf(flow)
  }

  interval(op: Op, at?: Op): Interval {
    if (at !== undefined) return this.#intervalAt(op, relationsAt(this.flow, at))
    const known = this.#intervals[op.id]
    if (known !== undefined) return known
    const own = this.#depth > maxIntervalDepth ? rangeOf(this.flow.typeOf(op)) : ownInterval(this, op)
    if (own === null) return this.#derive(op)
    this.#intervals[op.id] = own
    return own
  }

  /** All points between two conditions share their list of relations, and the range of a number is needed at many of them. */
  #intervalAt(op: Op, relations: readonly Relation[]): Interval {
    // Queried from inside the working out of an interval, the answer may rest on bounds that are not final.
    if (this.#inProgress.intervals > 0 || this.#inProgress.isUnsettled) return bounded(this, op, relations, 0)
    let known = this.#atPoints.get(relations)
    if (known === undefined) {
      known = new Map()
      this.#atPoints.set(relations, known)
    }
    let interval = known.get(op)
    if (interval === undefined) {
      interval = bounded(this, op, relations, 0)
      if (!this.#inProgress.isUnsettled) known.set(op, interval)
    }
    return interval
  }

  #derive(op: Op): Interval {
    const range = rangeOf(this.flow.typeOf(op))
    this.#intervals[op.id] = range
    this.#depth++
    this.#inProgress.intervals++
    try {
      const interval = derivedInterval(this, op, range)
      this.#intervals[op.id] = interval
      if (this.#inProgress.isUnsettled) this.#inProgress.forgetLater(() => (this.#intervals[op.id] = undefined))
      return interval
    } finally {
      this.#depth--
      this.#inProgress.intervals--
    }
  }

  canOverflow(op: Op): boolean {
    // Queried from inside the working out of an interval, the answer may rest on bounds that are not final.
    if (this.#inProgress.intervals > 0) return overflows(this, op)
    this.#overflows ??= new Array<number>(this.flow.ir.ops.length).fill(0)
    const known = this.#overflows[op.id]!
    if (known !== 0) return known === 2
    const can = overflows(this, op)
    this.#overflows[op.id] = can ? 2 : 1
    return can
  }

  isAtLeast(a: Op, b: Op, at: Op): boolean {
    return holdsAtLeast(this, a, b, at)
  }

  stateLimit(contractFlow: ContractFlow, place: Location): Interval | null {
    const limits = limitsFor(contractFlow.answer(createLimits), fieldPath(place))
    const variable = place.variable!
    const known = limits.get(variable)
    if (known === pending) {
      this.#inProgress.touchState()
      return null
    }
    return known === undefined ? this.#workOut(limits, contractFlow, place) : known
  }

  #workOut(limits: Limits, contractFlow: ContractFlow, place: Location): Interval | null {
    const variable = place.variable!
    limits.set(variable, pending)
    this.#inProgress.openState()
    try {
      const limit = limitByWrites(this, contractFlow, place)
      limits.set(variable, limit)
      if (this.#inProgress.isInnerUnsettled) this.#inProgress.forgetLater(() => limits.delete(variable))
      return limit
    } finally {
      if (limits.get(variable) === pending) limits.delete(variable)
      this.#inProgress.closeState()
    }
  }
}

const createInProgress = (): InProgress => new InProgress()

const createLimits = (): Map<string, Limits> => new Map()

/** By path of fields: those of a struct have limits of their own. */
const limitsFor = (byPath: Map<string, Limits>, path: string): Limits => {
  let limits = byPath.get(path)
  if (limits === undefined) {
    limits = new Map()
    byPath.set(path, limits)
  }
  return limits
}

const createNumbers = (flow: Flow): Numbers => new FlowNumbers(flow)

const numbersOf = (flow: Flow): Numbers => flow.answer(createNumbers)

/** Bounds of a value when `at` runs (without it: always), from its type, constants and conditions. */
export const intervalOf = (flow: Flow, op: Op, at?: Op): Interval => numbersOf(flow).interval(op, at)

/** Whether an arithmetic operation can leave the range of its type without anything stopping it. */
export const canOverflow = (flow: Flow, op: Op): boolean => numbersOf(flow).canOverflow(op)

/** Whether `a >= b` certainly holds at `at`. */
export const isAtLeast = (flow: Flow, a: Op, b: Op, at: Op): boolean => numbersOf(flow).isAtLeast(a, b, at)

/** `part` can never exceed `whole`: `x % y`, `x / y`, `x * 3 / 100`, `x >> n`, `min(x, y)`, or `whole` adds to it. */
export const isPartOf = (flow: Flow, part: Op, contractFlow: Op): boolean =>
  isWithin(numbersOf(flow), part, contractFlow, 0)
