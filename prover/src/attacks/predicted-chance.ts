/**
 * SWC-120: what is meant as chance follows from the block, so a contract in the same block knows it beforehand. Best shown by
 * money: calls made only when they win. Else by the value itself: foretold in one block, and another in the next.
 */
import type { Outcome } from '../evm/machine.ts'
import { blockOps, op } from '../evm/trace.ts'
import { type Change, gainOf, type Holdings } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import type { AdvanceStep, Step } from '../scene/step.ts'
import { type Attempt, runSteps } from '../search/explore.ts'
import { slotsWritten } from '../search/feedback.ts'
import {
  type Attack,
  attackerPool,
  changeWords,
  entriesOf,
  flaggedEvents,
  formatChange,
  gainAssertion,
  nameOfCall,
  type Proof,
  type Scene,
} from './attack.ts'
import { exploreForHarm } from './prefer-harm.ts'

const blocks = 8

/** What chance decides differs from block to block, and follows from the seed of the scene. */
const nextBlock = ({ base }: Scene, index: number): AdvanceStep => ({
  kind: 'advance',
  seconds: 12n * BigInt(index),
  blocks: BigInt(index),
  salt: (base.block.salt - 1) * blocks + index + 1,
})

interface Draw {
  readonly steps: readonly Step[]
  readonly loot: Holdings
  readonly gain: Change | undefined
  readonly outcome: Outcome
  readonly storage: ReadonlyMap<bigint, bigint>
  /** What the call left and said. */
  readonly result: string
}

/** The last call of an attempt in another block. */
const draw = async (scene: Scene, { steps }: Attempt, index: number): Promise<Draw> => {
  const { chain, base, target } = scene
  const last = steps.at(-1) as Step
  const moved = [...steps.slice(0, -1), nextBlock(scene, index), last]
  const { outcome } = await runSteps(chain, base, moved)
  const loot = chain.loot()
  const storage = chain.machine.storageOf(target.address)
  const written = outcome.trace
    .filter((event) => event.op === op.SSTORE && event.address === target.address)
    .map(({ stack }) => stack.join('='))
  chain.restore(base)
  return {
    steps: moved,
    loot,
    gain: gainOf(loot, chain.loot()),
    outcome,
    storage,
    result: [outcome.ok, outcome.returned, ...written].join(' '),
  }
}

/** The winning run again, in the same block, with other values for what the flagged line reads from it: undefined when it wins all the same. */
const withoutLever = async (scene: Scene, best: Draw): Promise<Holdings | undefined> => {
  const { chain, base, target, flagged, budget } = scene
  chain.restore(base)
  const start = chain.loot()
  for (let other = 1n; other <= blocks && budget.spend(); other++) {
    chain.machine.replace = ({ code, pc, op: ran, result = 0n }) =>
      code === target.address && flagged.has(pc) && blockOps.has(ran) ? result ^ (other * mixing) : undefined
    try {
      await runSteps(chain, base, best.steps)
      const loot = chain.loot()
      if (!gainOf(loot, start)) return loot
    } finally {
      chain.machine.replace = undefined
      chain.restore(base)
    }
  }
  return undefined
}

/** Spreads over all bits of a word that a time or a number has, so that a remainder by any small number changes. */
const mixing = 0x2f35a7n

const judge = async (scene: Scene, draws: readonly Draw[], attempt: Attempt): Promise<Proof | undefined> => {
  const last = attempt.steps.at(-1)
  const call = last?.kind === 'call' ? nameOfCall(last.fn) : 'the call'
  const won = draws.flatMap((each) => (each.gain && each.outcome.ok ? [{ ...each, gain: each.gain }] : []))
  const lost = draws.filter(({ gain }) => !gain)
  const [best] = won.sort((a, b) => Number(b.gain.amount > a.gain.amount) - Number(b.gain.amount < a.gain.amount))
  const without = best && lost.length > 0 ? await withoutLever(scene, best) : undefined
  if (best && without) {
    return {
      steps: best.steps,
      status: 'confirmed',
      effects: [],
      harm: `knowing the outcome of ${call} in the same block, the attacker played only to win and gained ${formatChange(scene, best.gain)}`,
      control: {
        change: 'the same calls with another block value at the flagged line',
        result: changeWords(scene, without, scene.chain.loot(), best.gain.asset),
      },
      assertion: gainAssertion(scene, best.gain),
    }
  }
  const [first, ...others] = draws.filter(({ outcome }) => outcome.ok)
  const differs = first && others.some(({ result }) => result !== first.result)
  if (!first || !differs) return undefined
  const prediction = predict(scene, first, others)
  return (
    prediction && {
      steps: first.steps,
      status: 'executed',
      effects: [],
      harm: `the value that ${call} draws was foretold from the block it runs in`,
      control: { change: 'the value foretold for one block, in the next ones', result: 'it does not come true' },
      assertion: prediction,
    }
  )
}

/** Something that the call says or writes, and that differs in other blocks. */
const predict = (scene: Scene, first: Draw, others: readonly Draw[]): Proof['assertion'] | undefined => {
  const word = ({ outcome }: Draw): bigint => BigInt(outcome.returned.slice(0, 66).padEnd(66, '0'))
  if (first.outcome.returned !== '0x' && others.some((other) => word(other) !== word(first)))
    return { kind: 'returns', word: word(first) }
  for (const slot of slotsWritten(first.outcome, scene.target.address)) {
    const value = first.storage.get(slot) ?? 0n
    const differs = others.some(({ storage }) => (storage.get(slot) ?? 0n) !== value)
    if (differs) return { kind: 'slot', slot, value }
  }
  return undefined
}

export const predictedChance: Attack = {
  swc: 'SWC-120',
  isOfAnswers: true,
  tries: 'calls made only in blocks in which they win',
  run: (scene) => {
    const { chain, target, budget } = scene
    const pool = attackerPool(scene)
    return exploreForHarm(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        pool: { ...pool, numbers: [1n, 0n, 2n, ether, 5n] },
        values: [0n, ether, ether / 10n],
        async accept(attempt) {
          const isDrawn = attempt.outcomes.some((outcome) =>
            flaggedEvents(scene, outcome).some((event) => blockOps.has(event.op)),
          )
          if (!attempt.outcome.ok || !isDrawn) return undefined
          const draws: Draw[] = []
          for (let index = 0; index < blocks && budget.spend(); index++) draws.push(await draw(scene, attempt, index))
          return judge(scene, draws, attempt)
        },
      },
      budget,
    )
  },
}
