/** Operations that anyone can bring about: what the detectors of missing access control claim, and how their findings are reported. */
import { dependsOn, type Fact, isFreelyDone, isSender, isUnconditional, someFactAt } from '../facts/index.ts'
import {
  bothOrders,
  type Flow,
  isEquality,
  type Location,
  type Op,
  rootOf,
  sameValueOrPlace,
  stripCasts,
} from '../ir/index.ts'
import { holdingsOfUsers } from './custody.ts'
import { keysOf } from './entries.ts'
import { entriesOf, hasIncomingPayment, impactOf } from './ledger.ts'
import { witnessStep } from './witness.ts'

export interface UnprotectedOp {
  readonly flow: Flow
  readonly op: Op
  readonly message: string
  /** What the attacker gains or others lose, after "An attacker calls `f()` and". */
  readonly gain: string
  /** Whose consent is missing, if it is one account's. */
  readonly account: Op | null
  /** What the account would lose or be given; null where a right is taken. */
  readonly amount: Op | null
  /** What the caller has on record of their own does not make it theirs. */
  readonly isOfOthers?: true
  /** An account comes onto a list of those who may do something. */
  readonly isMembership?: true
  /** A token is instructed to create the amount. */
  readonly isCreation?: true
  /** The caller gets rights over the whole contract: a record that anyone can open for themselves admits nobody to that. */
  readonly isTakeover?: true
  /** Where it harms less than what the detector is for. */
  readonly severity?: 'medium' | 'high'
}

/** An account that the caller names, also in a struct or a list. */
export const isNamedAccount = (flow: Flow, key: Op): boolean => {
  const { base } = key.kind === 'load' && key.location.space === 'memory' ? rootOf(key.location) : { base: key }
  return base?.kind === 'param' && flow.typeOf(key)?.kind === 'address'
}

/** A question about conditions. */
export type Question = (flow: Flow, fact: Fact) => boolean

/** One question for each subject, so that each condition is evaluated once. */
export const onePer = <Subject, T>(make: (subject: Subject) => T): ((subject: Subject) => T) => {
  const known = new Map<Subject, T>()
  return (subject) => {
    const made = known.get(subject) ?? make(subject)
    known.set(subject, made)
    return made
  }
}

/** A name or a function of a missing file. */
const isUnseen = ({ kind, call }: Op): boolean =>
  kind === 'unknown' || (kind === 'call' && call.target === null && call.definition === null)

const restsOnUnseen: Question = (flow, { condition }) => dependsOn(flow, condition, isUnseen)

const otherRecords = (_: Flow, account: Op): ((place: Location | null) => Question) =>
  onePer((place) => (flow, { condition }) => {
    const isOther = (part: Op): boolean =>
      part.kind === 'load' &&
      part.location !== place &&
      keysOf(part.location).some((key) => sameValueOrPlace(key, account))
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

/** A condition on the path may be consent: of the account whose entry it is, or by a function that is missing. */
const factorsOf = ({ flow, op, account, isCreation }: UnprotectedOp) => {
  const isAllowedElsewhere =
    account !== null && someFactAt(flow, op, flow.answerAbout(account, otherRecords)(op.location))
  const counterEvidence = [
    ...(someFactAt(flow, op, restsOnUnseen) ? ['a check on the path is in code that was not provided'] : []),
    ...(isLookedFor(flow, op) ? ['the function compares `msg.sender` with a stored address before the write'] : []),
    ...(isAllowedElsewhere ? ['another record of that account permits the change'] : []),
  ]
  const isOfAccount = account !== null && !isCreation && !isPrinted(flow, op)
  const loss = holdingsOfUsers(flow) ?? (isOfAccount ? 'what that account has on record' : null)
  return {
    hasWitness: isUnconditional(flow, op),
    loss: loss !== null && isFreelyDone(flow, op) ? loss : undefined,
    impact: isCreation ? ('assets' as const) : impactOf(flow),
    counterEvidence,
  }
}

/** A helper that does what it is given is not to blame. */
export const unprotectedFinding = (candidate: UnprotectedOp) => {
  const { flow, op, message, gain, severity } = candidate
  return {
    at: flow.inEntry(op),
    message,
    ...(severity === undefined ? {} : { severity }),
    trace: [witnessStep(flow, op, gain), ...flow.trace(op)],
    factors: factorsOf(candidate),
  }
}
