/**
 * The operations of a flow by kind, sorted in one pass. The kinds that occur, and the kinds of call, are bits besides, so
 * that "is there any?" is answered without looking at a list, for one flow and for a whole scan.
 */
import type { BasicBlock, FlowCallKind, Op, OpKind } from './ir.ts'

/** Numbers of the kinds of operation: their place among the lists and in the bit set. */
const kindNumber: Readonly<Record<OpKind, number>> = {
  const: 0,
  param: 1,
  env: 2,
  phi: 3,
  tuple: 4,
  ref: 5,
  name: 6,
  unknown: 7,
  bin: 8,
  un: 9,
  cast: 10,
  select: 11,
  load: 12,
  store: 13,
  call: 14,
  builtin: 15,
  make: 16,
  extract: 17,
  emit: 18,
  assume: 19,
  opaque: 20,
  return: 21,
  revert: 22,
}

const callNumber: Readonly<Record<FlowCallKind, number>> = {
  internal: 0,
  library: 1,
  external: 2,
  lowlevel: 3,
  delegate: 4,
  callcode: 5,
  static: 6,
  send: 7,
  transfer: 8,
  create: 9,
  pointer: 10,
}

const leaving =
  (1 << callNumber.external) |
  (1 << callNumber.lowlevel) |
  (1 << callNumber.delegate) |
  (1 << callNumber.callcode) |
  (1 << callNumber.static) |
  (1 << callNumber.send) |
  (1 << callNumber.transfer) |
  (1 << callNumber.create)

export const kindBit = (kind: OpKind): number => 1 << kindNumber[kind]
export const callBit = (kind: FlowCallKind): number => 1 << callNumber[kind]

const none: Op[] = []
const noLists: Op[][] = new Array(23).fill(none)

export class OpIndex {
  /** A bit per kind of operation that occurs. */
  kinds: number
  /** A bit per kind of call that occurs. */
  calls: number
  /** Calls that leave the contract. */
  externalCalls: Op[]
  stateStores: Op[]
  memoryStores: Op[]
  stateLoads: Op[]
  readonly lists: Op[][]

  constructor(blocks: readonly BasicBlock[]) {
    this.kinds = 0
    this.calls = 0
    this.externalCalls = none
    this.stateStores = none
    this.memoryStores = none
    this.stateLoads = none
    this.lists = noLists.slice()
    for (let b = 0; b < blocks.length; b++) {
      const { phis, ops } = blocks[b]!
      for (let i = 0; i < phis.length; i++) add(this, phis[i]!, kindNumber.phi)
      for (let i = 0; i < ops.length; i++) sort(this, ops[i]!)
    }
  }

  of(kind: OpKind): readonly Op[] {
    return this.lists[kindNumber[kind]]!
  }
}

const add = (index: OpIndex, op: Op, number: number): void => {
  const list = index.lists[number]!
  if (list !== none) list.push(op)
  else {
    index.lists[number] = [op]
    index.kinds |= 1 << number
  }
}

/** The kinds that most operations have are told apart by hand: faster than a look-up by name. */
const sort = (index: OpIndex, op: Op): void => {
  const { kind } = op
  if (kind === 'bin') add(index, op, kindNumber.bin)
  else if (kind === 'load') {
    add(index, op, kindNumber.load)
    if (op.location!.space !== 'memory') index.stateLoads = added(index.stateLoads, op)
  } else if (kind === 'call') {
    add(index, op, kindNumber.call)
    const bit = 1 << callNumber[op.call!.kind]
    index.calls |= bit
    if ((bit & leaving) !== 0) index.externalCalls = added(index.externalCalls, op)
  } else if (kind === 'store') {
    add(index, op, kindNumber.store)
    if (op.location!.space === 'memory') index.memoryStores = added(index.memoryStores, op)
    else index.stateStores = added(index.stateStores, op)
  } else if (kind === 'assume') add(index, op, kindNumber.assume)
  else if (kind === 'return') add(index, op, kindNumber.return)
  else if (kind === 'cast') add(index, op, kindNumber.cast)
  else add(index, op, kindNumber[kind])
}

const added = (list: Op[], op: Op): Op[] => {
  if (list === none) return [op]
  list.push(op)
  return list
}
