/** The operations of a flow by kind, and its calls by theirs, sorted in one pass. */
import type { BasicBlock, CallOp, FlowCallKind, LoadOp, Op, OpKind, OpOf, StoreOp } from './ir.ts'

/** Calls that stay inside, or that go through a pointer to a function. */
const staying: ReadonlySet<FlowCallKind> = new Set(['internal', 'library', 'pointer'])

export class OpIndex {
  readonly #byKind = new Map<OpKind, Op[]>()
  readonly calls = new Set<FlowCallKind>()
  /** Calls that leave the contract. */
  readonly externalCalls: readonly CallOp[]
  readonly stateStores: readonly StoreOp[]
  readonly memoryStores: readonly StoreOp[]
  readonly stateLoads: readonly LoadOp[]

  constructor(blocks: readonly BasicBlock[]) {
    for (const { phis, ops } of blocks) {
      for (const phi of phis) this.#add(phi)
      for (const op of ops) this.#add(op)
    }
    for (const { call } of this.of('call')) this.calls.add(call.kind)
    this.externalCalls = this.of('call').filter(({ call }) => !staying.has(call.kind))
    this.stateStores = this.of('store').filter((op) => !isOfMemory(op))
    this.memoryStores = this.of('store').filter(isOfMemory)
    this.stateLoads = this.of('load').filter((op) => !isOfMemory(op))
  }

  /** The kinds that occur. */
  get kinds(): Iterable<OpKind> {
    return this.#byKind.keys()
  }

  has(kind: OpKind): boolean {
    return this.#byKind.has(kind)
  }

  of<Kind extends OpKind>(kind: Kind): readonly OpOf<Kind>[] {
    return (this.#byKind.get(kind) ?? []) as OpOf<Kind>[]
  }

  #add(op: Op): void {
    const list = this.#byKind.get(op.kind)
    if (list === undefined) this.#byKind.set(op.kind, [op])
    else list.push(op)
  }
}

const isOfMemory = ({ location }: LoadOp | StoreOp): boolean => location.space === 'memory'
