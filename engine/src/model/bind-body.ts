/**
 * Finds the meaning of every name in one function or modifier, in one walk. Locals live on a stack of names searched
 * from its top; a scope is a mark on that stack. Before 0.5 locals belong to the whole function from its first line,
 * so they are all declared ahead. What is no local is a question to the contract, the file and the language.
 * Expressions can be thousands of levels deep, statements cannot.
 */
import type {
  AssemblyStatement,
  Block,
  CatchClause,
  Expression,
  Identifier,
  IfStatement,
  Parameter,
  Statement,
  TypeName,
  VariableStatement,
  YulBlock,
  YulExpression,
  YulFunctionDefinition,
  YulStatement,
} from '../syntax/index.ts'
import { globals } from './builtins.ts'
import type { Fn, Modifier } from './callables.ts'
import type { Contract } from './contract.ts'
import type { Declaration } from './declaration.ts'
import { Event } from './definitions.ts'
import type { File } from './file.ts'
import { pushChildren } from './type-expressions.ts'
import { type Initial, Variable } from './variable.ts'
import type { World } from './world.ts'

interface Binder {
  readonly world: World
  readonly file: File
  readonly home: Contract | null
  readonly resolved: Map<number, Declaration | readonly Declaration[] | null>
  /** Local names and what they mean; only the first `count` are in scope. */
  readonly names: string[]
  readonly locals: Declaration[]
  count: number
  /** Parameters, results and locals of the function so far. */
  readonly variables: Variable[]
  readonly isHoisting: boolean
  depth: number
  nesting: number
}

/** The parser stops nesting long before this. */
const maxStatementDepth = 1500
/** Expressions that nest deeper are walked without recursion. */
const maxNesting = 100

export const bindBody = (owner: Fn | Modifier, world: World): void => {
  owner.isBound = true
  const { file, node } = owner
  // A type in one body may lead into another before the first is done: that one gets room of its own.
  const room = world.boundNames ?? { names: [], locals: [], variables: [] }
  world.boundNames = null
  const binder: Binder = {
    world,
    file,
    home: owner.contract,
    resolved: file.resolved,
    names: room.names,
    locals: room.locals,
    count: 0,
    variables: room.variables,
    isHoisting: file.versions.isBelow(5),
    depth: 0,
    nesting: 0,
  }
  bindHead(binder, owner)
  if (node.body !== null) {
    if (binder.isHoisting) hoist(binder, node.body)
    bindBlock(binder, node.body)
    noteVariables(binder)
  }
  while (room.variables.length > 0) room.variables.pop()
  world.boundNames = room
}

/** What is asked about all variables of all bodies is noted here, where they are at hand. */
const noteVariables = ({ world, file, home, variables }: Binder) => {
  for (const variable of variables) {
    if (variable.name === '') continue
    if (!variable.isNamed && variable.role !== 'return') file.unnamed.push(variable)
    if (globals.has(variable.name) || (home !== null && isState(world, home, variable.name))) file.hiding.push(variable)
  }
}

const isState = (world: World, contract: Contract, name: string): boolean => {
  const alone = contract.linearization.length === 1
  const found = alone ? contract.own.get(name) : world.lookupInContract(contract, name)
  return found?.some(({ kind }) => kind === 'variable') ?? false
}

const bindHead = (binder: Binder, owner: Fn | Modifier) => {
  for (const variable of owner.params) addVariable(binder, variable)
  if (owner.kind !== 'function') return
  for (const variable of owner.returns) addVariable(binder, variable)
  for (const variable of owner.params) binder.variables.push(variable)
  for (const variable of owner.returns) binder.variables.push(variable)
  for (const use of owner.node.modifiers) {
    if (use.args !== null) bindExpressions(binder, use.args.values)
  }
}

const push = (binder: Binder, name: string, declaration: Declaration) => {
  binder.names[binder.count] = name
  binder.locals[binder.count] = declaration
  binder.count++
}

const addVariable = (binder: Binder, variable: Variable) => {
  const { name } = variable.node
  if (name === null || name.name === '') return
  binder.resolved.set(name.start, variable)
  push(binder, name.name, variable)
}

const addLocal = (binder: Binder, node: Parameter, initial: Initial | null): Variable => {
  const variable = new Variable(binder.world, 'local', node, binder.file, binder.home, null, initial)
  addVariable(binder, variable)
  return variable
}

const findLocal = (binder: Binder, name: string): Declaration | undefined => {
  const { names } = binder
  for (let i = binder.count - 1; i >= 0; i--) if (names[i] === name) return binder.locals[i]
  return undefined
}

const bindName = (binder: Binder, node: Identifier) => {
  const found = findLocal(binder, node.name) ?? binder.world.lookup(node.name, binder.home, binder.file)
  binder.resolved.set(node.start, found ?? null)
  if (found instanceof Variable || found instanceof Event) found.isNamed = true
}

const initialOf = (statement: VariableStatement, index: number): Initial | null =>
  statement.value === null ? null : { value: statement.value, index: statement.tuple ? index : -1 }

const declareAll = (binder: Binder, statement: VariableStatement) => {
  const { declarations } = statement
  for (let i = 0; i < declarations.length; i++) {
    const node = declarations[i]
    if (node?.name) binder.variables.push(addLocal(binder, node, initialOf(statement, i)))
  }
}

/** Declares all locals of an old function ahead of its first statement. */
const hoist = (binder: Binder, body: Block) => {
  const stack: Statement[] = [body]
  const found: VariableStatement[] = []
  while (stack.length > 0) {
    const node = stack.pop() as Statement
    switch (node.kind) {
      case 'Block':
        for (const inner of node.statements) stack.push(inner)
        break
      case 'IfStatement':
        stack.push(node.then)
        if (node.else !== null) stack.push(node.else)
        break
      case 'WhileStatement':
      case 'DoWhileStatement':
        stack.push(node.body)
        break
      case 'ForStatement':
        if (node.init !== null) stack.push(node.init)
        stack.push(node.body)
        break
      case 'VariableStatement':
        found.push(node)
    }
  }
  found.sort((a, b) => a.start - b.start)
  for (const statement of found) declareAll(binder, statement)
}

const closeScope = (binder: Binder, mark: number) => {
  if (binder.isHoisting) return
  binder.count = mark
}

const bindBlock = (binder: Binder, block: Block) => {
  const mark = binder.count
  for (const statement of block.statements) bindStatement(binder, statement)
  closeScope(binder, mark)
}

const bindScoped = (binder: Binder, statement: Statement) => {
  const mark = binder.count
  bindStatement(binder, statement)
  closeScope(binder, mark)
}

const bindStatement = (binder: Binder, node: Statement) => {
  if (binder.depth > maxStatementDepth) return
  binder.depth++
  switch (node.kind) {
    case 'ExpressionStatement':
      bindExpression(binder, node.expression)
      break
    case 'VariableStatement':
      bindVariables(binder, node)
      break
    case 'IfStatement':
      bindIf(binder, node)
      break
    case 'Block':
      bindBlock(binder, node)
      break
    case 'ReturnStatement':
      if (node.value !== null) bindExpression(binder, node.value)
      break
    case 'EmitStatement':
    case 'RevertStatement':
      bindExpression(binder, node.call)
      break
    case 'ForStatement': {
      const mark = binder.count
      if (node.init !== null) bindStatement(binder, node.init)
      if (node.condition !== null) bindExpression(binder, node.condition)
      if (node.update !== null) bindExpression(binder, node.update)
      bindScoped(binder, node.body)
      closeScope(binder, mark)
      break
    }
    case 'WhileStatement':
      bindExpression(binder, node.condition)
      bindScoped(binder, node.body)
      break
    case 'DoWhileStatement':
      bindScoped(binder, node.body)
      bindExpression(binder, node.condition)
      break
    case 'TryStatement':
      bindExpression(binder, node.call)
      bindClause(binder, node.returns, node.body)
      for (const clause of node.catches) bindCatch(binder, clause)
      break
    case 'AssemblyStatement':
      bindAssembly(binder, node)
  }
  binder.depth--
}

/** `else if` chains are as long as their author likes: a loop, not a descent. */
const bindIf = (binder: Binder, first: IfStatement) => {
  let node: IfStatement = first
  for (;;) {
    bindExpression(binder, node.condition)
    bindScoped(binder, node.then)
    if (node.else === null) return
    if (node.else.kind !== 'IfStatement') {
      bindScoped(binder, node.else)
      return
    }
    node = node.else
  }
}

const bindVariables = (binder: Binder, node: VariableStatement) => {
  if (node.value !== null) bindExpression(binder, node.value)
  for (const declaration of node.declarations) if (declaration !== null) bindTypeLengths(binder, declaration.type)
  if (!binder.isHoisting) declareAll(binder, node)
}

const bindTypeLengths = (binder: Binder, type: TypeName) => {
  let inner = type
  while (inner.kind === 'ArrayType') {
    if (inner.length !== null) bindExpression(binder, inner.length)
    inner = inner.base
  }
}

const bindCatch = (binder: Binder, clause: CatchClause) => bindClause(binder, clause.params, clause.body)

const bindClause = (binder: Binder, params: readonly Parameter[], body: Block) => {
  const mark = binder.count
  for (const param of params) if (param.name !== null) addLocal(binder, param, null)
  bindBlock(binder, body)
  closeScope(binder, mark)
}

const bindExpression = (binder: Binder, node: Expression) => {
  // Asked for once: nodes of this many shapes answer slowly.
  const { kind } = node
  if (kind === 'Identifier') {
    bindName(binder, node)
    return
  }
  if (kind === 'Literal') return
  if (binder.nesting > maxNesting) {
    bindDeep(binder, node)
    return
  }
  binder.nesting++
  switch (kind) {
    case 'Member':
      bindExpression(binder, node.object)
      break
    case 'Call':
      bindExpression(binder, node.callee)
      bindExpressions(binder, node.args.values)
      break
    case 'Binary':
      bindExpression(binder, node.left)
      bindExpression(binder, node.right)
      break
    case 'Assignment':
      bindExpression(binder, node.target)
      bindExpression(binder, node.value)
      break
    case 'Index':
      bindExpression(binder, node.object)
      if (node.index !== null) bindExpression(binder, node.index)
      break
    case 'Unary':
      bindExpression(binder, node.operand)
      break
    default:
      bindDeep(binder, node)
  }
  binder.nesting--
}

const bindExpressions = (binder: Binder, nodes: readonly Expression[]) => {
  for (let i = 0; i < nodes.length; i++) bindExpression(binder, nodes[i]!)
}

/** The same with a list of what is left to do: for what nests deeply, and for rare kinds. */
const bindDeep = (binder: Binder, root: Expression) => {
  const pending: Expression[] = [root]
  while (pending.length > 0) {
    const node = pending.pop() as Expression
    if (node.kind === 'Identifier') bindName(binder, node)
    else if (node.kind === 'NewExpression' || node.kind === 'TypeExpression') bindTypeLengths(binder, node.type)
    else pushChildren(node, pending)
  }
}

// Assembly

const bindAssembly = (binder: Binder, node: AssemblyStatement) => {
  const mark = binder.count
  bindYulBlock(binder, node.body)
  binder.count = mark
}

const addYul = (binder: Binder, node: Identifier, declaration: Declaration) => {
  binder.resolved.set(node.start, declaration)
  push(binder, node.name, declaration)
}

const addYulVariable = (binder: Binder, node: Identifier) =>
  addYul(binder, node, { kind: 'yulVariable', name: node.name, node })

/** Functions of a block are visible in all of it, variables from their line on. */
const bindYulBlock = (binder: Binder, block: YulBlock) => {
  const mark = binder.count
  openYulBlock(binder, block)
  binder.count = mark
}

const openYulBlock = (binder: Binder, block: YulBlock) => {
  for (const statement of block.statements) {
    if (statement.kind === 'YulFunctionDefinition') {
      addYul(binder, statement.name, { kind: 'yulFunction', name: statement.name.name, node: statement })
    }
  }
  for (const statement of block.statements) bindYulStatement(binder, statement)
}

const bindYulFunction = (binder: Binder, node: YulFunctionDefinition) => {
  const mark = binder.count
  for (const param of node.params) addYulVariable(binder, param)
  for (const result of node.returns) addYulVariable(binder, result)
  bindYulBlock(binder, node.body)
  binder.count = mark
}

const bindYulStatement = (binder: Binder, node: YulStatement) => {
  if (binder.depth > maxStatementDepth) return
  binder.depth++
  switch (node.kind) {
    case 'YulBlock':
      bindYulBlock(binder, node)
      break
    case 'YulFunctionDefinition':
      bindYulFunction(binder, node)
      break
    case 'YulVariable':
      if (node.value !== null) bindYulExpression(binder, node.value)
      for (const name of node.names) addYulVariable(binder, name)
      break
    case 'YulAssignment':
      bindYulExpression(binder, node.value)
      for (const target of node.targets) bindYulExpression(binder, target)
      break
    case 'YulIf':
      bindYulExpression(binder, node.condition)
      bindYulBlock(binder, node.body)
      break
    case 'YulFor': {
      const mark = binder.count
      openYulBlock(binder, node.init)
      bindYulExpression(binder, node.condition)
      bindYulBlock(binder, node.update)
      bindYulBlock(binder, node.body)
      binder.count = mark
      break
    }
    case 'YulSwitch':
      bindYulExpression(binder, node.value)
      for (const branch of node.cases) bindYulBlock(binder, branch.body)
      break
    case 'YulExpressionStatement':
      bindYulExpression(binder, node.expression)
      break
    case 'YulStackAssignment':
      bindYulName(binder, node.target)
  }
  binder.depth--
}

const bindYulExpression = (binder: Binder, root: YulExpression) => {
  if (root.kind === 'YulLiteral') return
  const stack: YulExpression[] = [root]
  while (stack.length > 0) {
    const node = stack.pop() as YulExpression
    if (node.kind === 'YulPath') {
      const [first] = node.names
      if (first !== undefined) bindYulName(binder, first)
    } else if (node.kind === 'YulCall') {
      bindYulCallee(binder, node.name)
      for (const argument of node.args) stack.push(argument)
    }
  }
}

const bindYulCallee = (binder: Binder, node: Identifier) => {
  const found = findYulFunction(binder, node.name) ?? binder.world.instruction(node.name)
  if (found !== undefined) binder.resolved.set(node.start, found)
}

const findYulFunction = (binder: Binder, name: string): Declaration | undefined => {
  const { names, locals } = binder
  for (let i = binder.count - 1; i >= 0; i--) {
    if (names[i] === name && locals[i]?.kind === 'yulFunction') return locals[i]
  }
  return undefined
}

const oldSuffix = /_(slot|offset)$/

/** Before 0.7 `x_slot` means the slot of `x`, unless something has that very name. */
const bindYulName = (binder: Binder, node: Identifier) => {
  const { world, home, file } = binder
  const { name } = node
  let found = findLocal(binder, name) ?? world.lookup(name, home, file)
  if (found === undefined && oldSuffix.test(name)) {
    const bare = name.replace(oldSuffix, '')
    found = findLocal(binder, bare) ?? world.lookup(bare, home, file)
  }
  found ??= world.instruction(name)
  if (found === undefined) return
  binder.resolved.set(node.start, found)
  if (found instanceof Variable) found.isNamed = true
}
