/** A role changed hands: a call that only the owner could make is now granted to an outsider. */
import { changedToAttacker, roleNamedOf, takenRoleIn } from '../attacks/taken-role.ts'
import { profitOf } from '../scene/assets.ts'
import type { Chain } from '../scene/chain.ts'
import { ether } from '../scene/chain.ts'
import type { CallStep, Instance } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import type { Harm } from './harm.ts'
import type { HuntScene } from './hunt-scene.ts'

const maxFunctions = 16

/** A call with likely arguments, as made by somebody. */
const callsOf = (chain: Chain, to: Instance): CallStep[] => {
  const { attacker, alice } = chain.actors
  const pool = { addresses: [attacker, alice], numbers: [1n, ether] }
  return to.contract.functions
    .filter(({ isView }) => !isView)
    .slice(0, maxFunctions)
    .flatMap((fn) =>
      argumentLists(fn, pool, 2).map(
        (args): CallStep => ({ kind: 'call', actor: 'attacker', via: null, to, fn, args, value: 0n }),
      ),
    )
}

const isGranted = async (chain: Chain, step: CallStep): Promise<boolean> => (await chain.peek(step)).ok

/** The owner's address in storage was replaced by the attacker's, and a right came with it. */
export const gainedRight = async ({ chain, base, before, storage }: HuntScene): Promise<Harm | undefined> => {
  const here = chain.snapshot()
  for (const at of chain.instances) {
    const [was, now] = [storage.get(at.address) ?? new Map(), chain.machine.storageOf(at.address)]
    const taken = takenRoleIn(chain, was, now)
    const changed = taken ?? changedToAttacker(chain, was, now)
    if (!changed) continue
    // A place that was paid for was bought: a throne, a highest bid.
    if (profitOf(before.loot, chain.loot()) !== undefined) continue
    if (!taken) {
      const named = await roleNamedOf(chain, at, { base, here })
      if (named)
        return {
          oracle: 'role-taken',
          harm: `an outsider claimed the owner's role in ${at.contract.name}: ${named}() answers with the outsider`,
          assertion: changed,
          at,
          control: { change: `${named}() before`, result: 'it answers with another account, or none' },
        }
      continue
    }
    for (const step of callsOf(chain, at)) {
      chain.restore(here)
      if (!(await isGranted(chain, step))) continue
      chain.restore(base)
      const isNew = !(await isGranted(chain, step)) && (await isGranted(chain, { ...step, actor: 'owner' }))
      chain.restore(here)
      if (!isNew) continue
      return {
        oracle: 'role-taken',
        harm: `an outsider took over the owner's role in ${at.contract.name} and may call ${step.fn?.name}()`,
        assertion: taken,
        at,
        control: { change: `${step.fn?.name}() by the same outsider before`, result: 'the call is refused' },
      }
    }
    const named = await roleNamedOf(chain, at, { base, here })
    if (named)
      return {
        oracle: 'role-taken',
        harm: `an outsider took over the owner's role in ${at.contract.name}: ${named}() answers with the outsider`,
        assertion: taken,
        at,
        control: { change: `${named}() before`, result: 'it answers with the owner' },
      }
  }
  return undefined
}
