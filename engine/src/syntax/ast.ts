/**
 * The tree that the parser builds: the union grammar of Solidity 0.4 to 0.8, with Yul inside assembly.
 * Every node is a plain object with a `kind` and a half-open span [start, end) in UTF-16 offsets.
 * Statements, directives and members that end in a semicolon include it in their span.
 * Nodes have no parent pointers and no behavior; an `Error…` node stands wherever recovery had to skip text.
 * Left-deep expressions can be thousands of levels deep: later passes must be iterative or depth-capped.
 */
import type { BodyReads } from './body-reads.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Identifier extends Span {
  readonly kind: 'Identifier'
  readonly name: string
  /** Room for what the reader of the tree finds out about it; of no concern to the parser. Likewise below. */
  meaning: unknown
}

/** `A.B.c` where only names are allowed: bases, modifiers, overrides, using directives. */
export interface Path extends Span {
  readonly kind: 'Path'
  readonly names: readonly Identifier[]
}

/** Nodes of the kinds that later passes ask for most, noted while parsing. */
export interface NotedNodes {
  readonly Call: readonly Call[]
  readonly Member: readonly Member[]
  readonly Assignment: readonly Assignment[]
  readonly VariableStatement: readonly VariableStatement[]
  readonly ExpressionStatement: readonly ExpressionStatement[]
  readonly IfStatement: readonly IfStatement[]
  readonly ThrowStatement: readonly ThrowStatement[]
  readonly AssemblyStatement: readonly AssemblyStatement[]
  readonly FunctionType: readonly FunctionType[]
  readonly NewExpression: readonly NewExpression[]
  readonly YulCall: readonly YulCall[]
  readonly YulAssignment: readonly YulAssignment[]
  readonly YulExpressionStatement: readonly YulExpressionStatement[]
  readonly YulFunctionDefinition: readonly YulFunctionDefinition[]
  readonly now: readonly Identifier[]
}

export interface SourceUnit extends Span {
  readonly kind: 'SourceUnit'
  readonly members: readonly TopLevel[]
  /** Nodes noted while parsing; null when errors left some behind that are not in the tree. */
  readonly found: NotedNodes | null
  /** Nodes by kind, once someone has needed those that are not noted. */
  index: Map<string, unknown> | null
  readonly reads: BodyReads
}

export type TopLevel =
  | PragmaDirective
  | ImportDirective
  | ContractDefinition
  | FunctionDefinition
  | StateVariable
  | StructDefinition
  | EnumDefinition
  | UserTypeDefinition
  | ErrorDefinition
  | EventDefinition
  | UsingDirective
  | ErrorMember

export interface PragmaDirective extends Span {
  readonly kind: 'PragmaDirective'
  /** `solidity`, `experimental`, `abicoder`, or whatever stands there. */
  readonly name: string
  /** The text between name and semicolon, trimmed. */
  readonly value: string
}

export interface ImportDirective extends Span {
  readonly kind: 'ImportDirective'
  readonly path: string
  /** `import "x" as u` and `import * as u from "x"`. */
  readonly unitAlias: Identifier | null
  /** `import {a as b} from "x"`; null when everything is imported. */
  readonly symbols: readonly { readonly name: Identifier; readonly alias: Identifier | null }[] | null
}

export type ContractKind = 'contract' | 'abstract' | 'interface' | 'library'

export interface ContractDefinition extends Span {
  readonly kind: 'ContractDefinition'
  readonly contractKind: ContractKind
  readonly name: Identifier
  readonly bases: readonly InheritanceSpecifier[]
  /** `layout at <expression>` (0.8.29). */
  readonly layout: Expression | null
  readonly members: readonly ContractMember[]
}

export interface InheritanceSpecifier extends Span {
  readonly kind: 'InheritanceSpecifier'
  readonly base: Path
  /** null without parentheses. */
  readonly args: CallArguments | null
}

export type ContractMember =
  | StateVariable
  | FunctionDefinition
  | ModifierDefinition
  | StructDefinition
  | EnumDefinition
  | UserTypeDefinition
  | ErrorDefinition
  | EventDefinition
  | UsingDirective
  | ErrorMember

export type Visibility = 'public' | 'external' | 'internal' | 'private'
export type Mutability = 'pure' | 'view' | 'payable' | 'nonpayable' | 'constant'
export type DataLocation = 'memory' | 'storage' | 'calldata'

export interface StateVariable extends Span {
  readonly kind: 'StateVariable'
  readonly type: TypeName
  readonly name: Identifier
  /** null when not written: `internal` by default. */
  readonly visibility: Visibility | null
  readonly constant: boolean
  readonly immutable: boolean
  readonly transient: boolean
  readonly override: Override | null
  readonly value: Expression | null
}

export interface Override extends Span {
  readonly kind: 'Override'
  readonly bases: readonly Path[]
}

export type FunctionKind =
  | 'function'
  | 'constructor'
  | 'fallback'
  | 'receive'
  /** `function () …` before 0.6. */
  | 'unnamed'
  /** Free function at file level. */
  | 'free'

export interface FunctionDefinition extends Span {
  readonly kind: 'FunctionDefinition'
  readonly functionKind: FunctionKind
  /** null for constructor, fallback, receive and unnamed ones written by keyword. */
  readonly name: Identifier | null
  readonly params: readonly Parameter[]
  readonly returns: readonly Parameter[]
  readonly visibility: Visibility | null
  readonly mutability: Mutability
  readonly virtual: boolean
  readonly override: Override | null
  /** Also base constructor calls: which it is, the model decides. */
  readonly modifiers: readonly ModifierInvocation[]
  /** null: declared without a body. */
  readonly body: Block | null
  /** Where the body begins, for those who need not look into it; null as above. */
  readonly bodyStart: number | null
  /** From the keyword to the end of the head, for messages about the declaration itself. */
  readonly headEnd: number
}

export interface ModifierInvocation extends Span {
  readonly kind: 'ModifierInvocation'
  readonly name: Path
  readonly args: CallArguments | null
}

export interface ModifierDefinition extends Span {
  readonly kind: 'ModifierDefinition'
  readonly name: Identifier
  readonly params: readonly Parameter[]
  readonly virtual: boolean
  readonly override: Override | null
  readonly body: Block | null
  readonly bodyStart: number | null
}

export interface Parameter extends Span {
  readonly kind: 'Parameter'
  readonly type: TypeName
  readonly location: DataLocation | null
  readonly name: Identifier | null
  /** Events only. */
  readonly indexed: boolean
}

export interface StructDefinition extends Span {
  readonly kind: 'StructDefinition'
  readonly name: Identifier
  readonly fields: readonly Parameter[]
}

export interface EnumDefinition extends Span {
  readonly kind: 'EnumDefinition'
  readonly name: Identifier
  readonly values: readonly Identifier[]
}

/** `type Price is uint128;` */
export interface UserTypeDefinition extends Span {
  readonly kind: 'UserTypeDefinition'
  readonly name: Identifier
  readonly underlying: TypeName
}

export interface ErrorDefinition extends Span {
  readonly kind: 'ErrorDefinition'
  readonly name: Identifier
  readonly params: readonly Parameter[]
}

export interface EventDefinition extends Span {
  readonly kind: 'EventDefinition'
  readonly name: Identifier
  readonly params: readonly Parameter[]
  readonly anonymous: boolean
}

export interface UsingDirective extends Span {
  readonly kind: 'UsingDirective'
  /** One path for `using L for T`; several for `using {f, L.g as +} for T`. */
  readonly functions: readonly { readonly path: Path; readonly operator: string | null }[]
  /** True for the braces form. */
  readonly braces: boolean
  /** null for `*`. */
  readonly type: TypeName | null
  readonly global: boolean
}

/** Text that could not be read as a member; recovery goes on after it. */
export interface ErrorMember extends Span {
  readonly kind: 'ErrorMember'
}

// Types

export type TypeName = ElementaryType | UserType | MappingType | ArrayType | FunctionType | ErrorType

export interface ElementaryType extends Span {
  readonly kind: 'ElementaryType'
  /** As written: `uint`, `uint256`, `address`, `bytes32`, `fixed128x18`, `byte`, `var`. */
  readonly name: string
  /** `address payable`. */
  readonly payable: boolean
}

export interface UserType extends Span {
  readonly kind: 'UserType'
  readonly path: Path
}

export interface MappingType extends Span {
  readonly kind: 'MappingType'
  readonly key: TypeName
  readonly keyName: Identifier | null
  readonly value: TypeName
  readonly valueName: Identifier | null
}

export interface ArrayType extends Span {
  readonly kind: 'ArrayType'
  readonly base: TypeName
  readonly length: Expression | null
}

export interface FunctionType extends Span {
  readonly kind: 'FunctionType'
  readonly params: readonly Parameter[]
  readonly returns: readonly Parameter[]
  readonly visibility: Visibility | null
  readonly mutability: Mutability
}

export interface ErrorType extends Span {
  readonly kind: 'ErrorType'
}

// Statements

export type Statement =
  | Block
  | IfStatement
  | WhileStatement
  | DoWhileStatement
  | ForStatement
  | ContinueStatement
  | BreakStatement
  | ReturnStatement
  | ThrowStatement
  | EmitStatement
  | RevertStatement
  | TryStatement
  | VariableStatement
  | ExpressionStatement
  | PlaceholderStatement
  | AssemblyStatement
  | ErrorStatement

export interface Block extends Span {
  readonly kind: 'Block'
  readonly unchecked: boolean
  readonly statements: readonly Statement[]
}

export interface IfStatement extends Span {
  readonly kind: 'IfStatement'
  readonly condition: Expression
  readonly then: Statement
  readonly else: Statement | null
}

export interface WhileStatement extends Span {
  readonly kind: 'WhileStatement'
  readonly condition: Expression
  readonly body: Statement
}

export interface DoWhileStatement extends Span {
  readonly kind: 'DoWhileStatement'
  readonly body: Statement
  readonly condition: Expression
}

export interface ForStatement extends Span {
  readonly kind: 'ForStatement'
  readonly init: VariableStatement | ExpressionStatement | null
  readonly condition: Expression | null
  readonly update: Expression | null
  readonly body: Statement
}

export interface ContinueStatement extends Span {
  readonly kind: 'ContinueStatement'
}

export interface BreakStatement extends Span {
  readonly kind: 'BreakStatement'
}

export interface ReturnStatement extends Span {
  readonly kind: 'ReturnStatement'
  readonly value: Expression | null
}

export interface ThrowStatement extends Span {
  readonly kind: 'ThrowStatement'
}

export interface EmitStatement extends Span {
  readonly kind: 'EmitStatement'
  readonly call: Call
}

/** `revert Err(…);` — `revert(…)` as a call is an expression statement. */
export interface RevertStatement extends Span {
  readonly kind: 'RevertStatement'
  readonly call: Call
}

export interface TryStatement extends Span {
  readonly kind: 'TryStatement'
  readonly call: Expression
  readonly returns: readonly Parameter[]
  readonly body: Block
  readonly catches: readonly CatchClause[]
}

export interface CatchClause extends Span {
  readonly kind: 'CatchClause'
  readonly name: Identifier | null
  readonly params: readonly Parameter[]
  readonly body: Block
}

/** `uint a = 1;`, `(uint a, , uint b) = f();`, `var (a, b) = f();` */
export interface VariableStatement extends Span {
  readonly kind: 'VariableStatement'
  /** null for a gap in a tuple. A `var` has ElementaryType `var`. */
  readonly declarations: readonly (Parameter | null)[]
  readonly tuple: boolean
  readonly value: Expression | null
}

export interface ExpressionStatement extends Span {
  readonly kind: 'ExpressionStatement'
  readonly expression: Expression
}

/** `_;` in a modifier. */
export interface PlaceholderStatement extends Span {
  readonly kind: 'PlaceholderStatement'
}

export interface AssemblyStatement extends Span {
  readonly kind: 'AssemblyStatement'
  readonly dialect: string | null
  readonly flags: readonly string[]
  readonly body: YulBlock
  /** True when legacy stack-style instructions, labels or `=:` occur. */
  readonly legacy: boolean
}

export interface ErrorStatement extends Span {
  readonly kind: 'ErrorStatement'
}

// Expressions

export type Expression =
  | Identifier
  | Literal
  | Unary
  | Binary
  | Assignment
  | Conditional
  | Call
  | CallOptions
  | NewExpression
  | Member
  | Index
  | Slice
  | Tuple
  | ArrayLiteral
  | TypeExpression
  | ErrorExpression

export type LiteralKind = 'number' | 'hexNumber' | 'string' | 'hexString' | 'unicodeString' | 'bool'

export interface Literal extends Span {
  readonly kind: 'Literal'
  readonly literalKind: LiteralKind
  /** Numbers as written (with underscores), strings decoded, hex strings as hex digits, bools `true`/`false`. */
  readonly value: string
  /** `ether`, `gwei`, `days`, … */
  readonly unit: string | null
}

export interface Unary extends Span {
  readonly kind: 'Unary'
  /** `++ -- ! ~ - + delete after` */
  readonly operator: string
  readonly prefix: boolean
  readonly operand: Expression
}

export interface Binary extends Span {
  readonly kind: 'Binary'
  /** `+ - * / % ** << >> >>> & | ^ == != < > <= >= && ||` */
  readonly operator: string
  readonly left: Expression
  readonly right: Expression
}

export interface Assignment extends Span {
  readonly kind: 'Assignment'
  /** `=`, `+=`, … */
  readonly operator: string
  readonly target: Expression
  readonly value: Expression
}

export interface Conditional extends Span {
  readonly kind: 'Conditional'
  readonly condition: Expression
  readonly then: Expression
  readonly else: Expression
}

export interface CallArguments extends Span {
  readonly kind: 'CallArguments'
  readonly values: readonly Expression[]
  /** Set for `f({a: 1, b: 2})`, parallel to `values`. */
  readonly names: readonly Identifier[] | null
}

export interface Call extends Span {
  readonly kind: 'Call'
  readonly callee: Expression
  readonly args: CallArguments
  meaning: unknown
}

/** `f{value: 1, gas: 2}` — the callee of a Call. */
export interface CallOptions extends Span {
  readonly kind: 'CallOptions'
  readonly callee: Expression
  readonly names: readonly Identifier[]
  readonly values: readonly Expression[]
}

/** `new T` — the callee of a Call. */
export interface NewExpression extends Span {
  readonly kind: 'NewExpression'
  readonly type: TypeName
}

export interface Member extends Span {
  readonly kind: 'Member'
  readonly object: Expression
  readonly name: Identifier
  meaning: unknown
}

export interface Index extends Span {
  readonly kind: 'Index'
  readonly object: Expression
  /** null in `uint[]` used as an expression. */
  readonly index: Expression | null
}

export interface Slice extends Span {
  readonly kind: 'Slice'
  readonly object: Expression
  readonly from: Expression | null
  readonly to: Expression | null
}

/** Also plain parentheses (one element). Gaps are null. */
export interface Tuple extends Span {
  readonly kind: 'Tuple'
  readonly elements: readonly (Expression | null)[]
}

export interface ArrayLiteral extends Span {
  readonly kind: 'ArrayLiteral'
  readonly elements: readonly Expression[]
}

/**
 * An elementary, mapping or function type where an expression stands: `uint(x)`, `type(uint)`,
 * `abi.decode(d, (uint, address))`. In `payable(x)` it is the type `address` with `payable` set.
 */
export interface TypeExpression extends Span {
  readonly kind: 'TypeExpression'
  readonly type: TypeName
}

export interface ErrorExpression extends Span {
  readonly kind: 'ErrorExpression'
}

// Yul

export type YulStatement =
  | YulBlock
  | YulFunctionDefinition
  | YulVariable
  | YulAssignment
  | YulIf
  | YulFor
  | YulSwitch
  | YulLeave
  | YulBreak
  | YulContinue
  | YulExpressionStatement
  /** Legacy only. */
  | YulLabel
  /** Legacy only: `=: x`. */
  | YulStackAssignment
  | YulError

export interface YulBlock extends Span {
  readonly kind: 'YulBlock'
  readonly statements: readonly YulStatement[]
}

export interface YulFunctionDefinition extends Span {
  readonly kind: 'YulFunctionDefinition'
  readonly name: Identifier
  readonly params: readonly Identifier[]
  readonly returns: readonly Identifier[]
  readonly body: YulBlock
}

export interface YulVariable extends Span {
  readonly kind: 'YulVariable'
  readonly names: readonly Identifier[]
  readonly value: YulExpression | null
}

export interface YulAssignment extends Span {
  readonly kind: 'YulAssignment'
  readonly targets: readonly YulPath[]
  readonly value: YulExpression
}

export interface YulIf extends Span {
  readonly kind: 'YulIf'
  readonly condition: YulExpression
  readonly body: YulBlock
}

export interface YulFor extends Span {
  readonly kind: 'YulFor'
  readonly init: YulBlock
  readonly condition: YulExpression
  readonly update: YulBlock
  readonly body: YulBlock
}

export interface YulSwitch extends Span {
  readonly kind: 'YulSwitch'
  readonly value: YulExpression
  readonly cases: readonly YulCase[]
}

export interface YulCase extends Span {
  readonly kind: 'YulCase'
  /** null for `default`. */
  readonly value: YulLiteral | null
  readonly body: YulBlock
}

export interface YulLeave extends Span {
  readonly kind: 'YulLeave'
}

export interface YulBreak extends Span {
  readonly kind: 'YulBreak'
}

export interface YulContinue extends Span {
  readonly kind: 'YulContinue'
}

export interface YulExpressionStatement extends Span {
  readonly kind: 'YulExpressionStatement'
  readonly expression: YulExpression
}

export interface YulLabel extends Span {
  readonly kind: 'YulLabel'
  readonly name: Identifier
}

export interface YulStackAssignment extends Span {
  readonly kind: 'YulStackAssignment'
  readonly target: Identifier
}

export interface YulError extends Span {
  readonly kind: 'YulError'
}

export type YulExpression = YulPath | YulLiteral | YulCall

/** `x`, and `x.slot`, `x.offset`, `x.length` (also `x_slot` before 0.7, left as one name). */
export interface YulPath extends Span {
  readonly kind: 'YulPath'
  readonly names: readonly Identifier[]
}

export interface YulLiteral extends Span {
  readonly kind: 'YulLiteral'
  readonly literalKind: 'number' | 'hexNumber' | 'string' | 'hexString' | 'bool'
  readonly value: string
}

export interface YulCall extends Span {
  readonly kind: 'YulCall'
  readonly name: Identifier
  readonly args: readonly YulExpression[]
}
