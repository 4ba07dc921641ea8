/**
 * What names can mean, of which type it is, and in which file it stands. Declarations, types and files name each other, so they stand in
 * one file.
 *
 * Every declaration is one object for the life of the model, so `===` compares them. Types are plain frozen objects, interned per model:
 * two equal types are the same object, so `===` compares them too. `unknown` stands wherever an import is missing or the text is broken;
 * it converts to and from everything.
 */
import type {
  Comment,
  ContractDefinition,
  EnumDefinition,
  ErrorDefinition,
  EventDefinition,
  Expression,
  FunctionDefinition,
  Identifier,
  ImportDirective,
  InheritanceSpecifier,
  ModifierDefinition,
  ModifierInvocation,
  Mutability,
  Parameter,
  SourceUnit,
  Span,
  StateVariable,
  StructDefinition,
  SyntaxDiagnostic,
  UserTypeDefinition,
  UsingDirective,
  Visibility,
  YulFunctionDefinition,
} from '../syntax/index.ts'
import type { CompilerVersions } from './compiler-versions.ts'

/** One file of the scan. Its spans are global: `base` is the offset of its first character. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  /** The source of a node on one line, without comments. Unlike `text`, the same however the file is laid out. */
  excerpt(span: Span): string
  /** The whole text with blanks for comments: offsets are those of `text`, and only what is code decides a result. */
  readonly code: string
  readonly base: number
  readonly unit: SourceUnit
  /** What could not be read. */
  readonly errors: readonly SyntaxDiagnostic[]
  readonly comments: readonly Comment[]
  readonly versions: CompilerVersions
  readonly imports: readonly ImportModel[]
  /** Contracts, libraries and interfaces declared in this file. */
  readonly contracts: readonly ContractModel[]
  /** Our own short description of a known library, not text of the scan: nothing in it is ever reported. */
  readonly isStub: boolean
  /** Names declared in this file or imported into it. */
  readonly scope: ReadonlyMap<string, readonly Declaration[]>
}

export interface ImportModel {
  readonly node: ImportDirective
  /** null: neither among the given files nor a known library. */
  readonly target: SourceFile | null
}

export type Declaration =
  | ContractModel
  | FunctionModel
  | ModifierModel
  | VariableModel
  | StructModel
  | EnumModel
  | EnumValueModel
  | UserTypeModel
  | EventModel
  | ErrorModel
  | ModuleModel
  | YulVariableModel
  | YulFunctionModel
  | Builtin

export interface ContractModel {
  readonly kind: 'contract'
  readonly name: string
  readonly node: ContractDefinition
  readonly file: SourceFile
  readonly contractKind: ContractDefinition['contractKind']
  /** In the order written. */
  readonly bases: readonly BaseModel[]
  /** C3, most derived first: starts with the contract itself. Unresolved bases are left out. */
  readonly linearization: readonly ContractModel[]
  /** Some base, also an indirect one, could not be found: inherited names may be missing. */
  readonly hasUnresolvedBase: boolean
  /** No other given contract inherits it. */
  readonly isMostDerived: boolean
  readonly isStub: boolean
  /** Declared here, in the order written. */
  readonly stateVariables: readonly VariableModel[]
  /** Over the linearisation in storage order: most base first. Includes constants and immutables. */
  readonly allStateVariables: readonly VariableModel[]
  /** Declared here. */
  readonly functions: readonly FunctionModel[]
  readonly modifiers: readonly ModifierModel[]
  readonly events: readonly EventModel[]
  readonly errors: readonly ErrorModel[]
  readonly structs: readonly StructModel[]
  readonly enums: readonly EnumModel[]
  readonly userTypes: readonly UserTypeModel[]
  readonly usings: readonly UsingDirective[]
  /** The constructor written here, also an old one named after the contract. */
  readonly constructor_: FunctionModel | null
  /** Public and external functions callable on an instance: own and inherited, overridden ones left out. */
  readonly entryPoints: readonly FunctionModel[]
  /** Everything callable in an instance: own and inherited, overridden ones included. */
  readonly allFunctions: readonly FunctionModel[]
}

export interface BaseModel {
  readonly node: InheritanceSpecifier
  /** null: not found, or not a contract. */
  readonly contract: ContractModel | null
}

export type FunctionRole = 'function' | 'constructor' | 'fallback' | 'receive' | 'free'

export interface FunctionModel {
  readonly kind: 'function'
  /** Empty for constructor, fallback and receive. */
  readonly name: string
  readonly node: FunctionDefinition
  readonly file: SourceFile
  /** null for free functions. */
  readonly contract: ContractModel | null
  readonly role: FunctionRole
  /** As it takes effect: `public` where 0.4 lets it be left out, `external` in interfaces and for fallback. */
  readonly visibility: Visibility
  readonly mutability: 'pure' | 'view' | 'payable' | 'nonpayable'
  readonly isImplemented: boolean
  /** May be overridden: written `virtual`, or before 0.6 always. */
  readonly isVirtual: boolean
  readonly params: readonly VariableModel[]
  readonly returns: readonly VariableModel[]
  /** `transfer(address,uint256)` with canonical types: what the selector is made from. `()` for the nameless. */
  readonly signature: string
  readonly modifiers: readonly ModifierUse[]
  readonly isStub: boolean
  /** Set for functions of known libraries whose meaning their short body does not say in full. */
  readonly effect: KnownEffect | null
}

/** One entry of a function's head after the visibility. Exactly one of `modifier` and `base` is set, or neither when unresolved. */
export interface ModifierUse {
  readonly node: ModifierInvocation
  /** As seen from the contract of the function; dispatch with `Model.modifierFor`. */
  readonly modifier: ModifierModel | null
  /** A base constructor call. */
  readonly base: ContractModel | null
}

export interface ModifierModel {
  readonly kind: 'modifier'
  readonly name: string
  readonly node: ModifierDefinition
  readonly file: SourceFile
  readonly contract: ContractModel
  readonly params: readonly VariableModel[]
  readonly isStub: boolean
  readonly effect: KnownEffect | null
}

export type VariableRole = 'state' | 'constant' | 'local' | 'parameter' | 'return' | 'field'

export interface VariableModel {
  readonly kind: 'variable'
  /** `constant` is a file-level constant; a constant inside a contract is `state` with `isConstant`. */
  readonly role: VariableRole
  readonly name: string
  readonly node: StateVariable | Parameter
  readonly file: SourceFile
  /** State variables only. */
  readonly contract: ContractModel | null
  readonly type: Type
  readonly location: Location
  readonly isConstant: boolean
  readonly isImmutable: boolean
  readonly isTransient: boolean
  /** State variables only; `internal` by default. */
  readonly visibility: Visibility | null
  /** The initial value of a state variable or constant. */
  readonly value: Expression | null
  /** The whole declaration. */
  readonly span: Span
  /** Code that was looked into names it. False proves nothing: bodies are looked into on demand. */
  readonly isNamed: boolean
}

export interface StructModel {
  readonly kind: 'struct'
  readonly name: string
  readonly node: StructDefinition
  readonly file: SourceFile
  readonly contract: ContractModel | null
  readonly fields: readonly VariableModel[]
}

export interface EnumModel {
  readonly kind: 'enum'
  readonly name: string
  readonly node: EnumDefinition
  readonly file: SourceFile
  readonly contract: ContractModel | null
  readonly values: readonly EnumValueModel[]
  valueNamed(name: string): EnumValueModel | undefined
}

export interface EnumValueModel {
  readonly kind: 'enumValue'
  readonly name: string
  readonly node: Identifier
  readonly enum: EnumModel
  readonly index: number
}

export interface UserTypeModel {
  readonly kind: 'userType'
  readonly name: string
  readonly node: UserTypeDefinition
  readonly file: SourceFile
  readonly contract: ContractModel | null
  readonly underlying: Type
}

export interface EventModel {
  readonly kind: 'event'
  readonly name: string
  readonly node: EventDefinition
  readonly file: SourceFile
  readonly contract: ContractModel | null
  readonly params: readonly VariableModel[]
  /** As of variables. */
  readonly isNamed: boolean
}

export interface ErrorModel {
  readonly kind: 'error'
  readonly name: string
  readonly node: ErrorDefinition
  readonly file: SourceFile
  readonly contract: ContractModel | null
  readonly params: readonly VariableModel[]
}

/** `import "x" as u`: the name `u`. */
export interface ModuleModel {
  readonly kind: 'module'
  readonly name: string
  readonly node: Identifier
  /** null: the file is not among those given. */
  readonly target: SourceFile | null
}

/** `let x` and parameters inside assembly. */
export interface YulVariableModel {
  readonly kind: 'yulVariable'
  readonly name: string
  readonly node: Identifier
}

export interface YulFunctionModel {
  readonly kind: 'yulFunction'
  readonly name: string
  readonly node: YulFunctionDefinition
}

/** `msg`, `require`, `this`, `now`, …; in Yul the instructions. */
export interface Builtin {
  readonly kind: 'builtin'
  readonly name: string
  readonly type: Type
}

/**
 * What a function or modifier of a known library guarantees. The stubs carry real bodies wherever a short one says it;
 * this says the rest in one word.
 * lock: no reentrant entry · guard: reverts unless msg.sender holds a role · pause: reverts while paused ·
 * initializer: runs once · checkedCall: external call whose failure reverts · checkedArithmetic: reverts on overflow ·
 * signature: recovers a signer, refuses malleable ones · delegate: delegatecall · hash · view: reads only.
 */
export type KnownEffect =
  | 'lock'
  | 'guard'
  | 'pause'
  | 'initializer'
  | 'checkedCall'
  | 'checkedArithmetic'
  | 'signature'
  | 'delegate'
  | 'hash'
  | 'view'

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
  /** The functions this value can only be; empty for a pointer. Several: overloads not distinguished yet. */
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
  /** Someone wrote it as a type, and the file that declares it is missing: a contract, a struct or a value, but no address. */
  readonly isWritten: boolean
}
