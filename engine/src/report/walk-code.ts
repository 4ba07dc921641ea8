import type { Expression, Statement } from '../syntax/index.ts'

export type Code = Statement | Expression

const isLeaf = (node: Expression): boolean =>
  node.kind === 'Literal' || node.kind === 'TypeExpression' || node.kind === 'NewExpression'

/** Statements and expressions of a body, in no particular order; types, literals and assembly are left out, which makes it cheap. */
export const walkCode = (root: Code, visit: (node: Code) => void): void => {
  const stack: Code[] = [root]
  while (stack.length > 0) {
    const node = stack.pop()!
    visit(node)
    pushChildren(node, stack)
  }
}

const push = (stack: Code[], node: Expression | null): void => {
  if (node !== null && !isLeaf(node)) stack.push(node)
}

const pushAll = (stack: Code[], nodes: readonly (Expression | null)[]): void => {
  for (let i = 0; i < nodes.length; i++) push(stack, nodes[i]!)
}

const pushChildren = (node: Code, stack: Code[]): void => {
  switch (node.kind) {
    case 'Block':
      for (let i = node.statements.length - 1; i >= 0; i--) stack.push(node.statements[i]!)
      return
    case 'ExpressionStatement':
      stack.push(node.expression)
      return
    case 'VariableStatement':
    case 'ReturnStatement':
      push(stack, node.value)
      return
    case 'IfStatement':
      stack.push(node.condition, node.then)
      if (node.else !== null) stack.push(node.else)
      return
    case 'ForStatement':
      if (node.init !== null) stack.push(node.init)
      push(stack, node.condition)
      push(stack, node.update)
      stack.push(node.body)
      return
    case 'WhileStatement':
    case 'DoWhileStatement':
      stack.push(node.condition, node.body)
      return
    case 'EmitStatement':
    case 'RevertStatement':
      pushAll(stack, node.call.args.values)
      return
    case 'TryStatement':
      stack.push(node.call, node.body)
      for (const { body } of node.catches) stack.push(body)
      return
    case 'Call':
      push(stack, node.callee)
      pushAll(stack, node.args.values)
      return
    case 'CallOptions':
      stack.push(node.callee)
      pushAll(stack, node.values)
      return
    case 'Binary':
      push(stack, node.left)
      push(stack, node.right)
      return
    case 'Assignment':
      push(stack, node.target)
      push(stack, node.value)
      return
    case 'Conditional':
      stack.push(node.condition, node.then, node.else)
      return
    case 'Unary':
      stack.push(node.operand)
      return
    case 'Member':
      push(stack, node.object)
      return
    case 'Index':
      push(stack, node.object)
      push(stack, node.index)
      return
    case 'Slice':
      push(stack, node.object)
      push(stack, node.from)
      push(stack, node.to)
      return
    case 'Tuple':
    case 'ArrayLiteral':
      pushAll(stack, node.elements)
      return
  }
}
