/** SWC-116: the proposer of the block moves its time by a few seconds, and thereby decides. */
import type { Outcome } from '../evm/machine.ts'
import { comparisonOps, op } from '../evm/trace.ts'
import { ether } from '../scene/chain.ts'
import type { AdvanceStep, CallStep, Step } from '../scene/step.ts'
import type { Attempt } from '../search/explore.ts'
import { type Attack, attackerPool, entriesOf, flaggedEvents, nameOfCall, type Scene } from './attack.ts'
import { difference, type Run, runApart } from './compare-runs.ts'
import { exploreForHarm } from './prefer-harm.ts'

/** A proposer's clock may be ahead by this much without other nodes minding. */
const reachSeconds = 15n
const maxMoments = 6
const farthest = 10n * 365n * 86_400n

/** Waiting times after which a comparison is about to flip. */
const moments = ({ trace }: Outcome, code: string): bigint[] => {
  const found = new Set<bigint>([0n])
  for (const event of trace) {
    if (!comparisonOps.has(event.op) || event.code !== code) continue
    const [a = 0n, b = 0n] = event.stack
    const distance = a > b ? a - b : b - a
    if (distance > 0n && distance < farthest) found.add(distance - 1n)
  }
  return [...found].slice(0, maxMoments)
}

const compared: Partial<Record<number, (a: bigint, b: bigint) => boolean>> = {
  [op.LT]: (a, b) => a < b,
  [op.GT]: (a, b) => a > b,
  [op.EQ]: (a, b) => a === b,
}

/** Branches that were taken, and what comparisons on the flagged lines came to: an answer may be decided without a branch. */
const decisions = (scene: Scene, { path, outcome }: Run): string =>
  [
    path,
    ...flaggedEvents(scene, outcome).flatMap(({ op: code, stack: [a = 0n, b = 0n] }) => {
      const compare = compared[code]
      return compare ? [compare(a, b) ? 1 : 0] : []
    }),
  ].join(' ')

const runAfter = (scene: Scene, { steps }: Attempt, seconds: bigint): Promise<Run | undefined> => {
  const wait: AdvanceStep = { kind: 'advance', seconds, blocks: seconds === 0n ? 0n : 1n }
  return runApart(scene, [...steps.slice(0, -1), wait, steps.at(-1) as Step])
}

export const movedTime: Attack = {
  swc: 'SWC-116',
  isOfAnswers: true,
  tries: 'the time of the block moved by up to 15 s',
  run: (scene) => {
    const { chain, target, base, budget } = scene
    return exploreForHarm(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        pool: { ...attackerPool(scene), numbers: [1n, ether, 0n, 2n] },
        values: [0n, ether],
        async accept(attempt) {
          const last = attempt.steps.at(-1) as CallStep
          const readsTime = flaggedEvents(scene, attempt.outcome).some(
            ({ op: code }) => code === op.TIMESTAMP || code === op.NUMBER,
          )
          if (!readsTime) return undefined
          chain.restore(base)
          const start = chain.loot()
          for (const moment of moments(attempt.outcome, target.address)) {
            const before = await runAfter(scene, attempt, moment)
            for (const shift of [1n, 2n, 3n, 5n, 7n, 11n, reachSeconds]) {
              if (!budget.spend()) return undefined
              const after = await runAfter(scene, attempt, moment + shift)
              if (!before || !after || decisions(scene, after) === decisions(scene, before)) continue
              const assertion = difference(scene, before, after, start)
              if (!assertion) continue
              return {
                steps: after.steps,
                status: assertion.kind === 'gain' ? 'confirmed' : 'executed',
                effects: [],
                harm: `a block time moved by ${shift} s, within a proposer's reach, changes what ${nameOfCall(last.fn)} decides`,
                control: { change: 'the same call with the time unmoved', result: 'the contract decides otherwise' },
                assertion,
              }
            }
          }
          return undefined
        },
      },
      budget,
    )
  },
}
