/** Commitments: what somebody is owed is laid down as a hash, and whoever can name what it was made of is paid. */
import { dependsOn, type Fact, guardsAt, readsState, recoveriesOf } from '../facts/index.ts'
import { type Flow, type Op, rootOf, stripCasts } from '../ir/index.ts'
import { isHash } from './hashes.ts'

/** The condition on the way to `op` that holds a hash of this number, as the caller says it, against what the contract keeps: a leaf of a tree, a commitment. Signatures are none. */
export const proofOf = (flow: Flow, op: Op, number: Op): Fact | undefined => {
  const said = saidBy(stripCasts(number))
  if (said === null || !flow.ops('builtin').some(isHash)) return undefined
  return guardsAt(flow, op).find(({ condition }) => isProof(flow, stripCasts(condition), said))
}

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
  const isSigner = (op: Op): boolean => recoveriesOf(flow).some((recovery) => recovery.op === op)
  return (
    dependsOn(flow, condition, (op) => isHash(op) && dependsOn(flow, op, (part) => part === said)) &&
    !dependsOn(flow, condition, isSigner)
  )
}
