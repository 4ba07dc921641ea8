/** What becomes of values: whether one comes to a use at all, and whether to one that is about money. */
import type { Flow } from './flow.ts'
import type { Op } from './ir.ts'
import { zeros } from './zeros.ts'

/** A condition, an index, state, a call, a result. */
export const usedBit = 1
/** State, an amount of ether. */
export const moneyBit = 2

/** One pass against the order of the program, once more where a loop carries a use back. */
export const usesPass = (flow: Flow): readonly number[] => {
  const roles = zeros(flow.ir.ops.length)
  for (let round = flow.ir.loops.length > 0 ? 2 : 1; round > 0; round--) {
    for (let b = flow.blocks.length - 1; b >= 0; b--) {
      const { ops, phis } = flow.blocks[b]!
      for (let i = ops.length - 1; i >= 0; i--) passOn(flow, ops[i]!, roles)
      for (const phi of phis) passOn(flow, phi, roles)
    }
  }
  return roles
}

const passOn = (flow: Flow, op: Op, roles: number[]): void => {
  let bits = roles[op.id]!
  switch (op.kind) {
    case 'store':
      bits = op.location!.space === 'memory' ? usedBit : usedBit | moneyBit
      break
    case 'call':
      if (op.call!.value !== null) mark(op.call!.value, usedBit | moneyBit, roles)
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
  if (flow.isCondition(op) || flow.isIndex(op)) {
    bits |= usedBit
    roles[op.id] = bits
  }
  if (bits !== 0) for (const arg of op.args) mark(arg, bits, roles)
}

const mark = (value: Op, bits: number, roles: number[]): void => {
  roles[value.id]! |= bits
  if (value.kind === 'tuple') for (const part of value.args) roles[part.id]! |= bits
}
