import type {
  Binary,
  Call,
  Expression,
  Identifier,
  Parameter,
  Path,
  Span,
  TypeName,
  Unary,
  VariableStatement,
  YulCall,
  YulPath,
} from '../syntax/index.ts'
import type {
  ContractModel,
  Declaration,
  ErrorModel,
  EventModel,
  FunctionModel,
  ModifierModel,
  ModifierUse,
  SourceFile,
  StructModel,
  Type,
  VariableModel,
} from './declaration.ts'
import type { ModelDiagnostic } from './diagnostic.ts'

/** The meaning of the given files. Everything is computed on demand and remembered. */
export interface Model {
  /** The given files, in the order given; stubs are not among them. */
  readonly files: readonly SourceFile[]
  /** All contracts, libraries and interfaces of the given files; stubs are not among them. */
  readonly contracts: readonly ContractModel[]
  /** Free functions of the given files. */
  readonly freeFunctions: readonly FunctionModel[]
  /** Cyclic inheritance, missing imports, duplicate names. Grows no more after `buildModel`. */
  readonly diagnostics: readonly ModelDiagnostic[]
  /** True when an import was found neither among the files nor as a known library. */
  readonly hasUnresolvedImport: boolean

  /** The place where a slot is named first stands for it: each partition begins without slots, so that none depends on another. */
  forgetSlots(): void
  /** The storage slot that a number or a constant names; one and the same, anyone who asks. */
  slotOf(name: bigint | string | VariableModel, span: Span): VariableModel | undefined
  fileAt(offset: number): SourceFile | undefined
  contractAt(offset: number): ContractModel | undefined
  functionAt(offset: number): FunctionModel | undefined
  modifierAt(offset: number): ModifierModel | undefined

  /**
   * What a name written in an expression, type, path or assembly means. Overloaded functions give all candidates
   * (the one a call picks: `callTarget`); a path gives the meaning of its last name.
   */
  resolve(node: Identifier | Path | YulPath): Declaration | readonly Declaration[] | undefined
  /** `resolve` when just one declaration is meant. */
  declarationOf(node: Identifier | Path | YulPath): Declaration | undefined
  /** What `.name` of a member expression means: field, function, constant, enum value, event …; builtins too. */
  memberOf(node: Expression & { kind: 'Member' }): Declaration | readonly Declaration[] | undefined
  /** The variables a declaration statement brings in, parallel to its `declarations`. */
  variablesOf(statement: VariableStatement): readonly (VariableModel | null)[]
  /** Parameters and locals that their own body never names. */
  unnamedVariables(file: SourceFile): readonly VariableModel[]
  /** Parameters, results and locals whose name means something outside of their body: state, or a word of the language. */
  hidingVariables(file: SourceFile): readonly VariableModel[]
  /** The variable that a parameter node (also of try/catch, struct field) declares. */
  variableOf(node: Parameter): VariableModel | undefined

  typeOf(expression: Expression): Type
  typeOfName(name: TypeName): Type
  /** `uint256`, `mapping(address => uint256)`, `struct Vault.Position storage`: for messages. */
  describe(type: Type): string

  callTarget(call: Call): CallTarget
  /** `add(a, b)` in assembly: a function of the same block, or an instruction. */
  yulCallTarget(call: YulCall): Declaration | undefined
  /** The function that an operator on a user-defined value type calls, if one is attached. */
  operatorTarget(node: Unary | Binary): FunctionModel | undefined
  /** Finds what all names in a function or modifier mean, now rather than at the first question. */
  bind(owner: FunctionModel | ModifierModel): void
  /** The implementation that runs when `fn` is called inside an instance of `mostDerived`. */
  dispatch(fn: FunctionModel, mostDerived: ContractModel): FunctionModel
  /** What `super.f` in `from` means inside an instance of `mostDerived`: the next one with this signature. */
  superOf(fn: FunctionModel, from: ContractModel, mostDerived: ContractModel): FunctionModel | undefined
  modifierFor(use: ModifierUse, mostDerived: ContractModel): ModifierModel | null
  /** Contracts that inherit from this one, itself not among them. */
  derivedFrom(contract: ContractModel): readonly ContractModel[]
  /** The contracts that can answer `fn` for those who call this interface, in the order of `contracts`. */
  implementationsOf(fn: FunctionModel, named: ContractModel): readonly ContractModel[]

  /** The value of an expression of literals and constants, exact; undefined when it is not one. */
  constantValue(expression: Expression): bigint | string | boolean | undefined
}

export type CallKind =
  | 'internal'
  | 'super'
  /** `L.f(x)`; internal library functions run in this contract, public ones by delegatecall. */
  | 'library'
  /** `x.f()` by `using for`: the receiver is the first argument. */
  | 'using-for'
  /** On another contract or by `this.`. */
  | 'external'
  /** `call`, `delegatecall`, `staticcall`, `callcode` of an address: see `builtin`. */
  | 'low-level'
  | 'send'
  | 'transfer'
  | 'create'
  /** `new bytes(n)`, `new uint[](n)`. */
  | 'new-array'
  /** `require`, `keccak256`, `abi.encode`, `array.push` …: see `builtin`. */
  | 'builtin'
  | 'type-conversion'
  | 'struct-constructor'
  | 'event'
  | 'error'
  | 'function-pointer'
  | 'unknown'

export interface CallTarget {
  readonly kind: CallKind
  /** The function chosen, before dispatch; null when there is none or it could not be determined. */
  readonly function: FunctionModel | null
  /** All candidates when overloads could not be distinguished; else the one. */
  readonly functions: readonly FunctionModel[]
  /** The call goes to whatever overrides `function` in the most derived contract: ask `dispatch`. */
  readonly isVirtual: boolean
  /** For `external` calls of a public state variable: the getter's variable. */
  readonly getter: VariableModel | null
  /** Name of the builtin: `require`, `abi.encode`, `push`, `call`, `delegatecall`, `send` …. */
  readonly builtin: string | null
  /** What the call is made on: `a` in `a.f()`, the address in `a.call()`; null for plain calls. */
  readonly receiver: Expression | null
  /** In parameter order, also when given by name. The receiver of `using-for` is not among them. */
  readonly args: readonly Expression[]
  /** `{value: x}` or `.value(x)`. */
  readonly value: Expression | null
  readonly gas: Expression | null
  readonly salt: Expression | null
  /** The contract created or called, if known. */
  readonly contract: ContractModel | null
  readonly struct: StructModel | null
  readonly event: EventModel | null
  readonly error: ErrorModel | null
  /** Type of the whole call: a tuple unless there is exactly one result. */
  readonly type: Type
  /** `external`, `send`, … reach another account; also public library functions. */
  readonly isExternal: boolean
  /** `f.value(1)` or `f.gas(2)` alone: sets an option and calls nothing. */
  readonly isOption: boolean
}
