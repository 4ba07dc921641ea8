/** A scene is set within a number of calls, and within the time of the scan. */
import type { CompiledContract } from '../compile/compilation.ts'
import { BudgetSpent } from '../search/budget.ts'
import { deployTarget, type SceneOptions, type SceneResult } from './build-scene.ts'
import type { Chain } from './chain.ts'

export const whyUsedUp = 'the time or the calls of this scan were used up'

/** Constructors, partners and honest people together. */
const maxSceneCalls = 900
/** Whether an address is a token's is checked only as long as so many calls were made. */
const maxBeforeGuesses = 320

export const setScene = async (
  chain: Chain,
  contract: CompiledContract,
  options: SceneOptions,
  budget: { readonly isLate: boolean },
): Promise<SceneResult> => {
  let calls = 0
  const look = () => {
    if (budget.isLate) throw new BudgetSpent()
  }
  chain.machine.onLook = look
  chain.machine.onCall = () => {
    look()
    if (++calls > maxSceneCalls) throw new BudgetSpent()
  }
  try {
    return await deployTarget(chain, contract, { ...options, mayGuess: () => calls < maxBeforeGuesses })
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    if (budget.isLate) return { ok: false, reason: whyUsedUp }
    return { ok: false, reason: `the scene of ${contract.name} could not be set within ${maxSceneCalls} calls` }
  } finally {
    chain.machine.onCall = undefined
    chain.machine.onLook = undefined
  }
}
