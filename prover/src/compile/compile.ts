/** Solidity files in, bytecode with source maps and trees out; remembered by content. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InputFile } from '@assay/engine'
import type { AbiFunction, AbiParameter } from '../evm/abi.ts'
import type { CompilerLine, Compilers, Solc } from '../packages.ts'
import { type AddressTypes, addressTypesIn } from './address-types.ts'
import type { AstNode, Bytecode, CompiledContract, CompiledSource, CompileResult } from './compilation.ts'
import { blankPragmas, type Choice, chooseCompilers, withoutChecker } from './compiler-line.ts'
import { type Libraries, librariesFor, unresolvedImports } from './libraries.ts'

export interface CompileOptions {
  readonly remappings?: readonly string[]
  /** Where compiled output is kept between processes. */
  readonly cacheFolder?: string
  /** Files to generate code for, without trees; the others are only checked. Absent: code and trees of all. */
  readonly codeFor?: readonly string[]
}

interface RawContract {
  readonly abi: readonly RawAbiEntry[]
  readonly evm: {
    readonly bytecode: Bytecode
    readonly deployedBytecode: Bytecode & { readonly sourceMap: string }
  }
}

interface RawAbiEntry {
  readonly type?: string
  readonly name?: string
  readonly inputs?: readonly AbiParameter[]
  readonly outputs?: readonly AbiParameter[]
  readonly payable?: boolean
  readonly constant?: boolean
  readonly stateMutability?: string
}

interface RawOutput {
  readonly errors?: readonly {
    readonly severity: string
    readonly message: string
    readonly formattedMessage?: string
  }[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, RawContract>>>>
  readonly sources?: Readonly<Record<string, { readonly id: number; readonly ast?: AstNode }>>
}

/** Newer text is not parsed faster; this bounds what a hostile upload can cost. */
export const maxSourceBytes = 1_000_000

/** Of the files cached between processes. */
const format = 3

const remembered = new Map<string, CompileResult>()
const maxRemembered = 20

export const compile = (
  files: readonly InputFile[],
  packages: Compilers,
  options: CompileOptions = {},
): CompileResult => {
  const key = createHash('sha256')
    .update(JSON.stringify([format, files, options.remappings ?? [], ...(options.codeFor ? [options.codeFor] : [])]))
    .digest('hex')
  const known = remembered.get(key)
  if (known) return known
  const result = readCache(key, options) ?? compileUncached(files, packages, options)
  writeCache(key, result, options)
  remembered.set(key, result)
  const oldest = remembered.keys().next().value
  if (remembered.size > maxRemembered && oldest) remembered.delete(oldest)
  return result
}

const readCache = (key: string, { cacheFolder }: CompileOptions): CompileResult | undefined => {
  if (!cacheFolder) return undefined
  try {
    return JSON.parse(readFileSync(join(cacheFolder, `${key}.json`), 'utf8')) as CompileResult
  } catch {
    return undefined
  }
}

const writeCache = (key: string, result: CompileResult, { cacheFolder }: CompileOptions): void => {
  if (!cacheFolder) return
  mkdirSync(cacheFolder, { recursive: true })
  const path = join(cacheFolder, `${key}.json`)
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(result))
  renameSync(`${path}.${process.pid}`, path)
}

const compileUncached = (files: readonly InputFile[], packages: Compilers, options: CompileOptions): CompileResult => {
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0)
  if (bytes > maxSourceBytes) return { ok: false, error: `the source is too long for the prover (${bytes} characters)` }
  const choices = chooseCompilers(
    files.map(({ text }) => text),
    packages.compilers,
  )
  let first: CompileResult | undefined
  for (const choice of choices) {
    const { line } = choice.version
    const lacking = unresolvedImports(files, line, packages, options.remappings)
    if (lacking.length > 0) {
      first ??= {
        ok: false,
        error: `${lacking.length === 1 ? 'an import is' : 'imports are'} missing: ${lacking.join(', ')}`,
      }
      continue
    }
    const completions = librariesFor(files, line, packages, options.remappings)
    for (const libraries of completions.length > 0 ? completions : [null]) {
      const result = compileWith(compilerOf(choice, packages), { files, libraries }, options)
      if (result.ok) return result
      first ??= result
    }
  }
  return first ?? { ok: false, error: 'no compiler from 0.4 to 0.8 is admitted by the pragma' }
}

/** What was given, and what completes it. */
interface Sources {
  readonly files: readonly InputFile[]
  readonly libraries: Libraries | null
}

interface Compiler {
  readonly solc: Solc
  readonly line: CompilerLine
  /** As evidence names it. */
  readonly name: string
  /** The EVM of the prover; an older compiler makes code for the EVM of its own time, which runs there too. */
  readonly knowsCancun: boolean
  /** Sources as the compiler gets them: as they are, where their pragmas admit it. */
  toInput(text: string): string
}

const compilerOf = ({ version: { line, patch }, pragma }: Choice, packages: Compilers): Compiler => {
  const solc = packages.solc(line, patch)
  const knowsCancun = line === 8 && patch >= 24
  return pragma === undefined
    ? { solc, line, knowsCancun, name: solc.version, toInput: withoutChecker }
    : { solc, line, knowsCancun, name: `${solc.version} (the pragma asks for ${pragma})`, toInput: blankPragmas }
}

const compileWith = (compiler: Compiler, { files, libraries }: Sources, options: CompileOptions): CompileResult => {
  const { line } = compiler
  const all = [...files, ...(libraries?.files ?? [])]
  const output = runCompiler(compiler, all, options, {})
  const failure = firstError(output)
  const compilationOf = (raw: RawOutput) => toCompilation(raw, compiler, { files: all, libraries })
  if (!failure) return compilationOf(output)
  // Too many locals for the plain code generator: the optimizer may still fit them, and the newer generator does.
  if (!/stack too deep/i.test(failure)) return { ok: false, error: failure }
  for (const settings of [{ optimise: true }, ...(line === 8 ? [{ optimise: true, viaIr: true }] : [])]) {
    const other = runCompiler(compiler, all, options, settings)
    if (!firstError(other)) return compilationOf(other)
  }
  return { ok: false, error: failure }
}

const firstError = ({ errors = [] }: RawOutput): string | undefined => {
  const error = errors.find(({ severity }) => severity === 'error')
  return error && (error.formattedMessage ?? error.message).trim().split('\n')[0]
}

const outputs = [
  'abi',
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.sourceMap',
]

const runCompiler = (
  { solc, toInput, knowsCancun }: Compiler,
  files: readonly InputFile[],
  { remappings, codeFor }: CompileOptions,
  { optimise = false, viaIr = false }: { readonly optimise?: boolean; readonly viaIr?: boolean },
): RawOutput => {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map(({ path, text }) => [path, { content: toInput(text) }])),
    settings: {
      optimizer: { enabled: optimise },
      ...(viaIr ? { viaIR: true } : {}),
      ...(knowsCancun ? { evmVersion: 'cancun' } : {}),
      ...(remappings ? { remappings } : {}),
      outputSelection: codeFor
        ? Object.fromEntries(codeFor.map((path) => [path, { '*': outputs }]))
        : { '*': { '*': outputs, '': ['ast'] } },
    },
  }
  try {
    return JSON.parse(solc.compile(JSON.stringify(input))) as RawOutput
  } catch (error) {
    return { errors: [{ severity: 'error', message: `the compiler failed: ${(error as Error).message}` }] }
  }
}

const toCompilation = (output: RawOutput, { line, name }: Compiler, { files, libraries }: Sources): CompileResult => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const sources = Object.entries(output.sources ?? {}).flatMap(([path, { id, ast }]) =>
    ast ? [{ path, index: id, ast: trimTree(ast), text: texts.get(path) ?? '' }] : [],
  )
  const definitions = contractsOf(sources)
  const contracts = Object.entries(output.contracts ?? {}).flatMap(([path, byName]) =>
    // Older compilers list contracts that were only checked, without anything about them.
    Object.entries(byName).flatMap(([name, raw]) => (raw.abi ? [toContract(path, name, raw, definitions)] : [])),
  )
  const compilation = { line, compiler: name, libraries: libraries?.name ?? null, contracts, sources }
  return { ok: true, compilation }
}

const kept = new Set([
  'ContractDefinition',
  'BinaryOperation',
  'Assignment',
  'UnaryOperation',
  'FunctionDefinition',
  'VariableDeclaration',
])

/** Only what is read later: trees are large, and the cache keeps them. */
const trimTree = (root: AstNode): AstNode => {
  const nodes: AstNode[] = []
  const addressTypes = addressTypesIn(root)
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item)
    else if (typeof value === 'object' && value !== null) {
      const node = value as AstNode & Record<string, unknown>
      if (kept.has(node.nodeType)) {
        const { nodeType, id, src, name, operator, contractKind, linearizedBaseContracts, typeDescriptions } = node
        const constructorTypes = nodeType === 'ContractDefinition' ? constructorTypesOf(node) : undefined
        nodes.push(
          JSON.parse(
            JSON.stringify({
              nodeType,
              id,
              src,
              name,
              operator,
              contractKind,
              linearizedBaseContracts,
              constructorTypes,
              addressTypes: addressTypes.get(id),
              typeDescriptions: typeDescriptions && { typeString: typeDescriptions.typeString },
            }),
          ) as AstNode,
        )
      }
      for (const item of Object.values(node)) walk(item)
    }
  }
  walk(root)
  return { nodeType: 'SourceUnit', id: root.id, src: root.src, nodes } as AstNode & { nodes: AstNode[] }
}

interface RawFunctionNode extends AstNode {
  readonly kind?: string
  readonly isConstructor?: boolean
  readonly parameters?: { readonly parameters?: readonly AstNode[] }
}

const constructorTypesOf = (node: AstNode & Record<string, unknown>): string[] | undefined => {
  const members = (node.nodes ?? []) as readonly RawFunctionNode[]
  const found = members.find((each) => each.kind === 'constructor' || each.isConstructor === true)
  return found?.parameters?.parameters?.map(({ typeDescriptions }) => typeDescriptions?.typeString ?? '')
}

/** Every kept node of a trimmed tree. */
export const nodesOf = (root: AstNode): readonly AstNode[] =>
  (root as AstNode & { nodes?: readonly AstNode[] }).nodes ?? []

const contractsOf = (sources: readonly CompiledSource[]): AstNode[] =>
  sources.flatMap(({ ast }) => nodesOf(ast).filter(({ nodeType }) => nodeType === 'ContractDefinition'))

const toContract = (
  path: string,
  name: string,
  raw: RawContract,
  definitions: readonly AstNode[],
): CompiledContract => {
  const definition = definitions.find((node) => node.name === name)
  const byId = new Map(definitions.map((node) => [node.id, node.name ?? '']))
  const entries = raw.abi.map(toFunction)
  const special = entries.filter(({ type }) => type === 'fallback' || type === 'receive')
  const addressTypes = inheritedTypes(definition, definitions)
  return {
    name,
    path,
    kind: (definition?.contractKind ?? 'contract') as CompiledContract['kind'],
    functions: entries.filter(({ type }) => type === 'function').map((fn) => withConversions(fn, addressTypes)),
    constructorAbi: entries.find(({ type }) => type === 'constructor') ?? emptyConstructor,
    constructorTypes: definition?.constructorTypes ?? [],
    addressTypes,
    acceptsEther: special.some(({ isPayable }) => isPayable),
    hasFallback: special.length > 0,
    creation: { object: raw.evm.bytecode.object, linkReferences: raw.evm.bytecode.linkReferences ?? {} },
    runtime: { object: raw.evm.deployedBytecode.object, linkReferences: raw.evm.deployedBytecode.linkReferences ?? {} },
    sourceMap: raw.evm.deployedBytecode.sourceMap ?? '',
    bases: (definition?.linearizedBaseContracts ?? []).map((id) => byId.get(id) ?? ''),
  }
}

/** Functions of the bases too; of the constructors only its own. */
const inheritedTypes = (definition: AstNode | undefined, definitions: readonly AstNode[]): AddressTypes => {
  const bases = [...(definition?.linearizedBaseContracts ?? [])].reverse()
  const all = bases.map((id) => definitions.find((node) => node.id === id)?.addressTypes ?? {})
  const { '': own } = definition?.addressTypes ?? {}
  const { '': _, ...functions } = Object.assign({}, ...all) as AddressTypes
  return own ? { ...functions, '': own } : functions
}

const emptyConstructor: AbiFunction = {
  type: 'constructor',
  name: '',
  inputs: [],
  outputs: [],
  isPayable: false,
  isView: false,
}

const withConversions = (fn: AbiFunction, addressTypes: AddressTypes): AbiFunction => {
  const types = addressTypes[fn.name]
  if (!types) return fn
  const inputs = fn.inputs.map((input, at) => {
    const convertedTo = input.type === 'address' ? (types[at] ?? []) : []
    return convertedTo.length > 0 ? { ...input, convertedTo } : input
  })
  return { ...fn, inputs }
}

const toFunction = (entry: RawAbiEntry): AbiFunction => ({
  type: (entry.type ?? 'function') as AbiFunction['type'],
  name: entry.name ?? '',
  inputs: entry.inputs ?? [],
  outputs: entry.outputs ?? [],
  isPayable: entry.payable === true || entry.stateMutability === 'payable',
  isView: entry.constant === true || entry.stateMutability === 'view' || entry.stateMutability === 'pure',
})
