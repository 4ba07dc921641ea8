/**
 * Lowers functions of most-derived contracts, each with everything it calls inside, to the representation of `ir.ts`.
 * The parts are in `lowering/`: `builder.ts` holds what is being built, the others are named after what they lower.
 */
import type { ContractModel, FunctionModel, Model } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import type { Budget } from './budget.ts'
import type { Ir, Op } from './ir.ts'
import { Builder, type Computations } from './lowering/builder.ts'
import { construct } from './lowering/construction.ts'
import { expression } from './lowering/expressions.ts'
import { runFunction } from './lowering/inlining.ts'
import { statement } from './lowering/statements.ts'

export class Lowering {
  readonly #to: Builder

  constructor(model: Model, budget: Budget, computations: Computations) {
    this.#to = new Builder(model, budget, { expression, statement }, computations)
  }

  /** `contract` is the one whose instance runs; null for free functions. */
  function(fn: FunctionModel, contract: ContractModel | null): Ir {
    const to = this.#to
    to.begin(fn, contract)
    to.parameters(fn.params)
    to.active.push(fn)
    runFunction(to, fn)
    to.active.pop()
    return end(to, fn.node)
  }

  /** Initial values and constructors of all bases. */
  construction(contract: ContractModel): Ir {
    const to = this.#to
    to.begin(contract.constructor_, contract)
    construct(to, contract)
    return end(to, contract.constructor_?.node ?? contract.node)
  }
}

const end = (to: Builder, node: Span): Ir => {
  const { firstReturn, returnCount } = to.frame
  to.end(node, '', (to.env as Op[]).slice(firstReturn, firstReturn + returnCount))
  return to.finish()
}
