import type { Outcome, Snapshot } from '../evm/machine.ts'
import type { Chain } from '../scene/chain.ts'
import type { CallStep, Instance } from '../scene/step.ts'
import type { Proof, Scene } from './attack.ts'

type SlotAssertion = Proof['assertion'] & { readonly kind: 'slot' }
type Slots = ReadonlyMap<bigint, bigint>

const holds = (word: bigint, address: string): boolean => word.toString(16).padStart(40, '0').includes(address.slice(2))

/** A slot that held the owner's address before and holds the attacker's now; checked on a chain that is as before the attack. */
export const takenRole = ({ chain, target }: Scene, after: Slots): SlotAssertion | undefined =>
  takenRoleIn(chain, chain.machine.storageOf(target.address), after)

export const takenRoleIn = ({ actors }: Chain, before: Slots, after: Slots): SlotAssertion | undefined => {
  for (const [slot, value] of after) {
    const old = before.get(slot) ?? 0n
    if (holds(value, actors.attacker) && holds(old, actors.owner)) return { kind: 'slot', slot, value }
  }
  return undefined
}

/** A slot that holds the attacker's address alone now and held another word before. */
export const changedToAttacker = ({ actors }: Chain, before: Slots, after: Slots): SlotAssertion | undefined => {
  for (const [slot, value] of after)
    if (holds(value, actors.attacker) && !holds(before.get(slot) ?? 0n, actors.attacker))
      return { kind: 'slot', slot, value }
  return undefined
}

const roleGetter = /^(?:get)?(?:owner|admin|governor|governance)$/i

/** The getter that answers with the attacker now, and answered before with another account or none; Alice and Bob hand on what they trade. */
export const roleNamedOf = async (
  chain: Chain,
  to: Instance,
  { base, here }: { readonly base: Snapshot; readonly here: Snapshot },
): Promise<string | undefined> => {
  const holderIn = ({ ok, returned }: Outcome): bigint | undefined =>
    ok && returned.length === 66 ? BigInt(returned) : undefined
  const [attacker, ...traders] = (['attacker', 'alice', 'bob'] as const).map((who) => BigInt(chain.actors[who]))
  const getters = to.contract.functions.filter(
    ({ name, inputs, isView }) => isView && inputs.length === 0 && roleGetter.test(name),
  )
  for (const fn of getters) {
    const step: CallStep = { kind: 'call', actor: 'alice', via: null, to, fn, args: [], value: 0n }
    chain.restore(here)
    const now = holderIn(await chain.peek(step))
    chain.restore(base)
    const before = holderIn(await chain.peek(step))
    chain.restore(here)
    if (now === attacker && before !== undefined && before !== attacker && !traders.includes(before)) return fn.name
  }
  return undefined
}
