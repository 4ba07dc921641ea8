import type {
  AssemblyStatement,
  Assignment,
  Call,
  ExpressionStatement,
  FunctionType,
  Identifier,
  IfStatement,
  Member,
  NewExpression,
  NotedNodes,
  ThrowStatement,
  VariableStatement,
  YulAssignment,
  YulCall,
  YulExpressionStatement,
  YulFunctionDefinition,
} from './ast.ts'

/**
 * Nodes of the kinds that later passes ask for most, noted while parsing: walking the tree for them would cost more than
 * parsing did. A node stands after the ones inside it.
 */
export class FoundNodes implements NotedNodes {
  readonly Call: Call[] = []
  readonly Member: Member[] = []
  readonly Assignment: Assignment[] = []
  readonly VariableStatement: VariableStatement[] = []
  readonly ExpressionStatement: ExpressionStatement[] = []
  readonly IfStatement: IfStatement[] = []
  readonly ThrowStatement: ThrowStatement[] = []
  readonly AssemblyStatement: AssemblyStatement[] = []
  readonly FunctionType: FunctionType[] = []
  readonly NewExpression: NewExpression[] = []
  readonly YulCall: YulCall[] = []
  readonly YulAssignment: YulAssignment[] = []
  readonly YulExpressionStatement: YulExpressionStatement[] = []
  readonly YulFunctionDefinition: YulFunctionDefinition[] = []
  /** Names `now`, whatever they mean: the one name that is looked for among all. */
  readonly now: Identifier[] = []

  /** What was read as an expression turned out to be a type: its members are names of a path now. */
  forgetMember(member: Member): void {
    const at = this.Member.lastIndexOf(member)
    if (at >= 0) this.Member.splice(at, 1)
  }
}
