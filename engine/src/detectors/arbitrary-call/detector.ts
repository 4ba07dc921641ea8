import {
  canHoldWithin,
  dependsOn,
  type Fact,
  guardsAt,
  intervalOf,
  isProtected,
  isSender,
  isUntrusted,
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
import { type ContractFlow, type Flow, holding, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly target: Op
  readonly data: Op
  /** Where anybody can put down that the call is due, which is all that is asked later. */
  readonly grant: StoreOp | null
}

const isCallers = (flow: Flow, value: Op): boolean => dependsOn(flow, value, ({ kind }) => kind === 'param')

/** What is called is put together from parameters alone, not from a function that this contract names. */
const isCallersData = (flow: Flow, data: Op): boolean =>
  isCallers(flow, data) &&
  !dependsOn(flow, data, ({ kind, operator }) => kind === 'builtin' && operator.startsWith('abi.encode'))

/** Somebody else has put something into its hands: entries for accounts, the right to move their tokens, or tokens of its own to pay out. */
const isTrusted = ({ flows }: ContractFlow): boolean =>
  flows.some(
    (flow) =>
      flow.stateStores().some(({ location }) => keysOf(location).some(isSender)) ||
      incomingOf(flow).length > 0 ||
      outgoingOf(flow).some(({ token }) => token !== null && stripCasts(token).kind === 'load'),
  )

/** What a call that does something answers says how it went, not what it was told: `require(token.approve(target, amount))`. */
const isDone = ({ kind, call }: Op): boolean =>
  kind === 'call' && call.target !== null && !call.isStatic && call.definition?.mutability !== 'view'

/** Conditions on the way that hold target or data against something. */
const holdingAgainst = (flow: Flow, op: Op, named: readonly Op[]): Fact[] =>
  guardsAt(flow, op).filter(({ condition }) => {
    const isNamed = (part: Op): boolean => named.includes(part)
    return dependsOn(flow, condition, isNamed, { keys: true }) && !dependsOn(flow, condition, isDone)
  })

/** A number or a flag that anybody puts down at will: nothing but that it is not there yet is asked before, and nothing goes into it but what the caller says, and the time. */
const isPutDownByAnyone = (flow: Flow, store: StoreOp): boolean => {
  const own = columnOf(store.location)
  const value = stripCasts(store.args[0])
  if (own === null || store.flag || (value.kind === 'const' && value.constant === 0n)) return false
  const isForeign = ({ kind, location, call }: Op): boolean =>
    kind === 'load' ? location.space !== 'memory' && !isInColumn(location, own) : call !== null
  return (
    !dependsOn(flow, value, (op) => op.kind === 'load' || op.kind === 'call') &&
    !guardsAt(flow, store).some(
      (fact) =>
        dependsOn(flow, fact.condition, isForeign) || asksSender(flow, fact.condition) || !holdsUnset(flow, fact, own),
    )
  )
}

/** Whether a condition lets those pass for whom nothing was put down; otherwise somebody else had to come before. */
const holdsUnset = (flow: Flow, { condition, polarity }: Fact, own: Column): boolean => {
  const bounds = (value: Op) => {
    const op = stripCasts(value)
    return op.kind === 'load' && isInColumn(op.location, own) ? unset : intervalOf(flow, value)
  }
  return canHoldWithin(bounds, condition, polarity)
}

const unset = { min: 0n, max: 0n }

const asksSender = (flow: Flow, condition: Op): boolean => dependsOn(flow, condition, isSender, { keys: true })

/** `!isDone[id]`: that nothing has been put down yet. */
const demandsUnset = ({ condition, polarity }: Fact): boolean => {
  const op = stripCasts(condition)
  if (op.kind === 'un' && op.operator === '!') return demandsUnset({ op, condition: op.args[0], polarity: !polarity })
  if (op.kind === 'load') return !polarity
  if (op.kind !== 'bin' || op.operator !== (polarity ? '==' : '!=')) return false
  return op.args.some((side) => stripCasts(side).kind === 'const' && stripCasts(side).constant === 0n)
}

/** Everything that the call is held against is one record that anybody can write. */
const grantOf = (flow: Flow, facts: readonly Fact[]): StoreOp | null => {
  const reads = facts.map(({ condition }) => stateReadsOf(flow, condition))
  if (facts.some(demandsUnset)) return null
  const [first] = reads.flat()
  const column = first === undefined ? null : columnOf(first.location)
  if (column === null || !reads.every((loads) => loads.length > 0)) return null
  if (!reads.flat().every(({ location }) => isInColumn(location, column))) return null
  const writers = flow.contractFlow.writersOf(column.variable)
  const open = writers.find(
    ({ flow: writer, op }) =>
      writer !== flow && writer.isEntryPoint && isInColumn(op.location, column) && isPutDownByAnyone(writer, op),
  )
  return open?.op ?? null
}

export default defineDetector<Candidate>({
  id: 'arbitrary-call',
  swc: null,
  title: 'The caller chooses what this contract calls, and with what',
  severity: 'critical',
  confidence: 'medium',
  description:
    'Anyone can have this contract call any contract with any data. In its name an attacker moves what it holds, and what others have allowed it to move.',
  recommendation:
    'Call known contracts only, name the function here and take no more than its arguments from the caller, or make such calls from a contract that holds nothing and that nobody approves.',
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
          yield { flow, op, target, data, grant: grantOf(flow, holdingAgainst(flow, op, [target, data])) }
      }
  },
  excuses: [
    excuse(
      'asks-who-calls',
      'it takes more than anybody to get there: those who hold a right, or a function that is not there to be read',
      ({ flow, op }) => isProtected(flow, op),
    ),
    excuse(
      'nothing-at-stake',
      'nobody has put anything into its hands',
      ({ flow, grant }) => grant === null && !flow.contractFlow.answer(isTrusted),
    ),
    excuse(
      'held-against',
      'a condition holds the target or the data against something that not everybody can put down',
      ({ flow, op, target, data, grant }) => grant === null && holdingAgainst(flow, op, [target, data]).length > 0,
    ),
  ],
  finding: ({ flow, op, grant }) => ({
    at: op,
    message: `Anyone can call \`${flow.name}\` and have any contract called with any data, in the name of this one.`,
    trace: [
      witnessStep(flow, op, 'they spend what others have allowed this contract, and what it holds'),
      ...flow.trace(op),
      ...(grant === null ? [] : [{ at: grant, message: 'Anyone can put down here that the call is due.' }]),
    ],
  }),
})
