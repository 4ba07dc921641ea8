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

export class OpIndex {
  /** A bit per kind of operation that occurs. */
  kinds = 0
  /** A bit per kind of call that occurs. */
  calls = 0
  /** Calls that leave the contract. */
  externalCalls: Op[] = none
  stateStores: Op[] = none
  memoryStores: Op[] = none
  stateLoads: Op[] = none
  readonly #lists: Op[][] = new Array(23).fill(none)

  constructor(blocks: readonly BasicBlock[]) {
    for (let b = 0; b < blocks.length; b++) {
      const { phis, ops } = blocks[b]!
      for (let i = 0; i < phis.length; i++) this.#add(phis[i]!, kindNumber.phi)
      for (let i = 0; i < ops.length; i++) this.#sort(ops[i]!)
    }
  }

  of(kind: OpKind): readonly Op[] {
    return this.#lists[kindNumber[kind]]!
  }

  #add(op: Op, number: number): void {
    const list = this.#lists[number]!
    if (list !== none) list.push(op)
    else {
      this.#lists[number] = [op]
      this.kinds |= 1 << number
    }
  }

  #sort(op: Op): void {
    const number = kindNumber[op.kind]
    this.#add(op, number)
    switch (number) {
      case kindNumber.call: {
        const bit = 1 << callNumber[op.call!.kind]
        this.calls |= bit
        if ((bit & leaving) !== 0) this.externalCalls = added(this.externalCalls, op)
        break
      }
      case kindNumber.store:
        if (op.location!.space === 'memory') this.memoryStores = added(this.memoryStores, op)
        else this.stateStores = added(this.stateStores, op)
        break
      case kindNumber.load:
        if (op.location!.space !== 'memory') this.stateLoads = added(this.stateLoads, op)
        break
    }
  }
}

const added = (list: Op[], op: Op): Op[] => {
  if (list === none) return [op]
  list.push(op)
  return list
}
