/**
 * Makes types and keeps each one once. Elementary types are shared by the whole process; the others are kept by
 * the model that asked, so nothing outlives it.
 */
import type { Mutability, Visibility } from '../syntax/index.ts'
import type {
  ContractModel,
  EnumModel,
  ErrorModel,
  EventModel,
  FunctionModel,
  StructModel,
  UserTypeModel,
} from './declaration.ts'
import type { SourceFile } from './source-file.ts'
import type {
  AddressType,
  ArrayType,
  BoolType,
  FixedBytesType,
  FunctionType,
  IntType,
  Location,
  MagicType,
  Type,
} from './type.ts'

let lastId = 0
const nextId = () => ++lastId

/** Keeps types by a key of numbers and words. */
const keep = <T extends Type>(table: Map<string | number, Type>, key: string | number, make: () => T): T => {
  const found = table.get(key)
  if (found !== undefined) return found as T
  const made = make()
  table.set(key, made)
  return made
}

const uints: IntType[] = []
const ints: IntType[] = []
for (let bits = 8; bits <= 256; bits += 8) {
  uints.push({ kind: 'int', id: nextId(), bits, signed: false })
  ints.push({ kind: 'int', id: nextId(), bits, signed: true })
}
const fixedBytesTypes: FixedBytesType[] = []
for (let size = 1; size <= 32; size++) fixedBytesTypes.push({ kind: 'fixedBytes', id: nextId(), size })

export const bool: BoolType = { kind: 'bool', id: nextId() }
export const address: AddressType = { kind: 'address', id: nextId(), payable: false }
export const payableAddress: AddressType = { kind: 'address', id: nextId(), payable: true }
export const uint = (bits: number): IntType => uints[bits / 8 - 1] ?? uint256
export const int = (bits: number): IntType => ints[bits / 8 - 1] ?? uint256
export const uint256 = uints[31] as IntType
export const int256 = ints[31] as IntType
export const uint8 = uints[0] as IntType
export const fixedBytes = (size: number): FixedBytesType => fixedBytesTypes[size - 1] ?? bytes32
export const bytes32 = fixedBytesTypes[31] as FixedBytesType
export const bytes4 = fixedBytesTypes[3] as FixedBytesType
export const bytes1 = fixedBytesTypes[0] as FixedBytesType

const byLocation = <T>(make: (location: Location) => T) => {
  const types = {
    none: make(null),
    storage: make('storage'),
    memory: make('memory'),
    calldata: make('calldata'),
  }
  return (location: Location): T => types[location ?? 'none']
}
export const bytes = byLocation((location): Type => ({ kind: 'bytes', id: nextId(), location }))
export const string = byLocation((location): Type => ({ kind: 'string', id: nextId(), location }))

export const magic = {
  msg: { kind: 'magic', id: nextId(), name: 'msg' },
  block: { kind: 'magic', id: nextId(), name: 'block' },
  tx: { kind: 'magic', id: nextId(), name: 'tx' },
  abi: { kind: 'magic', id: nextId(), name: 'abi' },
} as const satisfies Record<string, MagicType>

export const emptyTuple: Type = { kind: 'tuple', id: nextId(), elements: [] }

/** Types that hang on one declaration. */
export interface MadeTypes {
  own?: Type
  storage?: Type
  memory?: Type
  calldata?: Type
  /** Of contracts `super`, of functions the one whose first argument is the receiver. */
  other?: Type
}

interface Maker {
  readonly made?: MadeTypes
}

const keepOn = <T extends Type>(owner: object, slot: keyof MadeTypes, make: () => T): T => {
  const made = (owner as Maker).made
  if (made === undefined) return make()
  let type = made[slot]
  if (type === undefined) {
    type = make()
    made[slot] = type
  }
  return type as T
}

export interface TypeTable {
  array(base: Type, length: bigint | null | undefined, location: Location): ArrayType
  mapping(key: Type, value: Type): Type
  struct(struct: StructModel, location: Location): Type
  enum(definition: EnumModel): Type
  contract(contract: ContractModel): Type
  super(contract: ContractModel): Type
  userValue(definition: UserTypeModel): Type
  pointer(params: readonly Type[], returns: readonly Type[], visibility: Visibility, mutability: Mutability): Type
  functions(functions: readonly FunctionModel[], attached: boolean): FunctionType
  getter(owner: object, params: readonly Type[], returns: readonly Type[]): FunctionType
  event(event: EventModel): Type
  error(error: ErrorModel): Type
  tuple(elements: readonly (Type | null)[]): Type
  typeOfType(actual: Type): Type
  meta(actual: Type): Type
  module(file: SourceFile): Type
  /** Number literals by their text: most are written many times. */
  readonly literals: Map<string, Type>
  rational(numerator: bigint, denominator: bigint, hexBytes: number | null): Type
  stringLiteral(value: string, hex: boolean): Type
  fixedPoint(name: string): Type
  unknown(reason: string): Type
}

/** `params => returns` of a builtin function: shared by the process. */
export const builtinFunction = (
  name: string,
  params: readonly Type[],
  returns: readonly Type[],
  mutability: Mutability = 'nonpayable',
): FunctionType => ({
  kind: 'function',
  id: nextId(),
  params,
  returns,
  visibility: 'internal',
  mutability,
  functions: [],
  attached: false,
  builtin: name,
  event: null,
  error: null,
})

export const createTypeTable = (): TypeTable => {
  const table = new Map<string | number, Type>()
  const getters = new Map<object, FunctionType>()
  const modules = new Map<object, Type>()
  const literals = new Map<string, Type>()
  const ids = (types: readonly (Type | null)[]) => {
    let key = ''
    for (const type of types) key += type === null ? '_,' : `${type.id},`
    return key
  }
  const plainFunction = (
    params: readonly Type[],
    returns: readonly Type[],
    visibility: Visibility,
    mutability: Mutability,
  ): FunctionType => ({
    kind: 'function',
    id: nextId(),
    params,
    returns,
    visibility,
    mutability,
    functions: [],
    attached: false,
    builtin: null,
    event: null,
    error: null,
  })

  return {
    array: (base, length, location) =>
      keep(table, `a${base.id}:${length}:${location}`, () => ({ kind: 'array', id: nextId(), base, length, location })),
    mapping: (key, value) =>
      keep(table, `m${key.id}:${value.id}`, () => ({ kind: 'mapping', id: nextId(), key, value })),
    struct: (struct, location) =>
      keepOn(struct, location ?? 'own', () => ({ kind: 'struct', id: nextId(), struct, location })),
    enum: (definition) => keepOn(definition, 'own', () => ({ kind: 'enum', id: nextId(), enum: definition })),
    contract: (contract) =>
      keepOn(contract, 'own', () => ({ kind: 'contract', id: nextId(), contract, isSuper: false })),
    super: (contract) => keepOn(contract, 'other', () => ({ kind: 'contract', id: nextId(), contract, isSuper: true })),
    userValue: (definition) => keepOn(definition, 'own', () => ({ kind: 'userValue', id: nextId(), definition })),
    pointer: (params, returns, visibility, mutability) =>
      keep(table, `f${ids(params)}>${ids(returns)}${visibility}${mutability}`, () =>
        plainFunction(params, returns, visibility, mutability),
      ),
    functions: (functions, attached) => {
      const first = functions[0]
      const make = (): FunctionType => ({
        ...plainFunction(
          first === undefined ? [] : first.params.map((param) => param.type),
          first === undefined ? [] : first.returns.map((param) => param.type),
          first?.visibility ?? 'internal',
          first?.mutability ?? 'nonpayable',
        ),
        functions,
        attached,
      })
      return functions.length === 1 && first !== undefined ? keepOn(first, attached ? 'other' : 'own', make) : make()
    },
    getter: (owner, params, returns) => {
      let type = getters.get(owner)
      if (type === undefined) {
        type = plainFunction(params, returns, 'external', 'view')
        getters.set(owner, type)
      }
      return type
    },
    event: (event) =>
      keepOn(event, 'own', () => ({
        ...plainFunction(
          event.params.map((param) => param.type),
          [],
          'internal',
          'nonpayable',
        ),
        event,
      })),
    error: (error) =>
      keepOn(error, 'own', () => ({
        ...plainFunction(
          error.params.map((param) => param.type),
          [],
          'internal',
          'pure',
        ),
        error,
      })),
    tuple: (elements) =>
      elements.length === 0
        ? emptyTuple
        : keep(table, `t${ids(elements)}`, () => ({ kind: 'tuple', id: nextId(), elements })),
    typeOfType: (actual) => keep(table, `y${actual.id}`, () => ({ kind: 'type', id: nextId(), actual })),
    meta: (actual) => keep(table, `q${actual.id}`, () => ({ kind: 'meta', id: nextId(), actual })),
    module: (file) => {
      let type = modules.get(file)
      if (type === undefined) {
        type = { kind: 'module', id: nextId(), file }
        modules.set(file, type)
      }
      return type
    },
    literals,
    rational: (numerator, denominator, hexBytes) =>
      denominator === 1n
        ? keep(table, `r${numerator}:${hexBytes}`, () => ({
            kind: 'rational',
            id: nextId(),
            numerator,
            denominator,
            hexBytes,
          }))
        : keep(table, `r${numerator}/${denominator}`, () => ({
            kind: 'rational',
            id: nextId(),
            numerator,
            denominator,
            hexBytes: null,
          })),
    stringLiteral: (value, hex) =>
      keep(table, `s${hex ? 1 : 0}${value}`, () => ({ kind: 'stringLiteral', id: nextId(), value, hex })),
    fixedPoint: (name) => keep(table, `x${name}`, () => ({ kind: 'fixedPoint', id: nextId(), name })),
    unknown: (reason) => keep(table, `u${reason}`, () => ({ kind: 'unknown', id: nextId(), reason })),
  }
}

/** `uint256`, `bytes4`, `address`…; undefined for what is no elementary type. */
export const elementaryType = (name: string, payable: boolean, types: TypeTable): Type | undefined => {
  switch (name) {
    case 'uint':
    case 'uint256':
      return uint256
    case 'address':
      return payable ? payableAddress : address
    case 'bool':
      return bool
    case 'bytes':
      return bytes(null)
    case 'string':
      return string(null)
    case 'int':
      return int256
    case 'byte':
      return bytes1
  }
  if (name.startsWith('uint')) return uints[Number(name.slice(4)) / 8 - 1]
  if (name.startsWith('int')) return ints[Number(name.slice(3)) / 8 - 1]
  if (name.startsWith('bytes')) return fixedBytesTypes[Number(name.slice(5)) - 1]
  if (name.startsWith('fixed') || name.startsWith('ufixed')) return types.fixedPoint(name)
  return undefined
}
