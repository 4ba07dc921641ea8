/**
 * What has been found out about the nodes of a scan. It hangs on the node itself, except for those of known libraries:
 * their trees serve every scan of the process and must hold nothing of one.
 */
import type { Call, Identifier, Member } from '../syntax/index.ts'
import type { Declaration } from './declaration.ts'
import { isOfStub } from './known-libraries/index.ts'
import type { CallTarget } from './model.ts'
import type { MemberInfo, Symbols } from './symbols.ts'

/** null: the name means nothing; undefined: not looked up yet. */
type NameMeaning = Declaration | readonly Declaration[] | null

/** One function for each kind of node: they differ in shape. */
export const meaningOf = (node: Identifier, symbols: Symbols): NameMeaning | undefined =>
  (isOfStub(node) ? symbols.meanings.get(node) : node.meaning) as NameMeaning | undefined

export const memberMeaning = (node: Member, symbols: Symbols): MemberInfo | undefined =>
  (isOfStub(node) ? symbols.meanings.get(node) : node.meaning) as MemberInfo | undefined

export const callMeaning = (node: Call, symbols: Symbols): CallTarget | undefined =>
  (isOfStub(node) ? symbols.meanings.get(node) : node.meaning) as CallTarget | undefined

export const keepName = (node: Identifier, meaning: NameMeaning, symbols: Symbols): void => {
  if (isOfStub(node)) symbols.meanings.set(node, meaning)
  else node.meaning = meaning
}

export const keepMember = (node: Member, meaning: MemberInfo, symbols: Symbols): void => {
  if (isOfStub(node)) symbols.meanings.set(node, meaning)
  else node.meaning = meaning
}

export const keepCall = (node: Call, meaning: CallTarget, symbols: Symbols): void => {
  if (isOfStub(node)) symbols.meanings.set(node, meaning)
  else node.meaning = meaning
}
