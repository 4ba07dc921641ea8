import type { Expression, Statement, YulExpression, YulStatement } from '../syntax/index.ts'

type Node = Statement | Expression | YulStatement | YulExpression

/** Names that a loop may assign, so that its head needs phis for them; null when the body of the function itself is inside. */
export const assignedNames = (loop: Node): Set<string> | null => {
  const names = new Set<string>()
  const work: Node[] = [loop]
  while (work.length > 0) {
    const node = work.pop()!
    switch (node.kind) {
      case 'PlaceholderStatement':
        return null
      case 'Assignment':
        addRoot(node.target, names)
        work.push(node.target, node.value)
        break
      case 'Unary':
        if (node.operator === '++' || node.operator === '--' || node.operator === 'delete') addRoot(node.operand, names)
        work.push(node.operand)
        break
      case 'YulAssignment':
        for (const target of node.targets) names.add(target.names[0]!.name)
        break
      case 'YulStackAssignment':
        names.add(node.target.name)
        break
      case 'VariableStatement':
        // Before 0.5 one variable can be declared again on each round.
        for (const declared of node.declarations) if (declared?.name) names.add(declared.name.name)
        if (node.value !== null) work.push(node.value)
        break
      default:
        pushChildren(node, work)
    }
  }
  return names
}

const addRoot = (target: Expression, names: Set<string>): void => {
  if (target.kind === 'Identifier') names.add(target.name)
  else if (target.kind === 'Tuple') for (const e of target.elements) if (e !== null) addRoot(e, names)
}

const builtinsWithoutEffects = new Set([
  'keccak256',
  'sha3',
  'sha256',
  'ripemd160',
  'blockhash',
  'address',
  'payable',
  'gasleft',
])

/** Whether evaluating an expression may do more than give a value, so that it must only run when its turn comes. */
export const hasEffects = (e: Expression): boolean => {
  const work: Node[] = [e]
  while (work.length > 0) {
    const node = work.pop()!
    switch (node.kind) {
      case 'Assignment':
        return true
      case 'Unary':
        if (node.operator === '++' || node.operator === '--' || node.operator === 'delete') return true
        work.push(node.operand)
        break
      case 'Call': {
        const callee = node.callee
        const harmless =
          callee.kind === 'TypeExpression' ||
          (callee.kind === 'Identifier' && builtinsWithoutEffects.has(callee.name)) ||
          (callee.kind === 'Member' && callee.object.kind === 'Identifier' && callee.object.name === 'abi')
        if (!harmless) return true
        pushChildren(node, work)
        break
      }
      default:
        pushChildren(node, work)
    }
  }
  return false
}

const pushChildren = (node: Node, work: Node[]): void => {
  switch (node.kind) {
    case 'Block':
    case 'YulBlock':
      for (const s of node.statements) work.push(s)
      return
    case 'IfStatement':
      work.push(node.condition, node.then)
      if (node.else !== null) work.push(node.else)
      return
    case 'WhileStatement':
    case 'DoWhileStatement':
      work.push(node.condition, node.body)
      return
    case 'ForStatement':
      // The initialization runs before the loop.
      if (node.condition !== null) work.push(node.condition)
      if (node.update !== null) work.push(node.update)
      work.push(node.body)
      return
    case 'ReturnStatement':
      if (node.value !== null) work.push(node.value)
      return
    case 'TryStatement':
      work.push(node.call, node.body)
      for (const clause of node.catches) work.push(clause.body)
      return
    case 'ExpressionStatement':
      work.push(node.expression)
      return
    case 'AssemblyStatement':
      work.push(node.body)
      return
    case 'Binary': {
      // Left-deep chains are walked here so that the work list stays short.
      let left: Expression = node
      while (left.kind === 'Binary') {
        work.push(left.right)
        left = left.left
      }
      work.push(left)
      return
    }
    case 'Conditional':
      work.push(node.condition, node.then, node.else)
      return
    case 'Call':
      work.push(node.callee)
      for (const arg of node.args.values) work.push(arg)
      return
    case 'CallOptions':
      work.push(node.callee)
      for (const value of node.values) work.push(value)
      return
    case 'Member':
      work.push(node.object)
      return
    case 'Index':
      work.push(node.object)
      if (node.index !== null) work.push(node.index)
      return
    case 'Slice':
      work.push(node.object)
      if (node.from !== null) work.push(node.from)
      if (node.to !== null) work.push(node.to)
      return
    case 'Tuple':
      for (const element of node.elements) if (element !== null) work.push(element)
      return
    case 'ArrayLiteral':
      for (const element of node.elements) work.push(element)
      return
    case 'YulIf':
      work.push(node.body)
      return
    case 'YulFor':
      work.push(node.update, node.body)
      return
    case 'YulSwitch':
      for (const one of node.cases) work.push(one.body)
      return
  }
}
