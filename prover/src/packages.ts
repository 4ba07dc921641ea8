/**
 * The compilers and the EVM: an optional part of the installation, in a folder with a lock file of its own. They are looked up
 * at run time and described here by the little of them that is used, so that types check and bundles build without them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** 0.4 … 0.8: one compiler for each line of the language. */
export const compilerLines = [4, 5, 6, 7, 8] as const
export type CompilerLine = (typeof compilerLines)[number]

export interface Solc {
  /** Standard JSON in and out. */
  compile(input: string): string
  readonly version: string
}

export interface CompilerVersion {
  readonly line: CompilerLine
  readonly patch: number
}

export interface Packages extends Compilers {
  readonly evm: EvmPackages
}

export interface Compilers {
  /** The newest of a line where no patch is named. */
  solc(line: CompilerLine, patch?: number): Solc
  /** Newest first. */
  readonly compilers: readonly CompilerVersion[]
  /** The text of a file of a package; undefined when there is none. */
  source(packageName: string, file: string): string | undefined
}

export interface EvmPackages {
  createEVM(options: object): Promise<RawEvm>
  Common: new (options: object) => { isActivatedEIP(number: number): boolean }
  Mainnet: object
  SimpleStateManager: new (options: object) => RawState
  createAddressFromString(text: string): RawAddress
  createAccount(data: { nonce: bigint; balance: bigint }): RawAccount
  EVMError: (new (
    message: string,
  ) => Error) & { readonly errorMessages: { readonly REVERT: string; readonly INVALID_OPCODE: string } }
  keccak(data: Uint8Array): Uint8Array
  addressOfKey(key: Uint8Array): string
  /** 65 bytes: r, s, v. */
  sign(hash: Uint8Array, key: Uint8Array): Uint8Array
}

export interface RawAddress {
  readonly bytes: Uint8Array
  toString(): string
}

export interface RawAccount {
  nonce: bigint
  balance: bigint
}

export interface RawState {
  accountStack: Map<string, RawAccount | undefined>[]
  codeStack: Map<string, Uint8Array>[]
  storageStack: Map<string, Uint8Array>[]
  readonly originalStorageCache: { clear(): void }
  getAccount(address: RawAddress): Promise<RawAccount | undefined>
  putAccount(address: RawAddress, account: RawAccount): Promise<void>
  deleteAccount(address: RawAddress): Promise<void>
  putCode(address: RawAddress, code: Uint8Array): Promise<void>
  checkpointSync(): void
  putStorage(address: RawAddress, key: Uint8Array, value: Uint8Array): Promise<void>
  clearStorage(address: RawAddress): Promise<void>
  commit(): Promise<void>
  revert(): Promise<void>
}

export interface RawRunState {
  programCounter: number
  opCode: number
  readonly shouldDoJumpAnalysis: boolean
  readonly memoryWordCount: bigint
  readonly gasLeft: bigint
  readonly code: Uint8Array
  readonly stack: { peek(count: number): bigint[]; pop(): bigint; push(word: bigint): void }
  readonly env: {
    readonly depth: number
    readonly address: RawAddress
    readonly codeAddress: RawAddress
    readonly caller: RawAddress
  }
  readonly memory: { read(offset: number, size: number): Uint8Array }
  readonly interpreter: RawInterpreter
}

/** Of one call; it works out where code may jump to when it meets the first jump. */
export interface RawInterpreter {
  readonly _runState: RawRunState
  readonly common: object
  _getValidJumpDestinations(code: Uint8Array): { readonly opcodesCached: readonly RawOpcode[] }
  lookupOpInfo(code: number): RawOpcode
  useGas(amount: bigint, context: object): void
  runStep(entry?: RawOpcode): Promise<void>
}

export interface RawOpcode {
  readonly opcodeInfo: {
    readonly code: number
    readonly feeBigInt: bigint
    readonly dynamicGas: boolean
    readonly isInvalid: boolean
  }
  gasHandler: (state: RawRunState, gas: bigint, common: object) => bigint | Promise<bigint>
  opHandler: (state: RawRunState, common: object) => unknown
}

export interface RawMessage {
  caller: RawAddress
  to?: RawAddress
  readonly data: Uint8Array
  readonly value: bigint
  readonly depth: number
}

/** A contract of the EVM itself. */
export type RawPrecompile = (input: RawPrecompileInput) => RawPrecompileResult | Promise<RawPrecompileResult>

export interface RawPrecompileInput {
  readonly gasLimit: bigint
}

export interface RawPrecompileResult {
  readonly executionGasUsed: bigint
  readonly exceptionError?: unknown
}

export interface RawEvm {
  runCall(options: object): Promise<{
    readonly createdAddress?: RawAddress
    readonly execResult: {
      readonly returnValue: Uint8Array
      readonly executionGasUsed: bigint
      readonly exceptionError?: { readonly error: string }
      readonly logs?: readonly (readonly [Uint8Array, readonly Uint8Array[], Uint8Array])[]
    }
  }>
  readonly _opcodeMap: readonly RawOpcode[]
  readonly precompiles: Map<string, RawPrecompile>
  readonly journal: { cleanup(): Promise<void>; checkpoint(): Promise<void> }
  readonly transientStorage: { clear(): void }
  readonly events: { on(name: 'beforeMessage', listener: (message: RawMessage) => void): void }
  _tx?: { origin: RawAddress }
}

/** How the reader gets them. */
export const howToInstall = 'npm run setup:prover'

let packagesFolder: string | null | undefined

/** Names folders where the packages may lie, searched before those above this file: an installed command has no checkout. */
export const lookForPackagesIn = (folders: readonly string[], { only = false } = {}): void => {
  preferredFolders = folders
  isNowhereElse = only
  packagesFolder = undefined
}

let preferredFolders: readonly string[] = []
let isNowhereElse = false

const isComplete = (folder: string): boolean => existsSync(join(folder, 'node_modules', '@ethereumjs', 'evm'))

/** Where they are, for a user who runs this code from elsewhere; null when they are not installed. */
export const findPackages = (): string | null => (isInstalled() ? (packagesFolder ?? null) : null)

/** Says where they are instead of looking upwards from this file. */
export const usePackages = (folder: string | null): void => {
  packagesFolder = folder
}

/** Looks upwards from this file, which may have been bundled into another workspace's dist. */
const findPackagesFolder = (): string | null => {
  const preferred = preferredFolders.find(isComplete)
  if (preferred !== undefined) return preferred
  if (isNowhereElse) return null
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'prover', 'packages')
    if (existsSync(join(candidate, 'package.json'))) {
      return isComplete(candidate) ? candidate : null
    }
    if (dirname(folder) === folder) return null
  }
}

export const isInstalled = (): boolean => {
  if (packagesFolder === undefined) packagesFolder = findPackagesFolder()
  return packagesFolder !== null
}

let loading: Promise<Packages> | undefined

export const loadPackages = (): Promise<Packages> => {
  const compilers = loadCompilers()
  loading ??= load(packagesFolder as string, compilers)
  return loading
}

/** Without the EVM, which takes a second to load. */
export const loadCompilers = (): Compilers => {
  if (!isInstalled()) throw new Error(`the prover is not installed (${howToInstall})`)
  compilers ??= compilersIn(packagesFolder as string)
  return compilers
}

let compilers: Compilers | undefined

const compilersIn = (folder: string): Compilers => {
  const require = createRequire(join(folder, 'package.json'))
  const installed = findCompilers(folder)
  const loaded = new Map<string, Solc>()
  const solc = (line: CompilerLine, patch?: number): Solc => {
    const place = installed.find((each) => each.line === line && (patch ?? each.patch) === each.patch)?.place ?? ''
    let compiler = loaded.get(place)
    if (!compiler) {
      compiler = loadCompiler(require, place)
      loaded.set(place, compiler)
    }
    return compiler
  }
  return { solc, compilers: installed, source: createReader(join(folder, 'node_modules')) }
}

const load = async (folder: string, compilers: Compilers): Promise<Packages> => {
  // By file: `require.resolve` would name the CommonJS builds, which cannot load their own dependencies on every Node 20.
  const load = (file: string): Promise<Record<string, never>> =>
    import(pathToFileURL(join(folder, 'node_modules', file)).href)
  const [evm, common, statemanager, util, sha3, curves] = await Promise.all(
    [
      '@ethereumjs/evm/dist/esm/index.js',
      '@ethereumjs/common/dist/esm/index.js',
      '@ethereumjs/statemanager/dist/esm/index.js',
      '@ethereumjs/util/dist/esm/index.js',
      '@noble/hashes/sha3.js',
      '@noble/curves/secp256k1.js',
    ].map(load),
  )
  const keccak = (sha3 as unknown as { keccak_256: EvmPackages['keccak'] }).keccak_256
  return {
    ...compilers,
    evm: { ...evm, ...common, ...statemanager, ...util, keccak, ...signing(curves, keccak) } as unknown as EvmPackages,
  }
}

interface InstalledCompiler extends CompilerVersion {
  readonly place: string
}

/** Below the packages: npm removes from `node_modules` what the lock file there does not name. */
const addedFolder = 'compilers'

/** Packages named `solc-0.8` or `solc-0.8.24`, newest first: those of the lock file, and those that a user added. */
export const findCompilers = (folder: string): InstalledCompiler[] =>
  [folder, join(folder, addedFolder)]
    .map((each) => join(each, 'node_modules'))
    .flatMap((packages) => (existsSync(packages) ? readdirSync(packages).map((name) => join(packages, name)) : []))
    .filter((place) => /^solc-0\.\d+(\.\d+)?$/.test(basename(place)))
    .flatMap((place) => {
      const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { version: string }
      const [, minor, patch] = version.split('.').map(Number)
      const line = compilerLines.find((each) => each === minor)
      return line !== undefined && patch !== undefined ? [{ place, line, patch }] : []
    })
    .sort((a, b) => b.line - a.line || b.patch - a.patch)

/** Only Solidity, and never from outside the package: paths come from untrusted imports. */
const createReader = (folder: string): Packages['source'] => {
  const known = new Map<string, string | undefined>()
  return (packageName, file) => {
    if (!/^[\w./-]+\.sol$/.test(file) || file.split('/').includes('..')) return undefined
    const path = join(folder, packageName, file)
    if (!known.has(path)) known.set(path, existsSync(path) ? readFileSync(path, 'utf8') : undefined)
    return known.get(path)
  }
}

interface Secp256k1 {
  getPublicKey(key: Uint8Array, compressed: boolean): Uint8Array
  sign(hash: Uint8Array, key: Uint8Array, options: object): Uint8Array
}

const signing = (curves: unknown, keccak: EvmPackages['keccak']): Pick<EvmPackages, 'addressOfKey' | 'sign'> => {
  const { secp256k1 } = curves as { secp256k1: Secp256k1 }
  return {
    addressOfKey: (key) =>
      `0x${Buffer.from(keccak(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12)).toString('hex')}`,
    sign: (hash, key) => {
      const [recovery = 0, ...rest] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
      return Uint8Array.from([...rest, 27 + recovery])
    },
  }
}

interface RawSolc {
  compile(input: string): string
  compileStandardWrapper?(input: string): string
  version(): string
}

/** A compiler made with Emscripten installs handlers that end the process on any unhandled rejection: they are taken out again. */
const loadCompiler = (require: NodeJS.Require, place: string): Solc => {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const before = events.map((name) => new Set(process.listeners(name as 'uncaughtException')))
  const raw = require(place) as RawSolc
  events.forEach((name, index) => {
    for (const listener of process.listeners(name as 'uncaughtException')) {
      if (!before[index]?.has(listener)) process.removeListener(name, listener)
    }
  })
  const run = raw.compileStandardWrapper ?? raw.compile
  return { compile: (input) => run(input), version: raw.version().replace(/\+commit.*/, '') }
}
