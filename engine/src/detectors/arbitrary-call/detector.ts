import {
  canHoldWithin,
  constantBounds,
  dependsOn,
  type Fact,
  guardsAt,
  intervalOf,
  isProtected,
  isSender,
  isUntrusted,
  parametersIn,
  stateReadsOf,
} from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  incomingOf,
  isInColumn,
  isSelf,
  keysOf,
  outgoingOf,
  tokenCallOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type BinaryOp,
  type CallOp,
  type ContractFlow,
  type Flow,
  holding,
  isComparison,
  isEquality,
  isOrdering,
  isZero,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly target: Op
  readonly data: Op
  /** Where anyone can record that the call is due, which is all that is checked later. */
  readonly grant: StoreOp | null
}

const isCallers = (flow: Flow, value: Op): boolean => dependsOn(flow, value, ({ kind }) => kind === 'param')

/** What is called is put together from parameters alone, not from a function that this contract names. */
const isCallersData = (flow: Flow, data: Op): boolean =>
  isCallers(flow, data) &&
  !dependsOn(flow, data, ({ kind, operator }) => kind === 'builtin' && operator.startsWith('abi.encode'))

/** Someone else has put something into its hands: entries for accounts, the right to move their tokens, or tokens of its own to pay out. */
const isTrusted = ({ flows }: ContractFlow): boolean =>
  flows.some(
    (flow) =>
      flow.stateStores().some(({ location }) => keysOf(location).some(isSender)) ||
      incomingOf(flow).length > 0 ||
      outgoingOf(flow).some(({ token }) => token !== null && stripCasts(token).kind === 'load'),
  )

/**
 * What the contract itself alone may write, or has written by code that it names: it is in the hands of anyone who has it call. A step of a
 * batch that only it may begin, so that one that fails can be caught, keeps nothing.
 */
const obeysItself = ({ flows }: ContractFlow): boolean =>
  flows.some((flow) => {
    if (!flow.ops('bin').some(isObedience)) return false
    const isObeying = (op: Op): boolean =>
      guardsAt(flow, op).some(
        ({ condition, polarity }) =>
          condition.kind === 'bin' && isObedience(condition) && (condition.operator === '==') === polarity,
      )
    const runsCode = ({ call }: CallOp): boolean => call.kind === 'delegate'
    return flow.stateStores().some(isObeying) || flow.externalCalls().some((op) => runsCode(op) && isObeying(op))
  })

/** Nothing is checked on the path but what the caller brings: no state, no answer, no case that a helper tells apart. */
const isUnchecked = (flow: Flow, op: Op): boolean => {
  const headers = new Set(flow.ir.loops.map(({ header }) => header))
  const isChecked = ({ kind, location, block, call }: Op): boolean => {
    if (kind === 'load') return location.space !== 'memory'
    return kind === 'phi' ? !headers.has(block) : kind === 'unknown' || (call !== null && call.kind !== 'lowlevel')
  }
  return !guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isChecked))
}

/** How far it has come is reported by a helper, from what is on record: whether that speaks of this call is not seen. */
const isCaseChecked = (flow: Flow, op: Op): boolean => {
  const headers = new Set(flow.ir.loops.map(({ header }) => header))
  const isCase = ({ kind, block, args }: Op): boolean =>
    kind === 'phi' && !headers.has(block) && args.some((arg) => stripCasts(arg).kind === 'const')
  return guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isCase))
}

/** `require(votesFor > votesAgainst)`: numbers on record are weighed against each other, and no time. */
const isVotedOn = (flow: Flow, op: Op): boolean =>
  guardsAt(flow, op).some(({ condition }) => {
    if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return false
    const isRecorded = (part: Op): boolean => part.kind === 'load' && part.location.space === 'state'
    return (
      condition.args.every((side) => dependsOn(flow, side, isRecorded)) &&
      !dependsOn(flow, condition, ({ kind }) => kind === 'env')
    )
  })

const messageOf = (flow: Flow, op: Op, grant: Op | null): string => {
  if (grant === null)
    return `\`${flow.name}()\` calls a target with data, both chosen by the caller, so an attacker can make this contract call any function, such as \`transfer\` of tokens that it holds or may spend.`
  if (isVotedOn(flow, op))
    return `\`${flow.name}()\` calls any target with any data that a caller has queued, once recorded numbers (votes, quorum) allow it: an attacker who reaches these alone can have tokens transferred that it holds or may spend.`
  return `\`${flow.name}()\` calls any target with any data that a caller has queued, so an attacker can make this contract call any function, such as \`transfer\` of tokens that it holds or may spend.`
}

/** `msg.sender == address(this)` */
const isObedience = ({ operator, args }: BinaryOp): boolean =>
  isEquality(operator) && args.some(isSender) && args.some(isSelf)

/** What is called, and the message that it was taken out of. */
const withSource = (flow: Flow, value: Op): readonly Op[] => {
  const found = [value]
  dependsOn(flow, value, ({ kind, operator, args }) => {
    if (kind === 'builtin' && operator === 'abi.decode') found.push(...parametersIn(flow, args[0]!))
    return false
  })
  return found
}

/** What a call that does something answers says how it went, unless it was given the data: `require(token.approve(target, amount))`. */
const isDone = ({ kind, call }: Op): boolean =>
  kind === 'call' && call.target !== null && !call.isStatic && call.definition?.mutability !== 'view'

const isPassedAny = (flow: Flow, { args }: Op, values: readonly Op[]): boolean =>
  args.some((arg) => dependsOn(flow, arg, (part) => values.includes(part)))

/** `keccak256(abi.encode(targets, payloads))`: the list as a whole, and with it each element; how long it is says nothing about these. */
const isEncodingOf = (lists: readonly Op[], { kind, operator, args }: Op): boolean =>
  kind === 'builtin' && operator.startsWith('abi.encode') && args.some((arg) => lists.includes(stripCasts(arg)))

/** The lists and bytes that a value is taken out of, also by way of a copy in memory; a number only says which element. */
const listsOf = (flow: Flow, value: Op): readonly Op[] =>
  [...parametersIn(flow, value)].filter((param) => holdsSeveral.has(flow.typeOf(param)?.kind))

const holdsSeveral: ReadonlySet<string | undefined> = new Set(['array', 'bytes'])

/** Conditions on the path that hold target or data against something. */
const holdingAgainst = (flow: Flow, op: Op, target: Op, data: Op): Fact[] => {
  const content = withSource(flow, data)
  const named = [...withSource(flow, target), ...content]
  const lists = [...listsOf(flow, target), ...listsOf(flow, data)]
  const isNamed = (part: Op): boolean => named.includes(part) || isEncodingOf(lists, part)
  const isOutcome = (part: Op): boolean => isDone(part) && !isPassedAny(flow, part, content)
  return guardsAt(flow, op).filter(
    (fact) =>
      dependsOn(flow, fact.condition, isNamed, { keys: true }) &&
      !dependsOn(flow, fact.condition, isOutcome) &&
      !isOncePerCall(flow, fact) &&
      !isShapeAlone(flow, fact),
  )
}

/** `require(!isDone[id]); isDone[id] = true`: the same not twice, and anything else. */
const isOncePerCall = (flow: Flow, fact: Fact): boolean =>
  demandsUnset(fact) &&
  stateReadsOf(flow, fact.condition).some((read) =>
    flow.stateStores().some(({ location }) => location === read.location),
  )

/**
 * `require(target != address(0) && target != address(this) && target.code.length > 0)`: some other contract or other, and data that are long
 * enough.
 */
const isShapeAlone = (flow: Flow, { condition, polarity }: Fact): boolean => {
  const { kind, operator, args } = stripCasts(condition)
  if (kind !== 'bin' || !isComparison(operator)) return false
  // A function that is forbidden by name is kept out all the same.
  if (isEquality(operator) && (operator === (polarity ? '==' : '!=') || !args.some(isZeroOrSelf))) return false
  return !dependsOn(
    flow,
    condition,
    (part) =>
      (part.kind === 'load' && part.location.space !== 'memory') || part.call !== null || part.kind === 'unknown',
  )
}

const isZeroOrSelf = (value: Op): boolean => isZero(value) || isSelf(value)

/**
 * A number or a flag that anyone writes at will: nothing is checked before but what stands in the same record, and that lets pass for whom
 * nothing was recorded. Nothing goes into it but what the caller says, what stood there, and the time.
 */
const isRecordedByAnyone = (flow: Flow, { store, value }: Put, own: Column): boolean => {
  if (store.flag || isZero(value)) return false
  const isForeign = ({ kind, location, call }: Op): boolean =>
    kind === 'load' ? location.space !== 'memory' && location.variable !== own.variable : call !== null
  const facts = guardsAt(flow, store)
  return (
    !dependsOn(flow, value, isForeign) &&
    !facts.some(({ condition }) => dependsOn(flow, condition, isForeign) || checksSender(flow, condition)) &&
    canAllHold(flow, facts, own, unset)
  )
}

/** What was recorded is what all conditions together ask for: a call that is done is on record too, and is not due. */
const letsIn = (flow: Flow, facts: readonly Fact[], own: Column, { value }: Put): boolean => {
  const bounds = constantBounds(value)
  return bounds === null || canAllHold(flow, facts, own, bounds)
}

/** What a store puts into a column. */
interface Put {
  readonly store: StoreOp
  readonly value: Op
}

const putsInto = ({ contractFlow }: Flow, own: Column): readonly { flow: Flow; put: Put }[] =>
  contractFlow.writersOf(own.variable).flatMap(({ flow, op }) => {
    const value = flow.isEntryPoint ? partInto(op, own) : null
    return value === null ? [] : [{ flow, put: { store: op, value } }]
  })

/** Also as a field of a record that is written as a whole. */
const partInto = (store: StoreOp, own: Column): Op | null => {
  const value = stripCasts(store.args[0])
  if (isInColumn(store.location, own)) return value
  const whole = columnOf(store.location)
  const { type } = store.location
  if (whole === null || value.kind !== 'make' || type?.kind !== 'struct') return null
  const field = type.struct.fields.findIndex(({ name }) => `${whole.path}.${name}` === own.path)
  return field === -1 || value.args[field] === undefined ? null : stripCasts(value.args[field])
}

const canAllHold = (flow: Flow, facts: readonly Fact[], own: Column, known: Interval): boolean =>
  facts.every((fact) => canHold(flow, fact, own, known))

/** Whether a condition lets those pass of whom this stands in the column. */
const canHold = (flow: Flow, { condition, polarity }: Fact, own: Column, known: Interval): boolean => {
  const bounds = (value: Op) => {
    const op = stripCasts(value)
    if (op.kind !== 'load' || op.location.variable !== own.variable) return intervalOf(flow, value)
    return isInColumn(op.location, own) ? known : null
  }
  return canHoldWithin(flow, bounds, condition, polarity)
}

const unset: Interval = { min: 0n, max: 0n }

type Interval = NonNullable<ReturnType<typeof intervalOf>>

const checksSender = (flow: Flow, condition: Op): boolean => dependsOn(flow, condition, isSender, { keys: true })

/** `!isDone[id]`: that nothing has been recorded yet. */
const demandsUnset = ({ condition, polarity }: Fact): boolean => {
  const op = stripCasts(condition)
  if (op.kind === 'un' && op.operator === '!') return demandsUnset({ op, condition: op.args[0], polarity: !polarity })
  if (op.kind === 'load') return !polarity
  if (op.kind !== 'bin' || op.operator !== (polarity ? '==' : '!=')) return false
  return op.args.some(isZero)
}

/** Everything that the call is held against is one record that anyone can write. */
const grantOf = (flow: Flow, facts: readonly Fact[]): StoreOp | null => {
  const reads = facts.map(({ condition }) => stateReadsOf(flow, condition))
  if (facts.some(demandsUnset)) return null
  const [first] = reads.flat()
  const column = first === undefined ? null : columnOf(first.location)
  if (column === null || !reads.every((loads) => loads.length > 0)) return null
  if (!reads.flat().every(({ location }) => isInColumn(location, column))) return null
  const open = putsInto(flow, column).find(
    ({ flow: writer, put }) =>
      writer !== flow && letsIn(flow, facts, column, put) && isRecordedByAnyone(writer, put, column),
  )
  return open?.put.store ?? null
}

export default defineDetector<Candidate>({
  id: 'arbitrary-call',
  swc: null,
  title: 'Arbitrary call: caller chooses target and data',
  aliases: {
    slither: ['low-level-calls'],
    owasp: ['SC04:2025', 'SC01:2025'],
    scwe: ['SCWE-042'],
    words: ['arbitrary external call', 'arbitrary calldata', 'allowance theft'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'Any caller can make this contract call any target with any calldata. An attacker uses it to transfer tokens the contract holds and to spend allowances that users gave it.',
  recommendation:
    'Allow only known targets, hard-code the function and accept only its arguments, or route such calls through a contract that holds no assets and has no allowances.',
  references: ['https://cwe.mitre.org/data/definitions/829.html'],
  cwe: ['CWE-829', 'CWE-284'],
  yieldsTo: ['unprotected-ether-withdrawal', 'delegatecall-to-untrusted-callee'],

  needs: [holding.lowLevelCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.externalCalls()) {
        const { kind, target } = op.call
        const data = op.args[0]
        if (kind !== 'lowlevel' || target === null || data === undefined || tokenCallOf(op) !== null) continue
        if (isSender(target) || isSelf(target) || !isCallers(flow, target) || !isUntrusted(flow, target, op)) continue
        if (isCallersData(flow, data))
          yield { flow, op, target, data, grant: grantOf(flow, holdingAgainst(flow, op, target, data)) }
      }
  },
  excuses: [
    excuse('caller-checked', 'only privileged callers, or a check in missing code, reach the call', ({ flow, op }) =>
      isProtected(flow, op),
    ),
    excuse(
      'holds-no-assets',
      'the contract holds no assets, has no allowances and controls nothing',
      ({ flow, op, grant }) =>
        grant === null &&
        !flow.contractFlow.answer(isTrusted) &&
        !(flow.contractFlow.answer(obeysItself) && isUnchecked(flow, op)),
    ),
    excuse(
      'held-against',
      'the target or the data is checked against state that not everyone can set',
      ({ flow, op, target, data, grant }) => grant === null && holdingAgainst(flow, op, target, data).length > 0,
    ),
  ],
  finding: ({ flow, op, grant }) => ({
    at: op,
    message: messageOf(flow, op, grant),
    trace: [
      witnessStep(flow, op, 'transfers tokens that this contract holds or may spend'),
      ...flow.trace(op),
      ...(grant === null ? [] : [{ at: grant, message: 'Any caller of this function queues the call here.' }]),
    ],
    factors: {
      counterEvidence: [
        ...(grant !== null && isVotedOn(flow, op) ? ['recorded numbers, such as votes, must allow it'] : []),
        ...(grant === null && isCaseChecked(flow, op) ? ['a helper checks the progress first'] : []),
      ],
    },
  }),
})
