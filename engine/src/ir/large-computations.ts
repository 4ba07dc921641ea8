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
  readonly #known = new Map<FunctionModel, boolean>()

  constructor(model: Model, budget: Budget) {
    this.#model = model
    this.#budget = budget
  }

  includes(fn: FunctionModel): boolean {
    let is = this.#known.get(fn)
    if (is === undefined) {
      // As long as it is being measured it is inlined into those that call it: recursion ends there.
      this.#known.set(fn, false)
      is = isPureOfNumbers(fn) && this.#isLarge(fn)
      this.#known.set(fn, is)
    }
    return is
  }

  /** Before 0.8 whether arithmetic wraps around can depend on the arguments: there each caller is judged with its own copy. */
  #isLarge(fn: FunctionModel): boolean {
    const ir = new Lowering(this.#model, this.#budget, this).function(fn, fn.contract)
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
