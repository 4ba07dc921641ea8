/**
 * What names can mean. Every declaration is one object for the life of the model, so `===` compares them.
 */
import type {
  ContractDefinition,
  EnumDefinition,
  ErrorDefinition,
  EventDefinition,
  Expression,
  FunctionDefinition,
  Identifier,
  InheritanceSpecifier,
  ModifierDefinition,
  ModifierInvocation,
  Parameter,
  Span,
  StateVariable,
  StructDefinition,
  UserTypeDefinition,
  UsingDirective,
  Visibility,
  YulFunctionDefinition,
} from '../syntax/index.ts'
import type { SourceFile } from './source-file.ts'
import type { Location, Type } from './type.ts'

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
