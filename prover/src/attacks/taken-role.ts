import type { Proof, Scene } from './attack.ts'

const holds = (word: bigint, address: string): boolean => word.toString(16).padStart(40, '0').includes(address.slice(2))

/** A slot that held the owner's address before and holds the attacker's now; asked of a chain that is as before the attack. */
export const takenRole = (
  { chain, target }: Scene,
  after: ReadonlyMap<bigint, bigint>,
): (Proof['assertion'] & { readonly kind: 'slot' }) | undefined => {
  const before = chain.machine.storageOf(target.address)
  const { attacker, owner } = chain.actors
  for (const [slot, value] of after) {
    const old = before.get(slot) ?? 0n
    if (holds(value, attacker) && holds(old, owner)) return { kind: 'slot', slot, value }
  }
  return undefined
}
