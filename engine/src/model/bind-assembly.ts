/** Finds the meaning of every name in inline assembly: its own variables and functions, those around it, instructions. */
import type {
  AssemblyStatement,
  Identifier,
  YulBlock,
  YulExpression,
  YulFunctionDefinition,
  YulStatement,
} from '../syntax/index.ts'
import { addName, type Binder, findLocal, maxStatementDepth } from './binder.ts'
import type { Declaration } from './declaration.ts'
import { keepName } from './meanings.ts'
import { Variable } from './variable.ts'

export const bindAssembly = (binder: Binder, node: AssemblyStatement) => {
  const mark = binder.count
  bindYulBlock(binder, node.body)
  binder.count = mark
}

const addYul = (binder: Binder, node: Identifier, declaration: Declaration) => {
  keepName(node, declaration, binder.symbols)
  addName(binder, node.name, declaration)
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
  const found = findYulFunction(binder, node.name) ?? binder.symbols.instruction(node.name)
  if (found !== undefined) keepName(node, found, binder.symbols)
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
  const { symbols, home, file } = binder
  const { name } = node
  let found = findLocal(binder, name) ?? symbols.lookup(name, home, file)
  if (found === undefined && oldSuffix.test(name)) {
    const bare = name.replace(oldSuffix, '')
    found = findLocal(binder, bare) ?? symbols.lookup(bare, home, file)
  }
  found ??= symbols.instruction(name)
  if (found === undefined) return
  keepName(node, found, binder.symbols)
  if (found instanceof Variable) found.isNamed = true
}
