import { isProtected, isSender } from '../../facts/index.ts'
import { hasIncomingPayment, keysOf, provenStep, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding } from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { paidBeyondAgain } from './difference.ts'
import { isTakenOff, paidForTimeAgain } from './elapsed.ts'
import { leftBehind } from './idle.ts'
import { repeatedPayouts } from './repeated.ts'
import { isUnbound } from './unbound-marks.ts'
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
import { isUnreadMark } from './unread-marks.ts'

/** Of what is paid at once: another function may subtract it. A total says nothing about whom it was paid to. */
const isWrittenDown = ({ flow, why }: Candidate): boolean => {
  const known = why.kind === 'sometimes' ? why.store : null
  return flow
    .stateStores()
    .some((other) => other !== known && keysOf(other.location).length > 0 && !isUnreadMark(flow, other))
}

/** What is the record of no caller in particular. */
const forAnyCaller: ReadonlySet<Candidate['why']['kind']> = new Set([
  'stays',
  'credited',
  'elapsed',
  'difference',
  'idle',
])

/** What follows by itself from how the record is checked: nothing else need be written. */
const restsOnRecord: ReadonlySet<Candidate['why']['kind']> = new Set([
  'limit',
  'sometimes',
  'difference',
  'idle',
  'repeated',
])

/** `limits[token]`: what a role may pay at a time, and no account's claim. */
const isCap = (why: Candidate['why']): boolean => why.kind === 'limit' && !keysOf(why.record).some(isSender)

/** Something asks who is calling; a proof itself may speak of the sender. */
const isForKnown = ({ flow, why, payment }: Candidate): boolean => {
  if (forAnyCaller.has(why.kind) || isCap(why)) return isProtected(flow, payment.op)
  if (why.kind !== 'proof') return false
  return isProtected(flow, payment.op, ({ op }) => op !== why.proof.op && op !== why.proof.condition)
}

/** What the caller gets without giving anything up that is on record. */
const gainedWithoutLoss: ReadonlySet<Candidate['why']['kind']> = new Set([
  'proof',
  'stays',
  'credited',
  'elapsed',
  'difference',
])

const isBought = ({ flow }: Candidate): boolean => hasIncomingPayment(flow)

const messageOf = ({ flow, why, payment }: Candidate): string => {
  switch (why.kind) {
    case 'limit':
      return `\`${flow.name}()\` pays out up to \`${flow.describe(why.record)}\` but never reduces it, so the same account can call again and take the funds of others.`
    case 'sometimes':
      return `\`${flow.name}()\` clears \`${flow.describe(why.record)}\` only on some paths to this payout; on the others the account can claim it again, from the funds of others.`
    case 'request':
      return `\`${flow.name}()\` adds up to \`${flow.describe(why.record)}\` to \`${flow.describe(why.claim.location)}\` but does not reduce the former, so the account can request the same amount again and again.`
    case 'stays':
      return `\`${flow.name}()\` pays out \`${flow.describe(why.record)}\` but does not reduce it, so the caller can claim it again, from the funds of others.`
    case 'credited':
      return `\`${flow.name}()\` adds \`${flow.describe(why.record)}\` to \`${flow.describe(why.claim.location)}\` but does not clear it, so the caller can call again and be credited twice.`
    case 'elapsed':
      return `\`${flow.name}()\` pays for the time since \`${flow.describe(why.record)}\` but does not update it, so the next call pays for the same period again.`
    case 'allowance':
      return `\`${flow.name}()\` takes up to \`${flow.describe(why.record)}\` from an account but never reduces that allowance, so the spender can take the same amount again and again.`
    case 'difference':
      return `\`${flow.name}()\` subtracts \`${flow.describe(why.record)}\`, what was already paid, from the payout but does not increase it, so the caller can claim the same amount again.`
    case 'idle':
      return `\`${flow.describe(why.record)}\` is not updated while nothing is staked, so the first account that stakes then also takes the rewards of the empty period.`
    case 'repeated':
      if (payment.act === 'total')
        return `\`${flow.name}()\` moves \`${flow.describe(payment.op.location!)}\` because of \`${flow.describe(why.record)}\` and changes nothing that it checks, so the same call moves it again.`
      if (payment.act === 'applied')
        return `\`${flow.name}()\` applies \`${flow.describe(why.record)}\` and leaves it pending, so it can be applied again after \`${flow.describe(payment.op.location!)}\` was changed.`
      if (why.mark !== null)
        return `\`${flow.name}()\` marks its payout in \`${flow.describe(why.mark)}\`, but no function reads that mark, so the same call pays again, from the funds of others.`
      return `\`${flow.name}()\` pays because of \`${flow.describe(why.record)}\` and changes nothing that it checks, so the same call pays again, from the funds of others.`
    case 'proof': {
      const mark = flow.stateStores().find((store) => isUnbound(flow, store, { proof: why.proof, payment: payment.op }))
      if (mark !== undefined)
        return `\`${flow.name}()\` marks \`${flow.describe(mark.location)}\` as used, but the proof does not cover that key, so anyone can claim the same proof again under another key.`
      return `\`${flow.name}()\` pays for a valid proof but does not mark it as used, so the same proof can be claimed again, at the cost of the other claimants.`
    }
  }
}

/** What several functions share may settle rightly in the others; a clock is left behind where it is moved only sometimes. */
const placeOf = ({ flow, payment, why }: Candidate): Span => {
  if (why.kind === 'difference') return flow.inEntry(payment.op)
  return why.kind === 'idle' ? why.clock : payment.op
}

const lossOf = ({ why, payment }: Candidate): string => {
  if (why.kind === 'idle') return 'earns rewards for the whole empty period'
  if (payment.act !== undefined) return 'repeats the call'
  return 'repeats the call to be paid again'
}

/** Who repeats the call has passed its checks before, and all that they required still holds. */
const isAllowedOnce = ({ kind }: Candidate['why']): boolean => kind === 'proof' || kind === 'repeated'

const idle = {
  title: 'Reward clock not advanced while nothing is staked',
  recommendation: 'Set the time of the last update also while nothing is staked, before the first stake is recorded.',
}

const reopened = {
  title: 'Completed record can be processed again',
  recommendation: 'Close or delete the record in the function that processes it.',
}

/** What it takes: a payment, or a claim to one. */
const paysOrCredits = (flow: Flow): boolean => holding.foreignCall(flow) || holding.effect(flow)

export default defineDetector<Candidate>({
  id: 'missing-state-update',
  swc: null,
  title: 'Payout without state update (double claim)',
  aliases: {
    owasp: ['SC03:2025'],
    words: ['double claim', 'double spend', 'replayed claim', 'withdraw twice', 'merkle claim'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A record or a proof limits a payout, but the payout does not reduce the record, mark the proof as used, or only does so on some paths. The same amount can be claimed repeatedly at the cost of other users. Likewise, a time stamp that does not advance pays the first user for an empty period.',
  recommendation: 'Reduce the record or mark the proof as used before the payout, on every path that leads to it.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682', 'CWE-841'],
  yieldsTo: [
    'access-control',
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'uncounted-payment',
    'reentrancy',
  ],

  needs: [paysOrCredits],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      // Nothing that it does lasts.
      if (flow.fn?.mutability === 'view') continue
      yield* neverUsedUp(flow)
      yield* clearedSometimes(flow)
      yield* paidAgain(flow)
      yield* allowedAgain(flow)
      yield* requestedAgain(flow)
      yield* creditedAgain(flow)
      yield* paidForTimeAgain(flow)
      yield* shownAgain(flow)
      yield* paidBeyondAgain(flow)
      yield* leftBehind(flow)
      yield* repeatedPayouts(flow)
    }
  },
  excuses: [
    excuse(
      'written-down',
      'the function records the payment',
      (candidate) => (candidate.why.kind === 'limit' || candidate.why.kind === 'sometimes') && isWrittenDown(candidate),
    ),
    excuse(
      'noted',
      'state that a condition or the amount depends on is updated',
      (candidate) => !restsOnRecord.has(candidate.why.kind) && isNoted(candidate),
    ),
    excuse('taken-off', 'earlier payments are subtracted the next time', isTakenOff),
    excuse(
      'bought',
      'the caller gives something for it each time',
      (candidate) => gainedWithoutLoss.has(candidate.why.kind) && isBought(candidate),
    ),
    excuse('protected', 'only privileged accounts get there, or a function in a missing file runs first', isForKnown),
  ],
  finding: (candidate) => {
    const { flow, payment, why } = candidate
    return {
      at: placeOf(candidate),
      message: messageOf(candidate),
      ...(why.kind === 'idle' ? idle : {}),
      ...(payment.act === undefined ? {} : reopened),
      ...(payment.act === 'applied' ? { severity: 'medium' as const } : {}),
      trace: [
        (isAllowedOnce(why) ? provenStep : witnessStep)(flow, payment.op, lossOf(candidate)),
        ...flow.trace(payment.op),
        ...(why.kind === 'sometimes'
          ? [{ at: { start: why.store.start, end: why.store.end }, message: 'It is cleared only here.' }]
          : []),
        ...(why.kind === 'idle'
          ? [{ at: payment.op, message: 'Rewards are computed only while something is staked.' }]
          : []),
        ...(why.kind === 'proof'
          ? [{ at: why.proof.op, message: 'This is the only requirement, and it stays true.' }]
          : []),
      ],
    }
  },
})
