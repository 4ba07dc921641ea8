/**
 * What has been found out about the nodes of a scan. It hangs on the node itself, except for those of known libraries:
 * their trees serve every scan of the process and must hold nothing of one.
 */
import type { Call, Identifier, Member } from '../syntax/index.ts'
import type { Declaration } from './declaration.ts'
import { isOfStub } from './known-libraries/index.ts'
import type { MemberInfo } from './members.ts'
import type { CallTarget } from './model.ts'
import type { SymbolTable } from './symbol-table.ts'

/** null: the name means nothing; undefined: nobody has asked yet. */
type NameMeaning = Declaration | readonly Declaration[] | null

/** One function for each kind of node: they differ in shape. */
export const meaningOf = (node: Identifier, symbols: SymbolTable): NameMeaning | undefined =>
  (isOfStub(node) ? symbols.meanings.get(node) : node.meaning) as NameMeaning | undefined

export const memberMeaning = (node: Member, symbols: SymbolTable): MemberInfo | undefined =>
  (isOfStub(node) ? symbols.meanings.get(node) : node.meaning) as MemberInfo | undefined

export const callMeaning = (node: Call, symbols: SymbolTable): CallTarget | undefined =>
  (isOfStub(node) ? symbols.meanings.get(node) : node.meaning) as CallTarget | undefined

export const keepName = (node: Identifier, meaning: NameMeaning, symbols: SymbolTable): void => {
  if (isOfStub(node)) symbols.meanings.set(node, meaning)
  else node.meaning = meaning
}

export const keepMember = (node: Member, meaning: MemberInfo, symbols: SymbolTable): void => {
  if (isOfStub(node)) symbols.meanings.set(node, meaning)
  else node.meaning = meaning
}

export const keepCall = (node: Call, meaning: CallTarget, symbols: SymbolTable): void => {
  if (isOfStub(node)) symbols.meanings.set(node, meaning)
  else node.meaning = meaning
}
