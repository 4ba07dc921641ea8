/** What the mutator asks of the tree: checks, sender tests, storage writes, calls that leave the contract. */
import type { FunctionModel, Model, ModifierModel, VariableModel } from '../../engine/src/model/index.ts'
import {
  type Assignment,
  type Block,
  type Call,
  type Expression,
  type Node,
  type Statement,
  type Unary,
  walk,
} from '../../engine/src/syntax/index.ts'

export type Body = FunctionModel | ModifierModel

/** A statement that reverts unless (`require`) or if (`if … revert`) its condition holds. */
export interface Check {
  readonly statement: Statement
  readonly condition: Expression
  readonly revertsIf: boolean
}

export const stripParentheses = (expression: Expression): Expression =>
  expression.kind === 'Tuple' && expression.elements.length === 1 && expression.elements[0]
    ? stripParentheses(expression.elements[0])
    : expression

export const some = (root: Node, test: (node: Node) => boolean): boolean => {
  let found = false
  walk(root, (node) => {
    if (!found && test(node)) found = true
    return !found
  })
  return found
}

/** Lists of statements, outermost first: a statement of a list can be removed or moved. */
export const statementLists = (body: Block): (readonly Statement[])[] => {
  const lists: (readonly Statement[])[] = []
  walk(body, (node) => {
    if (node.kind === 'Block') lists.push(node.statements)
  })
  return lists
}

export const statementsOf = (body: Block): Statement[] => statementLists(body).flat()

const isRevert = (statement: Statement): boolean => {
  if (statement.kind === 'Block') return statement.statements.length === 1 && isRevert(statement.statements[0]!)
  if (statement.kind === 'RevertStatement' || statement.kind === 'ThrowStatement') return true
  return statement.kind === 'ExpressionStatement' && calleeName(statement.expression) === 'revert'
}

export const calleeName = (expression: Expression): string | undefined => {
  if (expression.kind !== 'Call') return undefined
  const { callee } = expression
  if (callee.kind === 'Identifier') return callee.name
  return callee.kind === 'Member' ? callee.name.name : undefined
}

export const checkOf = (statement: Statement): Check | undefined => {
  if (statement.kind === 'IfStatement' && !statement.else && isRevert(statement.then))
    return { statement, condition: stripParentheses(statement.condition), revertsIf: true }
  if (statement.kind !== 'ExpressionStatement' || statement.expression.kind !== 'Call') return undefined
  const condition = statement.expression.args.values[0]
  return condition && /^_?require$/.test(calleeName(statement.expression) ?? '')
    ? { statement, condition: stripParentheses(condition), revertsIf: false }
    : undefined
}

const orderings = new Set(['<', '>', '<=', '>='])

export const isOrdering = (node: Node): boolean => node.kind === 'Binary' && orderings.has(node.operator)

export const isMember = (node: Node, object: string, name: RegExp): boolean =>
  node.kind === 'Member' &&
  node.object.kind === 'Identifier' &&
  node.object.name === object &&
  name.test(node.name.name)

export const readsClock = (node: Node): boolean =>
  isMember(node, 'block', /^(timestamp|number)$/) ||
  (node.kind === 'Identifier' && (node.name === 'now' || /^_?(get)?block(Timestamp|Number)$/i.test(node.name)))

export class Questions {
  readonly #model: Model
  readonly #roots = new WeakMap<Expression, VariableModel | undefined>()

  constructor(model: Model) {
    this.#model = model
  }

  /** The state variable or storage pointer that an expression lies in. */
  storageRoot(expression: Expression): VariableModel | undefined {
    if (!this.#roots.has(expression)) this.#roots.set(expression, this.#findRoot(expression))
    return this.#roots.get(expression)
  }

  #findRoot(expression: Expression): VariableModel | undefined {
    let at = stripParentheses(expression)
    while (at.kind === 'Index' || at.kind === 'Member') at = stripParentheses(at.object)
    if (at.kind !== 'Identifier') return undefined
    const meant = this.#model.declarationOf(at)
    if (meant?.kind !== 'variable' || meant.isConstant) return undefined
    return meant.role === 'state' || meant.location === 'storage' ? meant : undefined
  }

  variableOf(node: Node): VariableModel | undefined {
    if (node.kind !== 'Identifier') return undefined
    const meant = this.#model.declarationOf(node)
    return meant?.kind === 'variable' ? meant : undefined
  }

  /** Assignments to storage and `++`, `--`, `delete` of it. */
  writesIn(root: Node): (Assignment | Unary)[] {
    const writes: (Assignment | Unary)[] = []
    walk(root, (node) => {
      const target =
        node.kind === 'Assignment'
          ? node.target
          : node.kind === 'Unary' && /^(\+\+|--|delete)$/.test(node.operator)
            ? node.operand
            : undefined
      if (target && this.storageRoot(target)) writes.push(node as Assignment | Unary)
    })
    return writes
  }

  callsIn(root: Node): Call[] {
    const calls: Call[] = []
    walk(root, (node) => {
      if (node.kind === 'Call') calls.push(node)
    })
    return calls
  }

  /** Functions of the same contract or of a library that a call runs. */
  innerTargets(call: Call): readonly FunctionModel[] {
    const target = this.#model.callTarget(call)
    return ['internal', 'super', 'library', 'using-for'].includes(target.kind)
      ? target.functions.filter(({ node }) => node.body)
      : []
  }

  /** Some part of a body, or of what it calls up to a depth, for which the test holds. */
  reaches(body: Body, test: (node: Node) => boolean, depth: number): boolean {
    if (!body.node.body) return false
    if (some(body.node.body, test)) return true
    if (depth === 0) return false
    return this.callsIn(body.node.body).some((call) =>
      this.innerTargets(call).some((fn) => this.reaches(fn, test, depth - 1)),
    )
  }

  /** A call that hands control to an account which is not one of the protocol's own, token transfers among them. */
  isForeignCall(node: Node): boolean {
    if (node.kind !== 'Call') return false
    const target = this.#model.callTarget(node)
    if (/^(safe)?transfer(From)?$/i.test(calleeName(node) ?? ''))
      return target.kind !== 'transfer' && target.kind !== 'internal'
    if (target.kind === 'low-level') return target.builtin !== 'staticcall' && !this.#isOwn(target.receiver)
    if (target.kind !== 'external') return false
    const mutability = target.function?.mutability
    return mutability !== 'view' && mutability !== 'pure' && target.getter === null && !this.#isOwn(target.receiver)
  }

  /** The same, and an outsider chose the account or is called back by it: a token that the protocol names runs nobody else's code. */
  callsOut(node: Node): boolean {
    if (!this.isForeignCall(node) || node.kind !== 'Call') return false
    const { kind } = this.#model.callTarget(node)
    const { callee, args } = node
    const name = calleeName(node) ?? ''
    // An NFT asks its recipient.
    if (!/^(safe)?transfer(From)?$/i.test(name) || (kind === 'external' && name === 'safeTransferFrom')) return true
    const token = kind === 'library' ? (args.values[0] ?? null) : callee.kind === 'Member' ? callee.object : null
    return !this.#isOwn(token)
  }

  /** The contract itself, or one that a state variable names: chosen by those who run the protocol. */
  #isOwn(receiver: Expression | null): boolean {
    if (!receiver) return true
    const names = (node: Node): boolean =>
      (node.kind === 'Identifier' && node.name === 'this') || this.variableOf(node)?.role === 'state'
    return some(receiver, names) && !some(receiver, (node) => node.kind === 'Index')
  }

  isSender(node: Node, aliases: ReadonlySet<VariableModel>): boolean {
    if (isMember(node, 'msg', /^sender$/)) return true
    if (node.kind === 'Call' && /^_?msgSender$/.test(calleeName(node) ?? '')) return true
    const variable = this.variableOf(node)
    return variable !== undefined && aliases.has(variable)
  }

  /** The condition admits some callers and turns others away. */
  isSenderTest({ condition, revertsIf }: Check, aliases: ReadonlySet<VariableModel>, writes: readonly Node[]): boolean {
    const turnsOneAway =
      condition.kind === 'Binary' && condition.operator === (revertsIf ? '==' : '!=') && this.#names(condition, aliases)
    if (turnsOneAway) return false
    if (some(condition, (node) => isOrdering(node) || isMember(node, 'tx', /^origin$/))) return false
    if (!some(condition, (node) => this.isSender(node, aliases))) return false
    return !some(condition, (node) => {
      const root = node.kind === 'Index' ? this.storageRoot(node) : undefined
      return root !== undefined && writes.some((write) => this.#rootOfWrite(write) === root)
    })
  }

  /** One side is the sender itself, not an entry that it is the key of. */
  #names({ left, right }: Expression & { kind: 'Binary' }, aliases: ReadonlySet<VariableModel>): boolean {
    return [left, right].some((side) => this.isSender(stripParentheses(side), aliases))
  }

  #rootOfWrite(write: Node): VariableModel | undefined {
    if (write.kind === 'Assignment') return this.storageRoot(write.target)
    return write.kind === 'Unary' ? this.storageRoot(write.operand) : undefined
  }

  /** Reverts for some callers, itself or by what it calls. */
  checksSender(body: Body, depth = 3, aliases: ReadonlySet<VariableModel> = new Set()): boolean {
    const { body: block } = body.node
    if (!block) return false
    for (const statement of statementsOf(block)) {
      const check = checkOf(statement)
      if (check && this.isSenderTest(check, aliases, [])) return true
    }
    if (depth === 0) return false
    return this.callsIn(block).some((call) => this.isCheckedBy(call, depth - 1, aliases))
  }

  /** The call reverts for some senders. */
  isCheckedBy(call: Call, depth = 2, aliases: ReadonlySet<VariableModel> = new Set()): boolean {
    return this.innerTargets(call).some((fn) => {
      const { values } = call.args
      const passed = fn.params.filter((_, i) => values[i] && this.isSender(values[i], aliases))
      return this.checksSender(fn, depth, new Set(passed))
    })
  }
}
