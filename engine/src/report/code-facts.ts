/**
 * What a body does, read from its tree in one pass: the ground for advice, never for findings, so names may count here.
 */
import type { Call, Expression, Statement } from '../syntax/index.ts'

export interface FunctionFacts {
  readonly name: string
  readonly contract: string
  readonly isEntry: boolean
  readonly isConstructor: boolean
  readonly isPayable: boolean
  readonly isDocumented: boolean
  /** Has a modifier other than a base constructor, or tests msg.sender itself. */
  readonly isGuarded: boolean
  readonly usesLock: boolean
  readonly writesState: boolean
  readonly emits: boolean
  readonly sendsEther: boolean
  readonly lowLevelCalls: number
  readonly delegateCalls: number
  readonly selfDestructs: boolean
  /** `x.transfer(to, amount)` and its kin on a token. */
  readonly tokenCalls: number
  readonly loops: boolean
  /** Address parameters written to state without a look at zero. */
  readonly uncheckedAddresses: readonly string[]
  /** Privileged address variables it overwrites with a parameter. */
  readonly handsOver: readonly string[]
}

export type Draft = { -readonly [K in keyof FunctionFacts]: FunctionFacts[K] }

/** What the functions of a file tell about the whole of it. */
export interface Gathered {
  hasUnchecked: boolean
  hasAssembly: boolean
  hasEcrecover: boolean
  hasCustomErrors: boolean
  textRequires: number
  bareRequires: number
  usesTime: boolean
  usesChainRandomness: boolean
  usesTxOrigin: boolean
  usesOracle: boolean
  readonly privileged: Set<string>
}

const memberName = (expression: Expression): string | null =>
  expression.kind === 'Member' ? expression.name.name : null

const isMsgSender = (node: Expression): boolean =>
  (node.kind === 'Member' &&
    node.name.name === 'sender' &&
    node.object.kind === 'Identifier' &&
    node.object.name === 'msg') ||
  (node.kind === 'Call' && node.callee.kind === 'Identifier' && node.callee.name === '_msgSender')

/** `roles[msg.sender]` or its negation, as a whole condition. */
const isSenderEntry = (condition: Expression): boolean => {
  const node = condition.kind === 'Unary' && condition.operator === '!' ? condition.operand : condition
  return node.kind === 'Index' && node.index !== null && isMsgSender(node.index)
}

/** The older `.value` and `.gas`. */
const isOption = (node: Expression): boolean =>
  node.kind === 'Member' && (node.name.name === 'value' || node.name.name === 'gas')

/** The callee without `{value: …}` and without the older `.value(…)` and `.gas(…)`. */
const bareCallee = (call: Call): { callee: Expression; hasValue: boolean } => {
  let callee = call.callee
  let hasValue = false
  for (let depth = 0; depth < 8; depth++) {
    if (callee.kind === 'CallOptions') {
      hasValue ||= callee.names.some(({ name }) => name === 'value')
      callee = callee.callee
    } else if (callee.kind === 'Call' && isOption(callee.callee)) {
      hasValue ||= memberName(callee.callee) === 'value'
      callee = callee.callee.kind === 'Member' ? callee.callee.object : callee.callee
    } else break
  }
  return { callee, hasValue }
}

export const rootName = (expression: Expression): string | null => {
  let node = expression
  for (let depth = 0; depth < 32; depth++) {
    if (node.kind === 'Identifier') return node.name
    if (node.kind === 'Index' || node.kind === 'Member') node = node.object
    else return null
  }
  return null
}

/** Numbers are not addresses: `address(0)` and `address(0x0)` alone are zero. */
const isZeroAddress = (node: Expression): boolean => {
  if (node.kind !== 'Call' || node.callee.kind !== 'TypeExpression') return false
  const [value] = node.args.values
  return value?.kind === 'Literal' && /^(?:0|0x0+)$/.test(value.value)
}

const readCall = (call: Call, draft: Draft, gathered: Gathered): void => {
  const { callee, hasValue } = bareCallee(call)
  const name = memberName(callee) ?? (callee.kind === 'Identifier' ? callee.name : '')
  const count = call.args.values.length
  if (callee.kind === 'Identifier') readPlainCall(name, call, draft, gathered)
  else if (name === 'call') draft.lowLevelCalls += 1
  else if (name === 'delegatecall' || name === 'callcode') draft.delegateCalls += 1
  else if (
    (name === 'transfer' && count === 2) ||
    (name === 'transferFrom' && count === 3) ||
    (name === 'approve' && count === 2)
  )
    draft.tokenCalls += 1
  else if (name === 'latestRoundData' || name === 'latestAnswer') gathered.usesOracle = true
  if (hasValue || ((name === 'transfer' || name === 'send') && count === 1 && callee.kind === 'Member'))
    draft.sendsEther = true
}

const readPlainCall = (name: string, call: Call, draft: Draft, gathered: Gathered): void => {
  if (name === 'selfdestruct' || name === 'suicide') draft.selfDestructs = true
  else if (name === 'ecrecover') gathered.hasEcrecover = true
  else if (name === 'blockhash') gathered.usesChainRandomness = true
  else if (name === 'require') {
    const [condition, reason] = call.args.values
    if (condition && isSenderEntry(condition)) draft.isGuarded = true
    if (!reason) gathered.bareRequires += 1
    else if (reason.kind === 'Literal') gathered.textRequires += 1
  }
}

export const readComparison = (left: Expression, right: Expression, draft: Draft, gathered: Gathered): void => {
  readSide(left, right, draft, gathered)
  readSide(right, left, draft, gathered)
}

const readSide = (side: Expression, other: Expression, draft: Draft, gathered: Gathered): void => {
  if (isMsgSender(side)) {
    draft.isGuarded = true
    const name = rootName(other)
    if (name) gathered.privileged.add(name)
  } else if (isZeroAddress(side)) {
    const name = rootName(other)
    if (name) draft.uncheckedAddresses = draft.uncheckedAddresses.filter((each) => each !== name)
  }
}

export const readMember = (node: Expression & { kind: 'Member' }, gathered: Gathered): void => {
  if (node.object.kind !== 'Identifier') return
  const { name } = node.name
  if (node.object.name === 'tx') gathered.usesTxOrigin ||= name === 'origin'
  else if (node.object.name === 'block') {
    gathered.usesTime ||= name === 'timestamp'
    gathered.usesChainRandomness ||= name === 'difficulty' || name === 'prevrandao' || name === 'blockhash'
  }
}

/** One walk of one body: what it has found, and what it looks at. */
export interface Reading {
  readonly draft: Draft
  readonly gathered: Gathered
  readonly targets: string[]
  /** Beside each target the variable it got its value from, if it was one. */
  readonly values: (string | null)[]
}

const note = (reading: Reading, target: Expression, value: Expression | null): void => {
  const name = rootName(target)
  if (name === null) return
  reading.targets.push(name)
  reading.values.push(value === null ? null : rootName(value))
}

const readEach = (reading: Reading, nodes: readonly (Expression | null)[]): void => {
  for (let i = 0; i < nodes.length; i++) if (nodes[i] !== null) readExpression(reading, nodes[i]!)
}

/**
 * Chains (`a + b + c`, `a.b.c`, `f()()`) can be of any length and are followed in a loop; what nests otherwise was capped
 * by the parser. Types are not entered.
 */
const readExpression = (reading: Reading, root: Expression): void => {
  const { draft, gathered } = reading
  for (let node: Expression | null = root; node !== null; ) {
    switch (node.kind) {
      case 'Identifier':
        if (node.name === 'now') gathered.usesTime = true
        return
      case 'Member':
        readMember(node, gathered)
        node = node.object
        break
      case 'Call':
        readCall(node, draft, gathered)
        readEach(reading, node.args.values)
        node = node.callee
        break
      case 'Index':
        if (node.index !== null) readExpression(reading, node.index)
        node = node.object
        break
      case 'Binary':
        if (node.operator === '==' || node.operator === '!=') readComparison(node.left, node.right, draft, gathered)
        readExpression(reading, node.right)
        node = node.left
        break
      case 'Assignment':
        note(reading, node.target, node.value)
        readExpression(reading, node.target)
        node = node.value
        break
      case 'Unary':
        if (node.operator === '++' || node.operator === '--' || node.operator === 'delete')
          note(reading, node.operand, null)
        node = node.operand
        break
      case 'CallOptions':
        readEach(reading, node.values)
        node = node.callee
        break
      case 'Conditional':
        readExpression(reading, node.condition)
        readExpression(reading, node.then)
        node = node.else
        break
      case 'Slice':
        if (node.from !== null) readExpression(reading, node.from)
        if (node.to !== null) readExpression(reading, node.to)
        node = node.object
        break
      case 'Tuple':
      case 'ArrayLiteral':
        readEach(reading, node.elements)
        return
      default:
        return
    }
  }
}

const readOptional = (reading: Reading, node: Expression | null): void => {
  if (node !== null) readExpression(reading, node)
}

/** `else if` chains can be long and are followed in a loop. Assembly is not entered. */
export const readStatement = (reading: Reading, root: Statement): void => {
  const { draft, gathered } = reading
  for (let node: Statement | null = root; node !== null; ) {
    switch (node.kind) {
      case 'ExpressionStatement':
        readExpression(reading, node.expression)
        return
      case 'VariableStatement':
      case 'ReturnStatement':
        readOptional(reading, node.value)
        return
      case 'IfStatement':
        if (isSenderEntry(node.condition)) draft.isGuarded = true
        readExpression(reading, node.condition)
        readStatement(reading, node.then)
        node = node.else
        break
      case 'Block':
        if (node.unchecked) gathered.hasUnchecked = true
        for (let i = 0; i < node.statements.length; i++) readStatement(reading, node.statements[i]!)
        return
      case 'EmitStatement':
        draft.emits = true
        readEach(reading, node.call.args.values)
        return
      case 'RevertStatement':
        gathered.hasCustomErrors = true
        readEach(reading, node.call.args.values)
        return
      case 'ForStatement':
        draft.loops = true
        if (node.init !== null) readStatement(reading, node.init)
        readOptional(reading, node.condition)
        readOptional(reading, node.update)
        node = node.body
        break
      case 'WhileStatement':
      case 'DoWhileStatement':
        draft.loops = true
        readExpression(reading, node.condition)
        node = node.body
        break
      case 'AssemblyStatement':
        gathered.hasAssembly = true
        return
      case 'TryStatement':
        readExpression(reading, node.call)
        readStatement(reading, node.body)
        for (const { body } of node.catches) readStatement(reading, body)
        return
      default:
        return
    }
  }
}
