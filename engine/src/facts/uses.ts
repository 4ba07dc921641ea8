/** What becomes of values: whether one comes to a use at all, and whether to one that is about money. */

import type { Flow, Op } from '../ir/index.ts'

/** A condition, an index, state, a call, a result. */
const usedBit = 1
/** State, an amount of ether. */
const moneyBit = 2

/** One pass against the order of the program, once more where a loop carries a use back. */
const usesPass = (flow: Flow): readonly number[] => {
  const roles = new Array<number>(flow.ir.ops.length).fill(0)
  const { blocks, locations } = flow.ir
  for (let b = 0; b < blocks.length; b++) {
    const { condition } = blocks[b]!
    if (condition !== null) roles[condition.id]! |= usedBit
  }
  for (let i = 0; i < locations.length; i++) {
    const { index } = locations[i]!
    if (index !== null) roles[index.id]! |= usedBit
  }
  for (let round = flow.ir.loops.length > 0 ? 2 : 1; round > 0; round--) {
    for (let b = blocks.length - 1; b >= 0; b--) {
      const { ops, phis } = blocks[b]!
      for (let i = ops.length - 1; i >= 0; i--) passOn(ops[i]!, roles)
      for (let i = 0; i < phis.length; i++) passOn(phis[i]!, roles)
    }
  }
  return roles
}

const passOn = (op: Op, roles: number[]): void => {
  let bits = roles[op.id]!
  switch (op.kind) {
    case 'store':
      bits = op.location.space === 'memory' ? usedBit : usedBit | moneyBit
      break
    case 'call':
      if (op.call.value !== null) mark(op.call.value, usedBit | moneyBit, roles)
      bits = usedBit
      break
    case 'assume':
    case 'return':
      bits = usedBit
      break
    case 'emit':
    case 'revert':
      return
  }
  if (bits === 0) return
  const { args } = op
  for (let i = 0; i < args.length; i++) mark(args[i]!, bits, roles)
}

const mark = (value: Op, bits: number, roles: number[]): void => {
  roles[value.id]! |= bits
  if (value.kind === 'tuple') for (const part of value.args) roles[part.id]! |= bits
}

/** The value comes to a use: a condition, an index, state, a call, a result. */
export const isUsed = (flow: Flow, op: Op): boolean => (flow.answer(usesPass)[op.id]! & usedBit) !== 0

/** The value comes to state or to an amount of ether. */
export const isAboutMoney = (flow: Flow, op: Op): boolean => (flow.answer(usesPass)[op.id]! & moneyBit) !== 0
