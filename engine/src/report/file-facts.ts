/**
 * What a file does and lacks, read from its tree in one pass: the ground for advice, never for findings, so names of
 * well-known bases may count here.
 */
import { type ContractDefinition, type VersionRange, versionRangeOf } from '../syntax/index.ts'
import { type FunctionFacts, type Gathered, type Reading, unasked } from './code-facts.ts'
import { DocFinder } from './doc-finder.ts'
import { readFunction, readModifier } from './function-facts.ts'
import { Groups } from './function-groups.ts'
import type { ScannedFile } from './scanned-file.ts'
import { topicsOf } from './topics.ts'

export interface FileFacts {
  readonly versions: VersionRange
  readonly hasPragma: boolean
  readonly hasLicence: boolean
  readonly hasContracts: boolean
  /** Names of bases and imported files, lower case: `ownable2step`, `reentrancyguard`. */
  readonly known: ReadonlySet<string>
  readonly groups: Groups
  readonly gathered: Readonly<Gathered>
  /** Functions that outsiders can call and that give a privileged address away. */
  readonly handOvers: readonly FunctionFacts[]
  /** Some modifier writes the same variable before and after its `_`. */
  readonly hasLock: boolean
  readonly usesSafeToken: boolean
  readonly isUpgradeable: boolean
  readonly hasStorageGap: boolean
  /** Bits of `Topic`. */
  topics: number
}

/** A licence stands at the top; looking further costs more than it tells. */
const licenceReach = 4_000

const wellKnownLocks: ReadonlySet<string> = new Set(['nonReentrant'])

const noNames: ReadonlySet<string> = new Set()

const baseName = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1, path.endsWith('.sol') ? -4 : undefined).toLowerCase()

/** What the declarations of a file tell, before its functions are read. */
interface Declared {
  readonly pragmas: string[]
  readonly stateNames: Set<string>
  known: Set<string> | null
  /** Names of modifiers that lock. */
  locks: Set<string> | null
  hasContracts: boolean
  usesSafeToken: boolean
  hasStorageGap: boolean
}

const isSafeToken = ({ path }: { readonly path: { readonly names: readonly { readonly name: string }[] } }): boolean =>
  /^Safe(?:ERC20|Transfer)/.test(path.names.at(-1)?.name ?? '')

const addKnown = (declared: Declared, name: string): void => {
  declared.known ??= new Set()
  declared.known.add(name)
}

const readContract = (contract: ContractDefinition, declared: Declared, gathered: Gathered): void => {
  declared.hasContracts = true
  for (const { base } of contract.bases) addKnown(declared, (base.names.at(-1)?.name ?? '').toLowerCase())
  for (const part of contract.members) {
    const { kind } = part
    if (kind === 'StateVariable') {
      declared.stateNames.add(part.name.name)
      if (part.visibility === 'private' && part.type.kind === 'ArrayType' && part.type.length !== null)
        declared.hasStorageGap = true
    } else if (kind === 'ModifierDefinition') {
      if (!readModifier(part, gathered)) continue
      declared.locks ??= new Set(wellKnownLocks)
      declared.locks.add(part.name.name)
    } else if (kind === 'UsingDirective' && part.functions.some(isSafeToken)) declared.usesSafeToken = true
  }
}

const readDeclarations = (file: ScannedFile, gathered: Gathered): Declared => {
  const declared: Declared = {
    pragmas: [],
    stateNames: new Set(),
    known: null,
    locks: null,
    hasContracts: false,
    usesSafeToken: false,
    hasStorageGap: false,
  }
  for (const member of file.unit.members) {
    if (member.kind === 'ContractDefinition') readContract(member, declared, gathered)
    else if (member.kind === 'ImportDirective') addKnown(declared, baseName(member.path))
    else if (member.kind === 'PragmaDirective' && member.name === 'solidity') declared.pragmas.push(member.value)
  }
  return declared
}

const hasUpgrades = (known: ReadonlySet<string>): boolean => {
  for (const name of known)
    if (name === 'initializable' || name === 'uupsupgradeable' || name.endsWith('upgradeable')) return true
  return false
}

const hasLockBase = (known: ReadonlySet<string>): boolean =>
  known.has('reentrancyguard') || known.has('reentrancyguardupgradeable') || known.has('reentrancyguardtransient')

const nothingGathered = (): Gathered => ({
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
  selfDestructs: false,
  privileged: null,
})

/** Reads the facts of one file. */
export class FactsReader {
  private readonly file: ScannedFile
  private readonly gathered = nothingGathered()
  private readonly declared: Declared
  private readonly docs: DocFinder
  private readonly reading: Reading

  constructor(file: ScannedFile) {
    this.file = file
    this.declared = readDeclarations(file, this.gathered)
    this.docs = new DocFinder(file)
    this.reading = {
      gathered: this.gathered,
      stateNames: this.declared.stateNames,
      facts: unasked,
      addresses: [],
      stored: [],
      storedIn: [],
    }
  }

  /** Reads what is left, in the order of the text. */
  finish(): FileFacts {
    const { file, declared, gathered } = this
    const groups = this.readGroups()
    const known = declared.known ?? noNames
    const privileged = gathered.privileged ?? noNames
    const facts: FileFacts = {
      versions: versionRangeOf(declared.pragmas),
      hasPragma: declared.pragmas.length > 0,
      hasLicence: file.text.slice(0, licenceReach).includes('SPDX-License-Identifier:'),
      hasContracts: declared.hasContracts,
      known,
      groups,
      gathered,
      handOvers: groups.givers.filter(({ handsOver }) => handsOver.some((name) => privileged.has(name))),
      hasLock: declared.locks !== null || hasLockBase(known),
      usesSafeToken: declared.usesSafeToken,
      isUpgradeable: hasUpgrades(known),
      hasStorageGap: declared.hasStorageGap,
      topics: 0,
    }
    facts.topics = topicsOf(facts)
    return facts
  }

  private readGroups(): Groups {
    const groups = new Groups()
    for (const contract of this.file.unit.members) {
      if (contract.kind !== 'ContractDefinition') continue
      this.readFunctions(contract, groups)
    }
    return groups
  }

  private readFunctions(contract: ContractDefinition, into: { push(facts: FunctionFacts): unknown }): void {
    const locks = this.declared.locks ?? wellKnownLocks
    for (const part of contract.members)
      if (part.kind === 'FunctionDefinition' && part.body !== null)
        into.push(readFunction(part, part.body, contract, this.docs, locks, this.reading))
  }
}
