import { isProtected } from '../../facts/index.ts'
import { bringsSomething, columnOf, isInColumn, keysOf, outgoingOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, stripCasts } from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isLessNextTime, paidBeyondAgain } from './difference.ts'
import { isTakenOff, paidForTimeAgain } from './elapsed.ts'
import { leftBehind } from './idle.ts'
import { seizedAgain } from './seized.ts'
import {
  allowedAgain,
  type Candidate,
  clearedSometimes,
  creditedAgain,
  isNoted,
  neverUsedUp,
  paidAgain,
  requestedAgain,
  shownAgain,
} from './unnoted.ts'

/** Of what is paid at once: somebody who reads on may have meant that to count. A total says nothing about whom it was paid to. */
const isWrittenDown = ({ flow, why }: Candidate): boolean => {
  const known = why.kind === 'sometimes' ? why.store : null
  return flow.stateStores().some((other) => other !== known && keysOf(other.location).length > 0)
}

const isToldElsewhere = ({ flow, payment }: Candidate): boolean =>
  flow
    .externalCalls()
    .some(
      (call) =>
        call.start !== payment.op.start &&
        !call.call.isStatic &&
        call.args.some((arg) => stripCasts(arg) === stripCasts(payment.amount)),
    )

/** Where what was requested is paid, the record that limits it becomes less. */
const isLoweredWhenPaid = ({ flow, why }: Candidate): boolean => {
  if (why.kind !== 'request') return false
  const column = columnOf(why.record)
  return (
    column !== null &&
    flow.contractFlow.entryPoints.some(
      (payer) =>
        outgoingOf(payer).length > 0 && payer.stateStores().some(({ location }) => isInColumn(location, column)),
    )
  )
}

/** What is the record of no caller in particular. */
const forAnybody: ReadonlySet<Candidate['why']['kind']> = new Set([
  'stays',
  'credited',
  'elapsed',
  'difference',
  'seized',
  'idle',
])

/** What follows by itself from how the record is asked: nothing else need be written. */
const restsOnRecord: ReadonlySet<Candidate['why']['kind']> = new Set([
  'limit',
  'sometimes',
  'difference',
  'seized',
  'idle',
])

/** Something asks who is calling; a proof itself may speak of the sender. */
const isForKnown = ({ flow, why, payment }: Candidate): boolean => {
  if (forAnybody.has(why.kind)) return isProtected(flow, payment.op)
  if (why.kind !== 'proof') return false
  return isProtected(flow, payment.op, ({ op }) => op !== why.proof.op && op !== why.proof.condition)
}

/** What the caller gets without giving anything up that is on record. */
const hadForAsking: ReadonlySet<Candidate['why']['kind']> = new Set([
  'proof',
  'stays',
  'credited',
  'elapsed',
  'difference',
])

const messageOf = ({ flow, why }: Candidate): string => {
  switch (why.kind) {
    case 'limit':
      return `\`${flow.describe(why.record)}\` limits what is paid and is never lowered: it can be paid again.`
    case 'sometimes':
      return `\`${flow.describe(why.record)}\` is cleared only on some ways to this payment: on the others it can be paid again.`
    case 'request':
      return `\`${flow.describe(why.record)}\` limits what is added to \`${flow.describe(why.claim.location)}\`, which is paid later, and is not lowered by it: the same can be requested again.`
    case 'stays':
      return `\`${flow.describe(why.record)}\` is paid and says the same afterwards: it can be paid again.`
    case 'credited':
      return `\`${flow.describe(why.record)}\` is added to \`${flow.describe(why.claim.location)}\` and stays where it was: it can be had twice.`
    case 'elapsed':
      return `\`${flow.describe(why.record)}\` stays as it is: the time since then is paid again with the next call.`
    case 'allowance':
      return `\`${flow.describe(why.record)}\` limits what is taken here and is never lowered: as much can be taken again.`
    case 'difference':
      return `\`${flow.describe(why.record)}\` is taken off what is paid and is not raised by it: the same can be had again.`
    case 'seized':
      return `\`${flow.describe(why.taken.location)}\` is taken because of \`${flow.describe(why.record)}\`, which stays as it is: the rest can be taken for the same debt.`
    case 'idle':
      return `\`${flow.describe(why.record)}\` is moved only while there is something to share: when there comes to be something, all the time before counts for it.`
    case 'proof':
      return 'The proof that allows this is not used up: whoever shows it again is paid again.'
  }
}

/** What several functions share may settle rightly in the others; a clock is left behind where it is moved only sometimes. */
const placeOf = ({ flow, payment, why }: Candidate): Span => {
  if (why.kind === 'difference') return flow.inEntry(payment.op)
  return why.kind === 'idle' ? why.clock : payment.op
}

const lossOf = ({ why }: Candidate): string => {
  switch (why.kind) {
    case 'seized':
      return 'they take what secures a debt, again and again, and the debtor owes as much as before'
    case 'idle':
      return 'they come first, and what grew while nobody was there is theirs, or is charged to them'
    default:
      return 'they call it again and are paid again, from what belongs to others'
  }
}

/** What it takes: a payment, or a claim to one. */
const paysOrBooks = (flow: Flow): boolean => holding.foreignCall(flow) || holding.entryWrite(flow)

export default defineDetector<Candidate>({
  id: 'missing-state-update',
  swc: null,
  title: 'Paid, but the record still says it is owed',
  severity: 'high',
  confidence: 'medium',
  description:
    'A record says how much may be paid out, or a proof that somebody is owed it is held against what the contract keeps; and the payment changes nothing of that, or only on some ways. Or what secures a debt is taken, and the debt stays. The same amount can be had again and again, at the cost of everybody else. Or what grows with time is counted from a moment that stays where it was while there was nothing: whoever comes first is counted for all of it.',
  recommendation:
    'Lower the record by what is paid, or note that the proof has been used, before the payment and on every way that leads to it.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682', 'CWE-841'],
  yieldsTo: ['unprotected-ether-withdrawal', 'unprotected-token-withdrawal', 'uncounted-payment', 'reentrancy'],

  needs: [paysOrBooks],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* neverUsedUp(flow)
      yield* clearedSometimes(flow)
      yield* paidAgain(flow)
      yield* allowedAgain(flow)
      yield* requestedAgain(flow)
      yield* creditedAgain(flow)
      yield* paidForTimeAgain(flow)
      yield* shownAgain(flow)
      yield* paidBeyondAgain(flow)
      yield* seizedAgain(flow)
      yield* leftBehind(flow)
    }
  },
  excuses: [
    excuse(
      'written-down',
      'the function writes down that something was paid',
      (candidate) => (candidate.why.kind === 'limit' || candidate.why.kind === 'sometimes') && isWrittenDown(candidate),
    ),
    excuse(
      'told-elsewhere',
      'another contract, which may keep the accounting, is told the amount',
      (candidate) => candidate.why.kind !== 'seized' && candidate.why.kind !== 'idle' && isToldElsewhere(candidate),
    ),
    excuse(
      'noted',
      'it is noted in state that a condition or the amount rests on',
      (candidate) => !restsOnRecord.has(candidate.why.kind) && isNoted(candidate),
    ),
    excuse('lowered-when-paid', 'what limits a request becomes less where the request is paid', isLoweredWhenPaid),
    excuse('less-next-time', 'what it comes together from becomes less, or a condition holds no more', isLessNextTime),
    excuse('taken-off', 'what was paid already is taken off the next time', isTakenOff),
    excuse(
      'bought',
      'the caller gives something for it each time',
      ({ flow, why }) => hadForAsking.has(why.kind) && bringsSomething(flow),
    ),
    excuse('protected', 'known accounts alone get there, or a function of a missing file runs before', isForKnown),
  ],
  finding: (candidate) => {
    const { flow, payment, why } = candidate
    return {
      at: placeOf(candidate),
      message: messageOf(candidate),
      trace: [
        witnessStep(flow, payment.op, lossOf(candidate)),
        ...flow.trace(payment.op),
        ...(why.kind === 'sometimes'
          ? [{ at: { start: why.store.start, end: why.store.end }, message: 'Only here it is cleared.' }]
          : []),
        ...(why.kind === 'idle' ? [{ at: payment.op, message: 'Here there comes to be something.' }] : []),
        ...(why.kind === 'proof'
          ? [{ at: why.proof.op, message: 'This is all that is demanded, and it stays true.' }]
          : []),
      ],
    }
  },
})
