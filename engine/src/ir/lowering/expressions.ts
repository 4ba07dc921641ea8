/** Expressions: each gives the value it stands for. */
import { type Declaration, exactArithmetic, isVariable, type VariableModel } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import { hasEffects } from '../assigned-names.ts'
import type { Op } from '../ir.ts'
import { assignment, deletion, placeOf, placeOfIndex, step, structPlace } from './assignments.ts'
import type { Builder } from './builder.ts'
import { call } from './calls.ts'
import { meet } from './joins.ts'
import { isLiteralExpression, plainNumber, smallNumber } from './numbers.ts'
import { expr, isBuiltin, isChecked, isTypeName, read, readAs, scalar, tooDeep, zero } from './operands.ts'
import { child, commonPlace, stateRoot } from './places.ts'
import { asValue, load } from './stored-values.ts'

export const expression = (to: Builder, e: ast.Expression): Op => {
  // Read once: nodes of this many shapes answer slowly.
  const { kind } = e
  if (kind === 'Identifier') return identifier(to, e)
  if (kind === 'Literal') return literal(to, e)
  if (to.nesting >= to.budget.maxNesting) return tooDeep(to, e)
  to.nesting++
  let value: Op
  switch (kind) {
    case 'Binary':
      value = binary(to, e)
      break
    case 'Call':
      value = call(to, e, false)
      break
    case 'Member':
      value = member(to, e)
      break
    case 'Index':
      value = e.index === null ? to.unknown('type', e) : read(to, placeOfIndex(to, e), e)
      break
    case 'Assignment':
      value = assignment(to, e)
      break
    case 'Unary':
      value = unary(to, e)
      break
    case 'Tuple':
      value = tuple(to, e)
      break
    default:
      value = rare(to, e)
  }
  to.nesting--
  return value
}

const rare = (to: Builder, e: ast.Expression): Op => {
  switch (e.kind) {
    case 'Conditional':
      return conditional(to, e)
    case 'ArrayLiteral': {
      const values: Op[] = []
      for (const element of e.elements) values.push(asValue(to, expr(to, element), element))
      return to.emit('make', e, 'array', values)
    }
    case 'Slice': {
      const args = [asValue(to, expr(to, e.object), e.object)]
      if (e.from !== null) args.push(expr(to, e.from))
      if (e.to !== null) args.push(expr(to, e.to))
      return to.emit('make', e, 'slice', args)
    }
    case 'CallOptions':
      for (const value of e.values) expr(to, value)
      return expr(to, e.callee)
    case 'TypeExpression':
    case 'NewExpression':
      return to.interned('name', 'type', e, null)
    default:
      return to.unknown('error', e)
  }
}

const tuple = (to: Builder, e: ast.Expression & { kind: 'Tuple' }): Op => {
  if (e.elements.length === 1 && e.elements[0]) return expr(to, e.elements[0])
  const values: Op[] = []
  const { elements } = e
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]!
    values.push(element === null ? to.interned('unknown', 'gap', e, null) : expr(to, element))
  }
  return to.make('tuple', e, '', values)
}

const literal = (to: Builder, e: ast.Literal): Op => {
  switch (e.literalKind) {
    case 'bool':
      return to.constant(e.value === 'true' ? 1n : 0n, e)
    case 'number':
    case 'hexNumber': {
      const plain = plainNumber(e.value, e.literalKind === 'hexNumber', e.unit)
      if (plain !== null) return to.constant(plain, e)
      const value = to.model.constantValue(e)
      return typeof value === 'bigint' ? to.constant(value, e) : to.interned('const', e.value, e, null)
    }
    default:
      return to.interned('const', e.value, e, null)
  }
}

const identifier = (to: Builder, e: ast.Identifier): Op => {
  const decl = to.model.resolve(e)
  if (isVariable(decl)) return variable(to, decl, e)
  if (decl === undefined) return to.interned('unknown', e.name, e, null)
  if (Array.isArray(decl)) return to.interned('name', e.name, e, decl[0] ?? null)
  const one = decl as Declaration
  if (one.kind === 'builtin') return to.environment(e.name === 'now' ? 'block.timestamp' : e.name, e)
  return to.interned('name', e.name, e, one)
}

const variable = (to: Builder, decl: VariableModel, e: ast.Expression): Op => {
  if (decl.isConstant) return constantVariable(to, decl, e)
  if (decl.role === 'state') return readAs(to, stateRoot(to, decl), decl.type.kind, e)
  const value = to.local(decl)
  if (value !== undefined) return value
  // 0.4: a use before the declaration sees zero.
  return decl.role === 'local' ? zero(to, decl, e) : to.unknown('variable', e)
}

const constantVariable = (to: Builder, decl: VariableModel, e: ast.Expression): Op => {
  const value = to.model.constantValue(e)
  if (typeof value === 'bigint') return to.constant(value, e)
  if (typeof value === 'boolean') return to.constant(value ? 1n : 0n, e)
  return to.interned('const', decl.name, decl.span, decl)
}

/** Full names of what the language offers behind a dot: made once, so that comparing them is cheap. */
const environmentNames = new Map(
  Object.entries({
    msg: ['sender', 'value', 'data', 'sig', 'gas'],
    tx: ['origin', 'gasprice'],
    block: [
      'timestamp',
      'number',
      'coinbase',
      'difficulty',
      'prevrandao',
      'gaslimit',
      'basefee',
      'blobbasefee',
      'chainid',
      'blockhash',
    ],
  }).map(([base, names]) => [base, new Map(names.map((name) => [name, `${base}.${name}`]))]),
)

const environmentName = (base: string, name: string): string => {
  // Half of them by far is one of these two.
  if (base === 'msg') {
    if (name === 'sender') return 'msg.sender'
    if (name === 'value') return 'msg.value'
  }
  return environmentNames.get(base)?.get(name) ?? `${base}.${name}`
}

const member = (to: Builder, e: ast.Member): Op => {
  const object = e.object
  const name = e.name.name
  if (object.kind === 'Identifier') {
    const base = object.name
    if ((base === 'msg' || base === 'block' || base === 'tx') && isBuiltin(to.model, object)) {
      return to.environment(environmentName(base, name), e)
    }
  }
  const struct = structPlace(to, object)
  if (struct !== null) return read(to, child(to, struct, 'field', name, null), e)
  const decl = to.model.memberOf(e)
  if (Array.isArray(decl)) return to.interned('name', name, e, decl[0] ?? null)
  if (decl !== undefined) {
    const one = decl as Declaration
    if (one.kind === 'enumValue') return to.constant(smallNumber(one.index), e)
    if (one.kind === 'variable' && one.role !== 'field') return variable(to, one, e)
    if (one.kind === 'function') {
      const receiver = isTypeName(to.model, object) ? [] : [expr(to, object)]
      return to.make('name', e, name, receiver, null, null, false, null, one)
    }
    if (one.kind === 'builtin' && name !== 'length') return builtinMember(to, e)
    // A type, event or error by its qualified name, as `Library.Struct` in a decoding.
    if (one.kind !== 'variable' && one.kind !== 'builtin') return to.interned('name', name, e, one)
  }
  if (name === 'length') return load(to, placeOf(to, e), e)
  if (decl === undefined && (name === 'balance' || name === 'code' || name === 'codehash' || name === 'selector')) {
    return builtinMember(to, e)
  }
  return read(to, placeOf(to, e), e)
}

const builtinMember = (to: Builder, e: ast.Member): Op => {
  const value = to.model.constantValue(e)
  if (typeof value === 'bigint') return to.constant(value, e)
  const name = e.name.name
  if (isTypeName(to.model, e.object)) return to.interned('const', name, e, null)
  return to.emit('builtin', e, name, [expr(to, e.object)])
}

const binary = (to: Builder, e: ast.Binary): Op => {
  const { left } = e
  if (left.kind === 'Binary') return chain(to, e)
  const value = scalar(expr(to, left))
  return operation(to, e, value, value.constant !== null && isLiteralExpression(left))
}

/** Left-deep chains of operators are walked along their spine, since they can be thousands long. */
const chain = (to: Builder, e: ast.Binary): Op => {
  const spine: ast.Binary[] = []
  let leaf: ast.Expression = e
  while (leaf.kind === 'Binary') {
    spine.push(leaf)
    leaf = leaf.left
  }
  let left = scalar(expr(to, leaf))
  let isLiteral = left.constant !== null && isLiteralExpression(leaf)
  for (let i = spine.length - 1; i >= 0; i--) {
    const node = spine[i]!
    left = operation(to, node, left, isLiteral)
    isLiteral = isLiteral && left.constant !== null && isLiteralExpression(node.right)
  }
  return left
}

const operation = (to: Builder, node: ast.Binary, left: Op, isLiteral: boolean): Op => {
  const { operator } = node
  if (isLiteral && isLiteralExpression(node.right)) {
    const folded = folding(to, operator, left.constant!, node)
    if (folded !== null) return folded
  }
  if ((operator === '&&' || operator === '||') && hasEffects(node.right)) return shortCircuit(to, node, left)
  const right = scalar(expr(to, node.right))
  return to.bin(operator, left, right, node, isChecked(to, operator))
}

/** Literals are exact whatever their size; a value that came through a variable has its type's range and is not folded. */
const folding = (to: Builder, operator: string, left: bigint, node: ast.Binary): Op | null => {
  const right = expr(to, node.right)
  if (right.kind !== 'const' || right.constant === null) return null
  const folded = exactArithmetic(operator, left, right.constant)
  return typeof folded === 'bigint' ? to.constant(folded, node) : null
}

/** The right side runs only when the left does not decide; the result is still one operation. */
const shortCircuit = (to: Builder, node: ast.Binary, left: Op): Op => {
  if (to.cur === null) return left
  let right = left
  const before = to.fork(left)
  if (node.operator === '&&') right = scalar(expr(to, node.right))
  const taken = to.cur === null ? null : to.exit()
  to.otherwise(before)
  if (node.operator === '||') right = scalar(expr(to, node.right))
  meet(to, taken)
  return to.bin(node.operator, left, right, node, true)
}

/** Evaluating it can neither do nor break anything, so it need not wait for the condition. */
const isPlain = (e: ast.Expression): boolean =>
  e.kind === 'Identifier' || e.kind === 'Literal' || (e.kind === 'Member' && e.object.kind === 'Identifier')

const conditional = (to: Builder, e: ast.Conditional): Op => {
  const condition = scalar(expr(to, e.condition))
  if (isPlain(e.then) && isPlain(e.else)) {
    const a = expr(to, e.then)
    return select(to, e, condition, a, expr(to, e.else))
  }
  if (to.cur === null) return select(to, e, condition, condition, condition)
  const before = to.fork(condition)
  const a = expr(to, e.then)
  const taken = to.cur === null ? null : to.exit()
  to.otherwise(before)
  const b = expr(to, e.else)
  meet(to, taken)
  return select(to, e, condition, a, b)
}

const select = (to: Builder, e: ast.Conditional, condition: Op, a: Op, b: Op): Op => {
  if (a.kind === 'tuple' && b.kind === 'tuple' && a.args.length === b.args.length) {
    const parts = a.args.map((x, i) => to.emit('select', e, '', [condition, x, b.args[i]!]))
    return to.make('tuple', e, '', parts)
  }
  const op = to.emit('select', e, '', [condition, a, b])
  op.location = commonPlace(to, [a, b])
  return op
}

const unary = (to: Builder, e: ast.Unary): Op => {
  switch (e.operator) {
    case '++':
    case '--':
      return step(to, e)
    case 'delete':
      deletion(to, e)
      return to.constant(0n, e)
    case '+':
    case 'after':
      return expr(to, e.operand)
    default: {
      const operand = scalar(expr(to, e.operand))
      if (operand.kind === 'const' && operand.constant !== null && e.operator === '-')
        return to.constant(-operand.constant, e)
      return to.push(to.make('un', e, e.operator, [operand], null, null, isChecked(to, e.operator)))
    }
  }
}
