/**
 * SWC-132: the contract compares a balance with what it expects, and ether arrives that nobody requested. Ether can be forced
 * also to where a contract will only stand later.
 */

import { addressOfWord } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { op } from '../evm/trace.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep, ForceStep } from '../scene/step.ts'
import type { Attempt } from '../search/explore.ts'
import {
  type Attack,
  actorWords,
  attackerPool,
  entriesOf,
  flaggedEvents,
  formatEther,
  nameOfCall,
  type Proof,
  type Scene,
} from './attack.ts'
import { difference, runApart } from './compare-runs.ts'
import { fillList } from './filled-list.ts'
import { exploreForHarm, firstHarm } from './prefer-harm.ts'

const mostEther = 1000n * ether

/** Whose balance the flagged code asks about. */
const balancesRead = (scene: Scene, outcome: Outcome): string[] => [
  ...new Set(
    flaggedEvents(scene, outcome).flatMap(({ op: code, stack }) => {
      if (code === op.SELFBALANCE) return [scene.target.address]
      return code === op.BALANCE ? [addressOfWord(stack[0] ?? 0n)] : []
    }),
  ),
]

/** A little breaks an equality that holds; what is missing makes one hold that should not. */
const amounts = (scene: Scene, { trace }: Outcome, held: bigint): bigint[] => {
  const missing = trace
    .filter((event) => event.op === op.EQ && event.code === scene.target.address && event.stack.includes(held))
    .map(({ stack: [a = 0n, b = 0n] }) => (a > b ? a - b : b - a))
  return [...new Set([1n, ...missing])].filter((amount) => amount > 0n && amount < mostEther).slice(0, 4)
}

const strike = async (scene: Scene, attempt: Attempt, address: string): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  const held = chain.machine.balanceOf(address)
  chain.restore(base)
  const start = chain.loot()
  const last = attempt.steps.at(-1) as CallStep
  const before = await runApart(scene, attempt.steps)
  const label = address === target.address ? target.contract.name : `the account that ${nameOfCall(last.fn)} asks about`
  for (const value of amounts(scene, attempt.outcome, held)) {
    if (!before || !budget.spend()) return undefined
    const force: ForceStep = { kind: 'force', actor: 'attacker', to: { address, label }, value }
    const after = await runApart(scene, [...attempt.steps.slice(0, -1), force, last])
    if (!after || after.path === before.path) continue
    const assertion = difference(scene, before, after, start)
    if (!assertion) continue
    const who = actorWords[last.actor]
    const ends = assertion.kind === 'blocked' ? 'fails' : 'decides otherwise'
    return {
      steps: after.steps,
      status: assertion.kind === 'gain' || assertion.kind === 'blocked' ? 'confirmed' : 'executed',
      effects: [],
      harm: `${formatEther(value)} forced on ${label} decides: ${nameOfCall(last.fn)} of ${who} ${ends}`,
      control: {
        change: 'the same call without the forced ether',
        result: before.outcome.ok ? 'the call succeeds' : 'the contract refuses the call',
      },
      assertion,
    }
  }
  return undefined
}

const asCaller = (scene: Scene, actor: Actor): Promise<Proof | undefined> => {
  const { chain, target, budget } = scene
  return exploreForHarm(
    chain,
    {
      target,
      entries: entriesOf(scene),
      caller: { actor, via: null },
      pool: { ...attackerPool(scene, [chain.actors[actor]]), numbers: [1n, ether, 0n, 2n] },
      async accept(attempt) {
        for (const address of balancesRead(scene, attempt.outcome)) {
          const proof = await strike(scene, attempt, address)
          if (proof) return proof
        }
        return undefined
      },
    },
    budget,
  )
}

export const forcedEther: Attack = {
  swc: 'SWC-132',
  tries: 'ether forced on the account whose balance is compared',
  // What the scene itself had forced on the contract would have broken its expectation before the attacker does.
  withoutForcedEther: true,
  run: (scene) => firstHarm([() => asCaller(scene, 'alice'), () => asCaller(scene, 'owner'), () => fillList(scene)]),
}
