/**
 * Whether a node of the scan is what a pattern describes. Recursion is bounded by the depth of the pattern, and every comparison is
 * charged, so that a rule cannot take more work than its budget.
 */
import type { FunctionDefinition, ImportDirective, Node, Span } from '../syntax/index.ts'
import { ellipsis, isMetavariable } from './pattern.ts'

/** What each metavariable means: the node, and its text without white space. */
export type Bindings = ReadonlyMap<string, { readonly at: Span; readonly text: string }>

export class WorkSpent extends Error {}

export interface Matching {
  textOf(span: Span): string
  /** Comparisons that are left. */
  work: number
}

const none: Bindings = new Map()

/** The bindings with which the node matches, added to those given; undefined: it does not. */
export const matchNode = (
  pattern: Node,
  node: Node,
  matching: Matching,
  given: Bindings = none,
): Bindings | undefined => compare(pattern, node, given, matching)

type Value = unknown

/** Places and notes are no part of what a node is. */
const skippedKeys = new Set(['start', 'end', 'meaning', 'index', 'found', 'headEnd'])

function compare(pattern: Value, value: Value, bound: Bindings, matching: Matching): Bindings | undefined {
  spend(matching)
  if (Array.isArray(pattern)) return Array.isArray(value) ? compareLists(pattern, value, bound, matching) : undefined
  if (!isNode(pattern)) return pattern === value ? bound : undefined
  const name = metavariableIn(pattern)
  if (name !== undefined) return isNode(value) ? bind(name, value as Node, bound, matching) : undefined
  if (!isNode(value)) return undefined
  return compareNodes(pattern as Node, value as Node, bound, matching)
}

function compareNodes(pattern: Node, given: Node, bound: Bindings, matching: Matching): Bindings | undefined {
  const node = withoutParentheses(given)
  if (pattern.kind !== node.kind) return undefined
  if (pattern.kind === 'FunctionDefinition')
    return compareFunctions(pattern, node as FunctionDefinition, bound, matching)
  if (pattern.kind === 'ImportDirective') return compareImports(pattern, node as ImportDirective, bound)
  if (pattern.kind === 'ContractDefinition') {
    const { contractKind, name, bases } = node as typeof pattern
    if (pattern.contractKind !== 'contract' && pattern.contractKind !== contractKind) return undefined
    return compareSome(pattern.bases, bases, compare(pattern.name, name, bound, matching), matching)
  }
  if (pattern.kind === 'Literal') {
    const { value, unit, literalKind } = node as typeof pattern
    const isAny = pattern.literalKind === 'string' && pattern.value === '...' && literalKind === 'string'
    const isEqual = plainNumber(pattern.value) === plainNumber(value) && pattern.unit === unit
    return isAny || isEqual ? bound : undefined
  }
  if (pattern.kind === 'ElementaryType')
    return fullName(pattern.name) === fullName((node as typeof pattern).name) ? bound : undefined
  if (pattern.kind === 'Call') return compareCalls(pattern, node as typeof pattern, bound, matching)
  return compareFields(pattern, node, bound, matching)
}

function compareFields(pattern: Node, node: Node, bound: Bindings, matching: Matching): Bindings | undefined {
  let current: Bindings | undefined = bound
  for (const [key, value] of Object.entries(pattern)) {
    if (skippedKeys.has(key)) continue
    current = compare(value, (node as unknown as Record<string, unknown>)[key], current, matching)
    if (current === undefined) return undefined
  }
  return current
}

/** `x.call($D)` also means `x.call{value: 1}($D)`: options that the pattern does not name are free. */
function compareCalls(
  pattern: Extract<Node, { kind: 'Call' }>,
  node: Extract<Node, { kind: 'Call' }>,
  bound: Bindings,
  matching: Matching,
): Bindings | undefined {
  const callee =
    pattern.callee.kind !== 'CallOptions' && node.callee.kind === 'CallOptions' ? node.callee.callee : node.callee
  const called = compare(pattern.callee, callee, bound, matching)
  return called && compare(pattern.args.values, node.args.values, called, matching)
}

/** What the pattern of a function does not write is free; modifiers may stand among others. */
function compareFunctions(
  pattern: FunctionDefinition,
  fn: FunctionDefinition,
  bound: Bindings,
  matching: Matching,
): Bindings | undefined {
  if (pattern.functionKind !== fn.functionKind && !(pattern.functionKind === 'function' && fn.functionKind === 'free'))
    return undefined
  if (pattern.visibility !== null && pattern.visibility !== fn.visibility) return undefined
  if (pattern.mutability !== 'nonpayable' && pattern.mutability !== fn.mutability) return undefined
  const named = pattern.name === null ? bound : fn.name && compare(pattern.name, fn.name, bound, matching)
  const taken = named && compare(pattern.params, fn.params, named, matching)
  const guarded = compareSome(pattern.modifiers, fn.modifiers, taken ?? undefined, matching)
  if (guarded === undefined || pattern.body === null) return guarded
  return fn.body === null ? undefined : compare(pattern.body.statements, fn.body.statements, guarded, matching)
}

/** Each of the pattern's is among the node's. */
function compareSome(
  patterns: readonly Node[],
  nodes: readonly Node[],
  bound: Bindings | undefined,
  matching: Matching,
): Bindings | undefined {
  let current = bound
  for (const pattern of patterns) {
    const before: Bindings | undefined = current
    if (before === undefined) return undefined
    current = nodes.reduce<Bindings | undefined>(
      (found, node) => found ?? compareNamed(pattern, node, before, matching),
      undefined,
    )
  }
  return current
}

/** `onlyOwner` and `Base` without parentheses mean those with any arguments, too. */
function compareNamed(pattern: Node, node: Node, bound: Bindings, matching: Matching): Bindings | undefined {
  if (pattern.kind === 'ModifierInvocation' && node.kind === 'ModifierInvocation' && pattern.args === null)
    return compare(pattern.name, node.name, bound, matching)
  if (pattern.kind === 'InheritanceSpecifier' && node.kind === 'InheritanceSpecifier' && pattern.args === null)
    return compare(pattern.base, node.base, bound, matching)
  return compare(pattern, node, bound, matching)
}

/** The path with `*` for anything; names are compared where the pattern has some. */
function compareImports(pattern: ImportDirective, node: ImportDirective, bound: Bindings): Bindings | undefined {
  if (!matchesWildcard(pattern.path, node.path)) return undefined
  const wanted = pattern.symbols?.map(({ name }) => name.name)
  const names = new Set(node.symbols?.map(({ name }) => name.name))
  return wanted === undefined || wanted.every((name) => names.has(name)) ? bound : undefined
}

/** `*` is any text. Both ends move forward only, so the work is at most one length times the other. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let [at, from, star, resume] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[from] === '*') {
      star = from++
      resume = at
    } else if (pattern[from] === text[at]) {
      from++
      at++
    } else if (star >= 0) {
      from = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}

/** With `...` for any number of items. What follows an ellipsis is tried at each place. */
function compareLists(
  patterns: readonly Value[],
  values: readonly Value[],
  bound: Bindings,
  matching: Matching,
  [from, at] = [0, 0],
): Bindings | undefined {
  if (from === patterns.length) return at === values.length ? bound : undefined
  if (!isEllipsis(patterns[from])) {
    const next = at < values.length ? compare(patterns[from], values[at], bound, matching) : undefined
    return next && compareLists(patterns, values, next, matching, [from + 1, at + 1])
  }
  for (let skipped = at; skipped <= values.length; skipped++) {
    spend(matching)
    const found = compareLists(patterns, values, bound, matching, [from + 1, skipped])
    if (found !== undefined) return found
  }
  return undefined
}

export const spend = (matching: Matching): void => {
  if (--matching.work < 0) throw new WorkSpent('the rule needs too much work')
}

function bind(name: string, node: Node, bound: Bindings, { textOf }: Matching): Bindings | undefined {
  const text = textOf(node).replace(/\s+/g, '')
  const before = bound.get(name)
  if (before !== undefined) return before.text === text ? bound : undefined
  return new Map([...bound, [name, { at: node, text }]])
}

const isNode = (value: Value): value is { readonly kind: string } =>
  typeof value === 'object' && value !== null && 'kind' in value

/** `$X` as a name, an expression, a type, a path or a statement. */
function metavariableIn(value: { readonly kind: string }): string | undefined {
  const node = value as Node
  switch (node.kind) {
    case 'Identifier':
      return isMetavariable(node.name) ? node.name : undefined
    case 'Path':
      return node.names.length === 1 ? metavariableIn(node.names[0] as Node) : undefined
    case 'UserType':
      return metavariableIn(node.path)
    case 'ExpressionStatement':
      return metavariableIn(node.expression)
    default:
      return undefined
  }
}

function isEllipsis(value: Value): boolean {
  if (!isNode(value)) return false
  const node = value as Node
  if (node.kind === 'Identifier') return node.name === ellipsis
  if (node.kind === 'ExpressionStatement') return isEllipsis(node.expression)
  if (node.kind !== 'Parameter' || node.type.kind !== 'UserType') return false
  return node.type.path.names.some(isEllipsis)
}

const withoutParentheses = (node: Node): Node => {
  let inner = node
  while (inner.kind === 'Tuple' && inner.elements.length === 1 && inner.elements[0]) inner = inner.elements[0]
  return inner
}

const plainNumber = (written: string): string => written.replaceAll('_', '')
const fullName = (type: string): string => (type === 'uint' || type === 'int' ? `${type}256` : type)
