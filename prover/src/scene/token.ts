import type { Machine } from '../evm/machine.ts'
import type { Instance } from './step.ts'

/** A token of the scene whose balances lie in a mapping. */
export interface Token {
  readonly instance: Instance
  /** Of the mapping from accounts to balances. */
  readonly slot: bigint
  /** Each unit is one of its own (ERC-721): a balance counts them. */
  readonly isUnique: boolean
}

/** The place of an account's balance in a mapping. */
export const balanceSlot = (machine: Machine, slot: bigint, account: string): bigint =>
  BigInt(machine.keccak(`0x${account.slice(2).padStart(64, '0')}${slot.toString(16).padStart(64, '0')}`))
