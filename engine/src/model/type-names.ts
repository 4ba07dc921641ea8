import type { ArrayType as ArrayTypeName, Identifier, Mutability, TypeName } from '../syntax/index.ts'
import { mobileType } from './conversions.ts'
import type { Declaration, Location, Type } from './declaration.ts'
import type { ContractSymbol, FileSymbol, Symbols, VariableSymbol } from './symbols.ts'
import { bytes, elementaryType, string, uint256 } from './type-table.ts'

/** Nested mappings, arrays and function types deeper than this are unknown. */
const maxTypeDepth = 60

/** A type as written, without data location. */
export const readTypeName = (
  name: TypeName,
  home: ContractSymbol | null,
  file: FileSymbol,
  symbols: Symbols,
  depth = 0,
): Type => {
  const { types } = symbols
  if (depth > maxTypeDepth) return types.unknown('nested too deeply')
  switch (name.kind) {
    case 'ElementaryType':
      return elementaryType(name.name, name.payable, types) ?? types.unknown(name.name)
    case 'UserType':
      return typeOfDeclaration(symbols.resolvePath(name.path.names, home, file), name.path.names, symbols)
    case 'MappingType':
      return types.mapping(
        readTypeName(name.key, home, file, symbols, depth + 1),
        withLocation(readTypeName(name.value, home, file, symbols, depth + 1), 'storage', symbols),
      )
    case 'ArrayType':
      return types.array(readTypeName(name.base, home, file, symbols, depth + 1), arrayLength(name, symbols), null)
    case 'FunctionType': {
      const parameter = (node: { readonly type: TypeName; readonly location: Location }) =>
        withLocation(readTypeName(node.type, home, file, symbols, depth + 1), node.location ?? 'memory', symbols)
      const mutability: Mutability = name.mutability === 'constant' ? 'view' : name.mutability
      return types.pointer(
        name.params.map(parameter),
        name.returns.map(parameter),
        name.visibility ?? 'internal',
        mutability,
      )
    }
    case 'ErrorType':
      return types.unknown('unreadable')
  }
}

const arrayLength = (name: ArrayTypeName, symbols: Symbols): bigint | null | undefined => {
  if (name.length === null) return null
  const length = symbols.constantValue(name.length)
  return typeof length === 'bigint' && length >= 0n ? length : undefined
}

export const typeOfDeclaration = (
  declaration: Declaration | undefined,
  names: readonly Identifier[],
  symbols: Symbols,
): Type => {
  const { types } = symbols
  switch (declaration?.kind) {
    case 'contract':
      return types.contract(declaration)
    case 'struct':
      return types.struct(declaration, null)
    case 'enum':
      return types.enum(declaration)
    case 'userType':
      return types.userValue(declaration)
    default:
      return types.missing(names.map((name) => name.name).join('.'))
  }
}

/** The same type in another data location, all the way down. */
export const withLocation = (type: Type, location: Location, symbols: Symbols): Type => {
  switch (type.kind) {
    case 'bytes':
      return type.location === location ? type : bytes(location)
    case 'string':
      return type.location === location ? type : string(location)
    case 'struct':
      return type.location === location ? type : symbols.types.struct(type.struct, location)
    case 'array':
      return type.location === location
        ? type
        : symbols.types.array(withLocation(type.base, location, symbols), type.length, location)
    default:
      return type
  }
}

export const typeOfVariable = (variable: VariableSymbol, symbols: Symbols): Type => {
  const { node } = variable
  if (node.type.kind === 'ElementaryType') {
    if (node.type.name === 'var') return inferredType(variable, symbols)
    if (node.type.name === 'uint256' || node.type.name === 'uint') return uint256
  }
  return withLocation(symbols.typeOfName(node.type, variable.home, variable.file), locationOf(variable), symbols)
}

/** Where a reference lives when nothing is written: state in storage; before 0.5 locals in storage, parameters in memory. */
const locationOf = (variable: VariableSymbol): Location => {
  const { node, role, owner } = variable
  if (role === 'state' || role === 'constant') return role === 'state' ? 'storage' : 'memory'
  if (role === 'field') return null
  const written = node.kind === 'Parameter' ? node.location : null
  if (written !== null) return written
  if (role === 'local') return 'storage'
  return role === 'parameter' && owner?.visibility === 'external' ? 'calldata' : 'memory'
}

const inferredType = (variable: VariableSymbol, symbols: Symbols): Type => {
  const { initial } = variable
  if (initial === null || symbols.isInferring(variable)) return symbols.types.unknown('var')
  symbols.startInferring(variable)
  const whole = symbols.typeOf(initial.value)
  symbols.endInferring(variable)
  const type = initial.index < 0 ? whole : elementOf(whole, initial.index)
  return type === undefined ? symbols.types.unknown('var') : mobileType(type, symbols)
}

const elementOf = (type: Type, index: number): Type | undefined =>
  type.kind === 'tuple' ? (type.elements[index] ?? undefined) : index === 0 ? type : undefined
