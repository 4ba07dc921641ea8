/** Marks under a key that the proof says nothing about: with another key the same proof is accepted again. */
import {
  type Argument,
  argumentsIn,
  dependsOn,
  type Fact,
  guardsAt,
  includesArgument,
  isSender,
  stateReadsOf,
} from '../../facts/index.ts'
import { keysOf } from '../../idioms/index.ts'
import { bothOrders, type Flow, isEquality, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'

/** A proof, and what is paid for it. */
interface Shown {
  readonly proof: Fact
  readonly payment: Op
}

/** A note that the submitter of a proof can keep under any key: `claimed[index] = true`, and `index` is no part of the leaf. */
export const isUnbound = (flow: Flow, note: StoreOp, { proof, payment }: Shown): boolean => {
  return keysOf(note.location).some((key) => isFree(flow, key, note, { proof, payment }))
}

const isFree = (flow: Flow, key: Op, note: StoreOp, shown: Shown): boolean => {
  if (isSender(key)) return !speaksOfSender(flow, shown)
  const said = argumentsIn(flow, key, 'keys')
  const proven = argumentsIn(flow, shown.proof.condition, 'keys')
  if (said.length === 0 || dependsOn(flow, key, ({ kind }) => kind === 'call' || kind === 'unknown')) return false
  return said.every(
    (argument) =>
      !proven.some((other) => includesArgument(other, argument) || includesArgument(argument, other)) &&
      !isTested(flow, argument, note, shown),
  )
}

/** In the leaf, or as an account that is compared with what is in it. */
const speaksOfSender = (flow: Flow, { payment }: Shown): boolean =>
  guardsAt(flow, payment).some(({ condition }) => dependsOn(flow, condition, isSender))

/** `require(index == indexOf[account])`, `require(isOpen[index])`: something else than the note itself says which key it is. */
const isTested = (flow: Flow, argument: Argument, note: StoreOp, { proof, payment }: Shown): boolean =>
  guardsAt(flow, payment).some(({ condition }) => {
    const test = stripCasts(condition)
    if (condition === proof.condition || isOfNote(flow, test, note)) return false
    const isSaid = (value: Op): boolean =>
      argumentsIn(flow, value, 'keys').some((other) => includesArgument(other, argument))
    if (test.kind !== 'bin') return isSaid(test)
    return isEquality(test.operator) && bothOrders(test).some(([side, other]) => isSaid(side) && other.kind !== 'const')
  })

const isOfNote = (flow: Flow, test: Op, note: StoreOp): boolean =>
  stateReadsOf(flow, test).some(({ location }) => location.variable === note.location.variable)
