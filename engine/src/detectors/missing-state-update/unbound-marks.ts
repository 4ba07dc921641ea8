/** Marks under a key that the proof says nothing about: with another key the same proof is accepted again. */
import { argumentsIn, dependsOn, type Fact, guardsAt, includesArgument, isSender } from '../../facts/index.ts'
import { keysOf } from '../../idioms/index.ts'
import type { Flow, Op, StoreOp } from '../../ir/index.ts'

/** A proof, and what is paid for it. */
interface Shown {
  readonly proof: Fact
  readonly payment: Op
}

/** A note that the submitter of a proof can keep under any key: `claimed[index] = true`, and `index` is no part of the leaf. */
export const isUnbound = (flow: Flow, note: StoreOp, { proof, payment }: Shown): boolean =>
  keysOf(note.location).some((key) => isFree(flow, key, { proof, payment }))

const isFree = (flow: Flow, key: Op, shown: Shown): boolean => {
  if (isSender(key)) return !speaksOfSender(flow, shown)
  const said = argumentsIn(flow, key, 'keys')
  const proven = argumentsIn(flow, shown.proof.condition, 'keys')
  if (said.length === 0 || dependsOn(flow, key, ({ kind }) => kind === 'call' || kind === 'unknown')) return false
  return said.every(
    (argument) => !proven.some((other) => includesArgument(other, argument) || includesArgument(argument, other)),
  )
}

/** In the leaf, or as an account that is compared with what is in it. */
const speaksOfSender = (flow: Flow, { payment }: Shown): boolean =>
  guardsAt(flow, payment).some(({ condition }) => dependsOn(flow, condition, isSender))
