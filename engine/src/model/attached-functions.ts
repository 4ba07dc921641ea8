/**
 * `using for`: functions that act as members of a type. A directive serves the contract it stands in (before 0.7 also
 * the derived ones), at file level the file, and with `global` every place where the type is used.
 */
import type { Binary, Unary, UsingDirective } from '../syntax/index.ts'
import { isFunction } from './callables.ts'
import { converts, sameIgnoringLocation } from './conversions.ts'
import type { FunctionModel, Type } from './declaration.ts'
import type { Attachment, ContractSymbol, FileSymbol, Symbols } from './symbols.ts'

export const attachedFunctions = (
  object: Type,
  name: string,
  offset: number,
  symbols: Symbols,
): readonly FunctionModel[] => {
  if (object.kind === 'type' || object.kind === 'unknown' || object.kind === 'magic') return noFunctions
  const attachments = attachmentsFor(object, offset, symbols)
  if (attachments.length === 0) return noFunctions
  const found: FunctionModel[] = []
  for (const attachment of attachments) {
    if (
      attachment.type !== null &&
      !sameIgnoringLocation(attachment.type, object) &&
      !isMobile(attachment.type, object)
    )
      continue
    for (const fn of candidatesOf(attachment, name)) {
      const first = fn.params[0]
      if (first !== undefined && !found.includes(fn) && converts(object, first.type)) found.push(fn)
    }
  }
  return found
}

/** `address payable` values have the functions of `address`, and literals those of the type they become. */
const isMobile = (wanted: Type, object: Type): boolean =>
  (wanted.kind === 'address' && object.kind === 'address') ||
  (object.kind === 'rational' && wanted.kind === 'int') ||
  (object.kind === 'stringLiteral' && wanted.kind === 'string')

const candidatesOf = (attachment: Attachment, name: string): readonly FunctionModel[] => {
  if (attachment.library === null) {
    return attachment.functions.filter(({ fn, operator }) => operator === null && fn.name === name).map(({ fn }) => fn)
  }
  const named = attachment.library.own.get(name)
  return named === undefined ? noFunctions : named.filter(isFunction)
}

const noFunctions: readonly FunctionModel[] = []

const attachmentsFor = (object: Type, offset: number, symbols: Symbols): readonly Attachment[] => {
  const file = symbols.fileAt(offset) as FileSymbol | undefined
  if (file === undefined) return []
  const contract = symbols.contractAt(offset) as ContractSymbol | undefined
  const local = contract === undefined ? attachmentsOfFile(file, symbols) : attachmentsOfContract(contract, symbols)
  const home = homeOf(object)
  if (home === undefined || home === file) return local
  const global = globalAttachments(home, symbols)
  return global.length === 0 ? local : [...local, ...global]
}

/** `using … global` can only be written where the type is defined. */
const homeOf = (type: Type): FileSymbol | undefined => {
  switch (type.kind) {
    case 'struct':
      return type.struct.file as FileSymbol
    case 'enum':
      return type.enum.file as FileSymbol
    case 'userValue':
      return type.definition.file as FileSymbol
    case 'contract':
      return type.contract.file as FileSymbol
    default:
      return undefined
  }
}

const attachmentsOfContract = (contract: ContractSymbol, symbols: Symbols): readonly Attachment[] => {
  let known = symbols.attachments.get(contract)
  if (known !== undefined) return known
  const isInherited = !contract.file.versions.isAtLeast(7)
  const own: Attachment[] = []
  for (const owner of isInherited ? contract.linearization : [contract]) {
    for (const node of owner.usings) own.push(...readUsing(node, owner, owner.file, symbols))
  }
  const ofFile = attachmentsOfFile(contract.file, symbols)
  known = ofFile.length === 0 ? own : own.length === 0 ? ofFile : [...own, ...ofFile]
  symbols.attachments.set(contract, known)
  return known
}

const none: readonly Attachment[] = []

const attachmentsOfFile = (file: FileSymbol, symbols: Symbols): readonly Attachment[] => {
  let known = symbols.attachments.get(file)
  if (known === undefined) {
    known = file.usings.length === 0 ? none : file.usings.flatMap((node) => readUsing(node, null, file, symbols))
    symbols.attachments.set(file, known)
  }
  return known
}

const globalAttachments = (file: FileSymbol, symbols: Symbols): readonly Attachment[] =>
  file.usings.length === 0
    ? none
    : file.usings.filter((node) => node.global).flatMap((node) => readUsing(node, null, file, symbols))

const readUsing = (
  node: UsingDirective,
  home: ContractSymbol | null,
  file: FileSymbol,
  symbols: Symbols,
): readonly Attachment[] => {
  const type = node.type === null ? null : symbols.typeOfName(node.type, home, file)
  if (node.braces) {
    const functions = node.functions.flatMap(({ path, operator }) =>
      symbols
        .resolvePathAll(path.names, home, file)
        .flatMap((fn) => (fn.kind === 'function' ? [{ fn, operator }] : [])),
    )
    return [{ type, library: null, functions }]
  }
  const [first] = node.functions
  const library = first === undefined ? undefined : symbols.resolvePath(first.path.names, home, file)
  return library?.kind === 'contract' ? [{ type, library: library as ContractSymbol, functions: [] }] : []
}

/** `using {add as +} for Price global`. */
const operatorFunction = (
  operator: string,
  type: Type,
  arity: number,
  offset: number,
  symbols: Symbols,
): FunctionModel | undefined => {
  for (const attachment of attachmentsFor(type, offset, symbols)) {
    for (const candidate of attachment.functions) {
      if (candidate.operator === operator && attachment.type === type && candidate.fn.params.length === arity) {
        return candidate.fn
      }
    }
  }
  return undefined
}

/** The result of an operator that a user-defined type brings, if it brings one. */
export const attachedOperator = (node: Unary | Binary, type: Type, arity: number, symbols: Symbols): Type | undefined =>
  operatorFunction(node.operator, type, arity, node.start, symbols)?.returns[0]?.type

/** The function an operator on a user-defined type calls. */
export const operatorTarget = (node: Unary | Binary, type: Type, symbols: Symbols): FunctionModel | undefined =>
  type.kind === 'userValue'
    ? operatorFunction(node.operator, type, node.kind === 'Unary' ? 1 : 2, node.start, symbols)
    : undefined
