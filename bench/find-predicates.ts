import { parseAst } from 'rolldown/parseAst'

/** A function that answers with a boolean, and where its body stands. */
export interface Predicate {
  readonly name: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly isBlock: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])

const answersBoolean = (node: Node): boolean => {
  const type = (node.returnType as Node | null)?.typeAnnotation as Node | undefined
  return type?.type === 'TSBooleanKeyword' || (type?.type === 'TSTypePredicate' && type.asserts !== true)
}

/** The name that stands nearest above it: its own, or that of the variable, member or key that holds it. */
const nameOf = (node: Node, within: string): string => {
  const named = (node.id ?? node.key) as Node | null | undefined
  return isNode(named) && typeof named.name === 'string' ? named.name : within
}

export const findPredicates = (source: string): Predicate[] => {
  const found: Predicate[] = []
  const visit = (node: Node, within: string): void => {
    const name = nameOf(node, within)
    if (functions.has(node.type) && isNode(node.body) && answersBoolean(node)) {
      const { start, end, type } = node.body
      found.push({
        name,
        line: source.slice(0, node.start).split('\n').length,
        start,
        end,
        isBlock: type === 'BlockStatement',
      })
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, name)
  }
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, '')
  return found
}
