/** What `.name` means on a value of each type. */
import type { Member } from '../syntax/index.ts'
import { attachedFunctions } from './attached-functions.ts'
import {
  addressMembers,
  bytesMembers,
  concatenation,
  errorMembers,
  eventMembers,
  fixedBytesMembers,
  functionMembers,
  magicMembers,
  oldAddressMembers,
} from './builtins.ts'
import { isFunction } from './callables.ts'
import type {
  Builtin,
  ContractModel,
  ContractType,
  Declaration,
  FunctionModel,
  FunctionType,
  Type,
  TypeType,
  VariableModel,
} from './declaration.ts'
import { isOrderOfItsOwn } from './linearize.ts'
import { keepMember, memberMeaning } from './meanings.ts'
import type { ContractSymbol, FileSymbol, FunctionSymbol, MemberInfo, Symbols } from './symbols.ts'
import { typeOf, typeOfFound } from './type-expressions.ts'
import { withLocation } from './type-names.ts'
import { builtinFunction, bytes, bytes1, bytes4, string, uint256 } from './type-table.ts'
import { isVariable } from './variable.ts'

export const memberInfo = (node: Member, symbols: Symbols): MemberInfo => {
  const known = memberMeaning(node, symbols)
  if (known !== undefined) return known
  const object = typeOf(node.object, symbols)
  const info = ownMember(object, node, symbols) ?? attachedMember(object, node, symbols) ?? unknownMember(node, symbols)
  keepMember(node, info, symbols)
  return info
}

const unknownMember = (node: Member, symbols: Symbols): MemberInfo => ({
  type: symbols.types.unknown(`.${node.name.name}`),
  found: undefined,
})

const attachedMember = (object: Type, node: Member, symbols: Symbols): MemberInfo | undefined => {
  const functions = attachedFunctions(object, node.name.name, node.start, symbols)
  if (functions.length === 0) return undefined
  return { type: symbols.types.functions(functions, true), found: functions.length === 1 ? functions[0] : functions }
}

const named = (found: Declaration | readonly Declaration[] | undefined, symbols: Symbols): MemberInfo | undefined => {
  if (found === undefined) return undefined
  if (Array.isArray(found)) {
    if (found.length === 0) return undefined
    if (found.length === 1)
      return { type: typeOfFound(found[0] as Declaration, symbols), found: found[0] as Declaration }
  }
  return { type: typeOfFound(found, symbols), found }
}

const builtinOf = (members: ReadonlyMap<string, Builtin>, name: string): MemberInfo | undefined => {
  const found = members.get(name)
  return found === undefined ? undefined : { type: found.type, found }
}

const made = (name: string, type: Type): MemberInfo => ({ type, found: { kind: 'builtin', name, type } })

const ownMember = (object: Type, node: Member, symbols: Symbols): MemberInfo | undefined => {
  const { name } = node.name
  switch (object.kind) {
    case 'magic':
      return builtinOf(magicMembers[object.name], name)
    case 'address':
      return builtinOf(addressTable(node, symbols), name)
    case 'contract':
      return contractMember(object, node, symbols)
    case 'struct':
      return fieldMember(object, name, symbols)
    case 'array':
      return arrayMember(object, name, symbols)
    case 'bytes':
      return builtinOf(bytesMembers, name) ?? (object.location === 'storage' ? stackMember(name, bytes1) : undefined)
    case 'fixedBytes':
      return builtinOf(fixedBytesMembers, name)
    case 'function':
      return functionMember(object, name)
    case 'module':
      return named((object.file as FileSymbol).scope.get(name) as readonly Declaration[] | undefined, symbols)
    case 'type':
      return typeMember(object, node, symbols)
    case 'meta':
      return metaMember(object.actual, name)
    default:
      return undefined
  }
}

const addressTable = (node: Member, symbols: Symbols) =>
  symbols.fileAt(node.start)?.versions.isAtLeast(5) ? addressMembers : oldAddressMembers

const contractMember = (object: ContractType, node: Member, symbols: Symbols): MemberInfo | undefined => {
  const { name } = node.name
  const contract = object.contract as ContractSymbol
  if (object.isSuper) return named(superMembers(contract, name), symbols)
  const found = symbols.lookupInContract(contract, name)
  if (found !== undefined) {
    const visible = only(found, isCallableFromOutside)
    const variable = visible.find(isVariable)
    if (variable !== undefined) {
      return { type: getterType(variable, symbols), found: variable }
    }
    const info = named(visible, symbols)
    if (info !== undefined) return info
  }
  // Before 0.5 every contract has the members of its address.
  return symbols.fileAt(node.start)?.versions.isAtLeast(5) ? undefined : builtinOf(oldAddressMembers, name)
}

const none: readonly Declaration[] = []

/** Nearly always there is one and it passes: then the list is as it was. */
const only = (found: readonly Declaration[], passes: (declaration: Declaration) => boolean): readonly Declaration[] => {
  if (found.length === 1) return passes(found[0]!) ? found : none
  return found.filter(passes)
}

const isCallableFromOutside = (declaration: Declaration): boolean =>
  declaration.kind === 'function'
    ? declaration.visibility === 'public' || declaration.visibility === 'external'
    : declaration.kind === 'variable' && declaration.visibility === 'public'

/** What `super.name` can mean: the functions of the bases, nearest first, one per signature; written ones go before declared ones. */
const superMembers = (contract: ContractSymbol, name: string): readonly FunctionModel[] => {
  const all = [...superFunctions(contract, name).values()]
  const internal = all.filter((fn) => fn.visibility !== 'external')
  return internal.length > 0 ? internal : all
}

/** Kept with the contract: what comes behind a base is often what is `super` there, so that a long line of them is not walked from each. */
const superFunctions = (contract: ContractSymbol, name: string): ReadonlyMap<string, FunctionSymbol> => {
  contract.supers ??= new Map()
  let found = contract.supers.get(name)
  if (found === undefined) {
    found = findSuperFunctions(contract, name)
    contract.supers.set(name, found)
  }
  return found
}

const findSuperFunctions = (contract: ContractSymbol, name: string): ReadonlyMap<string, FunctionSymbol> => {
  const found = new Map<string, FunctionSymbol>()
  const add = (fn: FunctionSymbol) => {
    const known = found.get(fn.overrideKey)
    if (known === undefined || (!known.isImplemented && fn.isImplemented)) found.set(fn.overrideKey, fn)
  }
  const { linearization } = contract
  for (let i = 1; i < linearization.length; i++) {
    const base = linearization[i]!
    for (const fn of base.functions) if (fn.name === name && fn.visibility !== 'private') add(fn)
    if (!isOrderOfItsOwn(linearization, i)) continue
    for (const fn of superFunctions(base, name).values()) add(fn)
    break
  }
  return found
}

/** The function that reads a public variable: keys and indexes in, one value or the plain fields of a struct out. */
export const getterType = (variable: VariableModel, symbols: Symbols): FunctionType => {
  const params: Type[] = []
  let { type } = variable
  for (let depth = 0; depth < 60; depth++) {
    if (type.kind === 'mapping') {
      params.push(withLocation(type.key, 'memory', symbols))
      type = type.value
    } else if (type.kind === 'array') {
      params.push(uint256)
      type = type.base
    } else break
  }
  return symbols.types.getter(variable, params, getterResults(type, symbols))
}

const getterResults = (type: Type, symbols: Symbols): readonly Type[] => {
  if (type.kind !== 'struct') return [withLocation(type, 'memory', symbols)]
  return type.struct.fields
    .map((field) => withLocation(field.type, 'memory', symbols))
    .filter((field) => field.kind !== 'mapping' && field.kind !== 'array')
}

const fieldMember = (object: Type & { kind: 'struct' }, name: string, symbols: Symbols): MemberInfo | undefined => {
  const field = object.struct.fields.find((candidate) => candidate.name === name)
  if (field === undefined) return undefined
  return { type: withLocation(field.type, object.location, symbols), found: field }
}

const arrayMember = (object: Type & { kind: 'array' }, name: string, symbols: Symbols): MemberInfo | undefined => {
  if (name === 'length') return made('length', uint256)
  if (object.location !== 'storage' || object.length !== null) return undefined
  return stackMember(name, withLocation(object.base, 'storage', symbols))
}

const stackMember = (name: string, element: Type): MemberInfo | undefined => {
  if (name === 'push') return made('push', builtinFunction('push', [element], [element]))
  return name === 'pop' ? made('pop', builtinFunction('pop', [], [])) : undefined
}

const functionMember = (object: FunctionType, name: string): MemberInfo | undefined => {
  if (object.event !== null) return builtinOf(eventMembers, name)
  if (object.error !== null) return builtinOf(errorMembers, name)
  if (name === 'value' || name === 'gas') return made(name, builtinFunction(name, [uint256], [object]))
  return builtinOf(functionMembers, name)
}

const typeMember = (object: TypeType, node: Member, symbols: Symbols): MemberInfo | undefined => {
  const { name } = node.name
  const { actual } = object
  switch (actual.kind) {
    case 'contract':
      return contractTypeMember(actual.contract, node, symbols)
    case 'enum':
      return named(actual.enum.valueNamed(name), symbols)
    case 'userValue':
      if (name === 'wrap') return made('wrap', builtinFunction('wrap', [actual.definition.underlying], [actual]))
      return name === 'unwrap'
        ? made('unwrap', builtinFunction('unwrap', [actual], [actual.definition.underlying]))
        : undefined
    case 'bytes':
      return name === 'concat' ? { type: concatenation.bytes.type, found: concatenation.bytes } : undefined
    case 'string':
      return name === 'concat' ? { type: concatenation.string.type, found: concatenation.string } : undefined
    default:
      return undefined
  }
}

/** `Base.f`, `Lib.f`, `Token.Kind`, `IToken.transfer.selector`: by the name of the contract. */
const contractTypeMember = (contract: ContractModel, node: Member, symbols: Symbols): MemberInfo | undefined => {
  const found = symbols.lookupInContract(contract as ContractSymbol, node.name.name)
  if (found === undefined) return undefined
  const here = symbols.contractAt(node.start)
  const isInside = here?.linearization.includes(contract as ContractSymbol) === true
  const visible = only(found, (declaration) => isVisibleByName(declaration, contract, isInside))
  const implemented = isInside ? only(visible, isImplementedFunction) : none
  return named(implemented.length > 0 ? implemented : visible, symbols)
}

const isImplementedFunction = (declaration: Declaration): boolean =>
  isFunction(declaration) && declaration.isImplemented

const isVisibleByName = (declaration: Declaration, contract: ContractModel, isInside: boolean): boolean => {
  if (declaration.kind !== 'function' || isInside || contract.contractKind === 'library') return true
  return declaration.visibility === 'public' || declaration.visibility === 'external'
}

const metaMember = (actual: Type, name: string): MemberInfo | undefined => {
  switch (name) {
    case 'min':
    case 'max':
      return made(`type.${name}`, actual)
    case 'name':
      return made('type.name', string('memory'))
    case 'creationCode':
    case 'runtimeCode':
      return made(`type.${name}`, bytes('memory'))
    case 'interfaceId':
      return made('type.interfaceId', bytes4)
    default:
      return undefined
  }
}
