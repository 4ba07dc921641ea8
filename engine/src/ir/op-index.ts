/** The operations of a flow by kind, and its calls by theirs, sorted in one pass. */
import type { BasicBlock, CallOp, FlowCallKind, Ir, LoadOp, Op, OpKind, OpOf, StoreOp } from './ir.ts'

/** Calls that stay inside, or that go through a pointer to a function. */
const staying: ReadonlySet<FlowCallKind> = new Set(['internal', 'library', 'pointer'])

export class OpIndex {
  readonly #byKind = new Map<OpKind, Op[]>()
  readonly calls = new Set<FlowCallKind>()
  /** Calls that leave the contract, and are not undone: after each of them the function can end without reverting. */
  readonly externalCalls: readonly CallOp[]
  /** Writes that are not undone. */
  readonly stateStores: readonly StoreOp[]
  readonly memoryStores: readonly StoreOp[]
  readonly stateLoads: readonly LoadOp[]

  constructor({ blocks, exits, problems }: Pick<Ir, 'blocks' | 'exits' | 'problems'>) {
    for (const { phis, ops } of blocks) {
      for (const phi of phis) this.#add(phi)
      for (const op of ops) this.#add(op)
    }
    for (const { call } of this.of('call')) this.calls.add(call.kind)
    // What a budget cut may have held the end.
    const lasting = problems.length > 0 ? null : lastingBlocks(blocks, exits)
    const lasts = ({ block }: Op): boolean => lasting === null || lasting.has(block)
    this.externalCalls = this.of('call').filter((op) => !staying.has(op.call.kind) && lasts(op))
    this.stateStores = this.of('store').filter((op) => !isOfMemory(op) && lasts(op))
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

/** Those from which the function can end without reverting: a quoter that always reverts changes nothing. */
const lastingBlocks = (blocks: readonly BasicBlock[], exits: readonly number[]): ReadonlySet<number> => {
  const lasting = new Set(exits)
  for (const block of lasting) for (const pred of blocks[block]!.preds) lasting.add(pred)
  return lasting
}

const isOfMemory = ({ location }: LoadOp | StoreOp): boolean => location.space === 'memory'
