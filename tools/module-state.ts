import { parseAst } from 'rolldown/parseAst'
import type { SourceText } from './doors.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])
const mutators = new Set('set add delete clear push pop shift unshift splice sort reverse fill'.split(' '))

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined

/** `known` in `known.set(…)`, `known.size = 1`, `known[0]++`, `known = …`: what a node changes; undefined where it changes nothing. */
const changedBy = (node: Node): string | undefined => {
  if (node.type === 'CallExpression') {
    const callee = node.callee as Node
    const isMutator = callee.type === 'MemberExpression' && mutators.has(nameOf(callee.property) ?? '')
    return isMutator ? nameOf(callee.object) : undefined
  }
  const target =
    node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : undefined
  if (!isNode(target) || target.type !== 'MemberExpression') return nameOf(target)
  // Where a sticky expression looks is said before each look.
  return nameOf(target.property) === 'lastIndex' ? undefined : nameOf(target.object)
}

/** The names that a module declares for itself, with how each was declared. */
const declarationsOf = (body: readonly Node[]): Map<string, string> => {
  const declared = new Map<string, string>()
  for (const statement of body) {
    const inner = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement
    if (inner?.type !== 'VariableDeclaration') continue
    for (const one of inner.declarations as Node[]) {
      const name = nameOf(one.id)
      if (name !== undefined) declared.set(name, String(inner.kind))
    }
  }
  return declared
}

/**
 * State that a module keeps from one call to the next: a `let` of its own, or a collection that one of its functions changes.
 * Tables that are filled while the module is loaded are none. A name that a function declares anew is taken for the module's.
 */
export const findModuleState = ({ path, text }: SourceText): string[] => {
  const { body } = parseAst(text, { lang: 'ts' }) as unknown as { body: readonly Node[] }
  const declared = declarationsOf(body)
  const found = new Set<string>()
  for (const [name, kind] of declared) if (kind !== 'const') found.add(`${path}: ${kind} ${name}`)
  const visit = (node: Node, isInside: boolean): void => {
    const changed = isInside ? changedBy(node) : undefined
    if (changed !== undefined && declared.get(changed) === 'const') found.add(`${path}: ${changed} is changed`)
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, isInside || functions.has(node.type))
  }
  for (const statement of body) visit(statement, false)
  return [...found]
}
