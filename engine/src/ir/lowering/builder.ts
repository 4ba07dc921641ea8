/**
 * What lowering writes to: operations, blocks and the state at the current point of the program.
 *
 * SSA is built on the way: a frame keeps the current value of each local; where paths part they share that array until
 * one of them writes, `joins.ts` merges it, `loops.ts` makes phis for the locals that a loop assigns.
 * Invariant: ids follow program order, and the blocks of a loop are contiguous.
 *
 * One builder serves all functions of a portion, one after the other: `begin` empties it, `finish` copies what it holds.
 */
import type {
  ContractModel,
  Declaration,
  FunctionModel,
  Model,
  ModifierModel,
  VariableModel,
} from '../../model/index.ts'
import type { Expression, Span, Statement } from '../../syntax/index.ts'
import {
  type BasicBlock,
  Block,
  type CallInfo,
  type Decision,
  type Ir,
  type Location,
  type LoopMark,
  type Op,
  Operation,
  type OpKind,
  type OpOf,
  type Site,
} from '../ir.ts'
import type { Budget } from './budget.ts'
import { Exit, Frame, type Held, type Level, type Locals, type OpenLoop, type Placeholder } from './frames.ts'
import { cut, ListBuffer } from './list-buffer.ts'
import { smallNumber } from './numbers.ts'

export const noArgs: Op[] = []
const noEdges: number[] = []
const noLoops: LoopMark[] = []
const noProblems: string[] = []
const noNames: string[] = []
/** Few functions have more constants; past it equal ones are no longer one. */
const maxInterned = 64

/** Code holds code: what lowers a part of it comes back here for what is inside. */
export interface Lowerers {
  expression(to: Builder, e: Expression): Op
  statement(to: Builder, s: Statement): void
}

export class Builder {
  readonly model: Model
  readonly lower: Lowerers
  readonly budget: Budget
  readonly ops = new ListBuffer<Op>()
  readonly blocks = new ListBuffer<BasicBlock>()
  readonly locations = new ListBuffer<Location>()
  readonly roots = new ListBuffer<Location>()
  private readonly consts = new ListBuffer<Op>()
  private readonly names = new ListBuffer<Op>()
  private readonly environments = new ListBuffer<Op>()
  readonly covered = new ListBuffer<FunctionModel | ModifierModel>()
  readonly decisions = new ListBuffer<Decision>()
  /** Variables of all open frames. */
  readonly vars = new ListBuffer<object | null>()
  /** Functions that are being inlined. */
  readonly active: (FunctionModel | ModifierModel)[] = []
  /** Operations that stand in a block, in order. */
  private readonly placed = new ListBuffer<Op>()
  /** The contract whose instance runs this; null for free functions. */
  contract: ContractModel | null = null
  params: Op[] = noArgs
  loops: LoopMark[] = noLoops
  exits: number[] = noEdges
  problems: string[] = noProblems

  cur: BasicBlock | null = null
  env: Locals = newLocals()
  /** Some exit has these locals too. */
  isEnvShared = false
  held: Held | null = null
  frame = new Frame(0, null)
  level: Level | null = null
  loop: OpenLoop | null = null
  placeholder: Placeholder | null = null
  site: Site | null = null
  /** Inside a known library: the span of the call that led there, which stands for everything in it. */
  stubSpan: Span | null = null
  unchecked = false
  arithmeticChecked = true
  enforcesView = true
  /** A block ends the life of what it declares. */
  scopesBlocks = true
  nesting = 0
  inlinedOps = 0
  /** Operations that came from calls, in all functions so far. */
  inlinedTogether = 0
  /** Where the outermost call that is being inlined began; -1 outside. */
  inlineStart = -1
  /** What this flow has cost so far, in the steps of the budget. */
  private steps = 0
  private isExhausted = false

  constructor(model: Model, budget: Budget, lower: Lowerers) {
    this.model = model
    this.lower = lower
    this.budget = budget
  }

  begin(fn: FunctionModel | null, contract: ContractModel | null): void {
    this.contract = contract
    this.ops.clear()
    this.blocks.clear()
    this.locations.clear()
    this.roots.clear()
    this.consts.clear()
    this.names.clear()
    this.environments.clear()
    this.covered.clear()
    this.decisions.clear()
    this.vars.clear()
    this.placed.clear()
    this.params = noArgs
    this.loops = noLoops
    this.exits = noEdges
    this.problems = noProblems
    this.cur = this.newBlock()
    this.env = newLocals()
    this.isEnvShared = false
    this.held = null
    this.frame = new Frame(0, fn)
    this.unchecked = false
    this.arithmeticChecked = true
    this.enforcesView = true
    this.scopesBlocks = true
    this.inlinedOps = 0
    this.inlineStart = -1
    this.steps = 0
    this.isExhausted = false
  }

  finish(): Ir {
    this.fillBlocks()
    return {
      blocks: this.blocks.copy(),
      ops: this.ops.copy(),
      params: this.params,
      loops: this.loops,
      locations: this.locations.copy(),
      environments: namesOf(this.environments),
      exits: this.exits,
      covered: this.covered.copy(),
      decisions: this.decisions.copy(),
      problems: this.problems,
    }
  }

  /** Hands each block its operations: lists of just their size, cut from the one that all were written to. */
  private fillBlocks(): void {
    const { items, count } = this.placed
    for (let from = 0; from < count; ) {
      const id = items[from]!.block
      let end = from + 1
      while (end < count && items[end]!.block === id) end++
      const block = this.blocks.items[id]!
      const ops = cut(items, from, end)
      block.ops = block.ops.length === 0 ? ops : block.ops.concat(ops)
      from = end
    }
  }

  /** Takes steps off what the flow may cost; false when none are left: what follows is left out then, and it is said. */
  spend(steps = 1): boolean {
    this.steps += steps
    if (this.steps <= this.budget.maxSteps) return true
    if (!this.isExhausted) this.problem('the function is too large')
    this.isExhausted = true
    return false
  }

  // Operations and blocks

  newBlock(): BasicBlock {
    this.steps++
    const block = new Block(this.blocks.count, noArgs, noEdges)
    this.blocks.push(block)
    return block
  }

  edge(from: BasicBlock, to: BasicBlock): void {
    from.succs = withEdge(from.succs, to.id)
    to.preds = withEdge(to.preds, from.id)
  }

  make<Kind extends OpKind>(
    kind: Kind,
    node: Span | null,
    operator: string,
    args: OpOf<Kind>['args'],
    location: Location | null = null,
    call: CallInfo | null = null,
    flag = false,
    constant: bigint | null = null,
    decl: Declaration | null = null,
  ): OpOf<Kind> {
    this.steps++
    const op = new Operation(
      this.ops.count,
      kind,
      this.cur === null ? 0 : this.cur.id,
      operator,
      args,
      node,
      this.stubSpan ?? node,
      decl,
      location,
      call,
      flag,
      this.site,
      constant,
    ) as unknown as OpOf<Kind>
    this.ops.push(op)
    return op
  }

  /** Appends an operation to the current block; in dead code it is made but belongs nowhere. */
  push<Made extends Op>(op: Made): Made {
    if (this.cur !== null) this.placed.push(op)
    return op
  }

  emit<Kind extends OpKind>(kind: Kind, node: Span | null, operator: string, args: OpOf<Kind>['args']): OpOf<Kind> {
    return this.push(this.make(kind, node, operator, args))
  }

  constant(value: bigint, node: Span | null): Op {
    const { items, count } = this.consts
    for (let i = 0; i < count; i++) if (items[i]!.constant === value) return items[i]!
    const op = this.make('const', node, '', noArgs, null, null, false, value)
    if (count < maxInterned) this.consts.push(op)
    return op
  }

  /** An interned value without number: string, named constant, name. */
  interned(kind: 'const' | 'name' | 'unknown', name: string, node: Span | null, decl: Declaration | null): Op {
    const { items, count } = this.names
    for (let i = 0; i < count; i++) {
      const op = items[i]!
      if (op.kind === kind && op.decl === decl && op.operator === name) return op
    }
    const op = this.make(kind, node, name, noArgs, null, null, false, null, decl)
    if (count < maxInterned) this.names.push(op)
    return op
  }

  environment(name: string, node: Span | null): Op {
    const { items, count } = this.environments
    for (let i = 0; i < count; i++) if (items[i]!.operator === name) return items[i]!
    const op = this.make('env', node, name, noArgs)
    this.environments.push(op)
    return op
  }

  unknown(reason: string, node: Span | null, args: Op[] = noArgs): Op {
    return this.emit('unknown', node, reason, args)
  }

  /** What a call without result stands for as a value. */
  nothing(node: Span): Op {
    return this.interned('unknown', 'nothing', node, null)
  }

  bin(operator: string, left: Op, right: Op, node: Span | null, checked: boolean): Op {
    return this.push(this.make('bin', node, operator, [left, right], null, null, checked))
  }

  extract(call: Op, index: number, node: Span): Op {
    return this.push(this.make('extract', node, '', [call], null, null, false, smallNumber(index)))
  }

  /** One part of what may be several values. */
  part(value: Op, index: number, node: Span): Op {
    if (value.kind === 'tuple') return value.args[index] ?? this.unknown('tuple', node)
    if (value.kind === 'call' || value.kind === 'builtin') return this.extract(value, index, node)
    return index === 0 ? value : this.unknown('tuple', node, [value])
  }

  parameters(variables: readonly VariableModel[]): void {
    const first = this.ops.count
    for (let i = 0; i < variables.length; i++) {
      const variable = variables[i]!
      const { span, name } = variable
      this.declare(variable, this.make('param', span, name, noArgs, null, null, false, smallNumber(i), variable))
    }
    if (variables.length > 0) this.params = cut(this.ops.items, first, this.ops.count)
  }

  problem(message: string): void {
    if (this.problems === noProblems) this.problems = [message]
    else this.problems.push(message)
  }

  addLoop(mark: LoopMark): void {
    if (this.loops === noLoops) this.loops = [mark]
    else this.loops.push(mark)
  }

  /** What follows does not run. */
  leave(): void {
    if (this.cur !== null) this.exits = withEdge(this.exits, this.cur.id)
    this.cur = null
  }

  /** The path ends by returning: nothing after it runs. */
  end(node: Span, operator: string, values: Op[]): void {
    if (this.cur === null) return
    this.emit('return', node, operator, values)
    this.leave()
  }

  revert(node: Span, args: Op[]): void {
    if (this.cur === null) return
    this.emit('revert', node, '', args)
    this.cur = null
  }

  // Locals

  slotOf(variable: object): number {
    const { items, count } = this.vars
    const { base } = this.frame
    for (let i = count - 1; i >= base; i--) if (items[i] === variable) return i - base
    return -1
  }

  /** The current value of a local. */
  local(variable: object): Op | undefined {
    const slot = this.slotOf(variable)
    return slot < 0 ? undefined : this.env[slot]
  }

  /** The next variable to be declared gets this slot. */
  get nextSlot(): number {
    return this.vars.count - this.frame.base
  }

  declare(variable: object, value: Op | undefined): void {
    const slot = this.vars.count - this.frame.base
    this.vars.push(variable)
    this.setSlot(slot, value)
  }

  setSlot(slot: number, value: Op | undefined): void {
    if (this.isEnvShared) {
      this.env = this.env.slice()
      this.isEnvShared = false
    }
    const { env } = this
    while (env.length < slot) env.push(undefined)
    env[slot] = value
  }

  /** Sets a local that may be declared already: 0.4 lets one be declared twice in the same function. */
  setLocal(variable: object, value: Op | undefined): void {
    const slot = this.slotOf(variable)
    if (slot >= 0) this.setSlot(slot, value)
    else this.declare(variable, value)
  }

  /** The variable of a slot; null where none is in sight any more. */
  variableIn(slot: number): object | null {
    return this.vars.items[this.frame.base + slot]!
  }

  /** From here on variables of the frame that begin at `from` and end before `to` are out of sight. */
  hide(from: number, to: number): void {
    const { base } = this.frame
    for (let i = from; i < to; i++) this.vars.items[base + i] = null
  }

  // State at a point of the program

  exit(): Exit {
    this.isEnvShared = true
    return new Exit(this.cur!, this.env, this.held)
  }

  restore(exit: Exit): void {
    this.restoreIn(exit, exit.block)
  }

  /** The state of `exit`, in another block. */
  restoreIn(exit: Exit, block: BasicBlock): void {
    this.cur = block
    this.env = exit.env
    this.held = exit.held
    this.isEnvShared = true
  }

  /** Ends the current block with a condition and goes on where it holds; the other side is for the caller. */
  fork(condition: Op): Exit {
    const from = this.cur!
    from.condition = condition
    const before = this.exit()
    const then = this.newBlock()
    this.edge(from, then)
    this.cur = then
    return before
  }

  /** Goes on where the condition of `before` does not hold. */
  otherwise(before: Exit): void {
    const block = this.newBlock()
    this.edge(before.block, block)
    this.restoreIn(before, block)
  }
}

/** Room for the locals of most functions: growing takes more than this. */
export const newLocals = (): Locals => [
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
]

const namesOf = ({ items, count }: ListBuffer<Op>): readonly string[] => {
  if (count === 0) return noNames
  const names = [items[0]!.operator]
  for (let i = 1; i < count; i++) names.push(items[i]!.operator)
  return names
}

/** Lists of one edge, shared by all flows: nothing is ever added to them. */
const singles: number[][] = []
for (let id = 0; id < 64; id++) singles.push([id])

/** Most blocks have one or two of them: lists of just that size. */
const withEdge = (edges: number[], id: number): number[] => {
  if (edges.length === 0) return id < singles.length ? singles[id]! : [id]
  if (edges.length === 1) return [edges[0]!, id]
  edges.push(id)
  return edges
}
