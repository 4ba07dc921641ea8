import type {
  CallArguments,
  CatchClause,
  ContractMember,
  Expression,
  InheritanceSpecifier,
  ModifierInvocation,
  Override,
  Parameter,
  Path,
  SourceUnit,
  Statement,
  TopLevel,
  TypeName,
  YulCase,
  YulExpression,
  YulStatement,
} from './ast.ts'

export type Node =
  | SourceUnit
  | TopLevel
  | ContractMember
  | Statement
  | Expression
  | TypeName
  | Parameter
  | Path
  | Override
  | InheritanceSpecifier
  | ModifierInvocation
  | CallArguments
  | CatchClause
  | YulStatement
  | YulExpression
  | YulCase

export type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>

type Out = Node[]
type Lister<K extends Node['kind']> = (node: NodeOf<K>, out: Out) => void

const none = (): void => {}

const add = (out: Out, node: Node | null): void => {
  if (node !== null) out.push(node)
}

const addAll = (out: Out, nodes: readonly (Node | null)[]): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    if (node !== null) out.push(node)
  }
}

const addNamed = (out: Out, names: readonly Node[], values: readonly Node[]): void => {
  for (let i = 0; i < values.length; i++) {
    add(out, names[i] ?? null)
    out.push(values[i]!)
  }
}

/** Children of each kind of node, in the order of the text wherever the text allows. */
const LISTERS: { readonly [K in Node['kind']]: Lister<K> } = {
  SourceUnit: (node, out) => addAll(out, node.members),
  PragmaDirective: none,
  ImportDirective: (node, out) => {
    add(out, node.unitAlias)
    if (node.symbols !== null)
      for (const { name, alias } of node.symbols) {
        out.push(name)
        add(out, alias)
      }
  },
  ContractDefinition: (node, out) => {
    out.push(node.name)
    const { layout } = node
    const layoutFirst = layout !== null && node.bases.length > 0 && layout.start < node.bases[0]!.start
    if (layoutFirst) out.push(layout)
    addAll(out, node.bases)
    if (!layoutFirst) add(out, layout)
    addAll(out, node.members)
  },
  InheritanceSpecifier: (node, out) => {
    out.push(node.base)
    add(out, node.args)
  },
  StateVariable: (node, out) => {
    out.push(node.type)
    add(out, node.override)
    out.push(node.name)
    add(out, node.value)
  },
  Override: (node, out) => addAll(out, node.bases),
  FunctionDefinition: (node, out) => {
    add(out, node.name)
    addAll(out, node.params)
    const from = out.length
    add(out, node.override)
    addAll(out, node.modifiers)
    addAll(out, node.returns)
    sortFrom(out, from)
    add(out, node.body)
  },
  ModifierInvocation: (node, out) => {
    out.push(node.name)
    add(out, node.args)
  },
  ModifierDefinition: (node, out) => {
    out.push(node.name)
    addAll(out, node.params)
    add(out, node.override)
    add(out, node.body)
  },
  Parameter: (node, out) => {
    out.push(node.type)
    add(out, node.name)
  },
  StructDefinition: (node, out) => {
    out.push(node.name)
    addAll(out, node.fields)
  },
  EnumDefinition: (node, out) => {
    out.push(node.name)
    addAll(out, node.values)
  },
  UserTypeDefinition: (node, out) => {
    out.push(node.name, node.underlying)
  },
  ErrorDefinition: (node, out) => {
    out.push(node.name)
    addAll(out, node.params)
  },
  EventDefinition: (node, out) => {
    out.push(node.name)
    addAll(out, node.params)
  },
  UsingDirective: (node, out) => {
    for (const { path } of node.functions) out.push(path)
    add(out, node.type)
  },
  ErrorMember: none,
  Path: (node, out) => addAll(out, node.names),
  Identifier: none,

  ElementaryType: none,
  UserType: (node, out) => {
    out.push(node.path)
  },
  MappingType: (node, out) => {
    out.push(node.key)
    add(out, node.keyName)
    out.push(node.value)
    add(out, node.valueName)
  },
  ArrayType: (node, out) => {
    out.push(node.base)
    add(out, node.length)
  },
  FunctionType: (node, out) => {
    addAll(out, node.params)
    addAll(out, node.returns)
  },
  ErrorType: none,

  Block: (node, out) => addAll(out, node.statements),
  IfStatement: (node, out) => {
    out.push(node.condition, node.then)
    add(out, node.else)
  },
  WhileStatement: (node, out) => {
    out.push(node.condition, node.body)
  },
  DoWhileStatement: (node, out) => {
    out.push(node.body, node.condition)
  },
  ForStatement: (node, out) => {
    add(out, node.init)
    add(out, node.condition)
    add(out, node.update)
    out.push(node.body)
  },
  ContinueStatement: none,
  BreakStatement: none,
  ReturnStatement: (node, out) => add(out, node.value),
  ThrowStatement: none,
  EmitStatement: (node, out) => {
    out.push(node.call)
  },
  RevertStatement: (node, out) => {
    out.push(node.call)
  },
  TryStatement: (node, out) => {
    out.push(node.call)
    addAll(out, node.returns)
    out.push(node.body)
    addAll(out, node.catches)
  },
  CatchClause: (node, out) => {
    add(out, node.name)
    addAll(out, node.params)
    out.push(node.body)
  },
  VariableStatement: (node, out) => {
    addAll(out, node.declarations)
    add(out, node.value)
  },
  ExpressionStatement: (node, out) => {
    out.push(node.expression)
  },
  PlaceholderStatement: none,
  AssemblyStatement: (node, out) => {
    out.push(node.body)
  },
  ErrorStatement: none,

  Literal: none,
  Unary: (node, out) => {
    out.push(node.operand)
  },
  Binary: (node, out) => {
    out.push(node.left, node.right)
  },
  Assignment: (node, out) => {
    out.push(node.target, node.value)
  },
  Conditional: (node, out) => {
    out.push(node.condition, node.then, node.else)
  },
  CallArguments: (node, out) => {
    if (node.names === null) addAll(out, node.values)
    else addNamed(out, node.names, node.values)
  },
  Call: (node, out) => {
    out.push(node.callee, node.args)
  },
  CallOptions: (node, out) => {
    out.push(node.callee)
    addNamed(out, node.names, node.values)
  },
  NewExpression: (node, out) => {
    out.push(node.type)
  },
  Member: (node, out) => {
    out.push(node.object, node.name)
  },
  Index: (node, out) => {
    out.push(node.object)
    add(out, node.index)
  },
  Slice: (node, out) => {
    out.push(node.object)
    add(out, node.from)
    add(out, node.to)
  },
  Tuple: (node, out) => addAll(out, node.elements),
  ArrayLiteral: (node, out) => addAll(out, node.elements),
  TypeExpression: (node, out) => {
    out.push(node.type)
  },
  ErrorExpression: none,

  YulBlock: (node, out) => addAll(out, node.statements),
  YulFunctionDefinition: (node, out) => {
    out.push(node.name)
    addAll(out, node.params)
    addAll(out, node.returns)
    out.push(node.body)
  },
  YulVariable: (node, out) => {
    addAll(out, node.names)
    add(out, node.value)
  },
  YulAssignment: (node, out) => {
    addAll(out, node.targets)
    out.push(node.value)
  },
  YulIf: (node, out) => {
    out.push(node.condition, node.body)
  },
  YulFor: (node, out) => {
    out.push(node.init, node.condition, node.update, node.body)
  },
  YulSwitch: (node, out) => {
    out.push(node.value)
    addAll(out, node.cases)
  },
  YulCase: (node, out) => {
    add(out, node.value)
    out.push(node.body)
  },
  YulLeave: none,
  YulBreak: none,
  YulContinue: none,
  YulExpressionStatement: (node, out) => {
    out.push(node.expression)
  },
  YulLabel: (node, out) => {
    out.push(node.name)
  },
  YulStackAssignment: (node, out) => {
    out.push(node.target)
  },
  YulError: none,
  YulPath: (node, out) => addAll(out, node.names),
  YulLiteral: none,
  YulCall: (node, out) => {
    out.push(node.name)
    addAll(out, node.args)
  },
}

/** Modifiers, overrides and returns may be written in any order. */
const sortFrom = (out: Out, from: number): void => {
  for (let i = from + 1; i < out.length; i++)
    if (out[i]!.start < out[i - 1]!.start) {
      const sorted = out.splice(from).sort((a, b) => a.start - b.start)
      out.push(...sorted)
      return
    }
}

/** Appends the children of a node to `out`. */
export const listChildren = (node: Node, out: Node[]): void => {
  ;(LISTERS[node.kind] as Lister<Node['kind']>)(node as never, out)
}

export const childrenOf = (node: Node): Node[] => {
  const out: Node[] = []
  listChildren(node, out)
  return out
}

/** The first child is to be taken from the stack first. */
const reverseFrom = (stack: (Node | null)[], from: number): void => {
  for (let low = from, high = stack.length - 1; low < high; low++, high--) {
    const node = stack[low]!
    stack[low] = stack[high]!
    stack[high] = node
  }
}

/**
 * Visits a node and everything below it, parents first, in the order of the text, with a stack of its own: trees may
 * be tens of thousands of levels deep. `enter` returns false to leave out what is below the node.
 */
export const walk = (root: Node, enter: (node: Node) => unknown): void => {
  const stack: Node[] = [root]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (enter(node) === false) continue
    const from = stack.length
    listChildren(node, stack)
    reverseFrom(stack, from)
  }
}

/** As `walk`, and tells when everything below a node has been visited. */
export const walkBoth = (root: Node, enter: (node: Node) => unknown, leave: (node: Node) => void): void => {
  const stack: (Node | null)[] = [root]
  const open: Node[] = []
  while (stack.length > 0) {
    const node = stack.pop()!
    if (node === null) {
      leave(open.pop()!)
      continue
    }
    if (enter(node) === false) continue
    open.push(node)
    stack.push(null)
    const from = stack.length
    listChildren(node, stack as Node[])
    reverseFrom(stack, from)
  }
}

/** Every node of one kind below (and including) a node. For a whole file this is `nodesOf`. */
export const collect = <K extends Node['kind']>(root: Node, kind: K): readonly NodeOf<K>[] => {
  if (root.kind === 'SourceUnit') return nodesOf(root, kind)
  const found: NodeOf<K>[] = []
  walk(root, (node) => {
    if (node.kind === kind) found.push(node as NodeOf<K>)
  })
  return found
}

const indexOf = (unit: SourceUnit): Map<Node['kind'], Node[]> => {
  if (unit.index !== null) return unit.index as Map<Node['kind'], Node[]>
  const index = new Map<Node['kind'], Node[]>()
  walk(unit, (node) => {
    const list = index.get(node.kind)
    if (list === undefined) index.set(node.kind, [node])
    else list.push(node)
  })
  unit.index = index
  return index
}

/**
 * Every node of one kind in a file; a node never stands before another that it ends after. The commonest kinds were noted
 * by the parser; for the rest the file is walked once, anyone who asks.
 */
export const nodesOf = <K extends Node['kind']>(unit: SourceUnit, kind: K): readonly NodeOf<K>[] => {
  const noted = unit.found as { readonly [kind in Node['kind']]?: readonly Node[] } | null
  return (noted?.[kind] ?? indexOf(unit).get(kind) ?? []) as readonly NodeOf<K>[]
}
