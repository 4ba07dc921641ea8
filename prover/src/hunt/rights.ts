/** A role changed hands: a call that only the owner could make is now granted to an outsider. */
import { claimedRoleIn, takenRoleIn } from '../attacks/taken-role.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { profitOf } from '../scene/assets.ts'
import type { Chain } from '../scene/chain.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep, Instance } from '../scene/step.ts'
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
    const claimed = taken ? undefined : claimedRoleIn(chain, was, now)
    if (!taken && !claimed) continue
    // A place that was paid for was bought: a throne, a highest bid.
    const isPaidFor = profitOf(before.loot, chain.loot()) !== undefined
    if (isPaidFor) continue
    if (!taken) {
      const named = await namesAttacker(chain, at, { base, here }, null)
      if (named && claimed)
        return {
          oracle: 'role-taken',
          harm: `an outsider claimed the owner's role in ${at.contract.name}, which nobody had: ${named}() answers with the outsider`,
          assertion: claimed,
          at,
          control: { change: `${named}() before`, result: 'it answers with no account' },
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
    const named = await namesAttacker(chain, at, { base, here }, 'owner')
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

const roleGetter = /^(?:get)?(?:owner|admin|governor|governance)$/i

/** A contract that says whose it is, and says so of the attacker now; before it was the owner's, or nobody's. */
const namesAttacker = async (
  chain: Chain,
  to: Instance,
  { base, here }: { readonly base: Snapshot; readonly here: Snapshot },
  holder: Actor | null,
): Promise<string | undefined> => {
  const isAnswer = ({ ok, returned }: Outcome, who: Actor | null): boolean =>
    ok && returned.length === 66 && BigInt(returned) === (who ? BigInt(chain.actors[who]) : 0n)
  const getters = to.contract.functions.filter(
    ({ name, isView, inputs }) => isView && inputs.length === 0 && roleGetter.test(name),
  )
  for (const fn of getters) {
    const step: CallStep = { kind: 'call', actor: 'alice', via: null, to, fn, args: [], value: 0n }
    chain.restore(here)
    const now = await chain.peek(step)
    chain.restore(base)
    const before = await chain.peek(step)
    chain.restore(here)
    if (isAnswer(now, 'attacker') && isAnswer(before, holder)) return fn.name
  }
  return undefined
}
