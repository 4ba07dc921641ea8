/**
 * `using for`: functions that act as members of a type. A directive serves the contract it stands in (before 0.7 also
 * the derived ones), at file level the file, and with `global` every place where the type is used.
 */
import type { Binary, Unary, UsingDirective } from '../syntax/index.ts'
import { isFunction } from './callables.ts'
import { converts, sameIgnoringLocation } from './conversions.ts'
import type { FunctionModel, Type } from './declaration.ts'
import type { AttachedFunction, Attachment, Attachments, ContractSymbol, FileSymbol, Symbols } from './symbols.ts'

export const attachedFunctions = (
  object: Type,
  name: string,
  offset: number,
  symbols: Symbols,
): readonly FunctionModel[] => {
  if (object.kind === 'type' || object.kind === 'unknown' || object.kind === 'magic') return noFunctions
  const found: FunctionModel[] = []
  for (const attachments of attachmentsFor(object, offset, symbols))
    for (const { type, fn } of functionsNamed(attachments, name)) {
      if (type !== null && !sameIgnoringLocation(type, object) && !isMobile(type, object)) continue
      const first = fn.params[0]
      if (first !== undefined && !found.includes(fn) && converts(object, first.type)) found.push(fn)
    }
  return found
}

const noneAttached: readonly AttachedFunction[] = []

const functionsNamed = ({ all, byName }: Attachments, name: string): readonly AttachedFunction[] => {
  if (byName !== null) return byName.get(name) ?? noneAttached
  return all.flatMap(({ type, library, functions }) => {
    const own = library === null ? freeFunctions(functions) : (library.own.get(name) ?? []).filter(isFunction)
    return own.flatMap((fn) => (fn.name === name ? [{ type, fn }] : []))
  })
}

/** `address payable` values have the functions of `address`, and literals those of the type they become. */
const isMobile = (wanted: Type, object: Type): boolean =>
  (wanted.kind === 'address' && object.kind === 'address') ||
  (object.kind === 'rational' && wanted.kind === 'int') ||
  (object.kind === 'stringLiteral' && wanted.kind === 'string')

/** More than anyone writes by hand. */
const fewDirectives = 8

/**
 * By name where there are many, because each member that is called would else ask every directive in sight. Where there are few, a
 * large library is not copied for each of many contracts.
 */
const indexed = (all: readonly Attachment[]): Attachments => {
  if (all.length === 0) return none
  if (all.length <= fewDirectives) return { all, byName: null }
  const byName = new Map<string, AttachedFunction[]>()
  for (const attachment of all)
    for (const fn of functionsOf(attachment)) {
      const named = byName.get(fn.name)
      if (named === undefined) byName.set(fn.name, [{ type: attachment.type, fn }])
      else named.push({ type: attachment.type, fn })
    }
  return { all, byName }
}

const none: Attachments = { all: [], byName: new Map() }

const freeFunctions = (functions: Attachment['functions']): readonly FunctionModel[] =>
  functions.filter(({ operator }) => operator === null).map(({ fn }) => fn)

const functionsOf = ({ library, functions }: Attachment): readonly FunctionModel[] =>
  library === null ? freeFunctions(functions) : [...library.own.values()].flatMap((named) => named.filter(isFunction))

const noFunctions: readonly FunctionModel[] = []

/** Of the place itself, and of the file that defines the type. */
const attachmentsFor = (object: Type, offset: number, symbols: Symbols): readonly Attachments[] => {
  const file = symbols.fileAt(offset) as FileSymbol | undefined
  if (file === undefined) return []
  const contract = symbols.contractAt(offset) as ContractSymbol | undefined
  const local = contract === undefined ? attachmentsOfFile(file, symbols) : attachmentsOfContract(contract, symbols)
  const home = homeOf(object)
  if (home === undefined || home === file || home.usings.length === 0) return [local]
  return [local, globalAttachments(home, symbols)]
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

const attachmentsOfContract = (contract: ContractSymbol, symbols: Symbols): Attachments => {
  let known = symbols.attachments.get(contract)
  if (known !== undefined) return known
  const isInherited = !contract.file.versions.isAtLeast(7)
  const own: Attachment[] = []
  for (const owner of isInherited ? contract.linearization : [contract]) {
    for (const node of owner.usings) own.push(...readUsing(node, owner, owner.file, symbols))
  }
  const ofFile = attachmentsOfFile(contract.file, symbols)
  known = own.length === 0 ? ofFile : indexed([...own, ...ofFile.all])
  symbols.attachments.set(contract, known)
  return known
}

const attachmentsOfFile = (file: FileSymbol, symbols: Symbols): Attachments => {
  let known = symbols.attachments.get(file)
  if (known === undefined) {
    known = indexed(file.usings.flatMap((node) => readUsing(node, null, file, symbols)))
    symbols.attachments.set(file, known)
  }
  return known
}

const globalAttachments = (file: FileSymbol, symbols: Symbols): Attachments => {
  let known = symbols.globalAttachments.get(file)
  if (known === undefined) {
    known = indexed(file.usings.filter((node) => node.global).flatMap((node) => readUsing(node, null, file, symbols)))
    symbols.globalAttachments.set(file, known)
  }
  return known
}

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
  for (const { all } of attachmentsFor(type, offset, symbols))
    for (const attachment of all)
      for (const candidate of attachment.functions)
        if (candidate.operator === operator && attachment.type === type && candidate.fn.params.length === arity)
          return candidate.fn
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
