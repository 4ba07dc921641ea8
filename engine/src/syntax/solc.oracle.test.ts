import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Node, parse, walk } from './index.ts'

/**
 * The compilers themselves as oracles. Declarations are compared with their full extent (a semicolon belongs to our
 * spans and not to theirs); expressions are compared by kind and extent, which pins down precedence.
 */
const require = createRequire(import.meta.url)

interface SolcNode {
  readonly nodeType: string
  readonly src: string
  readonly name?: string
  readonly isInlineArray?: boolean
  readonly [key: string]: unknown
}

interface Compiler {
  readonly compile: (input: string, read?: unknown) => string
  readonly compileStandardWrapper?: (input: string, read?: unknown) => string
}

const sampleText = (name: string): string => readFileSync(join(import.meta.dirname, 'samples', name), 'utf8')

const compilerTree = (version: string, name: string, text: string): SolcNode => {
  const compiler = require(`solc-${version}`) as Compiler
  const settings = { outputSelection: { '*': { '': ['ast'] } }, ...(version === '0.8' && { stopAfter: 'parsing' }) }
  const input = JSON.stringify({ language: 'Solidity', sources: { [name]: { content: text } }, settings })
  const compile = version === '0.4' ? compiler.compileStandardWrapper! : compiler.compile
  const output = JSON.parse(compile(input)) as {
    sources?: Record<string, { ast: SolcNode }>
    errors?: { severity: string; formattedMessage: string }[]
  }
  const tree = output.sources?.[name]?.ast
  const problems = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (tree === undefined) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return tree
}

const DECLARATIONS: Readonly<Record<string, string>> = {
  ContractDefinition: 'ContractDefinition',
  FunctionDefinition: 'FunctionDefinition',
  ModifierDefinition: 'ModifierDefinition',
  StructDefinition: 'StructDefinition',
  EnumDefinition: 'EnumDefinition',
  EventDefinition: 'EventDefinition',
  ErrorDefinition: 'ErrorDefinition',
  UserDefinedValueTypeDefinition: 'UserTypeDefinition',
  VariableDeclaration: 'variable',
  PragmaDirective: 'PragmaDirective',
  ImportDirective: 'ImportDirective',
  UsingForDirective: 'UsingDirective',
  InheritanceSpecifier: 'InheritanceSpecifier',
  ModifierInvocation: 'ModifierInvocation',
}

const EXPRESSIONS: Readonly<Record<string, string>> = {
  Assignment: 'Assignment',
  BinaryOperation: 'Binary',
  UnaryOperation: 'Unary',
  Conditional: 'Conditional',
  FunctionCall: 'Call',
  FunctionCallOptions: 'CallOptions',
  NewExpression: 'NewExpression',
  MemberAccess: 'Member',
  IndexAccess: 'Index',
  IndexRangeAccess: 'Slice',
  TupleExpression: 'Tuple',
}

const isVariable = (kind: string): boolean => kind === 'StateVariable' || kind === 'Parameter'

/** Kind, beginning and size of a piece of source without its semicolon. */
const show = (kind: string, text: string): string => {
  const bare = text.replace(/\s*;$/, '')
  return `${kind} ${bare.slice(0, 70).replaceAll(/\s+/g, ' ')} (${bare.length})`
}

const fromCompiler = (root: SolcNode, bytes: Buffer, kinds: Readonly<Record<string, string>>): string[] => {
  const found: string[] = []
  const go = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const node = value as SolcNode
    const kind = kinds[node.nodeType]
    if (kind !== undefined) {
      const [start, length] = node.src.split(':').map(Number) as [number, number]
      const text = bytes.subarray(start, start + length).toString('utf8')
      found.push(show(node.isInlineArray ? 'ArrayLiteral' : kind, text))
    }
    for (const child of Object.values(node)) go(child)
  }
  go(root)
  return found.sort()
}

const fromUs = (text: string, kinds: Readonly<Record<string, string>>): string[] => {
  const wanted = new Set([...Object.values(kinds), ...(kinds.TupleExpression ? ['ArrayLiteral'] : [])])
  const found: string[] = []
  const { unit, errors } = parse(text)
  expect(errors).toEqual([])
  walk(unit, (node: Node) => {
    const kind = isVariable(node.kind) ? 'variable' : node.kind
    if (wanted.has(kind)) found.push(show(kind, text.slice(node.start, node.end)))
  })
  return found.sort()
}

const cases = [
  ['0.4', 'legacy-04.sol'],
  ['0.5', 'classic-05.sol'],
  ['0.6', 'middle-06.sol'],
  ['0.7', 'modern-07.sol'],
  ['0.8', 'current-08.sol'],
  ['0.8', 'precedence.sol'],
] as const

test.each(cases)(
  'solc %s agrees on every declaration and expression of %s',
  (version, name) => {
    const text = sampleText(name)
    const tree = compilerTree(version, name, text)
    const bytes = Buffer.from(text, 'utf8')
    expect(fromUs(text, DECLARATIONS)).toEqual(fromCompiler(tree, bytes, DECLARATIONS))
    expect(fromUs(text, EXPRESSIONS)).toEqual(fromCompiler(tree, bytes, EXPRESSIONS))
  },
  60_000,
)
