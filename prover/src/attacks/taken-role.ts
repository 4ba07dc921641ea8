import type { Chain } from '../scene/chain.ts'
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

/** A slot that held nothing before and holds the attacker's address alone now. */
export const claimedRoleIn = ({ actors }: Chain, before: Slots, after: Slots): SlotAssertion | undefined => {
  for (const [slot, value] of after)
    if (value === BigInt(actors.attacker) && !before.get(slot)) return { kind: 'slot', slot, value }
  return undefined
}
