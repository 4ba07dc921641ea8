import type { ContractDefinition, FunctionDefinition, ModifierDefinition, Span } from '../syntax/index.ts'
import { type Hash, hash } from './hash.ts'
import { normalise } from './normalise.ts'
import type { ScannedFile } from './scanned-file.ts'

/** Where a place lies: the contract and function that enclose it in the text. */
export interface Scope {
  readonly contract: string | null
  readonly function: string | null
  /** Of contract, function and the types of its parameters, so that overloads differ. */
  readonly hash: Hash
}

type Callable = FunctionDefinition | ModifierDefinition

const nameOf = (node: Callable): string =>
  node.name?.name ??
  (node.kind === 'FunctionDefinition' && node.functionKind !== 'unnamed' ? node.functionKind : 'fallback')

const makeScope = (file: ScannedFile, contract: ContractDefinition | null, callable: Callable | null): Scope => {
  const contractName = contract?.name.name ?? null
  const outer = `${contractName ?? ''}\n`
  if (callable === null) return { contract: contractName, function: null, hash: hash(outer) }
  const name = nameOf(callable)
  return { contract: contractName, function: name, hash: hash(`${outer}${name}(${typesOf(file, callable)})`) }
}

const typesOf = ({ text, base }: ScannedFile, { params }: Callable): string =>
  params.map(({ type }) => normalise(text, type.start - base, type.end - base)).join(',')

/** The one that holds an offset; they are disjoint and in order of their start, as the parser made them. */
const findEnclosing = <T extends Span>(members: readonly T[], offset: number): T | null => {
  let low = 0
  let high = members.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const member = members[middle]!
    if (offset < member.start) high = middle - 1
    else if (offset >= member.end) low = middle + 1
    else return member
  }
  return null
}

/** Finds the scope of a place by its global offset. Places come in the order of the text: one scope often serves the next. */
export const createScopeFinder = (file: ScannedFile): ((offset: number) => Scope) => {
  let contract: ContractDefinition | null = null
  let ofContract: Scope | null = null
  let callable: Callable | null = null
  let ofCallable: Scope | null = null
  const inContract = (): Scope => {
    ofContract ??= makeScope(file, contract, null)
    return ofContract
  }
  const inCallable = (found: Callable): Scope => {
    callable = found
    ofCallable = makeScope(file, contract, found)
    return ofCallable
  }
  return (offset) => {
    if (callable !== null && offset >= callable.start && offset < callable.end) return ofCallable!
    const outer = findEnclosing(file.unit.members, offset)
    const around = outer?.kind === 'ContractDefinition' ? outer : null
    if (around !== contract) ofContract = null
    contract = around
    const inner = around === null ? outer : findEnclosing(around.members, offset)
    return inner?.kind === 'FunctionDefinition' || inner?.kind === 'ModifierDefinition'
      ? inCallable(inner)
      : inContract()
  }
}
