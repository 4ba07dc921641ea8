/** Statements: conditions split the block, except for those of `require` and `assert`. */

import type { FunctionModel } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import { assignedNames } from '../assigned-names.ts'
import type { Op } from '../ir.ts'
import { isRequirement } from '../missing.ts'
import { stripCasts } from '../values.ts'
import { lowerAssembly } from './assembly.ts'
import { bindLocal } from './assignments.ts'
import type { Builder } from './builder.ts'
import { call, emitEvent } from './calls.ts'
import { Exit } from './frames.ts'
import { leaveLevel, runPlaceholder } from './inlining.ts'
import { join, meet } from './joins.ts'
import { closeLoop, enterBody, leaveBody, leaveRound, openLoop, testLoop } from './loops.ts'
import { bound, expr, exprs, scalar, zero } from './operands.ts'
import { isRefusal, refuse } from './refusals.ts'
import { asValue } from './stored-values.ts'

export const statement = (to: Builder, s: ast.Statement): void => {
  if (to.cur === null || !to.spend()) return
  switch (s.kind) {
    case 'ExpressionStatement': {
      const done = expr(to, s.expression)
      if (isRequirement(done)) to.emit('assume', s, 'unseen', [done.args[0]!])
      return
    }
    case 'VariableStatement':
      variables(to, s)
      return
    case 'IfStatement':
      branch(to, s)
      return
    case 'Block':
      block(to, s)
      return
    case 'ReturnStatement':
      leave(to, s)
      return
    case 'EmitStatement':
      emitEvent(to, s.call, s)
      return
    case 'PlaceholderStatement':
      runPlaceholder(to)
      return
    case 'ForStatement':
      inScope(to, () => {
        if (s.init !== null) statement(to, s.init)
        loop(to, s, s.condition, s.body, s.update, true)
      })
      return
    case 'WhileStatement':
      loop(to, s, s.condition, s.body, null, true)
      return
    case 'DoWhileStatement':
      loop(to, s, s.condition, s.body, null, false)
      return
    case 'BreakStatement':
      leaveRound(to, true)
      return
    case 'ContinueStatement':
      leaveRound(to, false)
      return
    case 'ThrowStatement':
      to.revert(s, [])
      return
    case 'RevertStatement':
      to.revert(s, exprs(to, s.call.args.values))
      return
    case 'TryStatement':
      attempt(to, s)
      return
    case 'AssemblyStatement':
      lowerAssembly(to, s)
      return
  }
}

const block = (to: Builder, s: ast.Block): void => {
  if (to.nesting >= to.budget.maxNesting) return
  const { unchecked } = to
  if (s.unchecked) to.unchecked = true
  to.nesting++
  inScope(to, () => {
    for (const inner of s.statements) statement(to, inner)
  })
  to.nesting--
  to.unchecked = unchecked
}

/** From 0.5.0 on what a block declares is out of sight behind it, and no later loop or join has to carry it along. */
const inScope = (to: Builder, run: () => void): void => {
  const first = to.nextSlot
  run()
  if (to.scopesBlocks) to.hide(first, to.nextSlot)
}

const leave = (to: Builder, s: ast.ReturnStatement): void => {
  const { level } = to
  if (s.value !== null && level !== null && !level.isModifier) {
    const value = expr(to, s.value)
    if (to.cur === null) return
    const { fn, firstReturn, returnCount } = to.frame
    const returns = (fn as FunctionModel | null)?.returns
    for (let i = 0; i < returnCount; i++) {
      const one = returnCount === 1 ? value : to.part(value, i, s)
      const result = returns?.[i]
      to.setSlot(firstReturn + i, result === undefined ? asValue(to, scalar(one), s) : bound(to, result, one, s))
    }
  }
  leaveLevel(to)
}

const variables = (to: Builder, s: ast.VariableStatement): void => {
  const { declarations, value: initial } = s
  if (initial === null) {
    for (let i = 0; i < declarations.length; i++) {
      const node = declarations[i]
      const variable = node ? to.model.variableOf(node) : undefined
      // Before 0.5 a declaration without value inside a loop keeps what the variable held; zero is close enough.
      if (variable !== undefined) to.setLocal(variable, zero(to, variable, s))
    }
    return
  }
  const value = expr(to, initial)
  const count = s.tuple ? declarations.length : 1
  for (let i = 0; i < count; i++) {
    const node = declarations[i]
    const variable = node ? to.model.variableOf(node) : undefined
    if (variable !== undefined) bindLocal(to, variable, count > 1 ? to.part(value, i, s) : value, initial)
  }
}

const branch = (to: Builder, s: ast.IfStatement): void => {
  if (s.else === null && isRefusal(to.model, s.then)) {
    refuse(to, s.condition, settledBy)
    return
  }
  const condition = scalar(expr(to, s.condition))
  if (to.cur === null) return
  const settled = to.site === null ? null : settledBy(condition)
  if (settled !== null) {
    if (settled) statement(to, s.then)
    else if (s.else !== null) statement(to, s.else)
    return
  }
  const before = to.fork(condition)
  statement(to, s.then)
  const taken = to.cur === null ? null : to.exit()
  if (s.else === null && taken !== null) {
    // The false edge goes straight to the join.
    join(to, [taken, before])
    return
  }
  to.otherwise(before)
  if (s.else !== null) statement(to, s.else)
  meet(to, taken)
}

/** A constant or a comparison of two, as when a shared helper asks which case it serves and this caller says so in its arguments. */
const settledBy = (condition: Op): boolean | null => {
  const op = stripCasts(condition)
  if (op.kind === 'const') return op.constant === null ? null : op.constant !== 0n
  if (op.kind === 'un' && op.operator === '!') {
    const inner = settledBy(op.args[0])
    return inner === null ? null : !inner
  }
  return op.kind === 'bin' ? comparisonOf(op.operator, op.args[0], op.args[1]) : null
}

const comparisonOf = (operator: string, left: Op, right: Op): boolean | null => {
  const isEquality = operator === '==' || operator === '!='
  // A cast may change the order of two numbers: `uint256(-1) > 0`.
  const a = isEquality ? stripCasts(left) : left
  const b = isEquality ? stripCasts(right) : right
  if (a.kind !== 'const' || a.constant === null || b.kind !== 'const' || b.constant === null) return null
  return compare(operator, a.constant, b.constant)
}

const compare = (operator: string, a: bigint, b: bigint): boolean | null => {
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      return null
  }
}

const loop = (
  to: Builder,
  s: ast.Statement,
  condition: ast.Expression | null,
  body: ast.Statement,
  update: ast.Expression | null,
  testFirst: boolean,
): void => {
  if (to.cur === null) return
  const open = openLoop(to, s, assignedNames(s))
  if (testFirst && condition !== null) testLoop(to, open, scalar(expr(to, condition)))
  enterBody(to, open)
  statement(to, body)
  leaveBody(to, open)
  if (to.cur !== null && update !== null) expr(to, update)
  if (!testFirst && condition !== null && to.cur !== null) testLoop(to, open, scalar(expr(to, condition)))
  closeLoop(to, open)
}

const attempt = (to: Builder, s: ast.TryStatement): void => {
  const made = s.call.kind === 'Call' ? call(to, s.call, true) : expr(to, s.call)
  if (to.cur === null) return
  const origin = made.kind === 'tuple' ? (made.args[0]?.args[0] ?? made) : made
  const exits: Exit[] = []
  const before = to.fork(to.push(to.make('extract', s.call, 'success', [origin])))
  inScope(to, () => {
    for (let i = 0; i < s.returns.length; i++) {
      const node = s.returns[i]!
      const variable = to.model.variableOf(node)
      if (variable) to.declare(variable, s.returns.length === 1 ? scalar(made) : to.part(made, i, node))
    }
    statement(to, s.body)
  })
  if (to.cur !== null) exits.push(to.exit())
  to.otherwise(before)
  let rest = to.exit()
  for (let i = 0; i < s.catches.length; i++) {
    const clause = s.catches[i]!
    to.restore(rest)
    if (i < s.catches.length - 1) {
      const fork = to.cur!
      fork.condition = to.unknown('kind of failure', clause)
      const taken = to.newBlock()
      const next = to.newBlock()
      to.edge(fork, taken)
      to.edge(fork, next)
      rest = new Exit(next, rest.env, rest.held)
      to.cur = taken
    }
    inScope(to, () => {
      for (const node of clause.params) {
        const variable = to.model.variableOf(node)
        if (variable) to.declare(variable, to.unknown('failure data', node))
      }
      statement(to, clause.body)
    })
    if (to.cur !== null) exits.push(to.exit())
  }
  if (s.catches.length === 0) exits.push(rest)
  join(to, exits)
}
