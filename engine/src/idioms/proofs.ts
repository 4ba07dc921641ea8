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

/** The conditions on the path to `op` that hold a hash of what the caller says against a root or commitment that the contract keeps. */
export const proofsAt = (flow: Flow, op: Op): readonly Fact[] =>
  flow.ops('builtin').some(isHash) ? fromFactsAt(flow, op, proofsIn) : []

const proofsIn = (flow: Flow, fact: Fact): readonly Fact[] => {
  const condition = stripCasts(fact.condition)
  return condition.args.some((side) => isKeptHash(flow, side)) && isOfProof(flow, condition, isSaid) ? [fact] : []
}

const isSaid = ({ kind }: Op): boolean => kind === 'param'

/** A root, as it was written down; not the hash of a text that is kept. */
const isKeptHash = (flow: Flow, side: Op): boolean => {
  const type = flow.typeOf(stripCasts(side))
  return type?.kind === 'fixedBytes' && type.size === 32 && readsState(flow, side) && !dependsOn(flow, side, isHash)
}

/** One question for each parameter, so that each condition is evaluated once about it. */
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

const isProof = (flow: Flow, condition: Op, said: Op): boolean => isOfProof(flow, condition, (part) => part === said)

const isOfProof = (flow: Flow, condition: Op, isSaid: (part: Op) => boolean): boolean => {
  if (condition.kind !== 'bin' && condition.kind !== 'call') return false
  // What is stored for all who ask comes first: of many signatures none is held against what the contract keeps.
  if (!readsState(flow, condition)) return false
  const signers = flow.answer(signersIn)
  return (
    dependsOn(flow, condition, (op) => isHash(op) && dependsOn(flow, op, isSaid)) &&
    !dependsOn(flow, condition, (op) => signers.has(op))
  )
}

const signersIn = (flow: Flow): ReadonlySet<Op> => new Set(recoveriesOf(flow).map(({ op }) => op))
