/**
 * Large pure functions of numbers, as libraries of arithmetic have them. Lowered once, as flows of their own; where one is called its result is a
 * single operation on the arguments. Small ones are inlined: there the shape of a result says more than what it depends on.
 */
import type { FunctionModel, Model, VariableModel } from '../model/index.ts'
import type { Budget } from './budget.ts'
import { Lowering } from './lowering.ts'
import { canWrapAround } from './wraps-around.ts'

export class LargeComputations {
  readonly #model: Model
  readonly #budget: Budget
  /** More than is copied need not be read to know that it is large. */
  readonly #brief: Budget
  readonly #known = new Map<FunctionModel, boolean>()
  #depth = 0

  constructor(model: Model, budget: Budget) {
    this.#model = model
    this.#budget = budget
    this.#brief = { ...budget, maxInlinedOps: budget.maxBriefOps }
  }

  includes(fn: FunctionModel): boolean {
    let is = this.#known.get(fn)
    // One that is called so deep inside the measured one is not copied there either.
    if (is === undefined && this.#depth > this.#budget.maxDepth) return false
    if (is === undefined) {
      // As long as it is being measured it is inlined into those that call it: recursion ends there.
      this.#known.set(fn, false)
      this.#depth++
      is = isPureOfNumbers(fn) && this.#isLarge(fn)
      this.#depth--
      this.#known.set(fn, is)
    }
    return is
  }

  /** Before 0.8 whether arithmetic wraps around can depend on the arguments: there each caller is judged with its own copy. */
  #isLarge(fn: FunctionModel): boolean {
    const ir = new Lowering(this.#model, this.#brief, this).function(fn, fn.contract)
    const size = ir.blocks.reduce((sum, { ops }) => sum + ops.length, 0)
    if (size <= this.#budget.maxCopiedComputation) return false
    return fn.file.versions.checkedArithmetic === 'always' || !canWrapAround(this.#model, ir)
  }
}

/** The compiler has made sure that it reads and writes nothing but its parameters and results. */
const isPureOfNumbers = (fn: FunctionModel): boolean =>
  fn.mutability === 'pure' &&
  !fn.isStub &&
  fn.isImplemented &&
  fn.params.length > 0 &&
  fn.returns.length > 0 &&
  fn.modifiers.length === 0 &&
  fn.params.every(isPlainValue) &&
  fn.returns.every(({ type }) => type.kind === 'int')

const isPlainValue = ({ type: { kind } }: VariableModel): boolean =>
  kind === 'int' || kind === 'bool' || kind === 'enum'
