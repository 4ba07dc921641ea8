/** The attacker uses the contracts as Alice did when the scene was set: deposits, joins, buys. */
import type { AbiValue } from '../evm/abi.ts'
import type { Chain } from './chain.ts'
import type { CallStep } from './step.ts'

const maxCalls = 6

/** The calls that were granted, once for each function; the chain is left as they left it. */
export const takesPart = async (chain: Chain, isWanted: (step: CallStep) => boolean): Promise<CallStep[]> => {
  const { alice, attacker } = chain.actors
  const asAttacker = (value: AbiValue): AbiValue => {
    if (Array.isArray(value)) return value.map(asAttacker)
    return value === alice ? attacker : value
  }
  const seen = new Set<string>()
  const steps: CallStep[] = []
  for (const step of chain.prologue) {
    if (step.kind !== 'call' || step.actor !== 'alice' || !isWanted(step)) continue
    const key = `${step.to.address}.${step.fn?.name ?? ''}`
    if (seen.has(key) || steps.length >= maxCalls) continue
    seen.add(key)
    const own: CallStep = { ...step, actor: 'attacker', args: step.args.map(asAttacker) }
    const before = chain.snapshot()
    if ((await chain.perform(own)).ok) steps.push(own)
    else chain.restore(before)
  }
  return steps
}
