/**
 * Finds the meaning of every name in one function or modifier, in one walk. Locals live on a stack of names searched
 * from its top; a scope is a mark on that stack. Before 0.5 locals belong to the whole function from its first line,
 * so they are all declared ahead. What is no local is a question to the contract, the file and the language.
 * Expressions can be thousands of levels deep, statements cannot.
 */
import type {
  Block,
  CatchClause,
  Expression,
  Identifier,
  IfStatement,
  Parameter,
  Statement,
  TypeName,
  VariableStatement,
} from '../syntax/index.ts'
import { bindAssembly } from './bind-assembly.ts'
import { addName, type Binder, findLocal, maxStatementDepth } from './binder.ts'
import { globals } from './builtins.ts'
import { Event } from './definitions.ts'
import { keepName } from './meanings.ts'
import type { ContractSymbol, FunctionSymbol, Initial, ModifierSymbol, Symbols, VariableSymbol } from './symbols.ts'
import { pushChildren } from './type-expressions.ts'
import { Variable } from './variable.ts'

/** Expressions that nest deeper are walked without recursion. */
const maxNesting = 100

export const bindBody = (owner: FunctionSymbol | ModifierSymbol, symbols: Symbols): void => {
  owner.isBound = true
  const { file, node } = owner
  // A type in one body may lead into another before the first is done: that one gets room of its own.
  const room = symbols.boundNames ?? { names: [], locals: [], variables: [] }
  symbols.boundNames = null
  const binder: Binder = {
    symbols,
    file,
    home: owner.contract,
    names: room.names,
    locals: room.locals,
    count: 0,
    addedAt: new Map(),
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
  symbols.boundNames = room
}

/** What is known about all variables of all bodies is noted here, where they are at hand. */
const noteVariables = ({ symbols, file, home, variables }: Binder) => {
  for (let i = 0; i < variables.length; i++) {
    const variable = variables[i]!
    if (variable.name === '') continue
    if (!variable.isNamed && variable.role !== 'return') file.unnamed.push(variable)
    if (globals.has(variable.name) || (home !== null && hidesState(symbols, home, variable.name))) {
      file.hiding.push(variable)
    }
  }
}

const hidesState = (symbols: Symbols, contract: ContractSymbol, name: string): boolean => {
  // Searching bases for every local takes longer than noting once what is there.
  if (contract.linearization.length > 1 && !contract.stateNames.has(name)) return false
  const found = symbols.lookupInContract(contract, name)
  if (found === undefined) return false
  for (let i = 0; i < found.length; i++) if (found[i] instanceof Variable) return true
  return false
}

const bindHead = (binder: Binder, owner: FunctionSymbol | ModifierSymbol) => {
  if (owner.kind !== 'function') {
    addVariables(binder, owner.params, false)
    return
  }
  addVariables(binder, owner.params, true)
  addVariables(binder, owner.returns, true)
  const { modifiers } = owner.node
  for (let i = 0; i < modifiers.length; i++) {
    const { args } = modifiers[i]!
    if (args !== null) bindExpressions(binder, args.values)
  }
}

const addVariables = (binder: Binder, variables: readonly VariableSymbol[], areNoted: boolean) => {
  for (let i = 0; i < variables.length; i++) {
    const variable = variables[i]!
    addVariable(binder, variable)
    if (areNoted) binder.variables.push(variable)
  }
}

const addVariable = (binder: Binder, variable: VariableSymbol) => {
  const { name } = variable.node
  if (name === null || name.name === '') return
  keepName(name, variable, binder.symbols)
  addName(binder, name.name, variable)
}

const addLocal = (binder: Binder, node: Parameter, initial: Initial | null): VariableSymbol => {
  const variable = new Variable(binder.symbols, 'local', node, binder.file, binder.home, null, initial)
  addVariable(binder, variable)
  return variable
}

const bindName = (binder: Binder, node: Identifier) => {
  const found = findLocal(binder, node.name) ?? binder.symbols.lookup(node.name, binder.home, binder.file)
  keepName(node, found ?? null, binder.symbols)
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
const hoist = (binder: Binder, node: Statement) => {
  if (binder.depth > maxStatementDepth) return
  binder.depth++
  switch (node.kind) {
    case 'VariableStatement':
      declareAll(binder, node)
      break
    case 'Block':
      for (let i = 0; i < node.statements.length; i++) hoist(binder, node.statements[i]!)
      break
    case 'IfStatement':
      hoistBranches(binder, node)
      break
    case 'WhileStatement':
    case 'DoWhileStatement':
      hoist(binder, node.body)
      break
    case 'ForStatement':
      if (node.init !== null) hoist(binder, node.init)
      hoist(binder, node.body)
  }
  binder.depth--
}

const hoistBranches = (binder: Binder, first: IfStatement) => {
  let node: Statement | null = first
  while (node !== null && node.kind === 'IfStatement') {
    hoist(binder, node.then)
    node = node.else
  }
  if (node !== null) hoist(binder, node)
}

const closeScope = (binder: Binder, mark: number) => {
  if (binder.isHoisting) return
  binder.count = mark
}

const bindBlock = (binder: Binder, block: Block) => {
  const mark = binder.count
  const { statements } = block
  for (let i = 0; i < statements.length; i++) bindStatement(binder, statements[i]!)
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
  const { declarations } = node
  for (let i = 0; i < declarations.length; i++) {
    const declaration = declarations[i]!
    if (declaration !== null) bindTypeLengths(binder, declaration.type)
  }
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
  // Read once: nodes of this many shapes answer slowly.
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
