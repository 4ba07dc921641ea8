import { parseAst } from 'rolldown/parseAst'

export interface Import {
  readonly from: string
  /** Names taken, `*` for all of them; empty for a bare or dynamic import. */
  readonly names: readonly string[]
  /** Gone after compilation. */
  readonly isTypeOnly: boolean
  readonly line: number
}

/** A name that is used, not declared: no member, no key. */
export interface Use {
  readonly name: string
  /** `now` in `Date.now`. */
  readonly member: string | undefined
  /** `call` in `f(x)`, `new` in `new F(x)`; of the name itself, not of its members. */
  readonly as: 'call' | 'new' | undefined
  readonly argumentCount: number
  readonly line: number
}

/** A string or the fixed parts of a template. */
export interface Text {
  readonly text: string
  readonly line: number
}

export interface ModuleText {
  /** Static, re-exporting, dynamic, and in a type (`import('./x.ts').Y`). */
  readonly imports: readonly Import[]
  readonly uses: readonly Use[]
  readonly texts: readonly Text[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/** What a TypeScript module imports, names and says, in the order written. */
export function readModule(source: string, path = 'module.tsx'): ModuleText {
  const lineOf = countLines(source)
  const imports: Import[] = []
  const uses: Use[] = []
  const texts: Text[] = []

  const visit = (node: Node, parent: Node | undefined, isBinding: boolean): void => {
    const found = importOf(node)
    const text = textOf(node)
    if (found) imports.push({ ...found, line: lineOf(node.start) })
    else if (text !== undefined) texts.push({ text, line: lineOf(node.start) })
    else if (node.type === 'Identifier' && !isBinding) uses.push({ ...useOf(node, parent), line: lineOf(node.start) })
    for (const key in node) {
      const value = node[key]
      if (typeof value !== 'object' || value === null || isSkipped(node, key)) continue
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, node, isBindingOf(node, key, isBinding))
    }
  }
  visit(parseAst(source, { lang: languageOf(path) }, path) as unknown as Node, undefined, false)
  return { imports, uses, texts }
}

const languageOf = (path: string): 'ts' | 'tsx' | 'js' =>
  path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js'

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function countLines(source: string): (offset: number) => number {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

function importOf(node: Node): Omit<Import, 'line'> | undefined {
  const from = isNode(node.source) ? sourceText(node.source) : undefined
  if (from === undefined) return undefined
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration': {
      const specifiers = (node.specifiers ?? []) as readonly Node[]
      const isType = (part: Node): boolean => part.importKind === 'type' || part.exportKind === 'type'
      return {
        from,
        names: node.type === 'ExportAllDeclaration' ? ['*'] : specifiers.map(nameTaken),
        isTypeOnly: isType(node) || (specifiers.length > 0 && specifiers.every(isType)),
      }
    }
    case 'ImportExpression':
    case 'TSImportType':
      return { from, names: [], isTypeOnly: false }
    default:
      return undefined
  }
}

/** A path that is computed leads nowhere that can be known. */
function sourceText(node: Node): string | undefined {
  const [only, ...others] = node.type === 'TemplateLiteral' ? (node.quasis as readonly Node[]) : [node]
  return only && others.length === 0 ? textOf(only) : undefined
}

function textOf(node: Node): string | undefined {
  if (node.type === 'TemplateElement') return (node.value as { raw: string }).raw
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function nameTaken(specifier: Node): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*'
  const name = (specifier.type === 'ImportSpecifier' ? specifier.imported : specifier.local) as Node
  return String(name.name ?? name.value)
}

function useOf(node: Node, parent: Node | undefined): Omit<Use, 'line'> {
  const isCallee = parent !== undefined && parent.callee === node
  return {
    name: String(node.name),
    member: parent?.type === 'MemberExpression' && parent.object === node ? memberName(parent) : undefined,
    as: isCallee ? (parent.type === 'NewExpression' ? 'new' : 'call') : undefined,
    argumentCount: isCallee ? (parent.arguments as unknown[]).length : 0,
  }
}

function memberName({ property }: Node): string | undefined {
  const name = property as Node
  return name.type === 'Identifier' ? String(name.name) : typeof name.value === 'string' ? name.value : undefined
}

/** Names that stand for themselves: members, keys, and what imports and exports list. */
function isSkipped(node: Node, key: string): boolean {
  if (key === 'property' && node.type === 'MemberExpression') return node.computed !== true
  if (key === 'key') return node.computed !== true
  if (key === 'right' && node.type === 'TSQualifiedName') return true
  if (key === 'label' || key === 'qualifier') return true
  return key === 'specifiers' || (key === 'source' && importOf(node) !== undefined)
}

const patterns = new Set(['ObjectPattern', 'ArrayPattern', 'RestElement'])

/** Whether what stands there is declared by it, as the names of variables and parameters are. */
function isBindingOf(node: Node, key: string, isBinding: boolean): boolean {
  if (key === 'id' || key === 'params') return true
  if (key === 'param' && node.type === 'CatchClause') return true
  if (node.type === 'AssignmentPattern') return isBinding && key === 'left'
  if (node.type === 'Property') return isBinding && key === 'value'
  return isBinding && patterns.has(node.type) && key !== 'typeAnnotation'
}
