/**
 * What a file does and lacks, read from its tree in one pass: the ground for advice, never for findings, so names of
 * well-known bases may count here.
 */
import {
  type Call,
  type Expression,
  type FunctionDefinition,
  type ModifierDefinition,
  type VersionRange,
  versionRangeOf,
  walk,
} from '../syntax/index.ts'
import type { ScannedFile } from './scanned-file.ts'
import { type Code, walkCode } from './walk-code.ts'

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

export interface FunctionFacts {
  readonly name: string
  readonly contract: string
  readonly isEntry: boolean
  readonly isConstructor: boolean
  readonly isPayable: boolean
  readonly isDocumented: boolean
  /** Has a modifier other than a base constructor, or tests msg.sender itself. */
  readonly isGuarded: boolean
  readonly usesLock: boolean
  readonly writesState: boolean
  readonly emits: boolean
  readonly sendsEther: boolean
  readonly lowLevelCalls: number
  readonly delegateCalls: number
  readonly selfDestructs: boolean
  /** `x.transfer(to, amount)` and its kin on a token. */
  readonly tokenCalls: number
  readonly loops: boolean
  /** Address parameters written to state without a look at zero. */
  readonly uncheckedAddresses: readonly string[]
  /** Privileged address variables it overwrites with a parameter. */
  readonly handsOver: readonly string[]
}

type Draft = { -readonly [K in keyof FunctionFacts]: FunctionFacts[K] }

interface Gathered {
  hasUnchecked: boolean
  hasAssembly: boolean
  hasEcrecover: boolean
  hasCustomErrors: boolean
  textRequires: number
  bareRequires: number
  usesTime: boolean
  usesChainRandomness: boolean
  usesTxOrigin: boolean
  usesOracle: boolean
  readonly privileged: Set<string>
}

/** A licence stands at the top; looking further costs more than it tells. */
const licenceReach = 4_000

const lockBases = ['reentrancyguard', 'reentrancyguardupgradeable', 'reentrancyguardtransient']

const memberName = (expression: Expression): string | null =>
  expression.kind === 'Member' ? expression.name.name : null

const isMsgSender = (node: Expression): boolean =>
  (node.kind === 'Member' &&
    node.name.name === 'sender' &&
    node.object.kind === 'Identifier' &&
    node.object.name === 'msg') ||
  (node.kind === 'Call' && node.callee.kind === 'Identifier' && node.callee.name === '_msgSender')

/** `roles[msg.sender]` or its negation, as a whole condition. */
const isSenderEntry = (condition: Expression): boolean => {
  const node = condition.kind === 'Unary' && condition.operator === '!' ? condition.operand : condition
  return node.kind === 'Index' && node.index !== null && isMsgSender(node.index)
}

/** The callee without `{value: …}` and without the older `.value(…)` and `.gas(…)`. */
const bareCallee = (call: Call): { callee: Expression; hasValue: boolean } => {
  let callee = call.callee
  let hasValue = false
  for (let depth = 0; depth < 8; depth++) {
    if (callee.kind === 'CallOptions') {
      hasValue ||= callee.names.some(({ name }) => name === 'value')
      callee = callee.callee
    } else if (callee.kind === 'Call' && ['value', 'gas'].includes(memberName(callee.callee) ?? '')) {
      hasValue ||= memberName(callee.callee) === 'value'
      callee = callee.callee.kind === 'Member' ? callee.callee.object : callee.callee
    } else break
  }
  return { callee, hasValue }
}

const rootName = (expression: Expression): string | null => {
  let node = expression
  for (let depth = 0; depth < 32; depth++) {
    if (node.kind === 'Identifier') return node.name
    if (node.kind === 'Index' || node.kind === 'Member') node = node.object
    else return null
  }
  return null
}

/** Numbers are not addresses: `address(0)` and `address(0x0)` alone are zero. */
const isZeroAddress = (node: Expression): boolean => {
  if (node.kind !== 'Call' || node.callee.kind !== 'TypeExpression') return false
  const [value] = node.args.values
  return value?.kind === 'Literal' && /^(?:0|0x0+)$/.test(value.value)
}

const readCall = (call: Call, draft: Draft, gathered: Gathered): void => {
  const { callee, hasValue } = bareCallee(call)
  const name = memberName(callee) ?? (callee.kind === 'Identifier' ? callee.name : '')
  const count = call.args.values.length
  if (callee.kind === 'Identifier') readPlainCall(name, call, draft, gathered)
  else if (name === 'call') draft.lowLevelCalls += 1
  else if (name === 'delegatecall' || name === 'callcode') draft.delegateCalls += 1
  else if (
    (name === 'transfer' && count === 2) ||
    (name === 'transferFrom' && count === 3) ||
    (name === 'approve' && count === 2)
  )
    draft.tokenCalls += 1
  else if (name === 'latestRoundData' || name === 'latestAnswer') gathered.usesOracle = true
  if (hasValue || ((name === 'transfer' || name === 'send') && count === 1 && callee.kind === 'Member'))
    draft.sendsEther = true
}

const readPlainCall = (name: string, call: Call, draft: Draft, gathered: Gathered): void => {
  if (name === 'selfdestruct' || name === 'suicide') draft.selfDestructs = true
  else if (name === 'ecrecover') gathered.hasEcrecover = true
  else if (name === 'blockhash') gathered.usesChainRandomness = true
  else if (name === 'require') {
    const [condition, reason] = call.args.values
    if (condition && isSenderEntry(condition)) draft.isGuarded = true
    if (!reason) gathered.bareRequires += 1
    else if (reason.kind === 'Literal') gathered.textRequires += 1
  }
}

const readComparison = (left: Expression, right: Expression, draft: Draft, gathered: Gathered): void => {
  readSide(left, right, draft, gathered)
  readSide(right, left, draft, gathered)
}

const readSide = (side: Expression, other: Expression, draft: Draft, gathered: Gathered): void => {
  if (isMsgSender(side)) {
    draft.isGuarded = true
    const name = rootName(other)
    if (name) gathered.privileged.add(name)
  } else if (isZeroAddress(side)) {
    const name = rootName(other)
    if (name) draft.uncheckedAddresses = draft.uncheckedAddresses.filter((each) => each !== name)
  }
}

const readMember = (node: Expression & { kind: 'Member' }, gathered: Gathered): void => {
  if (node.object.kind !== 'Identifier') return
  const { name } = node.name
  if (node.object.name === 'tx') gathered.usesTxOrigin ||= name === 'origin'
  else if (node.object.name === 'block') {
    gathered.usesTime ||= name === 'timestamp'
    gathered.usesChainRandomness ||= name === 'difficulty' || name === 'prevrandao' || name === 'blockhash'
  }
}

interface Assigned {
  readonly target: string
  readonly value: string | null
}

const readNode = (node: Code, draft: Draft, gathered: Gathered, assigned: Assigned[]): void => {
  switch (node.kind) {
    case 'Call':
      readCall(node, draft, gathered)
      break
    case 'Binary':
      if (node.operator === '==' || node.operator === '!=') readComparison(node.left, node.right, draft, gathered)
      break
    case 'Assignment': {
      const target = rootName(node.target)
      if (target) assigned.push({ target, value: rootName(node.value) })
      break
    }
    case 'Unary': {
      if (node.operator !== '++' && node.operator !== '--' && node.operator !== 'delete') break
      const target = rootName(node.operand)
      if (target) assigned.push({ target, value: null })
      break
    }
    case 'IfStatement':
      if (isSenderEntry(node.condition)) draft.isGuarded = true
      break
    case 'Member':
      readMember(node, gathered)
      break
    case 'Identifier':
      if (node.name === 'now') gathered.usesTime = true
      break
    case 'EmitStatement':
      draft.emits = true
      break
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      draft.loops = true
      break
    case 'AssemblyStatement':
      gathered.hasAssembly = true
      break
    case 'Block':
      if (node.unchecked) gathered.hasUnchecked = true
      break
    case 'RevertStatement':
      gathered.hasCustomErrors = true
      break
  }
}

/** A comment further above than this belongs to something else. */
const maxGap = 200

const isDocumented = (text: string, start: number): boolean => {
  let end = start
  const from = Math.max(0, start - maxGap)
  while (end > from && text.charCodeAt(end - 1) <= 32) end -= 1
  if (text.startsWith('*/', end - 2)) return text.lastIndexOf('/**', end) >= text.lastIndexOf('*/', end - 3)
  const line = text.slice(text.lastIndexOf('\n', end - 1) + 1, end)
  return line.trimStart().startsWith('///')
}

const none: readonly string[] = []

const addressParameters = (fn: FunctionDefinition): readonly string[] => {
  let found: string[] | null = null
  for (const { type, name } of fn.params) {
    if (name === null || type.kind !== 'ElementaryType' || type.name !== 'address') continue
    found ??= []
    found.push(name.name)
  }
  return found ?? none
}

const isEntryPoint = (fn: FunctionDefinition, isInterface: boolean, isConstructor: boolean): boolean =>
  !isInterface &&
  !isConstructor &&
  fn.functionKind !== 'free' &&
  fn.visibility !== 'internal' &&
  fn.visibility !== 'private'

const readFunction = (
  fn: FunctionDefinition,
  contract: string,
  isInterface: boolean,
  file: ScannedFile,
  stateNames: ReadonlySet<string>,
  locks: ReadonlySet<string>,
  gathered: Gathered,
): Draft => {
  const isConstructor = fn.functionKind === 'constructor' || (fn.name !== null && fn.name.name === contract)
  const isEntry = isEntryPoint(fn, isInterface, isConstructor)
  const addresses = addressParameters(fn)
  const draft: Draft = {
    name: fn.name?.name ?? (fn.functionKind === 'unnamed' ? 'fallback' : fn.functionKind),
    contract,
    isEntry,
    isConstructor,
    isPayable: fn.mutability === 'payable',
    isDocumented: isEntry && isDocumented(file.text, fn.start - file.base),
    isGuarded: !isConstructor && fn.modifiers.length > 0,
    usesLock: fn.modifiers.some(({ name }) => locks.has(name.names.at(-1)?.name ?? '')),
    writesState: false,
    emits: false,
    sendsEther: false,
    lowLevelCalls: 0,
    delegateCalls: 0,
    selfDestructs: false,
    tokenCalls: 0,
    loops: false,
    uncheckedAddresses: addresses,
    handsOver: [],
  }
  const assigned: Assigned[] = []
  if (fn.body) walkCode(fn.body, (node) => readNode(node, draft, gathered, assigned))
  if (assigned.length === 0) {
    draft.uncheckedAddresses = none
    return draft
  }
  const writes = assigned.filter(({ target }) => stateNames.has(target))
  const stored = new Set(writes.map(({ value }) => value))
  draft.writesState = writes.length > 0
  draft.uncheckedAddresses = draft.uncheckedAddresses.filter((name) => stored.has(name))
  draft.handsOver = writes
    .filter(({ value }) => value !== null && addresses.includes(value))
    .map(({ target }) => target)
  return draft
}

/** A lock writes one variable on both sides of `_`. */
const isLock = (modifier: ModifierDefinition): boolean => {
  const before = new Set<string>()
  let passed = false
  let found = false
  if (modifier.body)
    walk(modifier.body, (node) => {
      if (node.kind === 'PlaceholderStatement') passed = true
      if (node.kind !== 'Assignment') return
      const name = rootName(node.target)
      if (!name) return
      if (passed && before.has(name)) found = true
      else if (!passed) before.add(name)
    })
  return found
}

const baseName = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.sol$/, '').toLowerCase()

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
  const functions: Draft[] = []
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
        else if (part.kind === 'ModifierDefinition' && isLock(part)) {
          hasLock = true
          locks.add(part.name.name)
        }
      }
    }
  }
  for (const member of file.unit.members) {
    if (member.kind !== 'ContractDefinition') continue
    const isInterface = member.contractKind === 'interface' || member.contractKind === 'library'
    for (const part of member.members) {
      if (part.kind === 'FunctionDefinition' && part.body)
        functions.push(readFunction(part, member.name.name, isInterface, file, stateNames, locks, gathered))
      else if (part.kind === 'ModifierDefinition' && part.body) readModifier(part, gathered)
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

const readModifier = (modifier: ModifierDefinition, gathered: Gathered): void => {
  const scratch = { isGuarded: false, uncheckedAddresses: [] as readonly string[] } as unknown as Draft
  if (!modifier.body) return
  walkCode(modifier.body, (node) => {
    if (node.kind === 'Binary' && (node.operator === '==' || node.operator === '!='))
      readComparison(node.left, node.right, scratch, gathered)
    else if (node.kind === 'Member') readMember(node, gathered)
  })
}
