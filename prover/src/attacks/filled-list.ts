/**
 * SWC-128: a call that an outsider makes again and again lengthens what another call goes through, until that one needs more gas
 * than a block has. How fast it grows is measured by a few calls; then the list is really filled, block by block.
 */
import type { AbiFunction } from '../evm/abi.ts'
import { blockGas, type Outcome } from '../evm/machine.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep, RepeatStep, Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import {
  type Attack,
  actorWords,
  allEntries,
  attackerPool,
  entriesOf,
  flaggedEvents,
  nameOfCall,
  type Proof,
  type Scene,
} from './attack.ts'

const sample = 8
/** Less than the cheapest read of storage is noise. */
const leastGrowth = 200n
const maxBlocks = 12n
const maxGrowers = 40

interface Growth {
  readonly repeat: RepeatStep
  /** Of the victim's call, for each repetition. */
  readonly gasPerCall: bigint
  readonly gasBefore: bigint
  readonly gasAfter: bigint
  readonly blocks: bigint
  readonly perBlock: bigint
}

/** The same call each time, then from other accounts, then with another number or address each time, then both. */
const repetitions = (call: CallStep): RepeatStep[] => {
  const inputs = call.fn?.inputs ?? []
  const counted = inputs.flatMap(({ type }, index) => (/^(u?int\d*|address)$/.test(type) ? [4 + 32 * index] : []))
  // Places in the head of the calldata are known only while everything before them takes one word.
  const places = inputs.every(({ type }) => !/[[(]|tuple/.test(type)) ? counted : []
  return [null, ...places.slice(0, 3)].flatMap((place) =>
    [false, true].map((isApart): RepeatStep => ({ kind: 'repeat', call, times: sample, isApart, place })),
  )
}

const growerCalls = (scene: Scene): CallStep[] => {
  const pool = { ...attackerPool(scene), numbers: [1n, 0n, ether] }
  const callsOf = (fn: AbiFunction | null): CallStep[] =>
    (fn === null || fn.isPayable ? [0n, 1n, ether / 100n] : [0n]).flatMap((value) =>
      argumentLists(fn, pool, 2).map(
        (args): CallStep => ({ kind: 'call', actor: 'attacker', via: null, to: scene.target, fn, args, value }),
      ),
    )
  return allEntries(scene).flatMap(callsOf).slice(0, maxGrowers)
}

const withBlockGas = (step: Step): CallStep => ({ ...(step as CallStep), gas: blockGas })

/** By how much a few repetitions make the victim's call dearer. */
const measure = async (scene: Scene, { steps }: Attempt, repeat: RepeatStep): Promise<Growth | undefined> => {
  const { chain, base } = scene
  const [head, last] = [steps.slice(0, -1), withBlockGas(steps.at(-1) as Step)]
  const alone = await runSteps(chain, base, [...head, last])
  const filled = await runSteps(chain, base, [...head, repeat, last])
  chain.restore(base)
  const filling = filled.outcomes[head.length]
  if (!alone.outcome.ok || !filling?.ok || !filled.outcome.ok) return undefined
  const [gasBefore, gasAfter] = [alone.outcome.gasUsed, filled.outcome.gasUsed]
  const gasPerCall = (gasAfter - gasBefore) / BigInt(sample)
  if (gasPerCall < leastGrowth) return undefined
  const wanted = (blockGas - gasBefore) / gasPerCall + BigInt(sample)
  const perBlock = (blockGas * BigInt(sample) * 9n) / (filling.gasUsed * 10n)
  const blocks = wanted / perBlock + 1n
  return { repeat, gasPerCall, gasBefore, gasAfter, blocks, perBlock }
}

const findGrowth = async (scene: Scene, attempt: Attempt): Promise<Growth | undefined> => {
  let best: Growth | undefined
  for (const call of growerCalls(scene)) {
    for (const repeat of repetitions(call)) {
      if (!scene.budget.spend()) return best
      const growth = await measure(scene, attempt, repeat)
      if (growth && growth.blocks <= maxBlocks && (!best || growth.blocks < best.blocks)) best = growth
    }
  }
  return best
}

const wait: Step = { kind: 'advance', seconds: 12n, blocks: 1n }

/** Fills as many blocks as the measure says, then one more at a time, until the victim's call no longer fits. */
const fill = async (scene: Scene, attempt: Attempt, growth: Growth): Promise<readonly Step[] | undefined> => {
  const { chain, base, budget } = scene
  const last = withBlockGas(attempt.steps.at(-1) as Step)
  const steps: Step[] = [...attempt.steps.slice(0, -1)]
  await runSteps(chain, base, steps)
  let times = Number(growth.perBlock)
  for (let block = 1n; block <= growth.blocks + 3n && budget.spend(); block++) {
    const repeat: RepeatStep = { ...countOn(growth.repeat, steps), times }
    const before = chain.snapshot()
    if (!(await chain.perform(repeat)).ok) {
      // The filling itself grew dearer: half as many fit into the next block.
      chain.restore(before)
      times = Math.floor(times / 2)
      if (times < sample) return undefined
      continue
    }
    await chain.perform(wait)
    steps.push(repeat, wait)
    // In between it would only cost time: the call is nearly as dear as a block.
    if (block > 1n && block < growth.blocks) continue
    const outcome: Outcome = await chain.peek(last)
    const expected = growth.gasBefore + growth.gasPerCall * BigInt(times)
    // What does not go on growing goes through a part of the list only.
    if (outcome.ok && block === 1n && outcome.gasUsed < expected / 2n) return undefined
    if (!outcome.ok) return outcome.error === 'out of gas' ? [...steps, last] : undefined
  }
  return undefined
}

/** Counts on from where the blocks before ended. */
const countOn = (repeat: RepeatStep, steps: readonly Step[]): RepeatStep => {
  const { call, place } = repeat
  if (place === null) return repeat
  const done = steps.reduce((sum, step) => sum + (step.kind === 'repeat' ? step.times : 0), 0)
  const at = (place - 4) / 32
  const args = call.args.map((value, index) => {
    if (index !== at) return value
    if (typeof value === 'bigint') return value + BigInt(done)
    return `0x${(BigInt(value as string) + BigInt(done)).toString(16).padStart(40, '0')}`
  })
  return { ...repeat, call: { ...call, args } }
}

const asVictim = (scene: Scene, actor: Actor): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  let isTried = false
  return explore<Proof>(
    chain,
    {
      target,
      entries: entriesOf(scene),
      caller: { actor, via: null },
      pool: { ...attackerPool(scene, [chain.actors[actor]]), numbers: [1n, 0n, ether, 2n] },
      async accept(attempt) {
        const isLooped = attempt.outcome.ok && flaggedEvents(scene, attempt.outcome).length > 0
        if (!isLooped || isTried) return undefined
        isTried = true
        const growth = await findGrowth(scene, attempt)
        const steps = growth && (await fill(scene, attempt, growth))
        chain.restore(base)
        if (!growth || !steps) return undefined
        const fills = steps.filter((step) => step.kind === 'repeat')
        const times = fills.reduce((sum, step) => sum + step.times, 0)
        const last = steps.at(-1) as CallStep
        return {
          steps,
          status: 'confirmed',
          effects: [],
          harm: `after ${times} calls of ${nameOfCall(growth.repeat.call.fn)} in ${fills.length} ${fills.length === 1 ? 'block' : 'blocks'}, ${nameOfCall(last.fn)} of ${actorWords[actor]} needs more gas than a block has (${blockGas})`,
          control: {
            change: `the same call after ${sample} such calls`,
            result: `it succeeds with ${growth.gasAfter} gas, ${growth.gasPerCall} more for each of them`,
          },
          assertion: { kind: 'exhausted' },
        }
      },
    },
    budget,
  )
}

export const fillList = async (scene: Scene): Promise<Proof | undefined> =>
  (await asVictim(scene, 'alice')) ?? (await asVictim(scene, 'owner'))

export const filledList: Attack = {
  swc: 'SWC-128',
  tries: 'calls that lengthen the list until the loop exceeds a block',
  run: fillList,
}
