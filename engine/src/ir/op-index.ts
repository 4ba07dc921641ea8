/**
 * The operations of a flow by kind, sorted in one pass. The kinds that occur, and the kinds of call, are bits besides, so
 * that "is there any?" is answered without looking at a list, for one flow and for a whole scan.
 */
import type { BasicBlock, CallOp, FlowCallKind, LoadOp, Op, OpKind, OpOf, StoreOp } from './ir.ts'

/** The place of a kind among the lists and in the bit set. A switch, because it is faster than a look-up by name. */
const numberOf = (kind: OpKind): number => {
  switch (kind) {
    case 'bin':
      return 0
    case 'load':
      return 1
    case 'call':
      return 2
    case 'store':
      return 3
    case 'assume':
      return 4
    case 'cast':
      return 5
    case 'return':
      return 6
    case 'unknown':
      return 7
    case 'phi':
      return 8
    case 'tuple':
      return 9
    case 'builtin':
      return 10
    case 'extract':
      return 11
    case 'emit':
      return 12
    case 'un':
      return 13
    case 'revert':
      return 14
    case 'ref':
      return 15
    case 'make':
      return 16
    case 'select':
      return 17
    case 'opaque':
      return 18
    case 'const':
      return 19
    case 'param':
      return 20
    case 'env':
      return 21
    case 'name':
      return 22
  }
}

const kindCount = 23
const phiNumber = numberOf('phi')

export const callBit = (kind: FlowCallKind): number => {
  switch (kind) {
    case 'internal':
      return 1
    case 'library':
      return 2
    case 'external':
      return 4
    case 'lowlevel':
      return 8
    case 'send':
      return 16
    case 'transfer':
      return 32
    case 'delegate':
      return 64
    case 'static':
      return 128
    case 'create':
      return 256
    case 'callcode':
      return 512
    case 'pointer':
      return 1024
  }
}

/** All but those that stay inside, or that go through a pointer to a function. */
const leaving = 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512

export const kindBit = (kind: OpKind): number => 1 << numberOf(kind)

const none: Op[] = []
const noLists: readonly Op[][] = Array.from({ length: kindCount }, () => none)

export class OpIndex {
  /** A bit per kind of operation that occurs. */
  kinds: number
  /** A bit per kind of call that occurs. */
  calls: number
  /** Calls that leave the contract. */
  readonly externalCalls: CallOp[]
  stateStores: readonly StoreOp[]
  memoryStores: readonly StoreOp[]
  stateLoads: readonly LoadOp[]
  readonly lists: Op[][]

  constructor(blocks: readonly BasicBlock[]) {
    this.kinds = 0
    this.calls = 0
    this.externalCalls = []
    this.lists = noLists.slice()
    for (let b = 0; b < blocks.length; b++) {
      const { phis, ops } = blocks[b]!
      for (let i = 0; i < phis.length; i++) add(this, phis[i]!, phiNumber)
      for (let i = 0; i < ops.length; i++) {
        const op = ops[i]!
        const number = numberOf(op.kind)
        add(this, op, number)
        if (op.kind === 'call') addCall(this, op)
      }
    }
    const stores = this.of('store')
    this.stateStores = withoutMemory(stores)
    this.memoryStores = this.stateStores.length === stores.length ? [] : stores.filter(isOfMemory)
    this.stateLoads = withoutMemory(this.of('load'))
  }

  of<Kind extends OpKind>(kind: Kind): readonly OpOf<Kind>[] {
    return this.lists[numberOf(kind)] as OpOf<Kind>[]
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

const addCall = (index: OpIndex, op: CallOp): void => {
  const bit = callBit(op.call.kind)
  index.calls |= bit
  if ((bit & leaving) !== 0) index.externalCalls.push(op)
}

const isOfMemory = ({ location }: LoadOp | StoreOp): boolean => location.space === 'memory'

/** The list itself where nothing is to be left out, as is usual. */
const withoutMemory = <Access extends LoadOp | StoreOp>(list: readonly Access[]): readonly Access[] =>
  list.some(isOfMemory) ? list.filter((op) => !isOfMemory(op)) : list
