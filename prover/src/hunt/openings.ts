/** How an outsider takes part before an attack: by the calls with which honest people did when the scene was set. */

import type { CallStep } from '../scene/step.ts'
import { takesPart } from '../scene/take-part.ts'
import { calledInstances, type HuntScene } from './hunt-scene.ts'

/** All of the calls together, then each by itself where there are several. */
export const openingsOf = async (scene: HuntScene): Promise<CallStep[][]> => {
  const { chain, base } = scene
  const addresses = new Set(calledInstances(scene).map(({ address }) => address))
  chain.restore(base)
  const all = await takesPart(chain, ({ to }) => addresses.has(to.address))
  chain.restore(base)
  if (all.length <= 1) return all.length === 0 ? [] : [all]
  const alone: CallStep[][] = []
  for (const step of all) {
    if ((await chain.perform(step)).ok) alone.push([step])
    chain.restore(base)
  }
  return [all, ...alone]
}
