/** What becomes of values: whether one comes to a use at all. */

import type { Flow, Op, OpKind } from '../ir/index.ts'

/** Whether each operation comes to a use: from the uses back to what they are made of, however many loops carry it there. */
const usesPass = (flow: Flow): readonly boolean[] => {
  const used = new Array<boolean>(flow.ir.ops.length).fill(false)
  const work: Op[] = []
  const mark = (value: Op): void => {
    if (used[value.id]) return
    used[value.id] = true
    work.push(value)
  }
  const { blocks, locations } = flow.ir
  for (const { condition } of blocks) if (condition !== null) mark(condition)
  for (const { index } of locations) if (index !== null) mark(index)
  for (const { ops } of blocks)
    for (const op of ops) {
      if (op.kind === 'call' && op.call.value !== null) mark(op.call.value)
      if (ends.has(op.kind)) for (const arg of op.args) mark(arg)
    }
  for (let op = work.pop(); op !== undefined; op = work.pop()) for (const arg of op.args) mark(arg)
  return used
}

/** Uses by themselves, whatever becomes of them. */
const ends: ReadonlySet<OpKind> = new Set(['store', 'call', 'assume', 'return'])

/** The value comes to a use: a condition, an index, state, a call, a result. */
export const isUsed = (flow: Flow, op: Op): boolean => flow.answer(usesPass)[op.id]!
