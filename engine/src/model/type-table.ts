/**
 * Makes types and keeps each one once. Elementary types are shared by the whole process; the others are kept by
 * the model that needed it, so nothing outlives it.
 */
import type { Mutability, Visibility } from '../syntax/index.ts'
import type {
  AddressType,
  ArrayType,
  BoolType,
  ContractModel,
  Declaration,
  EnumModel,
  ErrorModel,
  EventModel,
  FixedBytesType,
  FunctionModel,
  FunctionType,
  IntType,
  Location,
  MagicType,
  SourceFile,
  StructModel,
  Type,
  UserTypeModel,
  VariableModel,
} from './declaration.ts'

/** The numbers of the types that all scans share: one block for each kind, then those of the scan. */
const sizes = Array.from({ length: 32 }, (_, i) => i + 1)
const uints = sizes.map((size): IntType => ({ kind: 'int', id: size, bits: 8 * size, signed: false }))
const ints = sizes.map((size): IntType => ({ kind: 'int', id: 32 + size, bits: 8 * size, signed: true }))
const fixedBytesTypes = sizes.map((size): FixedBytesType => ({ kind: 'fixedBytes', id: 64 + size, size }))

export const bool: BoolType = { kind: 'bool', id: 97 }
export const address: AddressType = { kind: 'address', id: 98, payable: false }
export const payableAddress: AddressType = { kind: 'address', id: 99, payable: true }
export const uint = (bits: number): IntType => uints[bits / 8 - 1] ?? uint256
export const int = (bits: number): IntType => ints[bits / 8 - 1] ?? uint256
export const uint256 = uints[31] as IntType
export const int256 = ints[31] as IntType
export const uint8 = uints[0] as IntType
export const fixedBytes = (size: number): FixedBytesType => fixedBytesTypes[size - 1] ?? bytes32
export const bytes32 = fixedBytesTypes[31] as FixedBytesType
export const bytes4 = fixedBytesTypes[3] as FixedBytesType
export const bytes1 = fixedBytesTypes[0] as FixedBytesType

const byLocation = <T>(make: (location: Location, offset: number) => T) => {
  const types = {
    none: make(null, 0),
    storage: make('storage', 1),
    memory: make('memory', 2),
    calldata: make('calldata', 3),
  }
  return (location: Location): T => types[location ?? 'none']
}
export const bytes = byLocation((location, offset): Type => ({ kind: 'bytes', id: 100 + offset, location }))
export const string = byLocation((location, offset): Type => ({ kind: 'string', id: 104 + offset, location }))

export const magic = {
  msg: { kind: 'magic', id: 108, name: 'msg' },
  block: { kind: 'magic', id: 109, name: 'block' },
  tx: { kind: 'magic', id: 110, name: 'tx' },
  abi: { kind: 'magic', id: 111, name: 'abi' },
} as const satisfies Record<string, MagicType>

export const emptyTuple: Type = { kind: 'tuple', id: 112, elements: [] }

/** Above these are the types that are no keys of mappings: functions of the language, reasons for not knowing. */
const lastElementary = 113
const firstUnknown = 114
/** Of every function of the language: no type is made of one, so nobody has to tell them apart by number. */
const builtinId = 118
/** Types with higher numbers belong to one scan. */
const lastShared = 127

const locationCount = 4
const locationNumber = (location: Location): number => {
  switch (location) {
    case null:
      return 0
    case 'storage':
      return 1
    case 'memory':
      return 2
    default:
      return 3
  }
}

/** Types that hang on one declaration. */
export interface MadeTypes {
  own: Type | undefined
  storage: Type | undefined
  memory: Type | undefined
  calldata: Type | undefined
  /** Of contracts `super`, of functions the one whose first argument is the receiver. */
  other: Type | undefined
}

interface Maker {
  made: MadeTypes | null
}

const madeOf = (owner: object): MadeTypes => {
  const maker = owner as Maker
  maker.made ??= { own: undefined, storage: undefined, memory: undefined, calldata: undefined, other: undefined }
  return maker.made
}

/** `params => returns` of a builtin function: shared by the process. */
export const builtinFunction = (
  name: string,
  params: readonly Type[],
  returns: readonly Type[],
  mutability: Mutability = 'nonpayable',
): FunctionType => ({
  kind: 'function',
  id: builtinId,
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

const functionType = (
  id: number,
  params: readonly Type[],
  returns: readonly Type[],
  visibility: Visibility,
  mutability: Mutability,
  functions: readonly FunctionModel[] = noFunctions,
  attached = false,
  event: EventModel | null = null,
  error: ErrorModel | null = null,
): FunctionType => ({
  kind: 'function',
  id,
  params,
  returns,
  visibility,
  mutability,
  functions,
  attached,
  builtin: null,
  event,
  error,
})

const noFunctions: readonly FunctionModel[] = []

/** What a name of functions stands for. Most are only called: the types of their heads are read on request. */
class NamedFunctions implements FunctionType {
  readonly kind = 'function'
  readonly id: number
  readonly visibility: Visibility
  readonly mutability: Mutability
  readonly functions: readonly FunctionModel[]
  readonly attached: boolean
  readonly builtin = null
  readonly event = null
  readonly error = null
  readonly #first: FunctionModel
  #params: readonly Type[] | undefined
  #returns: readonly Type[] | undefined

  constructor(id: number, first: FunctionModel, functions: readonly FunctionModel[], attached: boolean) {
    this.id = id
    this.#first = first
    this.visibility = first.visibility
    this.mutability = first.mutability
    this.functions = functions
    this.attached = attached
  }

  get params(): readonly Type[] {
    this.#params ??= typesOf(this.#first.params)
    return this.#params
  }

  get returns(): readonly Type[] {
    this.#returns ??= typesOf(this.#first.returns)
    return this.#returns
  }
}

const typesOf = (variables: readonly VariableModel[]): readonly Type[] => {
  const types: Type[] = []
  for (const variable of variables) types.push(variable.type)
  return types
}

/** Reasons that every scan meets: shared by the process. */
const unknowns: ReadonlyMap<string, Type> = new Map(
  ['call', 'number', 'element', 'unreadable'].map((reason, i) => [
    reason,
    { kind: 'unknown', id: firstUnknown + i, reason, isWritten: false },
  ]),
)

const idsOf = (types: readonly (Type | null)[]): string => {
  let key = ''
  for (const type of types) key += type === null ? '_,' : `${type.id},`
  return key
}

export class TypeTable {
  #lastId = lastShared
  /** Number literals by their text: most are written many times. */
  #literals: Map<string, Type> | null = null
  /** By a key of numbers and words. */
  #table: Map<string, Type> | null = null
  #unknown: Map<string, Type> | null = null
  /** By the number of what they hold, and where. */
  #lists: Map<number, ArrayType> | null = null
  /** Those from an elementary type, by the numbers of both. */
  #mappings: Map<number, Type> | null = null
  /** By the id of the type they speak of. */
  #typeOfType: Map<number, Type> | null = null
  /** Few scans need these: made at the first question. */
  #meta: Map<number, Type> | null = null
  #overloads: Map<readonly Declaration[], FunctionType> | null = null
  /** What arguments of these types pick among many candidates. */
  readonly picks = new Map<object, Map<string, unknown>>()
  #getters: Map<object, FunctionType> | null = null
  #modules: Map<object, Type> | null = null

  array(base: Type, length: bigint | null | undefined, location: Location): ArrayType {
    if (length === null) return this.#list(base, location)
    const key = `a${base.id}:${length}:${location}`
    return (this.#table?.get(key) ??
      this.#keep(key, { kind: 'array', id: this.#nextId(), base, length, location })) as ArrayType
  }

  /** An array that can grow: nearly all are. */
  #list(base: Type, location: Location): ArrayType {
    const key = base.id * locationCount + locationNumber(location)
    this.#lists ??= new Map()
    let type = this.#lists.get(key)
    if (type === undefined) {
      type = { kind: 'array', id: this.#nextId(), base, length: null, location }
      this.#lists.set(key, type)
    }
    return type
  }

  mapping(key: Type, value: Type): Type {
    if (key.id >= lastElementary) return this.#rareMapping(key, value)
    const pair = value.id * lastElementary + key.id
    this.#mappings ??= new Map()
    let type = this.#mappings.get(pair)
    if (type === undefined) {
      type = { kind: 'mapping', id: this.#nextId(), key, value }
      this.#mappings.set(pair, type)
    }
    return type
  }

  #rareMapping(key: Type, value: Type): Type {
    const name = `m${key.id}:${value.id}`
    return this.#table?.get(name) ?? this.#keep(name, { kind: 'mapping', id: this.#nextId(), key, value })
  }

  struct(struct: StructModel, location: Location): Type {
    const made = madeOf(struct)
    const slot = location ?? 'own'
    made[slot] ??= { kind: 'struct', id: this.#nextId(), struct, location }
    return made[slot]
  }

  enum(definition: EnumModel): Type {
    const made = madeOf(definition)
    made.own ??= { kind: 'enum', id: this.#nextId(), enum: definition }
    return made.own
  }

  contract(contract: ContractModel): Type {
    const made = madeOf(contract)
    made.own ??= { kind: 'contract', id: this.#nextId(), contract, isSuper: false }
    return made.own
  }

  super(contract: ContractModel): Type {
    const made = madeOf(contract)
    made.other ??= { kind: 'contract', id: this.#nextId(), contract, isSuper: true }
    return made.other
  }

  userValue(definition: UserTypeModel): Type {
    const made = madeOf(definition)
    made.own ??= { kind: 'userValue', id: this.#nextId(), definition }
    return made.own
  }

  pointer(params: readonly Type[], returns: readonly Type[], visibility: Visibility, mutability: Mutability): Type {
    const key = `f${idsOf(params)}>${idsOf(returns)}${visibility}${mutability}`
    return (
      this.#table?.get(key) ?? this.#keep(key, functionType(this.#nextId(), params, returns, visibility, mutability))
    )
  }

  /** A name that means these functions; attached: their first argument is what stands before the dot. */
  functions(functions: readonly FunctionModel[], attached: boolean): FunctionType {
    const first = functions[0]
    if (first === undefined) return functionType(this.#nextId(), [], [], 'internal', 'nonpayable', functions, attached)
    const made = functions.length === 1 ? madeOf(first) : null
    const slot = attached ? 'other' : 'own'
    const known = made?.[slot]
    if (known !== undefined) return known as FunctionType
    const type = new NamedFunctions(this.#nextId(), first, functions, attached)
    if (made !== null) made[slot] = type
    return type
  }

  /** All functions of a name. The same list gives the same type: what calls pick of many overloads is kept by it. */
  overloads(found: readonly Declaration[]): FunctionType {
    this.#overloads ??= new Map()
    let type = this.#overloads.get(found)
    if (type === undefined) {
      type = this.functions(
        found.filter((declaration) => declaration.kind === 'function'),
        false,
      )
      this.#overloads.set(found, type)
    }
    return type
  }

  getter(owner: object, params: readonly Type[], returns: readonly Type[]): FunctionType {
    this.#getters ??= new Map()
    let type = this.#getters.get(owner)
    if (type === undefined) {
      type = functionType(this.#nextId(), params, returns, 'external', 'view')
      this.#getters.set(owner, type)
    }
    return type
  }

  event(event: EventModel): Type {
    const made = madeOf(event)
    made.own ??= functionType(
      this.#nextId(),
      typesOf(event.params),
      [],
      'internal',
      'nonpayable',
      noFunctions,
      false,
      event,
    )
    return made.own
  }

  error(error: ErrorModel): Type {
    const made = madeOf(error)
    made.own ??= functionType(
      this.#nextId(),
      typesOf(error.params),
      [],
      'internal',
      'pure',
      noFunctions,
      false,
      null,
      error,
    )
    return made.own
  }

  tuple(elements: readonly (Type | null)[]): Type {
    if (elements.length === 0) return emptyTuple
    const key = `t${idsOf(elements)}`
    return this.#table?.get(key) ?? this.#keep(key, { kind: 'tuple', id: this.#nextId(), elements })
  }

  get literals(): Map<string, Type> {
    this.#literals ??= new Map()
    return this.#literals
  }

  typeOfType(actual: Type): Type {
    this.#typeOfType ??= new Map()
    let type = this.#typeOfType.get(actual.id)
    if (type === undefined) {
      type = { kind: 'type', id: this.#nextId(), actual }
      this.#typeOfType.set(actual.id, type)
    }
    return type
  }

  meta(actual: Type): Type {
    this.#meta ??= new Map()
    let type = this.#meta.get(actual.id)
    if (type === undefined) {
      type = { kind: 'meta', id: this.#nextId(), actual }
      this.#meta.set(actual.id, type)
    }
    return type
  }

  module(file: SourceFile): Type {
    this.#modules ??= new Map()
    let type = this.#modules.get(file)
    if (type === undefined) {
      type = { kind: 'module', id: this.#nextId(), file }
      this.#modules.set(file, type)
    }
    return type
  }

  rational(numerator: bigint, denominator: bigint, hexBytes: number | null): Type {
    const isWhole = denominator === 1n
    const bytes = isWhole ? hexBytes : null
    const key = isWhole ? `r${numerator}:${hexBytes}` : `r${numerator}/${denominator}`
    return (
      this.#table?.get(key) ??
      this.#keep(key, { kind: 'rational', id: this.#nextId(), numerator, denominator, hexBytes: bytes })
    )
  }

  /** A number written in plain digits. */
  wholeNumber(digits: string): Type {
    const key = `r${digits}:null`
    return (
      this.#table?.get(key) ??
      this.#keep(key, {
        kind: 'rational',
        id: this.#nextId(),
        numerator: BigInt(digits),
        denominator: 1n,
        hexBytes: null,
      })
    )
  }

  stringLiteral(value: string, hex: boolean): Type {
    const key = `s${hex ? 1 : 0}${value}`
    return this.#table?.get(key) ?? this.#keep(key, { kind: 'stringLiteral', id: this.#nextId(), value, hex })
  }

  fixedPoint(name: string): Type {
    const key = `x${name}`
    return this.#table?.get(key) ?? this.#keep(key, { kind: 'fixedPoint', id: this.#nextId(), name })
  }

  unknown(reason: string): Type {
    const common = unknowns.get(reason)
    if (common !== undefined) return common
    this.#unknown ??= new Map()
    let type = this.#unknown.get(reason)
    if (type === undefined) {
      type = { kind: 'unknown', id: this.#nextId(), reason, isWritten: false }
      this.#unknown.set(reason, type)
    }
    return type
  }

  /** A type that someone wrote and no file declares. */
  missing(name: string): Type {
    const key = `?${name}`
    return (
      this.#table?.get(key) ?? this.#keep(key, { kind: 'unknown', id: this.#nextId(), reason: name, isWritten: true })
    )
  }

  #nextId(): number {
    return ++this.#lastId
  }

  #keep(key: string, type: Type): Type {
    this.#table ??= new Map()
    this.#table.set(key, type)
    return type
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
