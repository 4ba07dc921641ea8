import {
  dependsOn,
  isCallerChecked,
  isKeyedBySender,
  isProtected,
  isRolePrincipal,
  lockedAt,
  principalAt,
  recoveriesOf,
} from '../../facts/index.ts'
import {
  columnOf,
  controlTransfers,
  firstThatFits,
  hasIncomingPayment,
  incomingOf,
  isKeyed,
  keyOfColumn,
  listFunctions,
  nameFunction,
  outgoingOf,
  paymentsOf,
  witnessStep,
} from '../../idioms/index.ts'
import { type Flow, holding, type LoadOp, type Op, type StoreOp } from '../../ir/index.ts'
import type { Type } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { clockedBy, type Habit, kindOf, writersOf } from './habits.ts'
import { limitExceptions } from './limits.ts'
import { markExceptions } from './marks.ts'
import { orderExceptions } from './order.ts'
import { phaseExceptions } from './phases.ts'
import { actsOf, type Exception, exceptionsOf, isOfLock } from './siblings.ts'

interface Candidate extends Exception {
  readonly op: Op
}

const candidateFrom = (exception: Exception): Candidate => ({ ...exception, op: exception.act.ops[0]! })

const isOf = (state: Candidate['habit']['state'], { location: { variable } }: LoadOp | StoreOp): boolean =>
  variable !== null && state.has(variable)

const readsState = ({ flow, habit: { kind, state, queried } }: Candidate): boolean =>
  kind === 'condition' &&
  (flow.stateLoads().some((load) => isOf(state, load)) ||
    flow.externalCalls().some(({ call }) => queried.has(call.name)))

const writesState = ({ flow, habit: { state } }: Candidate): boolean =>
  flow.stateStores().some((store) => isOf(state, store))

/** `_mint(to)` checks whom it is given: a caller that gives it another runs the same check. */
const runsSameFunction = ({ flow, habit: { writtenIn } }: Candidate): boolean =>
  writtenIn !== null && flow.ir.ops.some(({ site }) => site?.fn === writtenIn)

/** `_move(from)` requires that `from` has something and takes it: who takes nothing has nothing to check. */
const isForAnotherWrite = (candidate: Candidate): boolean => {
  const { siblings, habit } = candidate
  const { kind, writtenIn, state } = habit
  if (kind !== 'condition' || writtenIn?.kind !== 'function' || writesState(candidate)) return false
  return siblings.every((sibling) =>
    sibling.stateStores().some((store) => isOf(state, store) && writersOf(store).includes(writtenIn)),
  )
}

const settlesItself = ({ flow, habit: { settled } }: Candidate): boolean =>
  flow.stateStores().some((store) => settled.has(clockedBy(store) ?? ''))

const isReserved = ({ flow, op, act, siblings, habit: { kind } }: Candidate): boolean =>
  kind === 'phase' || kind === 'limit' || kind === 'order' || kind === 'mark'
    ? isRolePrincipal(principalAt(flow, op))
    : isProtected(flow, op) && !siblings.every((sibling) => isProtectedAct(sibling, act.key))

/** What a role does beside open functions, and a record that is new, say nothing of the others. */
const hasReason = (exception: Exception): boolean => {
  const candidate = candidateFrom(exception)
  return isReserved(candidate) || settlesItself(candidate)
}

const isProtectedAct = (flow: Flow, key: string): boolean =>
  actsOf(flow).some((act) => act.key === key && isProtected(flow, act.ops[0]!))

/** It hands control to another contract and moves assets or changes records: what a lock is for. */
const needsLock = (flow: Flow): boolean =>
  flow.externalCalls().some(({ call }) => !call.isStatic && call.gasKind !== 'stipend') &&
  (flow.isPartial || paymentsOf(flow).length > 0 || flow.stateStores().some(({ location }) => isKeyed(location)))

/** `require(block.timestamp <= deadline)`: who takes no deadline has none to check. */
const takesNone = ({ flow, habit: { kind, state, given, checksSender } }: Candidate): boolean => {
  if (kind !== 'condition' || (state.size > 0 && (given.size === 0 || checksSender))) return false
  const kinds = state.size === 0 ? new Set<string>() : new Set(given.values())
  return !flow.params.some((param) => given.has(param.operator) || kinds.has(kindOf(flow, param)))
}

/** During the call of a function that holds the lock, an outsider can enter this one and change what the other then updates. */
const isEnteredMidway = (flow: Flow, siblings: readonly Flow[]): boolean => {
  const written = new Set(
    flow.stateStores().flatMap((store) => {
      const column = isOfLock(flow, store) ? null : columnOf(store.location)
      return column === null ? [] : [keyOfColumn(column)]
    }),
  )
  return siblings.some((sibling) =>
    controlTransfers(sibling).some((call) =>
      sibling.stateStores().some((store) => {
        const column = store.id > call.id && !isOfLock(sibling, store) ? columnOf(store.location) : null
        return column !== null && written.has(keyOfColumn(column)) && sibling.canFollow(call, store)
      }),
    ),
  )
}

/** What a lock is for: something is written after an outsider has had control, or where assets leave, after any call. */
const writesAfterCall = (flow: Flow): boolean => {
  const isUnlocked = (op: Op): boolean => lockedAt(flow, op) === null
  const isPaying = outgoingOf(flow).some(({ op }) => isUnlocked(op))
  const calls = isPaying ? flow.externalCalls() : controlTransfers(flow)
  return calls.some(
    (call) =>
      !call.call.isStatic &&
      call.call.gasKind !== 'stipend' &&
      isUnlocked(call) &&
      flow.stateStores().some((store) => !isOfLock(flow, store) && store.id > call.id && flow.canFollow(call, store)),
  )
}

/** `accrue()` is public and runs inside `borrow() lock` as well: the lock is taken then, and it cannot take it again. */
const runsUnderLock = ({ flow, siblings }: Candidate): boolean =>
  siblings.some((sibling) => sibling.ir.ops.some(({ site }) => site?.fn === flow.fn))

const isFlag = (type: Type): boolean =>
  type.kind === 'mapping' ? isFlag(type.value) : type.kind === 'bool' || type.kind === 'enum'

/** Assets leave, or come in a token that the caller names: what is pulled from the protocol's own token gives nobody control. */
const mayPassControl = (flow: Flow): boolean =>
  outgoingOf(flow).length > 0 ||
  incomingOf(flow).some(({ token }) => token !== null && dependsOn(flow, token, isArgument, { keys: true }))

const isArgument = ({ kind }: Op): boolean => kind === 'param'

/** So many functions that hold a lock make it a rule of the contract. */
const unanimous = 3

/** What often explains the difference. */
const counterEvidenceOf = (candidate: Candidate): string[] => {
  const {
    flow,
    op,
    siblings,
    habit: { kind, state, writtenIn },
  } = candidate
  // Where every other function that hands control on holds the lock, it is how the contract is meant to be.
  const isUnanimous = siblings.length >= unanimous && mayPassControl(flow)
  if (kind === 'lock')
    return [
      ...(flow.isPartial || isUnanimous || writesAfterCall(flow) || isEnteredMidway(flow, siblings)
        ? []
        : ['no state is written after the external call']),
      ...(runsUnderLock(candidate) ? ['functions that hold the lock call it'] : []),
      ...(isProtected(flow, op) ? ['only privileged accounts get there'] : []),
    ]
  if (kind !== 'condition') return []
  const isSwitch = state.size > 0 && [...state].every(({ type }) => isFlag(type))
  return [
    ...(isSwitch ? ['the pause or flag may be meant for the other functions only'] : []),
    ...(writtenIn?.kind === 'function' ? ['it is a check of a helper that the function does not call'] : []),
  ]
}

const nameAt = ({ model }: Flow, { at: { start }, writtenIn }: Habit): string => {
  if (writtenIn?.kind === 'modifier') return `modifier \`${writtenIn.name}\``
  const name = model.functionAt(start)?.name
  return name ? `\`${name}()\`` : 'another function'
}

/** What follows where the step is missing, what an attacker does, and how the step is named where another function performs it. */
const consequences: Readonly<
  Record<Habit['kind'], { readonly harm: string; readonly gain: string; readonly step: string }>
> = {
  condition: {
    harm: 'so it still runs where those revert',
    gain: 'is not stopped by the check',
    step: 'makes this check',
  },
  lock: { harm: 'so a callee can re-enter there', gain: 're-enters the contract', step: 'takes the lock' },
  settlement: { harm: 'so it calculates with stale values', gain: 'gains from stale values', step: 'does this' },
  phase: {
    harm: 'so it also runs in a phase in which they revert',
    gain: 'acts in the wrong phase',
    step: 'makes this check',
  },
  order: {
    harm: 'so a callee can re-enter before the update',
    gain: 're-enters before the update',
    step: 'updates it first',
  },
  mark: { harm: 'so the same record can be used again', gain: 'repeats the call', step: 'sets it' },
  limit: { harm: 'so the limit can be passed there', gain: 'passes the limit', step: 'makes this check' },
}

const messageOf = ({ flow, act, habit, siblings }: Candidate): string => {
  const missing = `${nameFunction(flow, siblings)} does not ${habit.words}`
  const { harm } = consequences[habit.kind]
  if (siblings.length === 1) return `${missing}, as ${listFunctions(siblings, [flow])} does, ${harm}.`
  const others = listFunctions(siblings, [flow])
  return firstThatFits(
    `${missing}, although ${others}, which also ${act.words}, do, ${harm}.`,
    `${missing}, although ${siblings.length} functions that also ${act.words} do, ${harm}.`,
    `${missing}, although ${siblings.length} similar functions do, ${harm}.`,
  )
}

export default defineDetector<Candidate>({
  id: 'inconsistent-checks',
  swc: null,
  title: 'Inconsistent checks between functions',
  aliases: {
    owasp: ['SC03:2025'],
    words: [
      'missing nonReentrant',
      'missing accrue',
      'missing whenNotPaused',
      'forgotten check',
      'sibling function',
      'wrong state',
      'after the deadline',
      'health check',
      'cap bypass',
    ],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'Functions that write the same state or move assets make a check, ask for the phase of the record, keep a limit, hold a reentrancy lock or accrue first, and one function that does the same does not. An attacker calls that function to bypass the step.',
  recommendation:
    'Add the check, lock or update that the other functions perform, or move it into the internal function that they share.',
  references: ['https://cwe.mitre.org/data/definitions/754.html'],
  cwe: ['CWE-754'],
  yieldsTo: [
    'access-control',
    'inconsistent-access-control',
    'missing-state-update',
    'reentrancy',
    'unsettled-rate',
    'unsettled-reward',
  ],

  needs: [holding.effect],
  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      const reported = new Set<string>()
      const exceptions = [
        ...exceptionsOf(contractFlow, hasReason),
        ...phaseExceptions(contractFlow),
        ...limitExceptions(contractFlow),
        ...orderExceptions(contractFlow),
        ...markExceptions(contractFlow),
      ]
      for (const exception of exceptions) {
        const { flow, habit } = exception
        const key = `${habit.kind} ${flow.fn?.node.start}`
        if (reported.has(key) || (habit.kind === 'lock' && !needsLock(flow))) continue
        if (yield candidateFrom(exception)) reported.add(key)
      }
    }
  },
  excuses: [
    excuse('reserved', 'only privileged accounts get there, and other functions are open', isReserved),
    excuse(
      'own-entry',
      'it is the caller’s own entry',
      ({ op, habit }) => habit.checksSender && op.kind === 'store' && isKeyedBySender(op.location),
    ),
    excuse(
      'caller-checked',
      'another condition on the caller holds',
      ({ flow, op, habit }) => habit.checksSender && (isCallerChecked(flow, op) || recoveriesOf(flow).length > 0),
    ),
    excuse('paid-for', 'the caller pays for it', ({ flow, habit }) => habit.checksSender && hasIncomingPayment(flow)),
    excuse('other-condition', 'the function reads the same state and decides by it in its own way', readsState),
    excuse(
      'changes-it',
      'the function changes the state that the others check',
      (candidate) => candidate.habit.kind === 'condition' && writesState(candidate),
    ),
    excuse(
      'other-write',
      'the check belongs to a helper that writes the state it checks, and the function does not write that',
      isForAnotherWrite,
    ),
    excuse('no-deadline', 'the others check a deadline or another argument that the function does not take', takesNone),
    excuse('same-function', 'it runs the same function, which checks its own arguments', runsSameFunction),
    excuse('settles-itself', 'the function brings the same state up to date itself', settlesItself),
  ],
  finding: (candidate) => {
    const { flow, op, habit } = candidate
    return {
      at: flow.inEntry(op),
      // Functions that share a body lack a check in one place.
      ...(habit.kind === 'condition' ? { cause: op } : {}),
      factors: { counterEvidence: counterEvidenceOf(candidate) },
      ...(habit.checksSender ? { severity: 'high' as const } : {}),
      message: messageOf(candidate),
      trace: [
        witnessStep(flow, op, consequences[habit.kind].gain),
        ...flow.trace(op),
        { at: habit.at, message: `For comparison: ${nameAt(flow, habit)} ${consequences[habit.kind].step} here.` },
      ],
    }
  },
})
