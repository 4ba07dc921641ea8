import { dependsOn, isFreelyDone, isSender, isUnconditional, someFactAt } from '../../facts/index.ts'
import { entriesOf, hasIncomingPayment, holdingsOfUsers, impactOf, keysOf, witnessStep } from '../../idioms/index.ts'
import { bothOrders, type Flow, holding, isEquality, type Location, type Op, stripCasts } from '../../ir/index.ts'
import { type ConfidenceFactors, defineDetector } from '../define-detector.ts'
import type { Candidate } from './candidate.ts'
import { onePer, type Question } from './conditions.ts'
import { creditedForNothing, rewritten, takenFromHolders, takenFromOthers, wipedForOthers } from './entries.ts'
import { excuses } from './excuses.ts'
import { namedRecordsPaid } from './named-records.ts'
import { redirected } from './payees.ts'
import { attestedByNamed, enlistedByAnyone, replacedByAnyone, selfAttested, setByAnyone, takenOver } from './rights.ts'
import { createdElsewhere, payouts } from './tokens.ts'

/** A name or a function of a missing file. */
const isUnseen = ({ kind, call }: Op): boolean =>
  kind === 'unknown' || (kind === 'call' && call.target === null && call.definition === null)

const restsOnUnseen: Question = (flow, { condition }) => dependsOn(flow, condition, isUnseen)

const otherRecords = (_: Flow, account: Op): ((place: Location | null) => Question) =>
  onePer((place) => (flow, { condition }) => {
    const isOther = (part: Op): boolean =>
      part.kind === 'load' && part.location !== place && keysOf(part.location).includes(account)
    return dependsOn(flow, condition, isOther)
  })

/** `found = found || members[i] == msg.sender`: before it the caller is looked for, and what follows from that is not known here. */
const isLookedFor = (flow: Flow, op: Op): boolean =>
  flow
    .ops('bin')
    .some(
      (comparison) =>
        isEquality(comparison.operator) &&
        flow.canFollow(comparison, op) &&
        bothOrders(comparison).some(([one, other]) => isSender(one) && stripCasts(other).kind === 'load'),
    )

/** Anyone can give themselves as much of it for nothing: nobody loses by having less. */
const isPrinted = ({ contractFlow }: Flow, op: Op): boolean =>
  op.kind === 'store' &&
  contractFlow.entryPoints.some(
    (flow) =>
      !hasIncomingPayment(flow) &&
      entriesOf(flow).some(
        ({ op: raise, isRaised }) =>
          isRaised && raise.location.variable === op.location.variable && isFreelyDone(flow, raise),
      ),
  )

/** What is asked on the path may be consent: of the one whose entry it is, or by a function that is not there to be read. */
const factorsOf = ({ flow, op, account, isCreation }: Candidate): ConfidenceFactors => {
  const isAllowedElsewhere =
    account !== null && someFactAt(flow, op, flow.answerAbout(account, otherRecords)(op.location))
  const counterEvidence = [
    ...(someFactAt(flow, op, restsOnUnseen) ? ['a check on the path is in code that was not provided'] : []),
    ...(isLookedFor(flow, op) ? ['the caller is looked up before the write'] : []),
    ...(isAllowedElsewhere ? ['another record of that account permits the change'] : []),
  ]
  const isOfAccount = account !== null && !isCreation && !isPrinted(flow, op)
  const loss = holdingsOfUsers(flow) ?? (isOfAccount ? 'what that account has on record' : null)
  return {
    hasWitness: isUnconditional(flow, op),
    loss: loss !== null && isFreelyDone(flow, op) ? loss : undefined,
    impact: isCreation ? 'assets' : impactOf(flow),
    counterEvidence,
  }
}

export default defineDetector<Candidate>({
  id: 'access-control',
  swc: null,
  title: 'Missing access control',
  aliases: {
    slither: ['protected-vars'],
    aderyn: ['centralization-risk'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-016', 'SCWE-013'],
    words: [
      'unauthorized access',
      'broken access control',
      'missing onlyOwner',
      'unprotected function',
      'unauthorized mint',
    ],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that anyone can call changes privileged state or moves assets of others: it replaces a role, debits an account that the caller names, edits an allowlist or a setting that payments rely on, or mints or credits unbacked tokens. Authorization that rests only on the caller, or on a contract the caller chooses, counts as none.',
  recommendation:
    'Restrict the function with an access check on `msg.sender` (`onlyOwner`, `AccessControl`), or require an allowance or a signature from the account whose assets move.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862', 'CWE-284'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'unprotected-selfdestruct',
    'unprotected-initializer',
    'arbitrary-transfer-from',
  ],
  isPerFunction: true,

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* takenOver(flow)
      yield* replacedByAnyone(flow)
      yield* takenFromOthers(flow)
      yield* takenFromHolders(flow)
      yield* wipedForOthers(flow)
      yield* creditedForNothing(flow)
      yield* payouts(flow)
      yield* redirected(flow)
      yield* namedRecordsPaid(flow)
      yield* setByAnyone(flow)
      yield* enlistedByAnyone(flow)
      yield* rewritten(flow)
      yield* createdElsewhere(flow)
      yield* selfAttested(flow)
      yield* attestedByNamed(flow)
    }
  },
  excuses,
  // A helper that does what it is given is not to blame.
  finding: (candidate) => {
    const { flow, op, message, gain, severity } = candidate
    return {
      at: flow.inEntry(op),
      message,
      ...(severity === undefined ? {} : { severity }),
      trace: [witnessStep(flow, op, gain), ...flow.trace(op)],
      factors: factorsOf(candidate),
    }
  },
})
