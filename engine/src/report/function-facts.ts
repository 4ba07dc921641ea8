/** What one function or modifier does and lacks. */
import { type FunctionDefinition, type ModifierDefinition, walk } from '../syntax/index.ts'
import {
  type Draft,
  type FunctionFacts,
  type Gathered,
  type Reading,
  readComparison,
  readMember,
  readStatement,
  rootName,
} from './code-facts.ts'
import type { ScannedFile } from './scanned-file.ts'

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

const usesOneOf = (fn: FunctionDefinition, locks: ReadonlySet<string>): boolean => {
  for (const { name } of fn.modifiers) if (locks.has(name.names.at(-1)?.name ?? '')) return true
  return false
}

const draftOf = (fn: FunctionDefinition, contract: string, isInterface: boolean, file: ScannedFile): Draft => {
  const isConstructor = fn.functionKind === 'constructor' || (fn.name !== null && fn.name.name === contract)
  const isEntry = isEntryPoint(fn, isInterface, isConstructor)
  return {
    name: fn.name?.name ?? (fn.functionKind === 'unnamed' ? 'fallback' : fn.functionKind),
    contract,
    isEntry,
    isConstructor,
    isPayable: fn.mutability === 'payable',
    isDocumented: isEntry && isDocumented(file.text, fn.start - file.base),
    isGuarded: !isConstructor && fn.modifiers.length > 0,
    usesLock: false,
    writesState: false,
    emits: false,
    sendsEther: false,
    lowLevelCalls: 0,
    delegateCalls: 0,
    selfDestructs: false,
    tokenCalls: 0,
    loops: false,
    uncheckedAddresses: addressParameters(fn),
    handsOver: none,
  }
}

export interface Surroundings {
  readonly file: ScannedFile
  readonly stateNames: ReadonlySet<string>
  /** Names of modifiers that lock. */
  readonly locks: ReadonlySet<string>
  readonly gathered: Gathered
}

export const readFunction = (
  fn: FunctionDefinition,
  contract: string,
  isInterface: boolean,
  { file, stateNames, locks, gathered }: Surroundings,
): FunctionFacts => {
  const draft = draftOf(fn, contract, isInterface, file)
  draft.usesLock = usesOneOf(fn, locks)
  const addresses = draft.uncheckedAddresses
  const reading: Reading = { draft, gathered, targets: [], values: [] }
  if (fn.body !== null) readStatement(reading, fn.body)
  const stored: (string | null)[] = []
  const handsOver: string[] = []
  reading.targets.forEach((target, i) => {
    if (!stateNames.has(target)) return
    const value = reading.values[i]!
    stored.push(value)
    if (value !== null && addresses.includes(value)) handsOver.push(target)
  })
  draft.writesState = stored.length > 0
  draft.uncheckedAddresses =
    stored.length === 0 ? none : draft.uncheckedAddresses.filter((name) => stored.includes(name))
  draft.handsOver = handsOver.length === 0 ? none : handsOver
  return draft
}

/**
 * What a modifier tells about the file: whom it compares the sender with, and what it reads of the chain. Answers whether
 * it is a lock, which writes one variable on both sides of `_`.
 */
export const readModifier = (modifier: ModifierDefinition, gathered: Gathered): boolean => {
  if (!modifier.body) return false
  const scratch = { isGuarded: false, uncheckedAddresses: none } as unknown as Draft
  const before: string[] = []
  let passed = false
  let locks = false
  walk(modifier.body, (node) => {
    if (node.kind === 'PlaceholderStatement') passed = true
    else if (node.kind === 'Binary' && (node.operator === '==' || node.operator === '!='))
      readComparison(node.left, node.right, scratch, gathered)
    else if (node.kind === 'Member') readMember(node, gathered)
    else if (node.kind === 'Assignment') {
      const name = rootName(node.target)
      if (name === null) return
      if (passed && before.includes(name)) locks = true
      else if (!passed) before.push(name)
    }
  })
  return locks
}
