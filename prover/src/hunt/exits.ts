/** How honest people get back what they deposited: found by trying, on the chain before any attack. */
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { type Chain, ether } from '../scene/chain.ts'
import type { Actor, CallStep, Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import type { FindingBudget } from '../search/budget.ts'
import { adjust } from '../search/feedback.ts'

export interface Exit {
  readonly who: 'alice' | 'bob'
  readonly step: CallStep
  /** Ether is 0, then the tokens of the scene. */
  readonly asset: number
  readonly amount: bigint
}

const maxFunctions = 24
const maxTries = 6

const ownOf = (chain: Chain, who: Actor): bigint[] => chain.holdingsOf(who).map(({ own }) => own)

/** What somebody received most of; a share that is given back is no loss here. */
const receivedBy = (chain: Chain, who: Actor, before: readonly bigint[]): { asset: number; amount: bigint } => {
  const changes = ownOf(chain, who).map((own, asset) => ({ asset, amount: own - (before[asset] ?? 0n) }))
  return changes.reduce((best, each) => (each.amount > best.amount ? each : best), { asset: 0, amount: 0n })
}

/** The call that pays somebody most, with arguments that comparisons teach. */
const bestCall = async (
  chain: Chain,
  budget: FindingBudget,
  first: CallStep,
  base: Snapshot,
): Promise<Omit<Exit, 'who'> | undefined> => {
  const queue: CallStep[] = [first]
  let best: Omit<Exit, 'who'> | undefined
  for (let tries = 0; tries < maxTries; tries++) {
    const step = queue.shift()
    if (!step || !budget.take()) break
    chain.restore(base)
    const before = ownOf(chain, step.actor)
    const outcome = await chain.perform(step)
    const received = receivedBy(chain, step.actor, before)
    if (outcome.ok && received.amount > (best?.amount ?? 0n)) best = { step, ...received }
    queue.push(...variantsOf(chain, step, outcome))
  }
  chain.restore(base)
  return best
}

const variantsOf = (chain: Chain, step: CallStep, outcome: Outcome): CallStep[] =>
  adjust(step, outcome, chain)
    .slice(0, 3)
    .flatMap((variant: Step[]) => (variant.length === 1 && variant[0]?.kind === 'call' ? [variant[0]] : []))

/** One way out for each of the depositors: the one that pays most. */
export const findExits = async (chain: Chain, budget: FindingBudget): Promise<Exit[]> => {
  const base = chain.snapshot()
  const exits: Exit[] = []
  for (const who of ['alice', 'bob'] as const) {
    const pool = { addresses: [chain.actors[who]], numbers: [ether, 30n * ether, 0n, 1n] }
    let best: Exit | undefined
    for (const to of chain.instances)
      for (const fn of to.contract.functions
        .filter(({ isView, isPayable }) => !isView && !isPayable)
        .slice(0, maxFunctions)) {
        for (const args of argumentLists(fn, pool, 3)) {
          const found = await bestCall(
            chain,
            budget,
            { kind: 'call', actor: who, via: null, to, fn, args, value: 0n },
            base,
          )
          if (found && found.amount > (best?.amount ?? 0n)) best = { who, ...found }
        }
      }
    if (best) exits.push(best)
  }
  return (await areTogether(chain, exits, base)) ? exits : []
}

/** Where one depositor's way out takes the other's, there is nothing to compare with. */
const areTogether = async (chain: Chain, exits: readonly Exit[], base: Snapshot): Promise<boolean> => {
  let isGood = true
  for (const exit of exits) isGood &&= await stillPays(chain, exit)
  chain.restore(base)
  return isGood
}

/** Whether it pays nine tenths of what it should, as the chain is now; the chain is left as the call left it. */
export const stillPays = async (chain: Chain, { who, step, asset, amount }: Exit): Promise<boolean> => {
  const before = ownOf(chain, who)
  const here = chain.snapshot()
  const queue: CallStep[] = [step]
  for (let tries = 0; tries < maxTries; tries++) {
    const next = queue.shift()
    if (!next) break
    chain.restore(here)
    const outcome = await chain.perform(next)
    const received = (ownOf(chain, who)[asset] ?? 0n) - (before[asset] ?? 0n)
    if (outcome.ok && 10n * received >= 9n * amount) return true
    queue.push(...variantsOf(chain, next, outcome))
  }
  chain.restore(here)
  return false
}
