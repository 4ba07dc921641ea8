/** The shortest sequence with the same harm: steps that are not needed are left out. */
import type { Step } from '../scene/step.ts'
import { runSteps } from '../search/explore.ts'
import type { Harm } from './harm.ts'
import type { HuntScene } from './hunt-scene.ts'
import { judge } from './oracles.ts'

export interface Shrunk {
  readonly steps: readonly Step[]
  readonly harm: Harm
}

export const shrink = async (scene: HuntScene, steps: readonly Step[], harm: Harm): Promise<Shrunk> => {
  const { chain, base } = scene
  let best: Shrunk = { steps, harm }
  for (let at = 0; at < best.steps.length; ) {
    const fewer = best.steps.filter((_, index) => index !== at)
    const attempt = fewer.length > 0 ? await runSteps(chain, base, fewer) : undefined
    const still = attempt && (await judge(scene, attempt, true))
    if (still?.oracle === harm.oracle) best = { steps: fewer, harm: still }
    else at++
  }
  chain.restore(base)
  return best
}
