/** Where a path stands: in which function, body and loop, and with which values. */
import type { FunctionModel, ModifierModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import type { BasicBlock, Location, LoopMark, Op, Site } from '../ir.ts'

/** The current value of each local of a frame. */
export type Locals = (Op | undefined)[]

/** What places are known to hold, the latest first. Lists share their ends: paths that part copy nothing. */
export class Held {
  declare readonly place: Location
  declare readonly value: Op
  declare readonly older: Held | null
  declare readonly count: number

  constructor(place: Location, value: Op, older: Held | null) {
    this.place = place
    this.value = value
    this.older = older
    this.count = older === null ? 1 : older.count + 1
  }
}

/** The end of a path with what holds there; nothing that an exit holds is written again. */
export class Exit {
  declare readonly block: BasicBlock
  declare readonly env: Locals
  declare readonly held: Held | null

  constructor(block: BasicBlock, env: Locals, held: Held | null) {
    this.block = block
    this.env = env
    this.held = held
  }
}

/** The locals of one function instance; its modifiers share them. */
export class Frame {
  /** Where its variables begin among those of all open frames. */
  declare readonly base: number
  declare readonly fn: FunctionModel | ModifierModel | null
  /** Slots of the variables that are in sight, in their order. */
  readonly inSight: number[] = []
  /** Slots of the return values. */
  firstReturn = 0
  returnCount = 0

  constructor(base: number, fn: FunctionModel | ModifierModel | null) {
    this.base = base
    this.fn = fn
  }
}

/** A body that `return` leaves. */
export class Level {
  declare readonly outer: Level | null
  declare readonly isModifier: boolean
  /** Where `return` left it; most bodies have one. */
  first: Exit | null = null
  /** All of them, where there are several. */
  exits: Exit[] | null = null

  constructor(outer: Level | null, isModifier: boolean) {
    this.outer = outer
    this.isModifier = isModifier
  }
}

/** What `_` runs: the rest of a function after one of its modifiers, seen from outside of that modifier. */
export interface Placeholder {
  readonly outer: Placeholder | null
  readonly fn: FunctionModel
  readonly modifier: ModifierModel
  /** Of the next modifier. */
  readonly next: number
  readonly site: Site | null
  readonly stubSpan: Span | null
  hasRun: boolean
}

/** A loop that is being lowered. */
export class OpenLoop {
  readonly header: BasicBlock
  readonly mark: LoopMark
  readonly phis: readonly Op[]
  readonly outer: OpenLoop | null
  readonly breaks: Exit[] = []
  readonly continues: Exit[] = []
  /** Where the test's false edge leads out of the loop. */
  tested: Exit | null = null

  constructor(header: BasicBlock, mark: LoopMark, phis: readonly Op[], outer: OpenLoop | null) {
    this.header = header
    this.mark = mark
    this.phis = phis
    this.outer = outer
  }
}
