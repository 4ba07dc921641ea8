/**
 * Libraries that nearly every upload imports and nearly none includes. Each is a short account in Solidity, in our own
 * words: the signatures, and bodies reduced to checks, writes and calls, so that the analysis treats them like any other
 * code. They serve only names whose definition is not among the given files, and nothing in them is ever reported.
 */
import { parse, type SourceUnit } from '../../syntax/index.ts'
import type { KnownEffect } from '../declaration.ts'
import { protocolInterfaces, tokenInterfaces } from './interfaces.ts'
import { openzeppelin } from './openzeppelin.ts'
import { dappsys, solady, solmate } from './solmate.ts'
import type { Stub } from './stub.ts'

/** A stub with its place beyond all given files. */
export interface StubSource {
  readonly path: string
  readonly text: string
  readonly base: number
  unit(): SourceUnit
}

/** Given files can never reach this far, so one parse serves every scan of the process. */
const firstBase = 0x40000000
const pragma = 'pragma solidity ^0.8.4;'
let nextBase = firstBase

const sourceOf = (family: string, { name, text }: Stub): StubSource => {
  const full = pragma + text
  const base = nextBase
  nextBase += full.length + 1
  let unit: SourceUnit | undefined
  return {
    path: `${family}/${name}.sol`,
    text: full,
    base,
    unit: () => {
      unit ??= parse(full, base).unit
      return unit
    },
  }
}

const sourcesOf = (family: string, stubs: readonly Stub[]): ReadonlyMap<string, StubSource> =>
  new Map(stubs.map((entry) => [entry.name, sourceOf(family, entry)]))

let tables: ReturnType<typeof createTables> | undefined

const createTables = () => ({
  solmate: sourcesOf('solmate', solmate),
  solady: sourcesOf('solady', solady),
  general: sourcesOf('known', [...openzeppelin, ...tokenInterfaces, ...protocolInterfaces, ...dappsys]),
})

/** By the path of an import: the folder tells the family, the file name the library. */
export const findKnownFile = (path: string): StubSource | undefined => {
  tables ??= createTables()
  const name = baseName(path)
  const family = /solady/i.test(path) ? tables.solady : /solmate|rari-capital/i.test(path) ? tables.solmate : undefined
  return family?.get(name) ?? findKnownName(name)
}

/** By the name of a symbol alone. */
export const findKnownName = (name: string): StubSource | undefined => {
  tables ??= createTables()
  return tables.general.get(name) ?? tables.solmate.get(name) ?? tables.solady.get(name)
}

const baseName = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.sol$/, '')
    .replace(/^draft-/, '')

const effects: Readonly<Record<string, KnownEffect>> = {
  'ReentrancyGuard.nonReentrant': 'lock',
  'ReentrancyGuardTransient.nonReentrant': 'lock',
  'Ownable.onlyOwner': 'guard',
  'Ownable._checkOwner': 'guard',
  'Owned.onlyOwner': 'guard',
  'Auth.requiresAuth': 'guard',
  'DSAuth.auth': 'guard',
  'OwnableRoles.onlyRoles': 'guard',
  'OwnableRoles.onlyOwnerOrRoles': 'guard',
  'AccessControl.onlyRole': 'guard',
  'AccessControl._checkRole': 'guard',
  'AccessManaged.restricted': 'guard',
  'MinterRole.onlyMinter': 'guard',
  'PauserRole.onlyPauser': 'guard',
  'Pausable.whenNotPaused': 'pause',
  'Pausable.whenPaused': 'pause',
  'Initializable.initializer': 'initializer',
  'Initializable.reinitializer': 'initializer',
  'Initializable.onlyInitializing': 'initializer',
  'ECDSA.recover': 'signature',
  'ECDSA.tryRecover': 'signature',
  'SignatureChecker.isValidSignatureNow': 'signature',
  'MerkleProof.verify': 'hash',
  'MerkleProof.verifyCalldata': 'hash',
  'MerkleProof.processProof': 'hash',
  'Address.functionDelegateCall': 'delegate',
  'Proxy._delegate': 'delegate',
}

/** Every function of these libraries has the one effect. */
const libraryEffects: Readonly<Record<string, KnownEffect>> = {
  SafeMath: 'checkedArithmetic',
  SignedSafeMath: 'checkedArithmetic',
  SafeCast: 'checkedArithmetic',
  DSMath: 'checkedArithmetic',
  SafeERC20: 'checkedCall',
  SafeTransferLib: 'checkedCall',
  TransferHelper: 'checkedCall',
  Address: 'checkedCall',
}

const triesOnly = /^try/

/** Contracts of which anything is known: asked of every function that is called, and nearly always no. */
const withEffects: ReadonlySet<string> = new Set(
  [...Object.keys(effects).map((key) => key.slice(0, key.indexOf('.'))), ...Object.keys(libraryEffects)].flatMap(
    (name) => [name, `${name}Upgradeable`],
  ),
)

export const knownEffect = (contract: string, name: string): KnownEffect | null => {
  if (!withEffects.has(contract)) return null
  const library = contract.replace(/Upgradeable$/, '')
  const own = effects[`${library}.${name}`]
  if (own !== undefined) return own
  return triesOnly.test(name) ? null : (libraryEffects[library] ?? null)
}

/** For tests: every stub as it is parsed. */
export const allStubSources = (): readonly StubSource[] => {
  tables ??= createTables()
  return [...tables.solmate.values(), ...tables.solady.values(), ...tables.general.values()]
}
