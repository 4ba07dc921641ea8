/** `if (a < b) revert TooLittle()` demands `a >= b`, as `require` does: a revert leaves no trace, so there is no new block. */

import type { Model } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import type { Op } from '../ir.ts'
import type { Builder } from './builder.ts'
import { require } from './builtin-calls.ts'
import { expr, isBuiltin, scalar } from './operands.ts'

/** Nothing is done but to revert. */
export const isRefusal = (model: Model, s: ast.Statement): boolean => {
  switch (s.kind) {
    case 'RevertStatement':
    case 'ThrowStatement':
      return true
    case 'Block':
      return s.statements.length === 1 && isRefusal(model, s.statements[0]!)
    case 'ExpressionStatement':
      return s.expression.kind === 'Call' && isRevert(model, s.expression.callee)
    default:
      return false
  }
}

/** A function of that name that someone has written does what it says. */
const isRevert = (model: Model, callee: ast.Expression): boolean =>
  callee.kind === 'Identifier' && callee.name === 'revert' && isBuiltin(model, callee)

/** Goes on only where the condition does not hold: of `a || b`, neither. */
export const refuse = (to: Builder, condition: ast.Expression, settledBy: (op: Op) => boolean | null): void => {
  const test = unwrapped(condition)
  if (test.kind === 'Unary' && test.operator === '!' && isBoth(test.operand)) {
    require(to, test.operand, condition, 'revert')
    return
  }
  if (test.kind === 'Binary' && test.operator === '||') {
    refuse(to, test.left, settledBy)
    if (to.cur !== null) refuse(to, test.right, settledBy)
    return
  }
  const demanded = demandedBy(to, test)
  if (to.cur === null) return
  const settled = to.site === null ? null : settledBy(demanded)
  if (settled === false) to.revert(condition, [])
  else if (settled === null) to.emit('assume', condition, 'revert', [demanded])
}

const isBoth = (e: ast.Expression): boolean => {
  const test = unwrapped(e)
  return test.kind === 'Binary' && test.operator === '&&'
}

const unwrapped = (e: ast.Expression): ast.Expression => {
  let rest = e
  while (rest.kind === 'Tuple' && rest.elements.length === 1 && rest.elements[0]) rest = rest.elements[0]
  return rest
}

const demandedBy = (to: Builder, test: ast.Expression): Op => {
  if (test.kind === 'Unary' && test.operator === '!') return scalar(expr(to, test.operand))
  const condition = scalar(expr(to, test))
  const opposite = condition.kind === 'bin' ? opposites.get(condition.operator) : undefined
  return condition.kind === 'bin' && opposite !== undefined
    ? to.bin(opposite, condition.args[0], condition.args[1], test, false)
    : to.emit('un', test, '!', [condition])
}

const opposites: ReadonlyMap<string, string> = new Map([
  ['==', '!='],
  ['!=', '=='],
  ['<', '>='],
  ['>=', '<'],
  ['>', '<='],
  ['<=', '>'],
])
