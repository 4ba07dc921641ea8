/** SWC-114: a rival's transaction, placed before the victim's, leaves the victim worse off than after it. */
import { type Change, changeOf, gainOf, type Holdings, lossOf } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import {
  type Attack,
  actorWords,
  attackerPool,
  entriesOf,
  flaggedEvents,
  formatChange,
  gainAssertion,
  nameOfCall,
  type Proof,
  type Scene,
  tokenOf,
} from './attack.ts'

const maxRivals = 24

/** Whoever sees the victim's transaction waiting: an outsider, or the owner with the rights of one. */
const rivalCalls = (scene: Scene, last: CallStep, actor: Actor): CallStep[] => {
  const pool = { ...attackerPool(scene), numbers: [1n, 5n * ether, 0n] }
  const same: CallStep = { ...last, actor, via: null }
  const others = scene.target.contract.functions
    .filter((fn) => !fn.isView)
    .sort((a, b) => Number(b.name === scene.finding.function) - Number(a.name === scene.finding.function))
    .flatMap((fn) =>
      argumentLists(fn, pool, 3).map(
        (args): CallStep => ({
          kind: 'call',
          actor,
          via: null,
          to: scene.target,
          fn,
          args,
          value: fn.isPayable ? ether : 0n,
        }),
      ),
    )
  return [same, ...others].slice(0, maxRivals)
}

interface Standing {
  readonly isServed: boolean
  readonly victim: Holdings
  readonly rival: Holdings
}

const strike = async (scene: Scene, attempt: Attempt, rival: CallStep): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const head = attempt.steps.slice(0, -1)
  const last = attempt.steps.at(-1) as CallStep
  const standing = (isServed: boolean): Standing => ({
    isServed,
    victim: chain.holdingsOf('alice'),
    rival: chain.loot(),
  })
  const behind = await runSteps(chain, base, [...head, last, rival])
  const served = behind.outcomes[head.length]?.ok ?? false
  if (behind.outcomes.length < head.length + 2) return undefined
  const second = standing(served)
  const ahead = await runSteps(chain, base, [...head, rival, last])
  if (ahead.outcomes.length < head.length + 2) return undefined
  const first = standing(ahead.outcome.ok)
  chain.restore(base)
  const start = chain.loot()
  const before = chain.holdingsOf('alice')
  const touched = flaggedEvents(scene, ahead.outcome).length > 0 || flaggedEvents(scene, behind.outcome).length > 0
  const loss = lossOf(first.victim, second.victim)
  const profit = gainOf(first.rival, second.rival) && gainOf(first.rival, start)
  // A call that fails costs its sender nothing, unless the rival took what it was after.
  const isHarmed = second.isServed && (first.isServed ? loss : profit)
  if (!touched || !isHarmed) return undefined
  const what = first.isServed && loss ? `costs Alice ${formatChange(scene, loss)}` : 'makes it fail'
  return {
    steps: [...head, rival, last],
    effects: [],
    harm: `${nameOfCall(rival.fn)} of ${actorWords[rival.actor]}, placed before Alice's ${nameOfCall(last.fn)}, ${what}`,
    control: {
      change: 'the same two transactions in the other order',
      result: "Alice's call succeeds and costs her no more",
    },
    assertion: assertionFor(scene, first, { start, before, loss }),
  }
}

const assertionFor = (
  scene: Scene,
  first: Standing,
  { start, before, loss }: { start: Holdings; before: Holdings; loss: Change | undefined },
): Proof['assertion'] => {
  if (!first.isServed) return { kind: 'blocked' }
  const gain = gainOf(first.rival, start)
  if (gain) return gainAssertion(scene, gain)
  const asset = loss?.asset ?? 0
  return { kind: 'poorer', most: changeOf(first.victim, before, asset), ...tokenOf(scene, asset) }
}

export const transactionOrder: Attack = {
  swc: 'SWC-114',
  run: (scene) => {
    const { chain, target, budget } = scene
    let tried = 0
    return explore<Proof>(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'alice', via: null },
        pool: { ...attackerPool(scene, [chain.actors.alice]), numbers: [1n, ether, 0n] },
        values: [0n, ether],
        async accept(attempt) {
          if (!attempt.outcome.ok || tried++ > 4) return undefined
          const last = attempt.steps.at(-1) as CallStep
          for (const rival of [...rivalCalls(scene, last, 'attacker'), ...rivalCalls(scene, last, 'owner')]) {
            const proof = budget.spend() ? await strike(scene, attempt, rival) : undefined
            if (proof) return proof
          }
          return undefined
        },
      },
      budget,
    )
  },
}
