/** What a function of the scan answers to others who call it. */
import { type Flow, stripCasts } from '../ir/index.ts'
import { type ContractModel, type FunctionModel, isForTests } from '../model/index.ts'
import { implementationsOf } from './implementations.ts'

/** It answers true or does not come back: nobody who ignores its answer misses a failure. */
export const neverAnswersFalse = (caller: Flow, fn: FunctionModel): boolean => isAlwaysAnswered(caller, fn, isNotNought)

const isNought = (value: bigint): boolean => value === 0n

const isNotNought = (value: bigint): boolean => value !== 0n

/** any contract of the scan that stands behind the called interface, and there is one, answers true or does not come back. */
export const neverAnsweredFalse = (caller: Flow, fn: FunctionModel, callee: ContractModel): boolean => {
  const behind = implementedBy(caller, fn, callee)
  return behind.length > 0 && behind.every((each) => neverAnswersFalse(caller, each))
}

/** any contract of the scan that stands behind the interface answers zero, the number of no error, or does not come back. */
export const neverAnswersCode = (caller: Flow, fn: FunctionModel): boolean =>
  caller.contractFlow.shared.remember(neverAnswersCode, fn, () => {
    const behind = fn.isImplemented ? [fn] : implementedBy(caller, fn)
    return behind.length > 0 && behind.every((each) => isAlwaysAnswered(caller, each, isNought))
  })

/** The functions of the scan that answer in the place of one that is only declared. What stands in for the product in its tests is no part of it. */
export const implementedBy = (
  { model }: Pick<Flow, 'model'>,
  fn: FunctionModel,
  callee: ContractModel | null = fn.contract,
): FunctionModel[] =>
  implementationsOf(model, fn, callee).flatMap((contract) => {
    if (isForTests(contract.file.path)) return []
    const own = contract.allFunctions.find(
      ({ signature, isImplemented }) => signature === fn.signature && isImplemented,
    )
    return own === undefined ? [] : [own]
  })

const isAlwaysAnswered = ({ contractFlow }: Flow, fn: FunctionModel, is: (value: bigint) => boolean): boolean =>
  contractFlow.shared.remember(is, fn, () => isAlways(contractFlow.follow(fn), is))

const isAlways = (flow: Flow, is: (value: bigint) => boolean): boolean => {
  const returns = flow.ops('return')
  return (
    !flow.isPartial &&
    returns.length > 0 &&
    returns.every(({ args }) => {
      const value = args[0] === undefined ? null : stripCasts(args[0])
      return value?.kind === 'const' && value.constant !== null && is(value.constant)
    })
  )
}
