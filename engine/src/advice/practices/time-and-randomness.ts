import { readsBlock, Source, taintOf } from '../../facts/index.ts'
import { type Flow, isComparison, type Op } from '../../ir/index.ts'
import { definePractice, type Practice } from '../practice.ts'
import { functionsThat, writerOf } from '../subjects.ts'

const category = 'Time and randomness'

/** Some comparison comes out one way or the other with the time of the block. */
const isTimed = (flow: Flow): boolean =>
  flow.usesEnvironment('block.timestamp') &&
  flow.ops('bin').some((op) => isComparison(op.operator) && (taintOf(flow, op) & Source.time) !== 0)

const coarseTime = definePractice({
  id: 'coarse-time',
  category,
  needs: [readsBlock],
  subjects: ({ functions }) => functionsThat(functions, isTimed),
  isCheck: true,
  advice: () => 'Do not depend on the block timestamp to within a few seconds: the block proposer can shift it.',
})

const isOfProducer = ({ kind, operator }: Op): boolean =>
  kind === 'env' && (operator === 'block.difficulty' || operator === 'block.prevrandao')

/** Operations that work with what the block producer knows first. */
const chanceIn = (flow: Flow): readonly Op[] => {
  const hashes = flow.ops('builtin').filter(({ operator }) => operator === 'blockhash')
  const isUsed = flow.usesEnvironment('block.difficulty') || flow.usesEnvironment('block.prevrandao')
  return isUsed ? [...hashes, ...flow.ir.ops.filter(isOfProducer).flatMap((op) => flow.usersOf(op))] : hashes
}

const verifiableRandomness = definePractice({
  id: 'verifiable-randomness',
  category,
  needs: [readsBlock],
  *subjects({ functions }) {
    for (const flow of functions)
      for (const op of chanceIn(flow)) {
        const subject = writerOf(flow, op)
        if (subject !== null) yield subject
      }
  },
  advice: () => 'Use a VRF or commit-reveal for randomness: block values can be predicted or influenced.',
  isUrgent: true,
})

export const timeAndRandomness: readonly Practice[] = [coarseTime, verifiableRandomness]
