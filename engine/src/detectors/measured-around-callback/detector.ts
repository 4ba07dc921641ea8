import { dependsOn, isSender, isUntrusted, lockedAt, parametersIn, roleAt } from '../../facts/index.ts'
import {
  incomingOf,
  isOwnEther,
  isOwnTokenBalance,
  isSelf,
  keysOf,
  outgoingOf,
  raisedBy,
  tokenCallOf,
  tokenCalls,
  witnessStep,
} from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, isBefore, isOrdering, type Op, type StoreOp } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** What is given for what came in. */
interface Given {
  readonly op: Op
  readonly flow: Flow
}

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
  readonly given: Given
}

/** Foreign code runs between two readings of what this contract holds. */
const canCallBack = (flow: Flow, call: CallOp): boolean => {
  const { kind, target, isStatic, gasKind } = call.call
  if ((kind !== 'external' && kind !== 'lowlevel') || target === null || isStatic || gasKind === 'stipend') return false
  return isUntrusted(flow, target, call)
}

/** Something is given for what came in: tokens, or an entry that is raised. */
const findGift = (flow: Flow, check: Op): Given | undefined => {
  const payment = tokenCalls(flow).find(
    ({ op, name, from }) => name === 'transfer' && from === null && flow.canFollow(check, op),
  )
  const op = payment?.op ?? flow.stateStores().find((store) => raisedBy(store) !== null && flow.canFollow(check, store))
  return op && { op, flow }
}

/** `shares[to] += n; payer.pay(); require(balance() >= before + cost(n))`: an entry that the same argument raises before it is paid for. */
const isCreditedFor = (flow: Flow, call: CallOp, check: Op, store: StoreOp): boolean => {
  const { location, args } = store
  if (keysOf(location).length === 0 || location.type?.kind !== 'int') return false
  if (!isBefore(store, call) || !flow.canFollow(store, call)) return false
  if (!dependsOn(flow, args[0], (part) => part.kind === 'load' && part.location === location)) return false
  const checked = parametersIn(flow, check)
  return dependsOn(flow, args[0], (part) => checked.has(part))
}

/** An entry that is raised before the callback, where nothing is lent for it. */
const findCredit = (flow: Flow, call: CallOp, check: Op): Given | undefined => {
  const op = isLent(flow, call)
    ? undefined
    : flow.stateStores().find((store) => isCreditedFor(flow, call, check, store))
  return op && { op, flow }
}

/** What was lent for the call can be paid back by a function that credits it to the payer: one that no lock keeps out, if there is one. */
const findDeposit = (flow: Flow, call: CallOp): Given | undefined => {
  if (!isLent(flow, call)) return undefined
  const recorded = flow.contractFlow.entryPoints.flatMap((other) => (other === flow ? [] : recordsOf(other)))
  return recorded.find((given) => !isShut(flow, call, given)) ?? recorded[0]
}

const isLent = (flow: Flow, call: CallOp): boolean =>
  call.call.value !== null || outgoingOf(flow).some(({ op }) => op !== call && flow.dominates(op, call))

const recordsOf = (flow: Flow): Given[] => {
  if (!flow.isPayable && incomingOf(flow).length === 0) return []
  const isRecorded = (store: StoreOp): boolean => raisedBy(store) !== null && keysOf(store.location).some(isSender)
  return flow
    .stateStores()
    .filter(isRecorded)
    .map((op) => ({ op, flow }))
}

/** A lock keeps callers from getting there during the call. */
const isShut = (flow: Flow, call: CallOp, given: Given): boolean => {
  const lock = lockedAt(flow, call)
  return lock !== null && (given.flow === flow || lockedAt(given.flow, given.op)?.variable === lock.variable)
}

/** What this contract holds, in ether or in a token. */
const isHeld = (op: Op): boolean => isOwnTokenBalance(op) || isOwnEther(op)

/** Comparisons in which the contract weighs what it holds. */
const findWeighings = (flow: Flow): readonly Op[] =>
  flow.ops('bin').filter((check) => isOrdering(check.operator) && dependsOn(flow, check, isHeld))

const isMeasuredAround = (flow: Flow, check: Op, call: CallOp): boolean =>
  dependsOn(flow, check, (op) => isHeld(op) && flow.dominates(op, call)) &&
  dependsOn(flow, check, (op) => isHeld(op) && flow.dominates(call, op))

/** `if (amount > 0) held = balance();`: on some path there may be nothing to measure. */
const isWeighedAround = (flow: Flow, check: Op, call: CallOp): boolean =>
  dependsOn(flow, check, (op) => isHeld(op) && isBefore(op, call) && flow.canFollow(op, call)) &&
  dependsOn(flow, check, (op) => isHeld(op) && isBefore(call, op) && flow.canFollow(call, op))

const deciderOf = (flow: Flow, call: CallOp): 'outsider' | 'unknown' | 'governed' => {
  if (roleAt(flow, call) !== null) return 'governed'
  return tokenCallOf(call) === null ? 'outsider' : 'unknown'
}

export default defineDetector<Candidate>({
  id: 'measured-around-callback',
  swc: 'SWC-107',
  title: 'Deposit during a callback counted twice',
  aliases: {
    owasp: ['SC05:2025', 'SC07:2025'],
    scwe: ['SCWE-046'],
    words: ['flash loan repayment', 'deposit during flash loan', 'side entrance'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'The contract reads its balance, runs the caller’s code and treats the balance change as a payment or a loan repayment. Code that re-enters during the callback has the same payment counted by both calls, or repays a flash loan with a deposit.',
  recommendation:
    'Hold a reentrancy lock during the callback that deposits share, or use recorded amounts instead of balances.',
  references: ['https://swcregistry.io/docs/SWC-107'],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy', 'token-hook-reentrancy'],

  needs: [holding.externalCall, holding.arithmetic],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const call of flow.externalCalls()) {
        if (!canCallBack(flow, call)) continue
        for (const check of flow.answer(findWeighings)) {
          const given = isMeasuredAround(flow, check, call)
            ? (findGift(flow, check) ?? findDeposit(flow, call))
            : undefined
          const credit = given ?? (isWeighedAround(flow, check, call) ? findCredit(flow, call, check) : undefined)
          if (credit !== undefined && !isSelf(call.call.target!)) yield { flow, call, given: credit }
        }
      }
  },
  excuses: [excuse('locked', 'a lock prevents reentry', ({ flow, call, given }) => isShut(flow, call, given))],
  finding: ({ flow, call, given }) => ({
    at: call,
    factors: { controlledBy: deciderOf(flow, call) },
    message:
      given.flow === flow
        ? `\`${flow.name}()\` treats the balance change around this external call as a payment: a callee that re-enters \`${flow.name}()\` has one payment counted twice, at the cost of the other users.`
        : `\`${flow.name}()\` only checks its balance after this external call: the callee can repay through \`${given.flow.name}()\`, which passes the check and credits them with the same money.`,
    trace: [
      witnessStep(
        flow,
        call,
        given.flow === flow
          ? 're-enters it to have one payment counted twice'
          : `repays through \`${given.flow.name}()\`, to withdraw it later`,
      ),
      ...flow.trace(call),
      { at: { start: given.op.start, end: given.op.end }, message: 'The payment is credited here.' },
    ],
  }),
})
