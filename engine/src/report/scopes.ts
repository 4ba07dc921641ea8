import type { ContractDefinition, FunctionDefinition, ModifierDefinition, Span } from '../syntax/index.ts'
import type { Hash } from './hash.ts'
import { normalise } from './normalise.ts'
import type { ScannedFile } from './scanned-file.ts'

/** Where a span lies: the contract and function that enclose it in the text. */
export interface Scope {
  readonly contract: string | null
  readonly function: string | null
  /** Name and parameter types, so that overloads differ; null outside functions. */
  readonly signature: string | null
  /** Of contract and signature, once a fingerprint has asked for it. */
  hash: Hash | null
}

interface Entry extends Span {
  readonly name: string
  readonly node: FunctionDefinition | ModifierDefinition | null
  /** Made for the first span inside; most functions with one finding have several. */
  scope: Scope | null
}

const outside: Scope = { contract: null, function: null, signature: null, hash: null }

const nameOf = (node: FunctionDefinition | ModifierDefinition): string =>
  node.name?.name ??
  (node.kind === 'FunctionDefinition' && node.functionKind !== 'unnamed' ? node.functionKind : 'fallback')

const collect = (file: ScannedFile): { contracts: Entry[]; functions: Entry[] } => {
  const contracts: Entry[] = []
  const functions: Entry[] = []
  const addFunction = (node: FunctionDefinition | ModifierDefinition): void => {
    functions.push({ start: node.start, end: node.end, name: nameOf(node), node, scope: null })
  }
  const addContract = (contract: ContractDefinition): void => {
    contracts.push({ start: contract.start, end: contract.end, name: contract.name.name, node: null, scope: null })
    for (const member of contract.members)
      if (member.kind === 'FunctionDefinition' || member.kind === 'ModifierDefinition') addFunction(member)
  }
  for (const member of file.unit.members) {
    if (member.kind === 'ContractDefinition') addContract(member)
    else if (member.kind === 'FunctionDefinition') addFunction(member)
  }
  return { contracts, functions }
}

/** Entries are disjoint and in order of their start, as the parser made them. */
const findEnclosing = (entries: readonly Entry[], offset: number): Entry | undefined => {
  let low = 0
  let high = entries.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (!entry) return undefined
    if (offset < entry.start) high = middle - 1
    else if (offset >= entry.end) low = middle + 1
    else return entry
  }
  return undefined
}

export const createScopeFinder = (file: ScannedFile): ((span: Span) => Scope) => {
  let entries: ReturnType<typeof collect> | null = null
  return (span) => {
    entries ??= collect(file)
    const contract = findEnclosing(entries.contracts, span.start)
    const fn = findEnclosing(entries.functions, span.start)
    const innermost = fn ?? contract
    if (innermost === undefined) return outside
    innermost.scope ??= {
      contract: contract?.name ?? null,
      function: fn?.name ?? null,
      signature: fn?.node ? signatureOf(file, fn.name, fn.node) : null,
      hash: null,
    }
    return innermost.scope
  }
}

const signatureOf = (file: ScannedFile, name: string, node: FunctionDefinition | ModifierDefinition): string => {
  let types = ''
  for (const { type } of node.params) {
    if (types !== '') types += ','
    types += normalise(file.text.slice(type.start - file.base, type.end - file.base))
  }
  return `${name}(${types})`
}
