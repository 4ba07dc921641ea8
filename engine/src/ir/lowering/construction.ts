/** What runs when a contract is made: initial values and constructors of all bases, most base first. */
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import type { Op } from '../ir.ts'
import type { Builder } from './builder.ts'
import { enter, inline, runFunction } from './inlining.ts'
import { expr, exprs } from './operands.ts'
import { stateRoot } from './places.ts'
import { asValue, store } from './stored-values.ts'

export const construct = (to: Builder, contract: ContractModel): void => {
  const order = contract.linearization
  for (let i = order.length - 1; i >= 0; i--) {
    const base = order[i]!
    if (base.contractKind === 'interface') continue
    initialValues(to, base, contract)
    const fn = base.constructor_
    if (fn === null || !fn.isImplemented) continue
    if (base === contract) ownConstructor(to, fn)
    else inline(to, fn, baseArguments(to, fn, contract), fn.isStub ? contract.node.name : fn.node, 'internal')
  }
}

const initialValues = (to: Builder, base: ContractModel, contract: ContractModel): void => {
  enter(to, base.file)
  const { stubSpan } = to
  if (base.isStub) to.stubSpan = contract.node.name
  const variables = base.stateVariables
  for (let i = 0; i < variables.length; i++) {
    const variable = variables[i]!
    if (variable.value === null || variable.isConstant) continue
    const place = stateRoot(to, variable)
    store(to, place, asValue(to, expr(to, variable.value), variable.value), variable.span)
  }
  to.stubSpan = stubSpan
}

const ownConstructor = (to: Builder, fn: FunctionModel): void => {
  to.parameters(fn.params)
  to.active.push(fn)
  runFunction(to, fn)
  to.active.pop()
}

/** Arguments written in an inheritance list; those written at a constructor's head name its parameters and stay unknown. */
const baseArguments = (to: Builder, fn: FunctionModel, contract: ContractModel): Op[] => {
  for (const derived of contract.linearization) {
    for (const base of derived.bases) {
      if (base.contract !== fn.contract || base.node.args === null || base.node.args.values.length === 0) continue
      return exprs(to, base.node.args.values)
    }
    const own = derived.constructor_
    if (own === null) continue
    for (const use of own.modifiers) {
      if (use.base !== fn.contract || use.node.args === null) continue
      return use.node.args.values.map((e) => {
        const value = to.model.constantValue(e)
        return typeof value === 'bigint' ? to.constant(value, e) : to.unknown('constructor argument', e)
      })
    }
  }
  return fn.params.map((param) => to.unknown('constructor argument', param.span))
}
