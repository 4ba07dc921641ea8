/** What a function of the scan answers to others who call it. */
import { type Flow, stripCasts } from '../ir/index.ts'
import type { FunctionModel } from '../model/index.ts'

const createAnswers = (): Map<FunctionModel, boolean> => new Map()

/** It answers true or does not come back: nobody who ignores its answer misses a failure. */
export const neverAnswersFalse = (asking: Flow, fn: FunctionModel): boolean => {
  const { contractFlow } = asking
  const known = contractFlow.shared.answer(createAnswers)
  let answer = known.get(fn)
  if (answer === undefined) {
    answer = isAlwaysTrue(contractFlow.follow(fn))
    known.set(fn, answer)
  }
  return answer
}

const isAlwaysTrue = (flow: Flow): boolean => {
  const returns = flow.ops('return')
  return (
    !flow.isPartial &&
    returns.length > 0 &&
    returns.every(({ args }) => {
      const value = args[0] === undefined ? null : stripCasts(args[0])
      return value?.kind === 'const' && value.constant !== null && value.constant !== 0n
    })
  )
}
