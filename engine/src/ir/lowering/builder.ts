/**
 * What lowering writes to: operations, blocks and the state at the current point of the program.
 *
 * SSA is built on the fly: a frame keeps the current value of each local; where paths part they share that array until
 * one of them writes, `joins.ts` merges it, `loops.ts` makes phis for the locals that a loop assigns.
 * Invariant: ids follow program order, and the blocks of a loop are contiguous.
 *
 * One builder serves many functions, one after the other: `begin` starts afresh, `finish` hands out what was made.
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
import type { Budget } from '../budget.ts'
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
import { Exit, Frame, type Held, type Level, type Locals, type OpenLoop, type Placeholder } from './frames.ts'
import { smallNumber } from './numbers.ts'

/** Few functions have more constants; past it equal ones are no longer one. */
const maxInterned = 64

/** Code holds code: what lowers a part of it comes back here for what is inside. */
export interface Lowerers {
  expression(to: Builder, e: Expression): Op
  statement(to: Builder, s: Statement): void
}

/** Functions whose calls are one operation. */
export interface Computations {
  includes(fn: FunctionModel): boolean
}

export class Builder {
  readonly model: Model
  readonly lower: Lowerers
  readonly budget: Budget
  readonly computations: Computations
  ops: Op[] = []
  blocks: BasicBlock[] = []
  locations: Location[] = []
  /** By the variable or the value that they stand for. */
  roots = new Map<object, Location[]>()
  /** Fields that were written in copies of records, by the load that made the copy. */
  changedFields = new Map<Op, Set<Location>>()
  private consts: Op[] = []
  private names: Op[] = []
  private environments: Op[] = []
  covered: (FunctionModel | ModifierModel)[] = []
  decisions: Decision[] = []
  /** Variables of all open frames. */
  vars: (object | null)[] = []
  /** Where in `vars` each was declared last: a function may have thousands. */
  #declaredAt = new Map<object, number>()
  /** Functions that are being inlined. */
  readonly active: (FunctionModel | ModifierModel)[] = []
  /** The contract whose instance runs this; null for free functions. */
  contract: ContractModel | null = null
  params: Op[] = []
  loops: LoopMark[] = []
  exits: number[] = []
  problems: string[] = []

  cur: BasicBlock | null = null
  env: Locals = []
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
  /** Where the outermost call that is being inlined began; -1 outside. */
  inlineStart = -1
  /** What this flow has cost so far, in the steps of the budget. */
  private steps = 0
  private isExhausted = false
  isCutInside = false

  constructor(model: Model, budget: Budget, lower: Lowerers, computations: Computations) {
    this.model = model
    this.lower = lower
    this.computations = computations
    this.budget = budget
  }

  begin(fn: FunctionModel | null, contract: ContractModel | null): void {
    this.contract = contract
    this.ops = []
    this.blocks = []
    this.locations = []
    this.roots = new Map()
    this.changedFields = new Map()
    this.consts = []
    this.names = []
    this.environments = []
    this.covered = []
    this.decisions = []
    this.vars = []
    this.#declaredAt = new Map()
    this.params = []
    this.loops = []
    this.exits = []
    this.problems = []
    this.cur = this.newBlock()
    this.env = []
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
    this.isCutInside = false
  }

  finish(): Ir {
    return {
      blocks: this.blocks,
      ops: this.ops,
      params: this.params,
      loops: this.loops,
      locations: this.locations,
      environments: this.environments.map(({ operator }) => operator),
      exits: this.exits,
      covered: this.covered,
      decisions: this.decisions,
      problems: this.problems,
      isCutInside: this.isCutInside,
    }
  }

  /** Takes steps off what the flow may cost; false when none are left: what follows is left out then, and it is said. */
  spend(steps = 1): boolean {
    this.steps += steps
    if (this.steps <= this.budget.maxSteps) return true
    if (!this.isExhausted) this.problem('the function is too large')
    this.isExhausted = true
    this.isCutInside = true
    return false
  }

  // Operations and blocks

  newBlock(): BasicBlock {
    this.steps++
    const block = new Block(this.blocks.length)
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
      this.ops.length,
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
    if (this.cur !== null) this.blocks[op.block]!.ops.push(op)
    return op
  }

  emit<Kind extends OpKind>(kind: Kind, node: Span | null, operator: string, args: OpOf<Kind>['args']): OpOf<Kind> {
    return this.push(this.make(kind, node, operator, args))
  }

  constant(value: bigint, node: Span | null): Op {
    const known = this.consts.find(({ constant }) => constant === value)
    if (known !== undefined) return known
    const op = this.make('const', node, '', [], null, null, false, value)
    if (this.consts.length < maxInterned) this.consts.push(op)
    return op
  }

  /** An interned value without number: string, named constant, name. */
  interned(kind: 'const' | 'name' | 'unknown', name: string, node: Span | null, decl: Declaration | null): Op {
    const known = this.names.find((op) => op.kind === kind && op.decl === decl && op.operator === name)
    if (known !== undefined) return known
    const op = this.make(kind, node, name, [], null, null, false, null, decl)
    if (this.names.length < maxInterned) this.names.push(op)
    return op
  }

  environment(name: string, node: Span | null): Op {
    const known = this.environments.find(({ operator }) => operator === name)
    if (known !== undefined) return known
    const op = this.make('env', node, name, [])
    this.environments.push(op)
    return op
  }

  unknown(reason: string, node: Span | null, args: Op[] = []): Op {
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
    for (const [i, variable] of variables.entries()) {
      const { span, name } = variable
      const param = this.make('param', span, name, [], null, null, false, smallNumber(i), variable)
      this.declare(variable, param)
      this.params.push(param)
    }
  }

  problem(message: string): void {
    this.problems.push(message)
  }

  addLoop(mark: LoopMark): void {
    this.loops.push(mark)
  }

  /** It is among the last: after it come those inside of it alone. */
  dropLoop(mark: LoopMark): void {
    this.loops.splice(this.loops.lastIndexOf(mark), 1)
  }

  /** What follows does not run. */
  leave(): void {
    if (this.cur !== null) this.exits.push(this.cur.id)
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
    const { base } = this.frame
    const last = this.#declaredAt.get(variable)
    if (last === undefined || last < base) return -1
    if (this.vars[last] === variable) return last - base
    // It was declared again in a frame that has ended, or is out of sight.
    const at = this.vars.lastIndexOf(variable)
    this.#declaredAt.set(variable, at)
    return at < base ? -1 : at - base
  }

  /** The current value of a local. */
  local(variable: object): Op | undefined {
    const slot = this.slotOf(variable)
    return slot < 0 ? undefined : this.env[slot]
  }

  /** The next variable to be declared gets this slot. */
  get nextSlot(): number {
    return this.vars.length - this.frame.base
  }

  declare(variable: object, value: Op | undefined): void {
    const slot = this.vars.length - this.frame.base
    this.#declaredAt.set(variable, this.vars.length)
    this.vars.push(variable)
    this.frame.inSight.push(slot)
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
    return this.vars[this.frame.base + slot]!
  }

  /** From here on variables of the frame that begin at `from` and end before `to` are out of sight. */
  hide(from: number, to: number): void {
    const { base, inSight } = this.frame
    for (let i = from; i < to; i++) this.vars[base + i] = null
    const later: number[] = []
    for (let slot = inSight.at(-1); slot !== undefined && slot >= from; slot = inSight.at(-1)) {
      if (slot >= to) later.unshift(slot)
      inSight.pop()
    }
    inSight.push(...later)
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

/** Nearly every block has one or two edges either way: pushed onto an empty list they would take the room of seventeen. */
const withEdge = (edges: number[], id: number): number[] => {
  if (edges.length < 2) return [...edges, id]
  edges.push(id)
  return edges
}
