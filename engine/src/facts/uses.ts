/** What becomes of values: whether one comes to a use at all. */

import type { Flow, Op, OpKind } from '../ir/index.ts'

/** Whether each operation comes to a use: one pass against the order of the program, once more where a loop carries a use back. */
const usesPass = (flow: Flow): readonly boolean[] => {
  const used = new Array<boolean>(flow.ir.ops.length).fill(false)
  const { blocks, locations } = flow.ir
  for (const { condition } of blocks) if (condition !== null) used[condition.id] = true
  for (const { index } of locations) if (index !== null) used[index.id] = true
  for (let round = flow.ir.loops.length > 0 ? 2 : 1; round > 0; round--) {
    for (let b = blocks.length - 1; b >= 0; b--) {
      const { ops, phis } = blocks[b]!
      for (let i = ops.length - 1; i >= 0; i--) passOn(ops[i]!, used)
      for (const phi of phis) passOn(phi, used)
    }
  }
  return used
}

/** Uses by themselves, whatever becomes of them. */
const ends: ReadonlySet<OpKind> = new Set(['store', 'call', 'assume', 'return'])

const passOn = (op: Op, used: boolean[]): void => {
  if (op.kind === 'emit' || op.kind === 'revert') return
  if (op.kind === 'call' && op.call.value !== null) mark(op.call.value, used)
  if (used[op.id] || ends.has(op.kind)) for (const arg of op.args) mark(arg, used)
}

const mark = (value: Op, used: boolean[]): void => {
  used[value.id] = true
  if (value.kind === 'tuple') for (const part of value.args) used[part.id] = true
}

/** The value comes to a use: a condition, an index, state, a call, a result. */
export const isUsed = (flow: Flow, op: Op): boolean => flow.answer(usesPass)[op.id]!
