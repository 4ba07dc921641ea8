import { dependsOn, findDependency, isCleared, isSender } from '../../facts/index.ts'
import {
  entriesOf,
  hasIncomingPayment,
  isForCaller,
  keysOf,
  loweredBy,
  outgoingOf,
  type Payment,
  witnessStep,
} from '../../idioms/index.ts'
import { type Flow, holding, type LoadOp, type Op } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly payment: Payment
  /** The caller's part, as it is at this moment. */
  readonly part: LoadOp
  readonly variable: VariableModel
}

const isOwnEntry = (op: Op): boolean => op.kind === 'load' && keysOf(op.location).some(isSender)

/** `pot * part[msg.sender] / total`: the only thing on record of the caller that counts. */
const partIn = (flow: Flow, amount: Op): LoadOp | null => {
  const quotient = findDependency(flow, amount, (op) => op.kind === 'bin' && op.operator === '/')
  if (quotient?.kind !== 'bin' || !dependsOn(flow, quotient.args[1], (op) => op.kind === 'load')) return null
  const part = findDependency(flow, quotient.args[0], isOwnEntry)
  if (part?.kind !== 'load') return null
  const isAnother = (op: Op): boolean =>
    op.kind === 'load' && isOwnEntry(op) && op.location.variable !== part.location.variable
  return dependsOn(flow, amount, isAnother) ? null : part
}

/** A call that anyone makes raises their part, for something that can be lent. */
const hasEntrance = ({ contractFlow }: Flow, variable: VariableModel): boolean =>
  contractFlow.entryPoints.some(
    (flow) =>
      hasIncomingPayment(flow) &&
      entriesOf(flow).some(
        ({ op, account, isRaised }) => isRaised && op.location.variable === variable && isSender(account),
      ),
  )

export default defineDetector<Candidate>({
  id: 'momentary-share-reward',
  swc: null,
  title: 'Reward distribution by spot balance (flash loan)',
  aliases: { owasp: ['SC07:2025'], words: ['flash loan reward', 'spot balance reward', 'The Rewarder'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'A reward is divided by current deposits, no matter how long they have been there. An attacker flash-loans a large amount, deposits it, takes most of the reward and withdraws in one transaction.',
  recommendation:
    'Accumulate rewards per share as they arrive and settle each account from its entry, or use deposits at a past block.',
  references: ['https://cwe.mitre.org/data/definitions/841.html'],
  cwe: ['CWE-841'],

  needs: [holding.externalCall, holding.quotient],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const payment of outgoingOf(flow)) {
        const part = isForCaller(payment) ? partIn(flow, payment.amount) : null
        const variable = part?.location.variable
        if (part && variable && hasEntrance(flow, variable)) yield { flow, payment, part, variable }
      }
  },
  excuses: [
    excuse('used-up', 'the share is given up for the payout', ({ flow, variable }) =>
      flow
        .stateStores()
        .some((store) => store.location.variable === variable && (loweredBy(store) !== null || isCleared(store))),
    ),
  ],
  finding: ({ flow, payment, part }) => ({
    at: payment.op,
    message: `\`${flow.name}()\` pays a share computed from the current \`${flow.describe(part.location)}\`, so an attacker can raise it with flash-loaned funds for one transaction and take most of what others earned.`,
    trace: [
      witnessStep(flow, payment.op, 'takes rewards of others with a one-transaction deposit'),
      { at: { start: part.start, end: part.end }, message: 'The caller’s current share is read here.' },
      ...flow.trace(payment.op),
    ],
  }),
})
