/** Who uses a value, and as what. */
import type { Ir, Op } from './ir.ts'
import { zeros } from './zeros.ts'

export const conditionBit = 1
export const indexBit = 2

/** Who uses a value directly. Most have one user, and hardly anybody is asked for: lists are made for the others. */
export class Users {
  /** By the number of the value. */
  readonly #users: (Op | Op[] | undefined)[]

  constructor({ blocks, ops: all }: Ir) {
    this.#users = new Array(all.length)
    for (let b = 0; b < blocks.length; b++) {
      const { phis, ops } = blocks[b]!
      for (let i = 0; i < phis.length; i++) addUsers(this.#users, phis[i]!)
      for (let i = 0; i < ops.length; i++) addUsers(this.#users, ops[i]!)
    }
  }

  of({ id }: Op): readonly Op[] {
    const known = this.#users[id]
    if (known === undefined) return nobody
    if (Array.isArray(known)) return known
    const only = [known]
    this.#users[id] = only
    return only
  }
}

const nobody: readonly Op[] = []

/** By the number of a value, whether it decides a branch, and whether it chooses an element. */
export const rolesPass = ({ blocks, locations, ops }: Ir): readonly number[] => {
  const roles = zeros(ops.length)
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

const addUsers = (users: (Op | Op[] | undefined)[], user: Op): void => {
  const { args, call } = user
  for (let i = 0; i < args.length; i++) addUser(users, args[i]!, user)
  if (call === null) return
  if (call.target !== null) addUser(users, call.target, user)
  if (call.value !== null) addUser(users, call.value, user)
  if (call.gas !== null) addUser(users, call.gas, user)
}

const addUser = (users: (Op | Op[] | undefined)[], value: Op, user: Op): void => {
  const known = users[value.id]
  if (known === undefined) users[value.id] = user
  else if (Array.isArray(known)) {
    if (known[known.length - 1] !== user) known.push(user)
  } else if (known !== user) users[value.id] = [known, user]
  if (value.kind === 'tuple') for (const part of value.args) addUser(users, part, user)
}
