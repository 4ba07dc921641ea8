/** Where expressions point to, and what is written there. */

import { isVariable, type Type, type VariableModel } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import type { Location, Op } from '../ir.ts'
import type { Builder } from './builder.ts'
import { bound, expr, isChecked, read, scalar, tooDeep, zero } from './operands.ts'
import { child, memoryRoot, partType, placeOfValue, stateRoot } from './places.ts'
import { asValue, load, store } from './stored-values.ts'

export const placeOf = (to: Builder, e: ast.Expression): Location => {
  const { kind } = e
  if (kind === 'Identifier') {
    const decl = to.model.resolve(e)
    const place = isVariable(decl) ? placeOfVariable(to, decl) : null
    if (place !== null) return place
  } else if (kind === 'Index') return placeOfIndex(to, e)
  else if (kind === 'Member') {
    const place = placeOfMember(to, e)
    if (place !== null) return place
  } else if (kind === 'Tuple' && e.elements.length === 1 && e.elements[0]) return placeOf(to, e.elements[0])
  return placeOfValue(to, expr(to, e))
}

export const placeOfIndex = (to: Builder, e: ast.Expression & { kind: 'Index' }): Location => {
  const base = nestedPlace(to, e.object)
  return e.index === null ? base : child(to, base, 'index', '', keyOf(expr(to, e.index)))
}

const placeOfMember = (to: Builder, e: ast.Member): Location | null => {
  const struct = structPlace(to, e.object)
  if (struct !== null) return child(to, struct, 'field', e.name.name, null)
  const decl = to.model.memberOf(e)
  if (isVariable(decl) && decl.role === 'state' && !decl.isConstant) return stateRoot(to, decl)
  if (e.name.name === 'length') return child(to, nestedPlace(to, e.object), 'length', '', null)
  if (decl === undefined || (isVariable(decl) && decl.role === 'field')) {
    return child(to, nestedPlace(to, e.object), 'field', e.name.name, null)
  }
  return null
}

const placeOfVariable = (to: Builder, decl: VariableModel): Location | null => {
  if (decl.role === 'state' && !decl.isConstant) return stateRoot(to, decl)
  const value = to.local(decl)
  return value === undefined ? null : placeOfValue(to, value)
}

/** The place of an expression that plainly names a struct, without asking the model about the member. */
export const structPlace = (to: Builder, e: ast.Expression): Location | null => {
  const { kind } = e
  if (kind === 'Identifier') {
    const decl = to.model.resolve(e)
    if (!isVariable(decl) || decl.isConstant || decl.type.kind !== 'struct') return null
    return placeOfVariable(to, decl) ?? placeOfValue(to, expr(to, e))
  }
  if (kind !== 'Index' || e.index === null) return null
  const root = rootIdentifier(e)
  if (root === null) return null
  const decl = to.model.resolve(root)
  if (!isVariable(decl) || elementType(decl.type, e)?.kind !== 'struct') return null
  return nestedPlace(to, e)
}

const nestedPlace = (to: Builder, e: ast.Expression): Location => {
  if (to.nesting >= to.budget.maxNesting) return memoryRoot(to, tooDeep(to, e))
  to.nesting++
  const place = placeOf(to, e)
  to.nesting--
  return place
}

/** The variable at the bottom of `a[i][j]`. */
export const rootIdentifier = (e: ast.Expression): ast.Identifier | null => {
  let at = e
  while (at.kind === 'Index' && at.index !== null) at = at.object
  return at.kind === 'Identifier' ? at : null
}

/** What indexing a variable of this type as `e` does gives. */
export const elementType = (type: Type, e: ast.Expression): Type | null => {
  let depth = 0
  for (let at = e; at.kind === 'Index'; at = at.object) depth++
  let element: Type | null = type
  while (depth-- > 0 && element !== null) element = partType(element, 'index', '')
  return element
}

/** Conversions that keep the number are no new key. */
const keyOf = (value: Op): Op => {
  let key = scalar(value)
  while (key.kind === 'cast' && key.args[0].kind !== 'const') key = key.args[0]
  return key
}

export const assignment = (to: Builder, e: ast.Assignment): Op => {
  if (e.operator === '=') {
    const value = expr(to, e.value)
    assign(to, e.target, value, e)
    return value
  }
  // The right side runs first, as the compiler does.
  const right = scalar(expr(to, e.value))
  const target = withoutParentheses(e.target)
  const place = placeToUpdate(to, target)
  const old = oldValue(to, target, place)
  const now = combine(to, e.operator.slice(0, -1), old, right, e)
  update(to, target, place, now, e)
  return now
}

/** `x++` and its like. */
export const step = (to: Builder, e: ast.Unary): Op => {
  const target = withoutParentheses(e.operand)
  const place = placeToUpdate(to, target)
  const old = oldValue(to, target, place)
  const now = combine(to, e.operator === '++' ? '+' : '-', old, to.constant(1n, e), e)
  update(to, target, place, now, e)
  return e.prefix ? now : old
}

const combine = (to: Builder, operator: string, old: Op, by: Op, node: ast.Span): Op =>
  to.bin(operator, old, by, node, isChecked(to, operator))

const withoutParentheses = (e: ast.Expression): ast.Expression => {
  let inner = e
  while (inner.kind === 'Tuple' && inner.elements.length === 1 && inner.elements[0]) inner = inner.elements[0]
  return inner
}

/**
 * A place that is read, and written back after. It is worked out once: its index may have effects, and working it out
 * twice at every level of `a[a[i]++]++` would take time exponential in the depth.
 */
const placeToUpdate = (to: Builder, target: ast.Expression): Location | null =>
  (target.kind === 'Index' && target.index !== null) || target.kind === 'Member' ? placeOf(to, target) : null

const oldValue = (to: Builder, target: ast.Expression, place: Location | null): Op => {
  if (place === null) return scalar(expr(to, target))
  const isLength = target.kind === 'Member' && target.name.name === 'length'
  return scalar(isLength ? load(to, place, target) : read(to, place, target))
}

const update = (to: Builder, target: ast.Expression, place: Location | null, now: Op, node: ast.Span): void => {
  if (place !== null) store(to, place, asValue(to, scalar(now), node), node)
  // Anything else is no place to write to: only broken code gets here.
  else if (target.kind === 'Identifier') assign(to, target, now, node)
}

export const assign = (to: Builder, target: ast.Expression, value: Op, node: ast.Span): void => {
  const { kind } = target
  if (kind === 'Identifier') {
    const decl = to.model.resolve(target)
    if (isVariable(decl)) {
      if (decl.role !== 'state') {
        to.setLocal(decl, bound(to, decl, value, node))
        return
      }
      if (!decl.isConstant) {
        const place = stateRoot(to, decl)
        store(to, place, asValue(to, scalar(value), node), node)
        return
      }
    }
  } else if (kind === 'Tuple') {
    assignTuple(to, target.elements, value, node)
    return
  }
  storeRecord(to, placeOf(to, target), asValue(to, scalar(value), node), node)
}

/** `Deal memory deal = deals[id]; deal.isOpen = false; deals[id] = deal`: what was changed in the copy is what is written. */
const storeRecord = (to: Builder, place: Location, value: Op, node: ast.Span): void => {
  const changed = value.kind === 'load' && value.location === place ? to.changedFields.get(value) : undefined
  const fields = [...(changed ?? [])]
  if (fields.length === 0 || fields.some(({ part }) => part !== 'field')) store(to, place, value, node)
  else for (const field of fields) store(to, child(to, place, 'field', field.name, null), load(to, field, node), node)
}

const assignTuple = (to: Builder, targets: readonly (ast.Expression | null)[], value: Op, node: ast.Span): void => {
  if (targets.length === 1 && targets[0]) {
    assign(to, targets[0], value, node)
    return
  }
  if (to.nesting >= to.budget.maxNesting) return
  to.nesting++
  for (let i = 0; i < targets.length; i++) {
    const target = targets[i]
    if (target) assign(to, target, to.part(value, i, node), node)
  }
  to.nesting--
}

export const deletion = (to: Builder, e: ast.Unary): void => {
  const target = e.operand
  if (target.kind === 'Identifier') {
    const decl = to.model.resolve(target)
    if (isVariable(decl) && decl.role !== 'state') {
      const slot = to.slotOf(decl)
      if (slot >= 0) to.setSlot(slot, zero(to, decl, e))
      return
    }
  }
  const place = placeOf(to, target)
  store(to, place, to.constant(0n, e), e, true)
}

/** Gives a declared variable its first value. */
export const bindLocal = (to: Builder, variable: VariableModel, value: Op, node: ast.Span | null): void => {
  to.setLocal(variable, bound(to, variable, value, node))
}

/** `list.push(x)`: the length is read, the element written, the length counted up. */
export const grow = (to: Builder, e: ast.Call, list: ast.Expression, arg: ast.Expression | undefined): Op => {
  const place = placeOf(to, list)
  const length = child(to, place, 'length', '', null)
  const old = load(to, length, e)
  const element = child(to, place, 'index', '', old)
  if (arg !== undefined) store(to, element, asValue(to, scalar(expr(to, arg)), arg), e)
  const grown = to.bin('+', old, to.constant(1n, e), e, true)
  store(to, length, grown, e)
  return arg === undefined ? to.make('ref', e, '', [], element) : grown
}

export const shrink = (to: Builder, e: ast.Call, list: ast.Expression): Op => {
  const place = placeOf(to, list)
  const length = child(to, place, 'length', '', null)
  const old = load(to, length, e)
  store(to, child(to, place, 'any', '', null), to.constant(0n, e), e, true)
  store(to, length, to.bin('-', old, to.constant(1n, e), e, true), e, true)
  return old
}
