/**
 * Libraries that nearly every upload imports and nearly none includes. Each is a short account in Solidity, in our own
 * words: the signatures, and bodies reduced to checks, writes and calls, so that the analysis treats them like any other
 * code. They serve only names whose definition is not among the given files, and nothing in them is ever reported.
 */
import { parse, type SourceUnit, type Span } from '../../syntax/index.ts'
import type { KnownEffect } from '../declaration.ts'
import { forge } from './forge.ts'
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

/** The node stands in a known library: its tree outlives the scan, so nothing of a scan may hang on it. */
export const isOfStub = (node: Span): boolean => node.start >= firstBase

const pragma = 'pragma solidity ^0.8.4;'

const sourceOf = (family: string, { name, text }: Stub, base: number): StubSource => {
  const full = pragma + text
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

/** Each stands behind the one before it, a place apart. */
const sourcesOf = (family: string, stubs: readonly Stub[], first: number): ReadonlyMap<string, StubSource> => {
  let base = first
  return new Map(
    stubs.map((entry) => {
      const source = sourceOf(family, entry, base)
      base += source.text.length + 1
      return [entry.name, source]
    }),
  )
}

/** Room enough for all sources of a family. */
const familySize = 0x1000000

const tables = {
  solmate: sourcesOf('solmate', solmate, firstBase),
  solady: sourcesOf('solady', solady, firstBase + familySize),
  general: sourcesOf(
    'known',
    [...openzeppelin, ...tokenInterfaces, ...protocolInterfaces, ...dappsys],
    firstBase + 2 * familySize,
  ),
  forge: sourcesOf('forge-std', forge, firstBase + 3 * familySize),
}

type Tables = typeof tables

const familyOf = (path: string, { forge, solady, solmate }: Tables): Tables['solady'] | undefined => {
  if (!/forge-std|solady|solmate|rari-capital/i.test(path)) return undefined
  if (/forge-std/.test(path)) return forge
  return /solady/i.test(path) ? solady : solmate
}

/** By the path of an import: the folder tells the family, the file name the library. */
export const findKnownFile = (path: string): StubSource | undefined => {
  const name = baseName(path)
  return familyOf(path, tables)?.get(name) ?? findKnownName(name)
}

/** By the name of a symbol alone. */
export const findKnownName = (name: string): StubSource | undefined => {
  return tables.general.get(name) ?? tables.solmate.get(name) ?? tables.solady.get(name)
}

const draft = 'draft-'

const baseName = (path: string): string => {
  let from = path.lastIndexOf('/') + 1
  if (path.startsWith(draft, from)) from += draft.length
  return path.slice(from, path.endsWith('.sol') ? Math.max(path.length - 4, from) : path.length)
}

/** Functions and modifiers by contract. */
const effects: Readonly<Record<string, Readonly<Record<string, KnownEffect>>>> = {
  ReentrancyGuard: { nonReentrant: 'lock' },
  ReentrancyGuardTransient: { nonReentrant: 'lock' },
  Ownable: { onlyOwner: 'guard', _checkOwner: 'guard' },
  Owned: { onlyOwner: 'guard' },
  Auth: { requiresAuth: 'guard' },
  DSAuth: { auth: 'guard' },
  OwnableRoles: { onlyRoles: 'guard', onlyOwnerOrRoles: 'guard' },
  AccessControl: { onlyRole: 'guard', _checkRole: 'guard' },
  AccessManaged: { restricted: 'guard' },
  MinterRole: { onlyMinter: 'guard' },
  PauserRole: { onlyPauser: 'guard' },
  Pausable: { whenNotPaused: 'pause', whenPaused: 'pause' },
  Initializable: { initializer: 'initializer', reinitializer: 'initializer', onlyInitializing: 'initializer' },
  ECDSA: { recover: 'signature', tryRecover: 'signature' },
  SignatureChecker: { isValidSignatureNow: 'signature' },
  MerkleProof: { verify: 'hash', verifyCalldata: 'hash', processProof: 'hash' },
  Address: { functionDelegateCall: 'delegate' },
  Proxy: { _delegate: 'delegate' },
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

interface ContractEffects {
  readonly own: ReadonlyMap<string, KnownEffect>
  /** Of every other function; null for none. */
  readonly all: KnownEffect | null
}

const createEffects = (): ReadonlyMap<string, ContractEffects> => {
  const table = new Map<string, ContractEffects>()
  for (const name of [...Object.keys(effects), ...Object.keys(libraryEffects)]) {
    const own = new Map(Object.entries(effects[name] ?? {}))
    for (const variant of [name, `${name}Upgradeable`]) table.set(variant, { own, all: libraryEffects[name] ?? null })
  }
  return table
}

/** Evaluated for every function that is called: maps, so that no key is put together for it. */
const effectsOf = createEffects()

export const knownEffect = (contract: string, name: string): KnownEffect | null => {
  const known = effectsOf.get(contract)
  if (known === undefined) return null
  return known.own.get(name) ?? (name.startsWith('try') ? null : known.all)
}

/** Of a modifier whose file is missing: no project gives another meaning to these names of OpenZeppelin. */
export const missingModifierEffect = (name: string): KnownEffect | null => {
  switch (name) {
    case 'nonReentrant':
      return 'lock'
    case 'whenNotPaused':
    case 'whenPaused':
      return 'pause'
    default:
      return null
  }
}

/** For tests: every stub as it is parsed. */
export const allStubSources = (): readonly StubSource[] => {
  return Object.values(tables).flatMap((sources) => [...sources.values()])
}
