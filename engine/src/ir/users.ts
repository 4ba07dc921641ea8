/** Who uses a value, and as what. */
import type { Ir, Op } from './ir.ts'

export const conditionBit = 1
export const indexBit = 2

/** Who uses a value directly. */
export class Users {
  /** By the number of the value; nothing for those that nobody uses. */
  readonly #users: (Op[] | undefined)[]

  constructor({ blocks, ops: all }: Ir) {
    this.#users = new Array(all.length)
    for (const { phis, ops } of blocks) {
      for (const phi of phis) this.#addAll(phi)
      for (const op of ops) this.#addAll(op)
    }
  }

  of({ id }: Op): readonly Op[] {
    return this.#users[id] ?? noUsers
  }

  #addAll(user: Op): void {
    for (const arg of user.args) this.#add(arg, user)
    if (user.kind !== 'call') return
    const { target, value, gas } = user.call
    for (const used of [target, value, gas]) if (used !== null) this.#add(used, user)
  }

  #add(value: Op, user: Op): void {
    const users = this.#users[value.id]
    if (users === undefined) this.#users[value.id] = [user]
    else if (users[users.length - 1] !== user) users.push(user)
    if (value.kind === 'tuple') for (const part of value.args) this.#add(part, user)
  }
}

const noUsers: readonly Op[] = Object.freeze([])

/** By the number of a value, whether it decides a branch, and whether it chooses an element. */
export const rolesPass = ({ blocks, locations, ops }: Ir): readonly number[] => {
  const roles = new Array<number>(ops.length).fill(0)
  for (let b = 0; b < blocks.length; b++) {
    const { condition } = blocks[b]!
    if (condition !== null) roles[condition.id]! |= conditionBit
  }
  for (let i = 0; i < locations.length; i++) {
    const { index } = locations[i]!
    if (index !== null) roles[index.id]! |= indexBit
  }
  return roles
}
