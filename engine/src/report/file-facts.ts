/**
 * What a file does and lacks, read from its tree in one pass: the ground for advice, never for findings, so names of
 * well-known bases may count here.
 */
import { type VersionRange, versionRangeOf } from '../syntax/index.ts'
import type { FunctionFacts, Gathered } from './code-facts.ts'
import { readFunction, readModifier, type Surroundings } from './function-facts.ts'
import type { ScannedFile } from './scanned-file.ts'

export interface FileFacts {
  readonly versions: VersionRange
  readonly hasPragma: boolean
  readonly hasLicence: boolean
  readonly hasContracts: boolean
  /** Names of bases and imported files, lower case: `ownable2step`, `reentrancyguard`. */
  readonly known: ReadonlySet<string>
  readonly functions: readonly FunctionFacts[]
  /** Those of `functions` that outsiders can call. */
  readonly entries: readonly FunctionFacts[]
  /** Those of `entries` that write state. */
  readonly writers: readonly FunctionFacts[]
  /** Those of `entries` that send ether or call without a type. */
  readonly senders: readonly FunctionFacts[]
  /** Those of `writers` that only some may call. */
  readonly privilegedChanges: readonly FunctionFacts[]
  /** Those of `entries` that give a privileged address away. */
  readonly handOvers: readonly FunctionFacts[]
  /** Some modifier writes the same variable before and after its `_`. */
  readonly hasLock: boolean
  readonly hasUnchecked: boolean
  readonly hasAssembly: boolean
  readonly hasEcrecover: boolean
  readonly hasCustomErrors: boolean
  readonly textRequires: number
  readonly bareRequires: number
  readonly usesTime: boolean
  readonly usesChainRandomness: boolean
  readonly usesTxOrigin: boolean
  readonly usesOracle: boolean
  readonly usesSafeToken: boolean
  readonly isUpgradeable: boolean
  readonly hasStorageGap: boolean
  readonly hasPause: boolean
  /** State variables of type address that some function compares with msg.sender. */
  readonly privileged: ReadonlySet<string>
}

/** A licence stands at the top; looking further costs more than it tells. */
const licenceReach = 4_000

const lockBases = ['reentrancyguard', 'reentrancyguardupgradeable', 'reentrancyguardtransient']

const baseName = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1, path.endsWith('.sol') ? -4 : undefined).toLowerCase()

export const readFileFacts = (file: ScannedFile): FileFacts => {
  const gathered: Gathered = {
    hasUnchecked: false,
    hasAssembly: false,
    hasEcrecover: false,
    hasCustomErrors: false,
    textRequires: 0,
    bareRequires: 0,
    usesTime: false,
    usesChainRandomness: false,
    usesTxOrigin: false,
    usesOracle: false,
    privileged: new Set(),
  }
  const known = new Set<string>()
  const pragmas: string[] = []
  const functions: FunctionFacts[] = []
  const stateNames = new Set<string>()
  const locks = new Set<string>(['nonReentrant'])
  let hasContracts = false
  let hasLock = false
  let usesSafeToken = false
  let hasStorageGap = false
  let hasPause = false
  for (const member of file.unit.members) {
    if (member.kind === 'PragmaDirective' && member.name === 'solidity') pragmas.push(member.value)
    else if (member.kind === 'ImportDirective') known.add(baseName(member.path))
    else if (member.kind === 'ContractDefinition') {
      hasContracts = true
      for (const { base } of member.bases) known.add((base.names.at(-1)?.name ?? '').toLowerCase())
      for (const part of member.members) {
        if (part.kind === 'StateVariable') {
          stateNames.add(part.name.name)
          if (part.type.kind === 'ArrayType' && part.type.length !== null && part.visibility === 'private')
            hasStorageGap = true
        } else if (
          part.kind === 'UsingDirective' &&
          part.functions.some(({ path }) => /^Safe(?:ERC20|Transfer)/.test(path.names.at(-1)?.name ?? ''))
        )
          usesSafeToken = true
        else if (part.kind === 'ModifierDefinition' && readModifier(part, gathered)) {
          hasLock = true
          locks.add(part.name.name)
        }
      }
    }
  }
  const surroundings: Surroundings = { file, stateNames, locks, gathered }
  for (const member of file.unit.members) {
    if (member.kind !== 'ContractDefinition') continue
    const isInterface = member.contractKind === 'interface' || member.contractKind === 'library'
    for (const part of member.members) {
      if (part.kind === 'FunctionDefinition' && part.body)
        functions.push(readFunction(part, member.name.name, isInterface, surroundings))
    }
  }
  hasPause = known.has('pausable') || known.has('pausableupgradeable')
  const entries = functions.filter(({ isEntry }) => isEntry)
  const writers = entries.filter(({ writesState }) => writesState)
  // Field by field: spreading this many costs more than reading a small file.
  return {
    hasUnchecked: gathered.hasUnchecked,
    hasAssembly: gathered.hasAssembly,
    hasEcrecover: gathered.hasEcrecover,
    hasCustomErrors: gathered.hasCustomErrors,
    textRequires: gathered.textRequires,
    bareRequires: gathered.bareRequires,
    usesTime: gathered.usesTime,
    usesChainRandomness: gathered.usesChainRandomness,
    usesTxOrigin: gathered.usesTxOrigin,
    usesOracle: gathered.usesOracle,
    privileged: gathered.privileged,
    versions: versionRangeOf(pragmas),
    hasPragma: pragmas.length > 0,
    hasLicence: file.text.slice(0, licenceReach).includes('SPDX-License-Identifier:'),
    hasContracts,
    known,
    functions,
    entries,
    writers,
    senders: entries.filter(({ sendsEther, lowLevelCalls }) => sendsEther || lowLevelCalls > 0),
    privilegedChanges: writers.filter(({ isGuarded }) => isGuarded),
    handOvers: entries.filter(({ handsOver }) => handsOver.some((name) => gathered.privileged.has(name))),
    hasLock: hasLock || lockBases.some((base) => known.has(base)),
    usesSafeToken,
    isUpgradeable: [...known].some(
      (name) => name === 'initializable' || name === 'uupsupgradeable' || name.endsWith('upgradeable'),
    ),
    hasStorageGap,
    hasPause,
  }
}
