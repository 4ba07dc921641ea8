/** Commitments: what someone is owed is laid down as a hash, and anyone who can name what it was made of is paid. */
import { dependsOn, type Fact, fromFactsAt, readsState, recoveriesOf } from '../facts/index.ts'
import { type Flow, type Op, rootOf, stripCasts } from '../ir/index.ts'
import { isHash } from './hashes.ts'

/** The condition on the path to `op` that holds a hash of this number, as the caller says it, against what the contract keeps: a leaf of a tree, a commitment. Signatures are none. */
export const proofOf = (flow: Flow, op: Op, number: Op): Fact | undefined => {
  const said = saidBy(stripCasts(number))
  if (said === null || !flow.ops('builtin').some(isHash)) return undefined
  return fromFactsAt(flow, op, flow.answerAbout(said, proofsBy))[0]
}

/** One question for each parameter, so that each condition is asked once about it. */
const proofsBy =
  (_: Flow, said: Op) =>
  (flow: Flow, fact: Fact): readonly Fact[] =>
    isProof(flow, stripCasts(fact.condition), said) ? [fact] : []

/** The parameter that a value is, or is a part of. */
const saidBy = (value: Op): Op | null => {
  if (value.kind === 'param') return value
  if (value.kind !== 'load' || value.location.space !== 'memory') return null
  const { base } = rootOf(value.location)
  return base?.kind === 'param' ? base : null
}

const isProof = (flow: Flow, condition: Op, said: Op): boolean => {
  if (condition.kind !== 'bin' && condition.kind !== 'call') return false
  // What is kept for all who ask comes first: of many signatures none is held against what the contract keeps.
  if (!readsState(flow, condition)) return false
  const signers = flow.answer(signersIn)
  return (
    dependsOn(flow, condition, (op) => isHash(op) && dependsOn(flow, op, (part) => part === said)) &&
    !dependsOn(flow, condition, (op) => signers.has(op))
  )
}

const signersIn = (flow: Flow): ReadonlySet<Op> => new Set(recoveriesOf(flow).map(({ op }) => op))
