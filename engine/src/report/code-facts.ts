/**
 * What a body does, read from its tree in one pass: the ground for advice, never for findings, so names may count here.
 */
import type { Call, Expression, Statement } from '../syntax/index.ts'

export interface FunctionFacts {
  readonly name: string
  readonly isEntry: boolean
  readonly isPayable: boolean
  readonly isDocumented: boolean
  readonly usesLock: boolean
  /** Has a modifier other than a base constructor, or tests msg.sender itself. */
  isGuarded: boolean
  writesState: boolean
  emits: boolean
  sendsEther: boolean
  callsLowLevel: boolean
  delegates: boolean
  /** `x.transfer(to, amount)` and its kin on a token. */
  callsTokens: boolean
  loops: boolean
  /** Address parameters written to state without a look at zero. */
  uncheckedAddresses: readonly string[]
  /** Variables it overwrites with an address that it was given. */
  handsOver: readonly string[]
}

/** Takes the facts of code that belongs to no function; nobody asks for them. */
export const unasked: FunctionFacts = {
  name: '',
  isEntry: false,
  isPayable: false,
  isDocumented: false,
  usesLock: false,
  isGuarded: false,
  writesState: false,
  emits: false,
  sendsEther: false,
  callsLowLevel: false,
  delegates: false,
  callsTokens: false,
  loops: false,
  uncheckedAddresses: [],
  handsOver: [],
}

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
  selfDestructs: boolean
  /** Names that some function or modifier compares with msg.sender. */
  privileged: Set<string> | null
}

/** What is read at the moment, and what it is read against. */
export interface Reading {
  readonly gathered: Gathered
  readonly stateNames: ReadonlySet<string>
  facts: FunctionFacts
  /** Names of the function's parameters of type address. */
  addresses: readonly string[]
  /** Those of `addresses` that went into state variables, and beside them the names of these. */
  stored: string[]
  storedIn: string[]
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

const readCall = (call: Call, facts: FunctionFacts, gathered: Gathered): void => {
  const { callee } = call
  if (callee.kind === 'Identifier') readPlainCall(callee.name, call, facts, gathered)
  else if (callee.kind === 'Member') readMemberCall(callee.name.name, call, facts, gathered)
  else readCallWithOptions(call, facts, gathered)
}

const readCallWithOptions = (call: Call, facts: FunctionFacts, gathered: Gathered): void => {
  const { callee, hasValue } = bareCallee(call)
  if (callee.kind === 'Identifier') readPlainCall(callee.name, call, facts, gathered)
  else if (callee.kind === 'Member') readMemberCall(callee.name.name, call, facts, gathered)
  if (hasValue) facts.sendsEther = true
}

const readMemberCall = (name: string, { args }: Call, facts: FunctionFacts, gathered: Gathered): void => {
  switch (name) {
    case 'call':
      facts.callsLowLevel = true
      break
    case 'delegatecall':
    case 'callcode':
      facts.delegates = true
      break
    case 'transfer':
      if (args.values.length === 2) facts.callsTokens = true
      else if (args.values.length === 1) facts.sendsEther = true
      break
    case 'send':
      if (args.values.length === 1) facts.sendsEther = true
      break
    case 'transferFrom':
      if (args.values.length === 3) facts.callsTokens = true
      break
    case 'approve':
      if (args.values.length === 2) facts.callsTokens = true
      break
    case 'latestRoundData':
    case 'latestAnswer':
      gathered.usesOracle = true
  }
}

const readPlainCall = (name: string, call: Call, facts: FunctionFacts, gathered: Gathered): void => {
  if (name === 'require') {
    const { values } = call.args
    if (values.length > 0 && isSenderEntry(values[0]!)) facts.isGuarded = true
    if (values.length < 2) gathered.bareRequires += 1
    else if (values[1]!.kind === 'Literal') gathered.textRequires += 1
  } else if (name === 'selfdestruct' || name === 'suicide') gathered.selfDestructs = true
  else if (name === 'ecrecover') gathered.hasEcrecover = true
  else if (name === 'blockhash') gathered.usesChainRandomness = true
}

/** What `left == right` tells about the caller and about addresses that must not be zero. */
export const readComparison = (left: Expression, right: Expression, facts: FunctionFacts, gathered: Gathered): void => {
  readSide(left, right, facts, gathered)
  readSide(right, left, facts, gathered)
}

const readSide = (side: Expression, other: Expression, facts: FunctionFacts, gathered: Gathered): void => {
  const { kind } = side
  if (kind !== 'Member' && kind !== 'Call') return
  if (isMsgSender(side)) {
    facts.isGuarded = true
    const name = rootName(other)
    if (name !== null) {
      gathered.privileged ??= new Set()
      gathered.privileged.add(name)
    }
  } else if (facts.uncheckedAddresses.length > 0 && isZeroAddress(side)) {
    const name = rootName(other)
    if (name !== null) facts.uncheckedAddresses = facts.uncheckedAddresses.filter((each) => each !== name)
  }
}

export const readMember = (node: Expression & { kind: 'Member' }, gathered: Gathered): void => {
  if (node.object.kind !== 'Identifier') return
  const of = node.object.name
  if (of === 'block') {
    const { name } = node.name
    gathered.usesTime ||= name === 'timestamp'
    gathered.usesChainRandomness ||= name === 'difficulty' || name === 'prevrandao' || name === 'blockhash'
  } else if (of === 'tx') gathered.usesTxOrigin ||= node.name.name === 'origin'
}

const note = (
  { facts, stateNames, addresses, stored, storedIn }: Reading,
  target: Expression,
  value: Expression | null,
) => {
  const name = rootName(target)
  if (name === null || !stateNames.has(name)) return
  facts.writesState = true
  if (value === null || addresses.length === 0) return
  const source = rootName(value)
  if (source === null || !addresses.includes(source)) return
  stored.push(source)
  storedIn.push(name)
}

const readEach = (reading: Reading, nodes: readonly (Expression | null)[]): void => {
  for (let i = 0; i < nodes.length; i++) if (nodes[i] !== null) readExpression(reading, nodes[i]!)
}

/**
 * Chains (`a + b + c`, `a.b.c`, `f()()`) can be of any length and are followed in a loop; what nests otherwise was capped
 * by the parser. Types are not entered.
 */
const readExpression = (reading: Reading, root: Expression): void => {
  const { facts, gathered } = reading
  for (let node: Expression | null = root; node !== null; ) {
    switch (node.kind) {
      case 'Identifier':
        if (node.name === 'now') gathered.usesTime = true
        return
      case 'Literal':
        return
      case 'Member':
        readMember(node, gathered)
        node = node.object
        break
      case 'Call':
        readCall(node, facts, gathered)
        readEach(reading, node.args.values)
        node = node.callee
        break
      case 'Index':
        if (node.index !== null) readExpression(reading, node.index)
        node = node.object
        break
      case 'Binary':
        if (node.operator === '==' || node.operator === '!=') readComparison(node.left, node.right, facts, gathered)
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
  const { facts, gathered } = reading
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
        if (isSenderEntry(node.condition)) facts.isGuarded = true
        readExpression(reading, node.condition)
        readStatement(reading, node.then)
        node = node.else
        break
      case 'Block':
        if (node.unchecked) gathered.hasUnchecked = true
        for (let i = 0; i < node.statements.length; i++) readStatement(reading, node.statements[i]!)
        return
      case 'EmitStatement':
        facts.emits = true
        readEach(reading, node.call.args.values)
        return
      case 'RevertStatement':
        gathered.hasCustomErrors = true
        readEach(reading, node.call.args.values)
        return
      case 'ForStatement':
        facts.loops = true
        if (node.init !== null) readStatement(reading, node.init)
        readOptional(reading, node.condition)
        readOptional(reading, node.update)
        node = node.body
        break
      case 'WhileStatement':
      case 'DoWhileStatement':
        facts.loops = true
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
