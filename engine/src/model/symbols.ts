/**
 * What the parts of the model know of each other: the symbols as plain declarations, and the questions that a symbol table answers.
 * A variable needs its type, a type the declarations it names, a declaration its variables: all of them name what stands here, below
 * them, and ask by the table that is handed to them, which alone knows who answers.
 */
import type {
  Call,
  Expression,
  Identifier,
  InheritanceSpecifier,
  Member,
  ModifierInvocation,
  Path,
  SourceUnit,
  Span,
  TypeName,
  YulPath,
} from '../syntax/index.ts'
import type { CompilerVersions } from './compiler-versions.ts'
import type {
  BaseModel,
  Builtin,
  ContractModel,
  Declaration,
  EventModel,
  FunctionModel,
  ImportModel,
  KnownEffect,
  ModifierModel,
  ModifierUse,
  SourceFile,
  Type,
  VariableModel,
} from './declaration.ts'
import type { ModelDiagnostic } from './diagnostic.ts'
import type { StubSource } from './known-libraries/index.ts'
import type { CallTarget } from './model.ts'
import type { TypeTable } from './type-table.ts'

export interface FileSymbol extends SourceFile {
  imports: readonly ImportModel[]
  /** Names declared in this file. */
  readonly own: ReadonlyMap<string, readonly Declaration[]>
  /** The same plus imported ones; equal to `own` until imports are linked. */
  scope: Map<string, readonly Declaration[]>
  readonly contracts: readonly ContractSymbol[]
  readonly functions: readonly FunctionSymbol[]
  readonly usings: ContractModel['usings']
  /** All bodies are bound. */
  isBound: boolean
  readonly unnamed: VariableSymbol[]
  readonly hiding: VariableSymbol[]
}

export interface ContractSymbol extends ContractModel {
  readonly file: FileSymbol
  readonly linearization: readonly ContractSymbol[]
  readonly stateVariables: readonly VariableSymbol[]
  /** Names of state variables, own and inherited, those that cannot be seen included. */
  readonly stateNames: ReadonlySet<string>
  readonly functions: readonly FunctionSymbol[]
  readonly modifiers: readonly ModifierSymbol[]
  readonly own: ReadonlyMap<string, readonly Declaration[]>
  /** Names found so far, also through bases; null: not here. */
  found: Map<string, readonly Declaration[] | null> | null
  /** What `super` with a name can mean, by what overrides each other. */
  supers: Map<string, ReadonlyMap<string, FunctionSymbol>> | null
  /** What names that are no locals mean inside, in the file and the language too; null: nothing. */
  firsts: Map<string, Declaration | null> | null
  meanings: Map<string, Declaration | readonly Declaration[] | null> | null
  /** Set by `linearizeInto`, which also uses the next three. */
  order: readonly ContractSymbol[] | undefined
  isOpen: boolean
  depth: number
  readonly cut: ContractSymbol[]
}

export interface FunctionSymbol extends FunctionModel {
  readonly file: FileSymbol
  readonly contract: ContractSymbol | null
  readonly params: readonly VariableSymbol[]
  readonly returns: readonly VariableSymbol[]
  /** Equal for functions that override each other. */
  readonly overrideKey: string
  /** Identifiers of head and body have their meanings. */
  isBound: boolean
}

export interface ModifierSymbol extends ModifierModel {
  readonly file: FileSymbol
  readonly contract: ContractSymbol
  readonly params: readonly VariableSymbol[]
  isBound: boolean
}

export interface VariableSymbol extends VariableModel {
  readonly file: FileSymbol
  /** The contract whose scope its type is read in. */
  readonly home: ContractSymbol | null
  /** Of parameters and results: whose. */
  readonly owner: FunctionSymbol | null
  readonly initial: Initial | null
  isNamed: boolean
}

export interface EventSymbol extends EventModel {
  isNamed: boolean
}

/** What a `var` takes its type from: the value, or one element of it. */
export interface Initial {
  readonly value: Expression
  /** -1: the value as it is. */
  readonly index: number
}

/** One `using for`. */
export interface Attachment {
  /** null for `*`. */
  readonly type: Type | null
  /** All of a library, or the functions named in braces. */
  readonly library: ContractSymbol | null
  readonly functions: readonly { readonly fn: FunctionModel; readonly operator: string | null }[]
}

/** All that serves one contract or file, in the order written. */
export interface Attachments {
  readonly all: readonly Attachment[]
  /** What can be called as a member, by its name; null where there are so few directives that each can be searched. */
  readonly byName: ReadonlyMap<string, readonly AttachedFunction[]> | null
}

export interface AttachedFunction {
  readonly type: Type | null
  readonly fn: FunctionModel
}

export interface MemberInfo {
  readonly type: Type
  readonly found: Found | undefined
}

export type ConstantValue = bigint | string | boolean | undefined

/** One declaration, or all overloads of a name. */
export type Found = Declaration | readonly Declaration[]

/** Names and what they mean, from the innermost scope at the end to the outermost. */
export interface BoundNames {
  readonly names: string[]
  readonly locals: Declaration[]
  readonly variables: VariableSymbol[]
}

/** Everything the parts of the model share while they answer: tables of what is known, and each other's questions. */
export interface Symbols {
  readonly types: TypeTable
  readonly files: readonly FileSymbol[]
  readonly expressionTypes: Map<Expression, Type>
  /** What is known about nodes of known libraries; that about all others hangs on them. */
  readonly meanings: Map<object, unknown>
  readonly constants: Map<VariableModel, ConstantValue>
  readonly attachments: Map<ContractSymbol | FileSymbol, Attachments>
  /** What a file attaches to its types wherever they are used. */
  readonly globalAttachments: Map<FileSymbol, Attachments>
  readonly unknownCall: Type
  /** Room for the locals of the function that is being bound; null while it is taken. */
  boundNames: BoundNames | null
  /** How many `typeOf` are open. */
  depth: number
  report(code: ModelDiagnostic['code'], at: Span, message: string): void

  fileAt(offset: number): FileSymbol | undefined
  contractAt(offset: number): ContractSymbol | undefined

  /** What a name that is no local means in a contract (or outside of one) of a file. */
  lookup(name: string, home: ContractSymbol | null, file: FileSymbol): Found | undefined
  /** Own and inherited declarations of a contract with this name; overridden functions left out. */
  lookupInContract(contract: ContractSymbol, name: string): readonly Declaration[] | undefined
  instruction(name: string): Builtin | undefined
  resolve(node: Identifier | Path | YulPath): Found | undefined
  resolvePath(names: readonly Identifier[], home: ContractSymbol | null, file: FileSymbol): Declaration | undefined
  resolvePathAll(names: readonly Identifier[], home: ContractSymbol | null, file: FileSymbol): readonly Declaration[]
  stubFile(source: StubSource): FileSymbol

  baseOf(node: InheritanceSpecifier, contract: ContractSymbol): BaseModel
  /** Contracts that another one inherits. */
  inheritedContracts(): ReadonlySet<ContractSymbol>
  modifierUse(node: ModifierInvocation, fn: FunctionSymbol): ModifierUse
  effectOf(declaration: FunctionModel | ModifierModel): KnownEffect | null
  versionsOf(unit: SourceUnit, noteExact: () => void): CompilerVersions

  typeOf(node: Expression): Type
  typeOfName(name: TypeName, home: ContractSymbol | null, file: FileSymbol): Type
  typeOfNameAt(name: TypeName): Type
  isInferring(variable: VariableSymbol): boolean
  startInferring(variable: VariableSymbol): void
  endInferring(variable: VariableSymbol): void
  memberInfo(node: Member): MemberInfo
  callTarget(node: Call): CallTarget
  constantValue(node: Expression): ConstantValue
}
