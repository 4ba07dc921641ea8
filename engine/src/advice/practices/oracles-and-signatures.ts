import { comparisonsOf, type Recovery, recoveriesOf, recoversSigner } from '../../facts/index.ts'
import { feedAnswer } from '../../idioms/index.ts'
import { type Flow, holding, stripCasts } from '../../ir/index.ts'
import { definePractice, type Practice } from '../practice.ts'
import { writerOf } from '../subjects.ts'

const category = 'Oracles and signatures'

const checkedAnswers = definePractice({
  id: 'checked-answers',
  category,
  needs: [holding.externalCall],
  *subjects({ functions }) {
    for (const flow of functions)
      for (const op of flow.externalCalls()) {
        const subject = feedAnswer(op) !== undefined ? writerOf(flow, op) : null
        if (subject !== null) yield subject
      }
  },
  isCheck: true,
  advice: () => 'Reject oracle answers that are stale, zero or negative, and handle a feed that stops.',
})

/** A library that knows of the second signature, or a bound on `s`. */
const isBounded = (flow: Flow, { op, signature }: Recovery): boolean => {
  if (op.kind === 'call') return true
  const s = signature[2]
  return s !== undefined && [s, stripCasts(s)].some((value) => comparisonsOf(flow, value).length > 0)
}

const boundedSignatures = definePractice({
  id: 'bounded-signatures',
  category,
  needs: [recoversSigner],
  *subjects({ functions }) {
    for (const flow of functions)
      for (const recovery of recoveriesOf(flow)) {
        const subject = writerOf(flow, recovery.op, isBounded(flow, recovery))
        if (subject !== null) yield subject
      }
  },
  kept: 'Malleable signatures are rejected.',
  advice: () =>
    'Verify signatures with a library such as `ECDSA`, over EIP-712 data with a nonce, the chain ID and this contract.',
  isUrgent: true,
})

export const oraclesAndSignatures: readonly Practice[] = [checkedAnswers, boundedSignatures]
