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

/** One walk of one body: where it stands, and what it has found. */
export interface Reading {
  readonly draft: Draft
  readonly gathered: Gathered
  readonly targets: string[]
  /** Beside each target the variable it got its value from, if it was one. */
  readonly values: (string | null)[]
  readonly open: (Statement | Expression | null)[]
  /** Whether single names are of interest. */
  readonly names: boolean
}

const note = (reading: Reading, target: Expression, value: Expression | null): void => {
  const name = rootName(target)
  if (name === null) return
  reading.targets.push(name)
  reading.values.push(value === null ? null : rootName(value))
}

/** Most expressions are a name or a literal, which say nothing unless the file says `now` somewhere. */
const push = ({ open, names }: Reading, node: Expression | null): void => {
  if (node === null || node.kind === 'Literal' || (node.kind === 'Identifier' && !names)) return
  open.push(node)
}

const pushAll = (reading: Reading, nodes: readonly (Expression | null)[]): void => {
  for (let i = 0; i < nodes.length; i++) push(reading, nodes[i]!)
}

/** Statements and expressions in no particular order; types and assembly are not entered. The usual kinds come first. */
export const readBody = (reading: Reading): void => {
  const { open, draft, gathered } = reading
  while (open.length > 0) {
    const node = open.pop()!
    if (node === null) continue
    switch (node.kind) {
      case 'Identifier':
        if (node.name === 'now') gathered.usesTime = true
        break
      case 'Literal':
      case 'TypeExpression':
      case 'NewExpression':
        break
      case 'Member':
        readMember(node, gathered)
        push(reading, node.object)
        break
      case 'Call':
        readCall(node, draft, gathered)
        push(reading, node.callee)
        pushAll(reading, node.args.values)
        break
      case 'Index':
        push(reading, node.object)
        push(reading, node.index)
        break
      case 'Binary':
        if (node.operator === '==' || node.operator === '!=') readComparison(node.left, node.right, draft, gathered)
        push(reading, node.left)
        push(reading, node.right)
        break
      case 'ExpressionStatement':
        push(reading, node.expression)
        break
      case 'Assignment':
        note(reading, node.target, node.value)
        push(reading, node.target)
        push(reading, node.value)
        break
      case 'VariableStatement':
      case 'ReturnStatement':
        push(reading, node.value)
        break
      case 'IfStatement':
        if (isSenderEntry(node.condition)) draft.isGuarded = true
        open.push(node.condition, node.then, node.else)
        break
      case 'Block':
        if (node.unchecked) gathered.hasUnchecked = true
        for (let i = 0; i < node.statements.length; i++) open.push(node.statements[i]!)
        break
      case 'Unary':
        if (node.operator === '++' || node.operator === '--' || node.operator === 'delete')
          note(reading, node.operand, null)
        push(reading, node.operand)
        break
      case 'EmitStatement':
        draft.emits = true
        pushAll(reading, node.call.args.values)
        break
      case 'RevertStatement':
        gathered.hasCustomErrors = true
        pushAll(reading, node.call.args.values)
        break
      case 'ForStatement':
        draft.loops = true
        open.push(node.init, node.condition, node.update, node.body)
        break
      case 'WhileStatement':
      case 'DoWhileStatement':
        draft.loops = true
        open.push(node.condition, node.body)
        break
      case 'AssemblyStatement':
        gathered.hasAssembly = true
        break
      case 'TryStatement':
        open.push(node.call, node.body)
        for (const { body } of node.catches) open.push(body)
        break
      case 'CallOptions':
        push(reading, node.callee)
        pushAll(reading, node.values)
        break
      case 'Conditional':
        open.push(node.condition, node.then, node.else)
        break
      case 'Slice':
        open.push(node.object, node.from, node.to)
        break
      case 'Tuple':
      case 'ArrayLiteral':
        pushAll(reading, node.elements)
        break
    }
  }
}
