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
  Span,
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

/** The nodes of a text whose bodies were read by themselves, in the order in which they would be if all were read at once. */
export const joinFound = (
  outside: FoundNodes,
  bodies: readonly { readonly start: number; readonly found: FoundNodes }[],
): FoundNodes => {
  const joined = new FoundNodes()
  for (const kind of Object.keys(joined) as (keyof NotedNodes)[]) {
    const nodes = joined[kind] as Span[]
    const between = outside[kind] as readonly Span[]
    let at = 0
    for (const { start, found } of bodies) {
      while (at < between.length && between[at]!.start < start) nodes.push(between[at++]!)
      for (const node of found[kind]) nodes.push(node)
    }
    while (at < between.length) nodes.push(between[at++]!)
  }
  return joined
}
