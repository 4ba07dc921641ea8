/** Who uses a value, and as what. */
import type { Ir, Op } from './ir.ts'
import { zeros } from './zeros.ts'

export const conditionBit = 1
export const indexBit = 2

/** By the number of a value, the operations that use it directly. */
export const usersPass = ({ blocks, ops: all }: Ir): readonly (Op[] | undefined)[] => {
  const users: Op[][] = new Array(all.length)
  for (let b = 0; b < blocks.length; b++) {
    const { phis, ops } = blocks[b]!
    for (let i = 0; i < phis.length; i++) addUsers(users, phis[i]!)
    for (let i = 0; i < ops.length; i++) addUsers(users, ops[i]!)
  }
  return users
}

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

const addUsers = (users: Op[][], user: Op): void => {
  const { args, call } = user
  for (let i = 0; i < args.length; i++) addUser(users, args[i]!, user)
  if (call === null) return
  if (call.target !== null) addUser(users, call.target, user)
  if (call.value !== null) addUser(users, call.value, user)
  if (call.gas !== null) addUser(users, call.gas, user)
}

const addUser = (users: Op[][], value: Op, user: Op): void => {
  const list = users[value.id]
  if (list === undefined) users[value.id] = [user]
  else if (list[list.length - 1] !== user) list.push(user)
  if (value.kind === 'tuple') for (const part of value.args) addUser(users, part, user)
}
