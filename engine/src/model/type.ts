/**
 * Types are plain frozen objects, interned per model: two equal types are the same object, so `===` compares them.
 * `unknown` stands wherever an import is missing or the text is broken; it converts to and from everything.
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

/** Where a reference value lives; null where the question does not arise (state type names, mapping keys). */
export type Location = 'storage' | 'memory' | 'calldata' | null

interface Interned {
  /** Unique within the process; orders and keys types cheaply. */
  readonly id: number
}

export type Type =
  | IntType
  | BoolType
  | AddressType
  | FixedBytesType
  | FixedPointType
  | BytesType
  | StringType
  | ArrayType
  | MappingType
  | StructType
  | EnumType
  | ContractType
  | FunctionType
  | TupleType
  | UserValueType
  | RationalType
  | StringLiteralType
  | TypeType
  | MetaType
  | ModuleType
  | MagicType
  | UnknownType

export interface IntType extends Interned {
  readonly kind: 'int'
  readonly bits: number
  readonly signed: boolean
}
export interface BoolType extends Interned {
  readonly kind: 'bool'
}
export interface AddressType extends Interned {
  readonly kind: 'address'
  readonly payable: boolean
}
export interface FixedBytesType extends Interned {
  readonly kind: 'fixedBytes'
  readonly size: number
}
/** `fixed128x18`: never finished in the language, still named. */
export interface FixedPointType extends Interned {
  readonly kind: 'fixedPoint'
  readonly name: string
}
export interface BytesType extends Interned {
  readonly kind: 'bytes'
  readonly location: Location
}
export interface StringType extends Interned {
  readonly kind: 'string'
  readonly location: Location
}
export interface ArrayType extends Interned {
  readonly kind: 'array'
  readonly base: Type
  /** null: dynamic; undefined: fixed, but the length expression could not be evaluated. */
  readonly length: bigint | null | undefined
  readonly location: Location
}
export interface MappingType extends Interned {
  readonly kind: 'mapping'
  readonly key: Type
  readonly value: Type
}
export interface StructType extends Interned {
  readonly kind: 'struct'
  readonly struct: StructModel
  readonly location: Location
}
export interface EnumType extends Interned {
  readonly kind: 'enum'
  readonly enum: EnumModel
}
export interface ContractType extends Interned {
  readonly kind: 'contract'
  readonly contract: ContractModel
  readonly isSuper: boolean
}
/** A value that can be called: internal or external function pointers and the functions themselves. */
export interface FunctionType extends Interned {
  readonly kind: 'function'
  readonly params: readonly Type[]
  readonly returns: readonly Type[]
  readonly visibility: Visibility
  readonly mutability: Mutability
  /** The functions this value can only be; empty for a pointer. Several: overloads not told apart yet. */
  readonly functions: readonly FunctionModel[]
  /** The first argument comes from the receiver (`using for`). */
  readonly attached: boolean
  /** For calls of builtins (`abi.encode`, `keccak256`, `address.call`) their name, for events and errors theirs. */
  readonly builtin: string | null
  readonly event: EventModel | null
  readonly error: ErrorModel | null
}
export interface TupleType extends Interned {
  readonly kind: 'tuple'
  readonly elements: readonly (Type | null)[]
}
export interface UserValueType extends Interned {
  readonly kind: 'userValue'
  readonly definition: UserTypeModel
}
/** A number literal or an expression of literals: exact, a fraction until it is converted. */
export interface RationalType extends Interned {
  readonly kind: 'rational'
  readonly numerator: bigint
  readonly denominator: bigint
  /** Bytes a hex literal was written with (`0x00ff` → 2), else null: it may convert to bytesN. */
  readonly hexBytes: number | null
}
export interface StringLiteralType extends Interned {
  readonly kind: 'stringLiteral'
  readonly value: string
  readonly hex: boolean
}
/** The type of a type name used as an expression: `uint256` in `uint256(x)`, `Token` in `Token(a)`. */
export interface TypeType extends Interned {
  readonly kind: 'type'
  readonly actual: Type
}
/** `type(T)`. */
export interface MetaType extends Interned {
  readonly kind: 'meta'
  readonly actual: Type
}
export interface ModuleType extends Interned {
  readonly kind: 'module'
  readonly file: SourceFile
}
/** `msg`, `block`, `tx`, `abi`. */
export interface MagicType extends Interned {
  readonly kind: 'magic'
  readonly name: 'msg' | 'block' | 'tx' | 'abi'
}
export interface UnknownType extends Interned {
  readonly kind: 'unknown'
  readonly reason: string
}
