/** Searches that go on when the flagged code was merely executed: a later attempt may harm someone. */
import type { Chain } from '../scene/chain.ts'
import { type Budget, BudgetSpent } from '../search/budget.ts'
import { explore, type Quest } from '../search/explore.ts'
import type { Proof } from './attack.ts'

/** So many attempts are made after the first that harmed nobody. */
const maxFurtherAttempts = 80

/** The first proof of harm; where there is none, the first run that executed what is flagged. */
export const exploreForHarm = async (chain: Chain, quest: Quest<Proof>, budget: Budget): Promise<Proof | undefined> => {
  let executed: Proof | undefined
  let further = 0
  const accept = async (attempt: Parameters<typeof quest.accept>[0]): Promise<Proof | undefined> => {
    const proof = await quest.accept(attempt)
    if (proof?.status === 'confirmed') return proof
    executed ??= proof
    return executed && ++further > maxFurtherAttempts ? executed : undefined
  }
  return orElse(
    () => explore<Proof>(chain, { ...quest, accept }, budget),
    () => executed,
  )
}

/** The same over several searches, one after the other. */
export const firstHarm = async (
  searches: readonly (() => Promise<Proof | undefined>)[],
): Promise<Proof | undefined> => {
  let executed: Proof | undefined
  const searchAll = async (): Promise<Proof | undefined> => {
    for (const search of searches) {
      const proof = await search()
      if (proof?.status === 'confirmed') return proof
      executed ??= proof
    }
    return undefined
  }
  return orElse(searchAll, () => executed)
}

/** A spent budget ends a search, and leaves what was found before. */
const orElse = async (
  search: () => Promise<Proof | undefined>,
  fallback: () => Proof | undefined,
): Promise<Proof | undefined> => {
  try {
    return (await search()) ?? fallback()
  } catch (error) {
    const found = error instanceof BudgetSpent ? fallback() : undefined
    if (!found) throw error
    return found
  }
}
