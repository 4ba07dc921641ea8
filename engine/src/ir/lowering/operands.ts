/** What all that is lowered asks about expressions. An expression may hold any other, so the way back up is by the builder. */

import type { Declaration, Model, VariableModel } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import type { Location, Op } from '../ir.ts'
import type { Builder } from './builder.ts'
import { pointerRoot } from './places.ts'
import { asValue, load } from './stored-values.ts'

export const expr = (to: Builder, e: ast.Expression): Op => to.lower.expression(to, e)

/** The values of a list of expressions. */
export const exprs = (to: Builder, list: readonly ast.Expression[]): Op[] => list.map((e) => expr(to, e))

/** The same, each as one value that is no reference into storage. */
export const plainValues = (to: Builder, list: readonly ast.Expression[]): Op[] => list.map((e) => plainValue(to, e))

export const plainValue = (to: Builder, e: ast.Expression): Op => asValue(to, scalar(expr(to, e)), e)

/** A tuple where one value is expected: its first part (`bool ok = a.call()` in 0.4). */
export const scalar = (value: Op): Op => (value.kind === 'tuple' && value.args.length > 0 ? value.args[0]! : value)

export const tooDeep = (to: Builder, node: ast.Span): Op => {
  const message = 'an expression nests too deeply'
  if (!to.problems.includes(message)) to.problem(message)
  to.isCutInside = true
  return to.unknown('nested too deeply', node)
}

/** What a variable holds before anything is assigned to it. */
export const zero = (to: Builder, decl: VariableModel, node: ast.Span | null): Op => {
  // What the text says alone is quicker than the type.
  const written = decl.node.type
  if (written.kind === 'ElementaryType' && written.name !== 'bytes' && written.name !== 'string') {
    return to.constant(0n, node)
  }
  switch (decl.type.kind) {
    case 'struct':
    case 'array':
    case 'bytes':
    case 'string':
      if (decl.location === 'storage') return to.unknown('uninitialized storage pointer', node)
      return to.emit('make', node, 'zero', [])
    case 'unknown':
      // A type of a missing file: only what is no plain value is declared with a place to be kept in.
      if (decl.node.kind === 'Parameter' && decl.node.location === 'memory') return to.emit('make', node, 'zero', [])
      return to.constant(0n, node)
    default:
      return to.constant(0n, node)
  }
}

/** A value as a variable takes it: where it is declared `storage` the place itself, else a copy. */
export const bound = (to: Builder, variable: VariableModel, value: Op, node: ast.Span | null): Op => {
  const one = scalar(value)
  return variable.location === 'storage' ? pointer(to, one, node) : asValue(to, one, node)
}

const pointer = (to: Builder, value: Op, node: ast.Span | null): Op => {
  // A place whose type is not among the files was taken for a plain value and loaded.
  if (value.kind === 'load' && value.location.space !== 'memory') return to.make('ref', node, '', [], value.location)
  if (value.kind !== 'call' && value.kind !== 'extract') return value
  return to.make('ref', node, '', [], pointerRoot(to, value))
}

/** Reference types give a pointer, everything else is loaded. */
export const read = (to: Builder, place: Location, e: ast.Expression): Op =>
  place.space === 'memory' ? load(to, place, e) : readAs(to, place, (place.type ?? to.model.typeOf(e)).kind, e)

export const readAs = (to: Builder, place: Location, type: string, e: ast.Expression): Op =>
  type === 'mapping' || type === 'struct' || type === 'array' ? to.make('ref', e, '', [], place) : load(to, place, e)

export const isChecked = (to: Builder, operator: string): boolean =>
  to.arithmeticChecked && !to.unchecked && operator !== '<<' && operator !== '>>'

/** Nothing of the file has that name: it means what the language says. */
export const isBuiltin = (model: Model, e: ast.Identifier): boolean => {
  const decl = model.resolve(e)
  return decl !== undefined && !Array.isArray(decl) && (decl as Declaration).kind === 'builtin'
}

export const isTypeName = (model: Model, e: ast.Expression): boolean => {
  if (e.kind === 'TypeExpression') return true
  if (e.kind === 'Identifier') {
    const decl = model.resolve(e)
    if (decl === undefined || Array.isArray(decl)) return false
    const kind = (decl as Declaration).kind
    return kind !== 'variable' && kind !== 'function' && (kind !== 'builtin' || (e.name !== 'this' && e.name !== 'now'))
  }
  if (e.kind === 'Member' || e.kind === 'Call') {
    const kind = model.typeOf(e).kind
    return kind === 'type' || kind === 'module' || kind === 'meta' || kind === 'magic'
  }
  return false
}
