import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Node, parse, walk } from './index.ts'

/**
 * @solidity-parser/parser as an oracle for kinds and spans. Where its tree is built differently (a variable of a
 * declaration statement, `type(X)`, Yul) the node is left out on both sides; everything else must match one to one.
 */
const require = createRequire(import.meta.url)
const peer = require('@solidity-parser/parser') as {
  parse(text: string, options: { range: boolean }): PeerNode
  visit(node: PeerNode, visitor: Record<string, (node: PeerNode) => void>): void
}

interface PeerNode {
  readonly type: string
  readonly range: [number, number]
  readonly isArray?: boolean
  readonly operator?: string
  readonly [key: string]: unknown
}

const KINDS: Readonly<Record<string, string>> = {
  PragmaDirective: 'PragmaDirective',
  ImportDirective: 'ImportDirective',
  ContractDefinition: 'ContractDefinition',
  InheritanceSpecifier: 'InheritanceSpecifier',
  StateVariableDeclaration: 'StateVariable',
  FileLevelConstant: 'StateVariable',
  FunctionDefinition: 'FunctionDefinition',
  ModifierDefinition: 'ModifierDefinition',
  ModifierInvocation: 'ModifierInvocation',
  StructDefinition: 'StructDefinition',
  EnumDefinition: 'EnumDefinition',
  EventDefinition: 'EventDefinition',
  CustomErrorDefinition: 'ErrorDefinition',
  TypeDefinition: 'UserTypeDefinition',
  UsingForDeclaration: 'UsingDirective',
  Mapping: 'MappingType',
  Block: 'Block',
  UncheckedStatement: 'Block',
  IfStatement: 'IfStatement',
  WhileStatement: 'WhileStatement',
  DoWhileStatement: 'DoWhileStatement',
  ForStatement: 'ForStatement',
  ContinueStatement: 'ContinueStatement',
  BreakStatement: 'BreakStatement',
  ReturnStatement: 'ReturnStatement',
  ThrowStatement: 'ThrowStatement',
  EmitStatement: 'EmitStatement',
  RevertStatement: 'RevertStatement',
  TryStatement: 'TryStatement',
  CatchClause: 'CatchClause',
  VariableDeclarationStatement: 'VariableStatement',
  ExpressionStatement: 'ExpressionStatement',
  InlineAssemblyStatement: 'AssemblyStatement',
  UnaryOperation: 'Unary',
  Conditional: 'Conditional',
  FunctionCall: 'Call',
  NameValueExpression: 'CallOptions',
  NewExpression: 'NewExpression',
  MemberAccess: 'Member',
  IndexAccess: 'Index',
  IndexRangeAccess: 'Slice',
  NumberLiteral: 'Literal',
  BooleanLiteral: 'Literal',
  StringLiteral: 'Literal',
  HexLiteral: 'Literal',
}

const ASSIGNMENT = /^(=|\|=|\^=|&=|<<=|>>=|>>>=|\+=|-=|\*=|\/=|%=)$/
const compared = new Set([...Object.values(KINDS), 'Binary', 'Assignment', 'Tuple', 'ArrayLiteral'])

const peerKind = (node: PeerNode): string | undefined => {
  if (node.type === 'BinaryOperation') return ASSIGNMENT.test(node.operator!) ? 'Assignment' : 'Binary'
  if (node.type === 'TupleExpression') return node.isArray ? 'ArrayLiteral' : 'Tuple'
  return KINDS[node.type]
}

const show = (text: string, kind: string, start: number, end: number): string =>
  `${kind} ${start}-${end} ${text.slice(start, Math.min(end, start + 60))}`

const peerNodes = (text: string): string[] => {
  const found: string[] = []
  const seen = new Set<object>()
  const go = (value: unknown): void => {
    if (value === null || typeof value !== 'object' || seen.has(value)) return
    seen.add(value)
    const node = value as PeerNode
    if (typeof node.type === 'string' && node.type.startsWith('Assembly')) return
    const kind = typeof node.type === 'string' ? peerKind(node) : undefined
    if (kind !== undefined && node.range) found.push(show(text, kind, node.range[0], node.range[1] + 1))
    // An unchecked block is one node here and two there; the path of an import is a node there only.
    if (node.type === 'UncheckedStatement') seen.add(node.block as object)
    if (node.type === 'UncheckedStatement') go((node.block as PeerNode).statements)
    for (const [key, child] of Object.entries(node)) if (key !== 'range' && key !== 'pathLiteral') go(child)
  }
  go(peer.parse(text, { range: true }))
  return found.sort()
}

const nodesOfParser = (text: string): string[] => {
  const found: string[] = []
  const { unit, errors } = parse(text)
  expect(errors).toEqual([])
  walk(unit, (node: Node) => {
    const kind = node.kind === 'PlaceholderStatement' ? 'ExpressionStatement' : node.kind
    if (compared.has(kind)) found.push(show(text, kind, node.start, node.end))
    return node.kind !== 'YulBlock'
  })
  return found.sort()
}

const solidityFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const packageFolder = (name: string): string => join(require.resolve(`${name}/package.json`), '..')

const samples = solidityFiles(join(import.meta.dirname, 'samples')).filter(
  (file) => !file.includes('legacy-04') && !file.includes('precedence'),
)

test.each(samples.map((file) => [file.split('/').at(-1)!, file]))('%s: same nodes at the same places', (_, file) => {
  const text = readFileSync(file, 'utf8')
  expect(nodesOfParser(text)).toEqual(peerNodes(text))
})

test('published libraries: same nodes at the same places', () => {
  const every = ['@openzeppelin/contracts', 'solmate', '@uniswap/v2-core'].flatMap((name) =>
    solidityFiles(packageFolder(name)).filter((file) => !/\/(test|mocks)\//.test(file)),
  )
  const chosen = every.filter((_, index) => index % 8 === 0)
  expect(chosen.length).toBeGreaterThan(25)
  for (const file of chosen) {
    const text = readFileSync(file, 'utf8')
    expect(nodesOfParser(text), file).toEqual(peerNodes(text))
  }
})
