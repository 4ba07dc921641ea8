/** What one function or modifier does and lacks. */
import {
  type Block,
  type ContractDefinition,
  type FunctionDefinition,
  type ModifierDefinition,
  walk,
} from '../syntax/index.ts'
import {
  type FunctionFacts,
  type Gathered,
  type Reading,
  readComparison,
  readMember,
  readStatement,
  rootName,
  unasked,
} from './code-facts.ts'
import type { DocFinder } from './doc-finder.ts'

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

const isEntryPoint = (fn: FunctionDefinition, { contractKind }: ContractDefinition): boolean =>
  contractKind !== 'interface' &&
  contractKind !== 'library' &&
  fn.functionKind !== 'free' &&
  fn.visibility !== 'internal' &&
  fn.visibility !== 'private'

const usesOneOf = ({ modifiers }: FunctionDefinition, locks: ReadonlySet<string>): boolean => {
  for (const { name } of modifiers) if (locks.has(name.names.at(-1)?.name ?? '')) return true
  return false
}

const factsOf = (
  fn: FunctionDefinition,
  contract: ContractDefinition,
  docs: DocFinder,
  locks: ReadonlySet<string>,
): FunctionFacts => {
  const name = fn.name === null ? (fn.functionKind === 'unnamed' ? 'fallback' : fn.functionKind) : fn.name.name
  const isConstructor = fn.functionKind === 'constructor' || (fn.name !== null && name === contract.name.name)
  const isEntry = !isConstructor && isEntryPoint(fn, contract)
  return {
    name,
    isEntry,
    isPayable: fn.mutability === 'payable',
    isDocumented: isEntry && docs.isDocumented(fn),
    usesLock: usesOneOf(fn, locks),
    isGuarded: !isConstructor && fn.modifiers.length > 0,
    writesState: false,
    emits: false,
    sendsEther: false,
    callsLowLevel: false,
    delegates: false,
    callsTokens: false,
    loops: false,
    uncheckedAddresses: addressParameters(fn),
    handsOver: none,
  }
}

/** `locks` are the names of modifiers that lock. */
export const readFunction = (
  fn: FunctionDefinition,
  body: Block,
  contract: ContractDefinition,
  docs: DocFinder,
  locks: ReadonlySet<string>,
  reading: Reading,
): FunctionFacts => {
  const facts = factsOf(fn, contract, docs, locks)
  reading.facts = facts
  reading.addresses = facts.uncheckedAddresses
  readStatement(reading, body)
  const { stored } = reading
  if (stored.length === 0) facts.uncheckedAddresses = none
  else {
    facts.uncheckedAddresses = facts.uncheckedAddresses.filter((name) => stored.includes(name))
    facts.handsOver = reading.storedIn
    reading.stored = []
    reading.storedIn = []
  }
  return facts
}

/**
 * What a modifier tells about the file: whom it compares the sender with, and what it reads of the chain. Answers whether
 * it is a lock, which writes one variable on both sides of `_`.
 */
export const readModifier = (modifier: ModifierDefinition, gathered: Gathered): boolean => {
  if (!modifier.body) return false
  const before: string[] = []
  let passed = false
  let locks = false
  walk(modifier.body, (node) => {
    if (node.kind === 'PlaceholderStatement') passed = true
    else if (node.kind === 'Binary' && (node.operator === '==' || node.operator === '!='))
      readComparison(node.left, node.right, unasked, gathered)
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
