/**
 * Lowers one function of one most-derived contract, with everything it calls inside, to the representation of `ir.ts`.
 *
 * SSA is built while lowering: a frame keeps the current value of each local; branches copy that array, joins merge it
 * and make a phi where values differ, loop heads make phis for the locals that the loop assigns. `require` and `assert`
 * stay in their block as `assume`, since a revert leaves no trace; every other condition splits the block.
 * Invariant: ids follow program order, and the blocks of a loop are contiguous.
 *
 * Loads and stores are forwarded: a place read twice with nothing between that could change it gives one value, so that
 * a check and the arithmetic after it speak of the same thing. External calls that pass on gas end this for state.
 */
import type {
  CallTarget,
  ContractModel,
  Declaration,
  EventModel,
  FunctionModel,
  Model,
  ModifierModel,
  ModifierUse,
  Type,
  VariableModel,
} from '../model/index.ts'
import type * as ast from '../syntax/index.ts'
import { assignedNames, hasEffects } from './assigned-names.ts'
import { stripCasts } from './facts.ts'
import type {
  BasicBlock,
  CallInfo,
  Decision,
  FlowCallKind,
  GasKind,
  Ir,
  Location,
  LoopMark,
  Op,
  OpKind,
  PartKind,
  Site,
} from './ir.ts'
import { lowerAssembly } from './yul-lowering.ts'

export interface Budget {
  /** Operations of one flow; past it no call is inlined any more. */
  readonly maxInlinedOps: number
  /** Operations of one flow at all. */
  readonly maxOps: number
  readonly maxDepth: number
  /** Expression nesting; left-deep operator chains are walked without recursion and do not count. */
  readonly maxNesting: number
  /** Weight of everything lowered for one scan, about a hundred bytes each: past it further contracts are left out. */
  readonly maxWeight: number
}

export const defaultBudget: Budget = {
  maxInlinedOps: 1500,
  maxOps: 60_000,
  maxDepth: 12,
  maxNesting: 300,
  maxWeight: 1_000_000,
}

interface Exit {
  readonly block: BasicBlock
  readonly env: (Op | undefined)[]
  readonly places: Location[]
  readonly held: Op[]
}

/** The locals of one function instance; its modifiers share them. */
interface Frame {
  readonly vars: (object | null)[]
  readonly fn: FunctionModel | ModifierModel | null
  /** Slots of the return values. */
  readonly returns: number[]
}

interface Level {
  readonly exits: Exit[]
  readonly modifier: boolean
}

interface LoopContext {
  readonly breaks: Exit[]
  readonly continues: Exit[]
}

const noArgs: Op[] = []
const maxHeld = 24
/** Few functions have more constants; past it equal ones are no longer one. */
const maxInterned = 64
const maxPath = 6

const gasStipendKinds = new Set<FlowCallKind>(['send', 'transfer'])

export class Lowering {
  readonly model: Model
  /** The contract whose instance runs this. */
  readonly contract: ContractModel | null
  readonly blocks: BasicBlock[] = []
  readonly ops: Op[] = []
  readonly params: Op[] = []
  readonly loops: LoopMark[] = []
  readonly locations: Location[] = []
  readonly exits: number[] = []
  readonly covered: (FunctionModel | ModifierModel)[] = []
  readonly decisions: Decision[] = []
  readonly problems: string[] = []
  private readonly budget: Budget
  private readonly consts: Op[] = []
  private readonly names: Op[] = []
  private readonly environmentOps: Op[] = []
  private readonly roots: Location[] = []
  private readonly active: (FunctionModel | ModifierModel)[] = []

  cur: BasicBlock | null
  env: (Op | undefined)[] = []
  private places: Location[] = []
  private held: Op[] = []
  frame: Frame = { vars: [], fn: null, returns: [] }
  private levels: Level[] = []
  private loopStack: LoopContext[] = []
  site: Site | null = null
  /** Inside a known library: the span of the call that led there, which stands for everything in it. */
  private stubSpan: ast.Span | null = null
  private unchecked = false
  private arithmeticChecked = true
  private enforcesView = true
  private nesting = 0
  private placeholder: (() => void) | null = null
  private inlinedOps = 0
  /** Where the outermost call that is being inlined began; -1 outside. */
  private inlineStart = -1
  private capped = false

  constructor(model: Model, contract: ContractModel | null, budget: Budget) {
    this.model = model
    this.contract = contract
    this.budget = budget
    this.cur = this.newBlock()
  }

  finish(): Ir {
    return {
      blocks: this.blocks,
      ops: this.ops,
      params: this.params,
      loops: this.loops,
      locations: this.locations,
      environments: this.environmentOps.map((op) => op.operator),
      exits: this.exits,
      covered: this.covered,
      decisions: this.decisions,
      problems: this.problems,
    }
  }

  // Building blocks

  newBlock(): BasicBlock {
    const block: BasicBlock = { id: this.blocks.length, ops: [], phis: noArgs, preds: [], succs: [], condition: null }
    this.blocks.push(block)
    return block
  }

  edge(from: BasicBlock, to: BasicBlock): void {
    from.succs.push(to.id)
    to.preds.push(from.id)
  }

  make(
    kind: OpKind,
    node: ast.Span | null,
    operator: string,
    args: Op[],
    location: Location | null = null,
    call: CallInfo | null = null,
    flag = false,
    constant: bigint | null = null,
    decl: Declaration | null = null,
  ): Op {
    const at = this.stubSpan ?? node
    const op: Op = {
      id: this.ops.length,
      kind,
      block: this.cur === null ? 0 : this.cur.id,
      start: at === null ? 0 : at.start,
      end: at === null ? 0 : at.end,
      operator,
      args,
      node,
      decl,
      location,
      call,
      flag,
      site: this.site,
      constant,
    }
    this.ops.push(op)
    return op
  }

  /** Appends an operation to the current block; in dead code it is made but belongs nowhere. */
  emit(kind: OpKind, node: ast.Span | null, operator: string, args: Op[]): Op {
    const op = this.make(kind, node, operator, args)
    if (this.cur !== null) this.cur.ops.push(op)
    return op
  }

  private push(op: Op): Op {
    if (this.cur !== null) this.cur.ops.push(op)
    return op
  }

  constant(value: bigint, node: ast.Span | null): Op {
    for (const op of this.consts) if (op.constant === value) return op
    const op = this.make('const', node, '', noArgs, null, null, false, value)
    if (this.consts.length < maxInterned) this.consts.push(op)
    return op
  }

  /** An interned value without number: environment, string, named constant, name. */
  private interned(
    kind: 'const' | 'name' | 'unknown',
    name: string,
    node: ast.Span | null,
    decl: Declaration | null,
  ): Op {
    for (const op of this.names) if (op.operator === name && op.kind === kind && op.decl === decl) return op
    const op = this.make(kind, node, name, noArgs, null, null, false, null, decl)
    if (this.names.length < maxInterned) this.names.push(op)
    return op
  }

  environment(name: string, node: ast.Span | null): Op {
    for (const op of this.environmentOps) if (op.operator === name) return op
    const op = this.make('env', node, name, noArgs)
    this.environmentOps.push(op)
    return op
  }

  unknown(reason: string, node: ast.Span | null, args: Op[] = noArgs): Op {
    return this.emit('unknown', node, reason, args)
  }

  bin(operator: string, left: Op, right: Op, node: ast.Span | null, checked: boolean): Op {
    return this.push(this.make('bin', node, operator, [left, right], null, null, checked))
  }

  // State at a point of the program

  private exit(): Exit {
    return { block: this.cur!, env: this.env, places: this.places, held: this.held }
  }

  private branchState(): void {
    this.env = this.env.slice()
    this.places = this.places.slice()
    this.held = this.held.slice()
  }

  private restore(exit: Exit): void {
    this.cur = exit.block
    this.env = exit.env
    this.places = exit.places
    this.held = exit.held
  }

  /** Goes on where all of `exits` meet; with none, what follows is dead. */
  private join(exits: readonly Exit[]): void {
    if (exits.length === 0) {
      this.cur = null
      return
    }
    const first = exits[0]!
    if (exits.length === 1) {
      this.restore(first)
      return
    }
    const block = this.newBlock()
    this.cur = block
    let slots = 0
    for (const exit of exits) {
      this.edge(exit.block, block)
      if (exit.env.length > slots) slots = exit.env.length
    }
    const env: (Op | undefined)[] = new Array(slots)
    for (let i = 0; i < slots; i++) env[i] = this.merge(exits, i, block)
    this.env = env
    this.places = []
    this.held = []
    for (let i = 0; i < first.places.length; i++) {
      const place = first.places[i]!
      const value = first.held[i]!
      let kept = true
      for (let k = 1; kept && k < exits.length; k++) {
        const at = exits[k]!.places.indexOf(place)
        kept = at >= 0 && exits[k]!.held[at] === value
      }
      if (kept) {
        this.places.push(place)
        this.held.push(value)
      }
    }
  }

  private merge(exits: readonly Exit[], slot: number, block: BasicBlock): Op | undefined {
    let same: Op | undefined
    let differ = false
    for (const exit of exits) {
      const value = exit.env[slot]
      if (value === undefined || value === same) continue
      if (same === undefined) same = value
      else differ = true
    }
    if (!differ) return same
    const args: Op[] = []
    for (const exit of exits) args.push(exit.env[slot] ?? this.constant(0n, null))
    const variable = this.frame.vars[slot] as VariableModel | null | undefined
    const phi = this.make('phi', null, variable?.name ?? '', args, null, null, false, null, variable ?? null)
    phi.location = this.commonPlace(args)
    if (block.phis === noArgs) block.phis = [phi]
    else block.phis.push(phi)
    return phi
  }

  /** Where a storage pointer that comes from several places may point. */
  private commonPlace(values: readonly Op[]): Location | null {
    let place: Location | null = null
    for (const value of values) {
      const at = value.kind === 'ref' || value.kind === 'phi' ? value.location : null
      if (at === null) return null
      if (place === null || place === at) place = at
      else {
        let a: Location = place
        let b: Location = at
        while (a.parent !== null && a.depth > b.depth) a = a.parent
        while (b.parent !== null && b.depth > a.depth) b = b.parent
        while (a !== b && a.parent !== null && b.parent !== null) {
          a = a.parent
          b = b.parent
        }
        if (a !== b) return null
        place = this.child(a, 'any', '', null)
      }
    }
    return place
  }

  // Places

  stateRoot(variable: VariableModel): Location {
    for (const root of this.roots) if (root.variable === variable) return root
    return this.newRoot('state', variable, null)
  }

  private newRoot(space: Location['space'], variable: VariableModel | null, base: Op | null): Location {
    const root: Location = {
      id: this.locations.length,
      space,
      variable,
      base,
      parent: null,
      part: 'root',
      name: variable === null ? '' : variable.name,
      index: null,
      depth: 0,
      children: [],
      type: variable === null ? baseType(base) : variable.type,
    }
    this.locations.push(root)
    this.roots.push(root)
    return root
  }

  slotRoot(slot: Op): Location {
    for (const root of this.roots) if (root.space === 'slot' && root.base === slot) return root
    return this.newRoot('slot', null, slot)
  }

  private memoryRoot(base: Op): Location {
    const space = base.kind === 'param' && isStoragePointer(base) ? 'pointer' : 'memory'
    for (let i = this.roots.length - 1; i >= 0; i--) if (this.roots[i]!.base === base) return this.roots[i]!
    return this.newRoot(space, null, base)
  }

  child(parent: Location, part: PartKind, name: string, index: Op | null): Location {
    for (const child of parent.children) {
      if (child.part === part && child.name === name && child.index === index) return child
    }
    if (parent.depth >= maxPath && part !== 'any') return this.child(parent, 'any', '', null)
    if (parent.part === 'any' && part === 'any') return parent
    const child: Location = {
      id: this.locations.length,
      space: parent.space,
      variable: parent.variable,
      base: parent.base,
      parent,
      part,
      name,
      index,
      depth: parent.depth + 1,
      children: [],
      type: partType(parent.type, part, name),
    }
    this.locations.push(child)
    parent.children.push(child)
    return child
  }

  /** The place a reference value stands for. */
  placeOfValue(value: Op): Location {
    if (value.location !== null && (value.kind === 'ref' || value.kind === 'phi' || value.kind === 'select')) {
      return value.location
    }
    return this.memoryRoot(value)
  }

  placeOf(e: ast.Expression): Location {
    switch (e.kind) {
      case 'Identifier': {
        const decl = this.model.resolve(e)
        if (isVariable(decl)) {
          if (decl.role === 'state' && !decl.isConstant) return this.stateRoot(decl)
          const slot = this.slotOf(decl)
          const value = slot < 0 ? undefined : this.env[slot]
          if (value !== undefined) return this.placeOfValue(value)
        }
        break
      }
      case 'Member': {
        const struct = this.structPlace(e.object)
        if (struct !== null) return this.child(struct, 'field', e.name.name, null)
        const decl = this.model.memberOf(e)
        if (isVariable(decl) && decl.role === 'state' && !decl.isConstant) return this.stateRoot(decl)
        if (e.name.name === 'length') return this.child(this.nestedPlace(e.object), 'length', '', null)
        if (decl === undefined || (isVariable(decl) && decl.role === 'field')) {
          return this.child(this.nestedPlace(e.object), 'field', e.name.name, null)
        }
        break
      }
      case 'Index': {
        const base = this.nestedPlace(e.object)
        if (e.index === null) return base
        return this.child(base, 'index', '', keyOf(this.expr(e.index)))
      }
      case 'Tuple':
        if (e.elements.length === 1 && e.elements[0]) return this.placeOf(e.elements[0])
        break
    }
    return this.placeOfValue(this.expr(e))
  }

  /** The place of an expression that plainly names a struct, without asking the model about the member. */
  private structPlace(e: ast.Expression): Location | null {
    if (e.kind === 'Identifier') {
      const decl = this.model.resolve(e)
      if (!isVariable(decl) || decl.isConstant || decl.type.kind !== 'struct') return null
      return this.placeOf(e)
    }
    if (e.kind !== 'Index' || e.index === null) return null
    const root = rootIdentifier(e)
    if (root === null) return null
    const decl = this.model.resolve(root)
    if (!isVariable(decl) || elementType(decl.type, e)?.kind !== 'struct') return null
    return this.nestedPlace(e)
  }

  private nestedPlace(e: ast.Expression): Location {
    if (this.nesting >= this.budget.maxNesting) return this.memoryRoot(this.tooDeep(e))
    this.nesting++
    const place = this.placeOf(e)
    this.nesting--
    return place
  }

  load(place: Location, node: ast.Span | null): Op {
    const at = this.places.indexOf(place)
    const known = at >= 0 ? this.held[at]! : null
    if (known !== null && place.space === 'memory') return known
    const op = this.push(this.make('load', node, '', noArgs, place))
    if (known !== null) return known
    if (place.part !== 'any') this.hold(place, op)
    return op
  }

  store(place: Location, value: Op, node: ast.Span | null, deletes = false): void {
    this.push(this.make('store', node, '', [value], place, null, deletes))
    this.forget(place)
    if (place.part !== 'any' && value.kind !== 'ref') this.hold(place, value)
  }

  private hold(place: Location, value: Op): void {
    if (this.places.length >= maxHeld) {
      this.places = this.places.slice(maxHeld / 2)
      this.held = this.held.slice(maxHeld / 2)
    }
    this.places.push(place)
    this.held.push(value)
  }

  private forget(written: Location): void {
    const places = this.places
    let kept = 0
    for (let i = 0; i < places.length; i++) {
      if (mayOverlap(places[i]!, written)) continue
      places[kept] = places[i]!
      this.held[kept++] = this.held[i]!
    }
    places.length = kept
    this.held.length = kept
  }

  /** After code that may change any state. */
  forgetState(): void {
    const places = this.places
    let kept = 0
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!
      if (place.space !== 'memory' && !(place.variable?.isImmutable ?? false)) continue
      places[kept] = place
      this.held[kept++] = this.held[i]!
    }
    places.length = kept
    this.held.length = kept
  }

  // Locals

  slotOf(variable: object): number {
    return this.frame.vars.lastIndexOf(variable)
  }

  declare(variable: object, value: Op | undefined): number {
    const slot = this.frame.vars.length
    this.frame.vars.push(variable)
    while (this.env.length < slot) this.env.push(undefined)
    this.env[slot] = value
    return slot
  }

  /** Reading a storage reference as a whole copies it. */
  asValue(value: Op, node: ast.Span | null): Op {
    return value.kind === 'ref' && value.location !== null ? this.load(value.location, node) : value
  }

  private bindLocal(variable: VariableModel, value: Op, node: ast.Span | null): void {
    const bound = isStorage(variable) ? this.pointer(scalar(value), node) : this.asValue(scalar(value), node)
    // A loop body is lowered once, but 0.4 lets one variable be declared and assigned again in the same function.
    const slot = this.slotOf(variable)
    if (slot >= 0) this.env[slot] = bound
    else this.declare(variable, bound)
  }

  /** What a function that cannot be seen returns as storage is a place of its own. */
  private pointer(value: Op, node: ast.Span | null): Op {
    if (value.kind !== 'call' && value.kind !== 'extract') return value
    let root = this.roots.find((each) => each.base === value)
    root ??= this.newRoot('pointer', null, value)
    return this.make('ref', node, '', noArgs, root)
  }

  zero(variable: VariableModel, node: ast.Span | null): Op {
    // What the text says alone is quicker than the type.
    const written = variable.node.type
    if (written.kind === 'ElementaryType' && written.name !== 'bytes' && written.name !== 'string') {
      return this.constant(0n, node)
    }
    const type = variable.type
    switch (type.kind) {
      case 'int':
      case 'bool':
      case 'address':
      case 'enum':
      case 'fixedBytes':
      case 'contract':
        return this.constant(0n, node)
      case 'struct':
      case 'array':
      case 'bytes':
      case 'string':
        if (variable.location === 'storage') return this.unknown('uninitialized storage pointer', node)
        return this.emit('make', node, 'zero', noArgs)
      default:
        return this.constant(0n, node)
    }
  }

  // Functions

  lowerFunction(fn: FunctionModel): void {
    this.frame = { vars: [], fn, returns: [] }
    this.env = []
    fn.params.forEach((variable, i) => {
      const op = this.make('param', variable.span, variable.name, noArgs, null, null, false, BigInt(i), variable)
      this.params.push(op)
      this.declare(variable, op)
    })
    this.active.push(fn)
    this.runFunction(fn)
    this.active.pop()
    this.endRoot(fn.node)
  }

  private endRoot(node: ast.Span): void {
    if (this.cur === null) return
    const values: Op[] = []
    for (const slot of this.frame.returns) values.push(this.env[slot]!)
    this.emit('return', node, '', values)
    this.exits.push(this.cur.id)
    this.cur = null
  }

  /** Initial values and constructors of all bases, most base first. */
  lowerConstruction(contract: ContractModel): void {
    this.frame = { vars: [], fn: contract.constructor_, returns: [] }
    this.env = []
    const order = contract.linearization
    for (let i = order.length - 1; i >= 0; i--) {
      const base = order[i]!
      if (base.contractKind === 'interface') continue
      this.enter(base.file)
      const stub = this.stubSpan
      if (base.isStub) this.stubSpan = contract.node.name
      for (const variable of base.stateVariables) {
        if (variable.value === null || variable.isConstant) continue
        this.store(this.stateRoot(variable), this.asValue(this.expr(variable.value), variable.value), variable.span)
      }
      this.stubSpan = stub
      const fn = base.constructor_
      if (fn === null || !fn.isImplemented) continue
      if (base === contract) this.constructorBody(fn)
      else this.baseConstructor(fn, contract)
    }
    this.endRoot(contract.constructor_?.node ?? contract.node)
  }

  private constructorBody(fn: FunctionModel): void {
    fn.params.forEach((variable, i) => {
      const op = this.make('param', variable.span, variable.name, noArgs, null, null, false, BigInt(i), variable)
      this.params.push(op)
      this.declare(variable, op)
    })
    this.active.push(fn)
    this.runFunction(fn)
    this.active.pop()
  }

  private baseConstructor(fn: FunctionModel, contract: ContractModel): void {
    const args = this.baseArguments(fn, contract)
    this.inline(fn, args, fn.isStub ? contract.node.name : fn.node, 'internal', null)
  }

  /** Arguments written in an inheritance list; those written at a constructor's head name its parameters and stay unknown. */
  private baseArguments(fn: FunctionModel, contract: ContractModel): Op[] {
    for (const derived of contract.linearization) {
      for (const base of derived.bases) {
        if (base.contract !== fn.contract || base.node.args === null || base.node.args.values.length === 0) continue
        return base.node.args.values.map((e) => this.expr(e))
      }
      const own = derived.constructor_
      if (own === null) continue
      for (const use of own.modifiers) {
        if (use.base !== fn.contract || use.node.args === null) continue
        return use.node.args.values.map((e) => {
          const value = this.model.constantValue(e)
          return typeof value === 'bigint' ? this.constant(value, e) : this.unknown('constructor argument', e)
        })
      }
    }
    return fn.params.map((p) => this.unknown('constructor argument', p.span))
  }

  private enter(file: FunctionModel['file']): void {
    this.arithmeticChecked = file.versions.checkedArithmetic === 'always'
    this.enforcesView = file.versions.isAtLeast(5)
  }

  /** Runs modifiers and body in the current frame; its return values are then in the slots of `frame.returns`. */
  private runFunction(fn: FunctionModel): void {
    this.covered.push(fn)
    this.enter(fn.file)
    for (const variable of fn.returns) {
      this.frame.returns.push(this.declare(variable, this.zero(variable, variable.span)))
    }
    const saved = this.placeholder
    const unchecked = this.unchecked
    const loops = this.loopStack
    this.unchecked = false
    this.loopStack = []
    this.runModifiers(fn, 0)
    this.placeholder = saved
    this.unchecked = unchecked
    this.loopStack = loops
  }

  private runModifiers(fn: FunctionModel, from: number): void {
    for (let i = from; i < fn.modifiers.length; i++) {
      const use = fn.modifiers[i]!
      if (use.base !== null) continue
      const modifier = this.modifierFor(use)
      if (modifier === null) {
        // An unknown modifier may check or do anything; the body still runs.
        this.unknownModifier(use)
        continue
      }
      if (modifier.node.body === null) continue
      this.runModifier(fn, use, modifier, i)
      return
    }
    if (fn.node.body !== null) this.level(fn.node.body, false)
  }

  private unknownModifier(use: ModifierUse): void {
    const name = use.node.name.names.map((n) => n.name).join('.')
    const args = use.node.args === null ? [] : use.node.args.values.map((e) => this.expr(e))
    this.push(this.make('call', use.node, 'modifier', args, null, plainCall('internal', null, name, false)))
  }

  private modifierFor(use: ModifierUse): ModifierModel | null {
    if (use.modifier === null) return null
    if (this.contract === null) return use.modifier
    const got = this.model.modifierFor(use, this.contract)
    this.decisions.push({ asked: use.modifier, from: null, got, use, virtual: true })
    return got
  }

  private runModifier(fn: FunctionModel, use: ModifierUse, modifier: ModifierModel, index: number): void {
    const args = use.node.args === null ? [] : use.node.args.values.map((e) => this.expr(e))
    this.covered.push(modifier)
    const outer = this.site
    const file = modifier.file
    const stub = this.stubSpan
    const firstSlot = this.frame.vars.length
    if (modifier.isStub && stub === null) this.stubSpan = use.node
    this.site = {
      parent: outer,
      fn: modifier,
      call: null,
      at: stub ?? use.node,
      depth: outer === null ? 1 : outer.depth + 1,
    }
    if (modifier.isStub) {
      const call = this.make(
        'call',
        use.node,
        'modifier',
        args,
        null,
        plainCall('internal', null, modifier.name, true),
        false,
        null,
        modifier,
      )
      this.push(call)
    }
    modifier.params.forEach((variable, i) => {
      this.declare(variable, args[i] ?? this.unknown('missing argument', use.node))
    })
    const inside = this.site
    const outerPlaceholder = this.placeholder
    const stubInside = this.stubSpan
    this.placeholder = () => {
      const loops = this.loopStack
      this.loopStack = []
      this.site = outer
      this.stubSpan = stub
      this.enter(fn.file)
      this.runModifiers(fn, index + 1)
      this.site = inside
      this.stubSpan = stubInside
      this.enter(file)
      this.loopStack = loops
    }
    this.enter(file)
    const lastSlot = this.frame.vars.length
    this.level(modifier.node.body!, true)
    this.placeholder = outerPlaceholder
    for (let i = firstSlot; i < lastSlot; i++) this.frame.vars[i] = null
    this.site = outer
    this.stubSpan = stub
    this.enter(fn.file)
  }

  /** A body that `return` leaves. */
  private level(body: ast.Block, modifier: boolean): void {
    const level: Level = { exits: [], modifier }
    this.levels.push(level)
    this.statement(body)
    this.levels.pop()
    if (level.exits.length === 0) return
    if (this.cur !== null) level.exits.push(this.exit())
    this.join(level.exits)
  }

  /** Runs `fn` here and now. Null when it must stay a call. */
  private inline(fn: FunctionModel, args: Op[], node: ast.Span, kind: FlowCallKind, target: Op | null): Op {
    const depth = this.site === null ? 0 : this.site.depth
    const canInline =
      fn.isImplemented &&
      depth < this.budget.maxDepth &&
      this.inlinedSoFar() < this.budget.maxInlinedOps &&
      !this.active.includes(fn)
    if (!canInline && fn.isImplemented) this.noteCut(fn, depth)
    const info = plainCall(kind, fn, fn.name, canInline, target)
    const call = this.push(this.make('call', node, fn.name, args, null, info))
    if (!canInline) {
      this.forgetState()
      return this.results(call, fn.returns.length, node)
    }
    const isOutermost = this.inlineStart === -1
    if (isOutermost) this.inlineStart = this.ops.length
    const frame = this.frame
    const env = this.env
    const site = this.site
    const stub = this.stubSpan
    const levels = this.levels
    const checked = this.arithmeticChecked
    const enforces = this.enforcesView
    const placeholder = this.placeholder
    if (fn.isStub && stub === null) this.stubSpan = node
    this.site = { parent: site, fn, call, at: stub ?? node, depth: depth + 1 }
    this.frame = { vars: [], fn, returns: [] }
    this.env = []
    this.levels = []
    this.placeholder = null
    for (let i = 0; i < fn.params.length; i++) {
      const variable = fn.params[i]!
      const arg = args[i]
      const value = arg === undefined ? this.unknown('missing argument', node) : arg
      this.declare(variable, variable.location === 'storage' ? value : this.asValue(scalar(value), node))
    }
    this.active.push(fn)
    this.runFunction(fn)
    this.active.pop()
    const values: Op[] = []
    if (this.cur !== null) for (const slot of this.frame.returns) values.push(this.env[slot] ?? this.constant(0n, node))
    this.frame = frame
    this.env = env
    this.site = site
    this.stubSpan = stub
    this.levels = levels
    this.arithmeticChecked = checked
    this.enforcesView = enforces
    this.placeholder = placeholder
    if (isOutermost) {
      this.inlinedOps += this.ops.length - this.inlineStart
      this.inlineStart = -1
    }
    if (values.length === 1) return values[0]!
    return this.make('tuple', node, '', values)
  }

  private inlinedSoFar(): number {
    return this.inlinedOps + (this.inlineStart === -1 ? 0 : this.ops.length - this.inlineStart)
  }

  private noteCut(fn: FunctionModel, depth: number): void {
    if (this.active.includes(fn)) return
    if (this.problems.length < 4) {
      this.problems.push(
        depth >= this.budget.maxDepth ? `calls nest too deeply at ${fn.name}` : `too much to inline at ${fn.name}`,
      )
    }
  }

  private results(call: Op, count: number, node: ast.Span): Op {
    if (count <= 1) return call
    const parts: Op[] = []
    for (let i = 0; i < count; i++) parts.push(this.extract(call, i, node))
    return this.make('tuple', node, '', parts)
  }

  extract(call: Op, index: number, node: ast.Span): Op {
    return this.push(this.make('extract', node, '', [call], null, null, false, BigInt(index)))
  }

  // Statements

  statement(s: ast.Statement): void {
    if (this.cur === null) return
    if (this.ops.length > this.budget.maxOps) {
      if (!this.capped) this.problems.push('the function is too large')
      this.capped = true
      return
    }
    switch (s.kind) {
      case 'Block': {
        const unchecked = this.unchecked
        if (s.unchecked) this.unchecked = true
        if (this.nesting < this.budget.maxNesting) {
          this.nesting++
          for (const inner of s.statements) {
            if (this.cur === null) break
            this.statement(inner)
          }
          this.nesting--
        }
        this.unchecked = unchecked
        return
      }
      case 'ExpressionStatement':
        this.expr(s.expression)
        return
      case 'VariableStatement':
        this.variables(s)
        return
      case 'IfStatement':
        this.if(s)
        return
      case 'ForStatement':
        if (s.init !== null) this.statement(s.init)
        this.loop(s, s.condition, s.body, s.update, true)
        return
      case 'WhileStatement':
        this.loop(s, s.condition, s.body, null, true)
        return
      case 'DoWhileStatement':
        this.loop(s, s.condition, s.body, null, false)
        return
      case 'ReturnStatement':
        this.return(s)
        return
      case 'BreakStatement':
      case 'ContinueStatement': {
        const loop = this.loopStack[this.loopStack.length - 1]
        if (loop === undefined) return
        const list = s.kind === 'BreakStatement' ? loop.breaks : loop.continues
        list.push(this.exit())
        this.cur = null
        return
      }
      case 'ThrowStatement':
        this.revert(s, [])
        return
      case 'RevertStatement':
        this.revert(
          s,
          s.call.args.values.map((e) => this.expr(e)),
        )
        return
      case 'EmitStatement':
        this.emitEvent(s.call, s)
        return
      case 'TryStatement':
        this.try(s)
        return
      case 'PlaceholderStatement':
        if (this.placeholder !== null) this.placeholder()
        return
      case 'AssemblyStatement':
        lowerAssembly(this, s)
        return
      case 'ErrorStatement':
        return
    }
  }

  revert(node: ast.Span, args: Op[]): void {
    if (this.cur === null) return
    this.emit('revert', node, '', args)
    this.cur = null
  }

  /** `return` or `stop` inside assembly: nothing after it runs, not even the rest of a modifier. */
  halt(node: ast.Span): void {
    if (this.cur === null) return
    this.emit('return', node, 'halt', [])
    this.exits.push(this.cur.id)
    this.cur = null
  }

  private return(s: ast.ReturnStatement): void {
    const level = this.levels[this.levels.length - 1]
    if (s.value !== null && level !== undefined && !level.modifier) {
      const value = this.expr(s.value)
      if (this.cur === null) return
      const slots = this.frame.returns
      const returns = (this.frame.fn as FunctionModel | null)?.returns
      const set = (slot: number, v: Op, i: number): void => {
        this.env[slot] = returns?.[i]?.location === 'storage' ? v : this.asValue(scalar(v), s)
      }
      if (slots.length === 1) set(slots[0]!, value, 0)
      else {
        for (let i = 0; i < slots.length; i++) set(slots[i]!, part(this, value, i, s), i)
      }
    }
    if (level === undefined) return
    level.exits.push(this.exit())
    this.cur = null
  }

  private variables(s: ast.VariableStatement): void {
    const variables = this.model.variablesOf(s)
    if (s.value === null) {
      for (const variable of variables) {
        if (variable === null) continue
        const slot = this.slotOf(variable)
        // Before 0.5 a declaration without value inside a loop keeps what the variable held; zero is close enough.
        const value = this.zero(variable, s)
        if (slot >= 0) this.env[slot] = value
        else this.declare(variable, value)
      }
      return
    }
    const value = this.expr(s.value)
    if (!s.tuple) {
      const variable = variables[0]
      if (variable) this.bindLocal(variable, value, s.value)
      return
    }
    for (let i = 0; i < variables.length; i++) {
      const variable = variables[i]
      if (variable) this.bindLocal(variable, part(this, value, i, s), s.value)
    }
  }

  private if(s: ast.IfStatement): void {
    const condition = this.condition(s.condition)
    if (this.cur === null) return
    const settled = this.site === null ? null : settledBy(condition)
    if (settled !== null) {
      if (settled) this.statement(s.then)
      else if (s.else !== null) this.statement(s.else)
      return
    }
    const from = this.cur
    const before = this.exit()
    from.condition = condition
    const then = this.newBlock()
    this.edge(from, then)
    this.cur = then
    this.branchState()
    this.statement(s.then)
    const thenExit = this.cur === null ? null : this.exit()
    if (s.else === null && thenExit !== null) {
      // The false edge goes straight to the join.
      this.join([thenExit, before])
      return
    }
    const otherwise = this.newBlock()
    this.edge(from, otherwise)
    this.restore(before)
    this.cur = otherwise
    if (s.else !== null) this.statement(s.else)
    if (thenExit === null) return
    if (this.cur === null) this.restore(thenExit)
    else this.join([thenExit, this.exit()])
  }

  condition(e: ast.Expression): Op {
    return scalar(this.expr(e))
  }

  private loop(
    s: ast.ForStatement | ast.WhileStatement | ast.DoWhileStatement,
    condition: ast.Expression | null,
    body: ast.Statement,
    update: ast.Expression | null,
    testFirst: boolean,
  ): void {
    if (this.cur === null) return
    const header = this.newBlock()
    const mark = this.beginLoop(header, s)
    const phis = this.loopPhis(header, assignedNames(s))
    let leave: Exit | null = null
    if (testFirst && condition !== null) leave = this.test(condition, mark)
    const context: LoopContext = { breaks: [], continues: [] }
    this.loopStack.push(context)
    this.statement(body)
    this.loopStack.pop()
    if (this.cur !== null) context.continues.push(this.exit())
    this.join(context.continues)
    if (this.cur !== null && update !== null) this.expr(update)
    if (!testFirst && condition !== null && this.cur !== null) leave = this.test(condition, mark)
    this.closeLoop(header, mark, phis)
    if (leave !== null) {
      // The test's false edge leads out of the loop.
      const out = this.newBlock()
      this.edge(leave.block, out)
      context.breaks.push({ block: out, env: leave.env, places: leave.places, held: leave.held })
    }
    this.join(context.breaks)
  }

  beginLoop(header: BasicBlock, node: ast.Span): LoopMark {
    this.edge(this.cur!, header)
    this.cur = header
    const at = this.stubSpan ?? node
    const mark: LoopMark = {
      header: header.id,
      last: header.id,
      test: -1,
      site: this.site,
      node,
      start: at.start,
      end: at.end,
    }
    this.loops.push(mark)
    return mark
  }

  /** Phis for the locals that the loop may change; null names stand for all of them. */
  loopPhis(header: BasicBlock, names: Set<string> | null): Op[] {
    this.branchState()
    this.places = []
    this.held = []
    const phis: Op[] = []
    for (let slot = 0; slot < this.env.length; slot++) {
      const value = this.env[slot]
      const variable = this.frame.vars[slot] as { name: string } | null | undefined
      if (value === undefined || !variable || (names !== null && !names.has(variable.name))) continue
      const phi = this.make(
        'phi',
        null,
        variable.name,
        [value],
        null,
        null,
        false,
        BigInt(slot),
        variable as Declaration,
      )
      if (value.kind === 'ref' && value.location !== null)
        phi.location = this.child(rootOf(value.location), 'any', '', null)
      phis.push(phi)
      this.env[slot] = phi
    }
    if (phis.length > 0) header.phis = phis
    return phis
  }

  /** Branches on the loop's condition: goes on inside, and returns the state with which the loop is left. */
  private test(condition: ast.Expression, mark: LoopMark): Exit {
    const value = this.condition(condition)
    const from = this.cur!
    from.condition = value
    mark.test = from.id
    const exit = this.exit()
    const inside = this.newBlock()
    this.edge(from, inside)
    this.cur = inside
    this.branchState()
    return exit
  }

  testValue(value: Op, mark: LoopMark): Exit {
    const from = this.cur!
    from.condition = value
    mark.test = from.id
    const exit = this.exit()
    const inside = this.newBlock()
    this.edge(from, inside)
    this.cur = inside
    this.branchState()
    return exit
  }

  closeLoop(header: BasicBlock, mark: LoopMark, phis: readonly Op[]): void {
    if (this.cur !== null) {
      this.edge(this.cur, header)
      for (const phi of phis) phi.args.push(this.env[Number(phi.constant)] ?? phi)
    }
    mark.last = this.blocks.length - 1
  }

  /** Structured control flow for assembly. */
  branch(condition: Op, then: () => void, otherwise: (() => void) | null): void {
    if (this.cur === null) return
    const from = this.cur
    const before = this.exit()
    from.condition = condition
    const yes = this.newBlock()
    this.edge(from, yes)
    this.cur = yes
    this.branchState()
    then()
    const thenExit = this.cur === null ? null : this.exit()
    const no = this.newBlock()
    this.edge(from, no)
    this.restore(before)
    this.cur = no
    if (otherwise !== null) otherwise()
    if (thenExit === null) return
    if (this.cur === null) this.restore(thenExit)
    else this.join([thenExit, this.exit()])
  }

  /** A loop of assembly: `test` gives the condition. */
  yulLoop(node: ast.Span, names: Set<string>, test: () => Op, body: () => void, update: () => void): void {
    if (this.cur === null) return
    const header = this.newBlock()
    const mark = this.beginLoop(header, node)
    const phis = this.loopPhis(header, names)
    const leave = this.testValue(test(), mark)
    const context: LoopContext = { breaks: [], continues: [] }
    this.loopStack.push(context)
    body()
    this.loopStack.pop()
    if (this.cur !== null) context.continues.push(this.exit())
    this.join(context.continues)
    if (this.cur !== null) update()
    this.closeLoop(header, mark, phis)
    const out = this.newBlock()
    this.edge(leave.block, out)
    context.breaks.push({ block: out, env: leave.env, places: leave.places, held: leave.held })
    this.join(context.breaks)
  }

  leaveLoop(isBreak: boolean): void {
    const loop = this.loopStack[this.loopStack.length - 1]
    if (loop === undefined || this.cur === null) return
    const list = isBreak ? loop.breaks : loop.continues
    list.push(this.exit())
    this.cur = null
  }

  /** Runs a Yul function in a frame of its own; `leave` ends it. */
  yulCall(params: readonly object[], args: readonly Op[], returns: readonly object[], body: () => void): Op[] {
    const frame = this.frame
    const env = this.env
    const levels = this.levels
    const loops = this.loopStack
    this.frame = { vars: [], fn: null, returns: [] }
    this.env = []
    this.loopStack = []
    params.forEach((p, i) => {
      this.declare(p, args[i] ?? this.constant(0n, null))
    })
    const slots = returns.map((r) => this.declare(r, this.constant(0n, null)))
    const level: Level = { exits: [], modifier: true }
    this.levels = [level]
    body()
    if (level.exits.length > 0) {
      if (this.cur !== null) level.exits.push(this.exit())
      this.join(level.exits)
    }
    const values = this.cur === null ? [] : slots.map((slot) => this.env[slot] ?? this.constant(0n, null))
    this.frame = frame
    this.env = env
    this.levels = levels
    this.loopStack = loops
    return values
  }

  leaveLevel(): void {
    const level = this.levels[this.levels.length - 1]
    if (level === undefined || this.cur === null) return
    level.exits.push(this.exit())
    this.cur = null
  }

  private try(s: ast.TryStatement): void {
    const call = s.call.kind === 'Call' ? this.call(s.call, true) : this.expr(s.call)
    if (this.cur === null) return
    const origin = call.kind === 'tuple' ? (call.args[0]?.args[0] ?? call) : call
    const condition = this.push(this.make('extract', s.call, 'success', [origin]))
    const from = this.cur
    const before = this.exit()
    const exits: Exit[] = []
    from.condition = condition
    const then = this.newBlock()
    this.edge(from, then)
    this.cur = then
    this.branchState()
    s.returns.forEach((node, i) => {
      const variable = this.model.variableOf(node)
      if (variable) this.declare(variable, s.returns.length === 1 ? scalar(call) : part(this, call, i, node))
    })
    this.statement(s.body)
    if (this.cur !== null) exits.push(this.exit())
    const failed = this.newBlock()
    this.edge(from, failed)
    this.restore(before)
    this.cur = failed
    let rest: Exit = this.exit()
    s.catches.forEach((clause, i) => {
      this.restore(rest)
      this.branchState()
      if (i < s.catches.length - 1) {
        const fork = this.cur!
        fork.condition = this.unknown('kind of failure', clause)
        const taken = this.newBlock()
        const next = this.newBlock()
        this.edge(fork, taken)
        this.edge(fork, next)
        rest = { ...rest, block: next }
        this.cur = taken
      }
      for (const node of clause.params) {
        const variable = this.model.variableOf(node)
        if (variable) this.declare(variable, this.unknown('failure data', node))
      }
      this.statement(clause.body)
      if (this.cur !== null) exits.push(this.exit())
    })
    if (s.catches.length === 0) exits.push(rest)
    this.join(exits)
  }

  // Expressions

  private tooDeep(node: ast.Span): Op {
    if (!this.problems.includes('an expression nests too deeply')) this.problems.push('an expression nests too deeply')
    return this.unknown('nested too deeply', node)
  }

  expr(e: ast.Expression): Op {
    switch (e.kind) {
      case 'Identifier':
        return this.identifier(e)
      case 'Literal':
        return this.literal(e)
    }
    if (this.nesting >= this.budget.maxNesting) return this.tooDeep(e)
    this.nesting++
    const value = this.compound(e)
    this.nesting--
    return value
  }

  private compound(e: ast.Expression): Op {
    switch (e.kind) {
      case 'Binary':
        return this.binary(e)
      case 'Unary':
        return this.unary(e)
      case 'Assignment':
        return this.assignment(e)
      case 'Conditional':
        return this.conditional(e)
      case 'Call':
        return this.call(e, false)
      case 'Member':
        return this.member(e)
      case 'Index': {
        if (e.index === null) return this.unknown('type', e)
        const place = this.placeOf(e)
        return this.read(place, e)
      }
      case 'Tuple': {
        if (e.elements.length === 1 && e.elements[0]) return this.expr(e.elements[0])
        const values = e.elements.map((x) => (x === null ? this.interned('unknown', 'gap', e, null) : this.expr(x)))
        return this.make('tuple', e, '', values)
      }
      case 'ArrayLiteral':
        return this.emit(
          'make',
          e,
          'array',
          e.elements.map((x) => this.asValue(this.expr(x), x)),
        )
      case 'Slice': {
        const args = [this.asValue(this.expr(e.object), e.object)]
        if (e.from !== null) args.push(this.expr(e.from))
        if (e.to !== null) args.push(this.expr(e.to))
        return this.emit('make', e, 'slice', args)
      }
      case 'CallOptions': {
        for (const value of e.values) this.expr(value)
        return this.expr(e.callee)
      }
      case 'TypeExpression':
      case 'NewExpression':
        return this.interned('name', 'type', e, null)
      default:
        return this.unknown('error', e)
    }
  }

  private literal(e: ast.Literal): Op {
    if (e.literalKind === 'bool') return this.constant(e.value === 'true' ? 1n : 0n, e)
    if (e.literalKind === 'number' || e.literalKind === 'hexNumber') {
      const written = e.value
      if (written.length < 80) {
        if (isPlainNumber(written)) {
          const unit = e.unit === null ? 1n : units.get(e.unit)
          if (unit !== undefined) return this.constant(BigInt(written) * unit, e)
        } else if (e.literalKind === 'hexNumber' && e.unit === null && !written.includes('_')) {
          return this.constant(BigInt(written), e)
        }
      }
      const value = this.model.constantValue(e)
      return typeof value === 'bigint' ? this.constant(value, e) : this.interned('const', e.value, e, null)
    }
    return this.interned('const', e.value, e, null)
  }

  private identifier(e: ast.Identifier): Op {
    const decl = this.model.resolve(e)
    if (decl === undefined) return this.interned('unknown', e.name, e, null)
    if (isVariable(decl)) return this.variable(decl, e)
    if (Array.isArray(decl)) return this.interned('name', e.name, e, decl[0] ?? null)
    const one = decl as Declaration
    if (one.kind === 'builtin') {
      if (e.name === 'now') return this.environment('block.timestamp', e)
      return this.environment(e.name, e)
    }
    return this.interned('name', e.name, e, one)
  }

  private variable(variable: VariableModel, e: ast.Expression): Op {
    if (variable.isConstant || variable.role === 'constant') return this.constantVariable(variable, e)
    if (variable.role === 'state') return this.read(this.stateRoot(variable), e, variable)
    const slot = this.slotOf(variable)
    const value = slot < 0 ? undefined : this.env[slot]
    if (value !== undefined) return value
    // 0.4: a use before the declaration sees zero.
    return variable.role === 'local' ? this.zero(variable, e) : this.unknown('variable', e)
  }

  private constantVariable(variable: VariableModel, e: ast.Expression): Op {
    const value = this.model.constantValue(e)
    if (typeof value === 'bigint') return this.constant(value, e)
    if (typeof value === 'boolean') return this.constant(value ? 1n : 0n, e)
    return this.interned('const', variable.name, variable.span, variable)
  }

  /** Reference types give a pointer, everything else is loaded. */
  private read(place: Location, e: ast.Expression, variable?: VariableModel): Op {
    if (place.space !== 'memory') {
      const type = variable === undefined ? (place.type ?? this.model.typeOf(e)) : variable.type
      if (type.kind === 'mapping' || type.kind === 'struct' || type.kind === 'array') {
        return this.make('ref', e, '', noArgs, place)
      }
    }
    return this.load(place, e)
  }

  private member(e: ast.Member): Op {
    const object = e.object
    const name = e.name.name
    if (object.kind === 'Identifier') {
      const base = object.name
      if (base === 'msg' || base === 'block' || base === 'tx') {
        const decl = this.model.resolve(object)
        if (decl !== undefined && !Array.isArray(decl) && (decl as Declaration).kind === 'builtin') {
          return this.environment(`${base}.${name}`, e)
        }
      }
    }
    const struct = this.structPlace(object)
    if (struct !== null) return this.read(this.child(struct, 'field', name, null), e)
    const decl = this.model.memberOf(e)
    if (decl !== undefined && !Array.isArray(decl)) {
      const one = decl as Declaration
      if (one.kind === 'enumValue') return this.constant(BigInt(one.index), e)
      if (one.kind === 'variable' && one.role !== 'field') return this.variable(one, e)
      if (one.kind === 'function') {
        const receiver = isTypeName(this.model, object) ? [] : [this.expr(object)]
        return this.make('name', e, name, receiver, null, null, false, null, one)
      }
      if (one.kind === 'builtin' && name !== 'length') return this.builtinMember(e)
    }
    if (Array.isArray(decl)) return this.interned('name', name, e, decl[0] ?? null)
    if (name === 'length') {
      const place = this.placeOf(e)
      return this.load(place, e)
    }
    if (decl === undefined && (name === 'balance' || name === 'code' || name === 'codehash' || name === 'selector')) {
      return this.builtinMember(e)
    }
    return this.read(this.placeOf(e), e)
  }

  private builtinMember(e: ast.Member): Op {
    const value = this.model.constantValue(e)
    if (typeof value === 'bigint') return this.constant(value, e)
    const name = e.name.name
    if (isTypeName(this.model, e.object)) return this.interned('const', name, e, null)
    return this.emit('builtin', e, name, [this.expr(e.object)])
  }

  /** Left-deep chains of operators are walked along their spine, since they can be thousands long. */
  private binary(e: ast.Binary): Op {
    const spine: ast.Binary[] = []
    let leaf: ast.Expression = e
    while (leaf.kind === 'Binary') {
      spine.push(leaf)
      leaf = leaf.left
    }
    let left = scalar(this.expr(leaf))
    let isLiteral = isLiteralExpression(leaf)
    for (let i = spine.length - 1; i >= 0; i--) {
      const node = spine[i]!
      const operator = node.operator
      isLiteral &&= isLiteralExpression(node.right)
      if (isLiteral && left.constant !== null) {
        const folded = this.fold(operator, left.constant, node)
        if (folded !== null) {
          left = folded
          continue
        }
      }
      if ((operator === '&&' || operator === '||') && hasEffects(node.right)) left = this.shortCircuit(node, left)
      else {
        const right = scalar(this.expr(node.right))
        left = this.bin(operator, left, right, node, this.isChecked(operator))
      }
    }
    return left
  }

  /** Literals are exact whatever their size; a value that came through a variable has its type's range and is not folded. */
  private fold(operator: string, left: bigint, node: ast.Binary): Op | null {
    const right = this.expr(node.right)
    if (right.kind !== 'const' || right.constant === null) return null
    const folded = fold(operator, left, right.constant)
    return folded === null ? null : this.constant(folded, node)
  }

  private isChecked(operator: string): boolean {
    return this.arithmeticChecked && !this.unchecked && operator !== '<<' && operator !== '>>'
  }

  /** The right side runs only when the left does not decide; the result is still one operation. */
  private shortCircuit(node: ast.Binary, left: Op): Op {
    if (this.cur === null) return left
    let right: Op = left
    const run = (): void => {
      right = scalar(this.expr(node.right))
    }
    if (node.operator === '&&') this.branch(left, run, null)
    else this.branch(left, () => {}, run)
    return this.bin(node.operator, left, right, node, true)
  }

  private conditional(e: ast.Conditional): Op {
    const condition = this.condition(e.condition)
    if (isPlain(e.then) && isPlain(e.else)) {
      const a = this.expr(e.then)
      const b = this.expr(e.else)
      return this.select(e, condition, a, b)
    }
    let a: Op = condition
    let b: Op = condition
    this.branch(
      condition,
      () => {
        a = this.expr(e.then)
      },
      () => {
        b = this.expr(e.else)
      },
    )
    return this.select(e, condition, a, b)
  }

  private select(e: ast.Conditional, condition: Op, a: Op, b: Op): Op {
    if (a.kind === 'tuple' && b.kind === 'tuple' && a.args.length === b.args.length) {
      const parts = a.args.map((x, i) => this.emit('select', e, '', [condition, x, b.args[i]!]))
      return this.make('tuple', e, '', parts)
    }
    const op = this.emit('select', e, '', [condition, a, b])
    op.location = this.commonPlace([a, b])
    return op
  }

  private unary(e: ast.Unary): Op {
    switch (e.operator) {
      case '++':
      case '--': {
        const operator = e.operator === '++' ? '+' : '-'
        const { old, now } = this.update(e.operand, operator, () => this.constant(1n, e), e)
        return e.prefix ? now : old
      }
      case 'delete':
        this.delete(e)
        return this.constant(0n, e)
      case '+':
      case 'after':
        return this.expr(e.operand)
      default: {
        const operand = scalar(this.expr(e.operand))
        if (operand.kind === 'const' && operand.constant !== null && e.operator === '-')
          return this.constant(-operand.constant, e)
        return this.push(this.make('un', e, e.operator, [operand], null, null, this.isChecked(e.operator)))
      }
    }
  }

  private delete(e: ast.Unary): void {
    const target = e.operand
    if (target.kind === 'Identifier') {
      const decl = this.model.resolve(target)
      if (isVariable(decl) && decl.role !== 'state') {
        const slot = this.slotOf(decl)
        if (slot >= 0) this.env[slot] = this.zero(decl, e)
        return
      }
    }
    this.store(this.placeOf(target), this.constant(0n, e), e, true)
  }

  private assignment(e: ast.Assignment): Op {
    if (e.operator === '=') {
      const value = this.expr(e.value)
      this.assign(e.target, value, e)
      return value
    }
    // The right side runs first, as the compiler does.
    const right = scalar(this.expr(e.value))
    return this.update(e.target, e.operator.slice(0, -1), () => right, e).now
  }

  /**
   * Reads a place, computes and writes it back. The place is worked out once: its index may have effects, and working it
   * out twice at every level of `a[a[i]++]++` would take time exponential in the depth.
   */
  private update(target: ast.Expression, operator: string, by: () => Op, node: ast.Span): { old: Op; now: Op } {
    let inner = target
    while (inner.kind === 'Tuple' && inner.elements.length === 1 && inner.elements[0]) inner = inner.elements[0]
    const compute = (old: Op): Op => this.bin(operator, old, by(), node, this.isChecked(operator))
    if ((inner.kind === 'Index' && inner.index !== null) || inner.kind === 'Member') {
      const place = this.placeOf(inner)
      const old = scalar(
        inner.kind === 'Member' && inner.name.name === 'length' ? this.load(place, inner) : this.read(place, inner),
      )
      const now = compute(old)
      this.store(place, this.asValue(scalar(now), node), node)
      return { old, now }
    }
    const old = scalar(this.expr(inner))
    const now = compute(old)
    // Anything else is no place to write to: only broken code gets here.
    if (inner.kind === 'Identifier') this.assign(inner, now, node)
    return { old, now }
  }

  assign(target: ast.Expression, value: Op, node: ast.Span): void {
    if (target.kind === 'Tuple') {
      if (target.elements.length === 1 && target.elements[0]) {
        this.assign(target.elements[0], value, node)
        return
      }
      if (this.nesting >= this.budget.maxNesting) return
      this.nesting++
      target.elements.forEach((element, i) => {
        if (element !== null) this.assign(element, part(this, value, i, node), node)
      })
      this.nesting--
      return
    }
    if (target.kind === 'Identifier') {
      const decl = this.model.resolve(target)
      if (isVariable(decl) && decl.role !== 'state') {
        const slot = this.slotOf(decl)
        const bound = decl.location === 'storage' ? value : this.asValue(scalar(value), node)
        if (slot >= 0) this.env[slot] = bound
        else this.declare(decl, bound)
        return
      }
    }
    this.store(this.placeOf(target), this.asValue(scalar(value), node), node)
  }

  // Calls

  private args(target: CallTarget): Op[] {
    const args: Op[] = []
    for (const e of target.args) args.push(this.expr(e))
    return args
  }

  private emitEvent(call: ast.Call, node: ast.Span): void {
    let event = call.callee.kind === 'Identifier' ? this.plainEvent(call.callee) : null
    let args: readonly ast.Expression[] = call.args.values
    if (event === null || call.args.names !== null) {
      const target = this.model.callTarget(call)
      event = target.event
      if (target.args.length > 0) args = target.args
    }
    const values: Op[] = []
    for (const e of args) values.push(this.asValue(scalar(this.expr(e)), e))
    this.push(this.make('emit', node, event?.name ?? '', values, null, null, false, null, event))
  }

  private plainEvent(callee: ast.Identifier): EventModel | null {
    const decl = this.model.resolve(callee)
    if (decl === undefined || Array.isArray(decl)) return null
    return (decl as Declaration).kind === 'event' ? (decl as EventModel) : null
  }

  private call(e: ast.Call, tried: boolean): Op {
    const plain = tried ? null : this.plainCall(e)
    if (plain !== null) return plain
    const target = this.model.callTarget(e)
    switch (target.kind) {
      case 'builtin':
        return this.builtin(e, target)
      case 'type-conversion': {
        const arg = target.args[0]
        const value = arg === undefined ? this.unknown('missing argument', e) : this.expr(arg)
        return this.push(this.make('cast', e, '', [scalar(value)], value.kind === 'ref' ? value.location : null))
      }
      case 'internal':
        return this.internal(e, target, null)
      case 'super':
        return this.internal(e, target, this.writtenIn())
      case 'library':
      case 'using-for':
        return this.library(e, target, tried)
      case 'external':
        return this.external(e, target, tried)
      case 'low-level':
      case 'send':
      case 'transfer':
        return this.address(e, target)
      case 'create':
        return this.create(e, target, tried)
      case 'struct-constructor':
        return this.emit(
          'make',
          e,
          target.struct?.name ?? 'struct',
          this.args(target).map((v) => this.asValue(v, e)),
        )
      case 'new-array':
        return this.emit('make', e, 'new', this.args(target))
      case 'event': {
        this.emitEvent(e, e)
        return this.interned('unknown', 'nothing', e, null)
      }
      case 'error':
        return this.emit('make', e, target.error?.name ?? 'error', this.args(target))
      case 'function-pointer': {
        if (target.isExternal) return this.external(e, target, tried)
        const callee = this.expr(e.callee)
        const args = this.args(target)
        const info = plainCall('pointer', null, '', false, callee)
        const call = this.push(this.make('call', e, '', args, null, info))
        this.forgetState()
        return this.results(call, resultCount(target), e)
      }
      default:
        return this.unknownCall(e, target, tried)
    }
  }

  /** Calls whose meaning their callee says alone: conversions, `require`, one function of that name. The rest is for the model. */
  private plainCall(e: ast.Call): Op | null {
    const callee = e.callee
    const { values, names } = e.args
    if (names !== null) return null
    if (callee.kind === 'TypeExpression') return values.length === 1 ? this.cast(e, values[0]!) : null
    if (callee.kind !== 'Identifier') return callee.kind === 'Member' ? this.plainMemberCall(e, callee) : null
    const decl = this.model.resolve(callee)
    if (decl === undefined || Array.isArray(decl)) return null
    const one = decl as Declaration
    switch (one.kind) {
      case 'builtin':
        if (callee.name === 'require' || callee.name === 'assert') {
          if (values.length === 0) return null
          this.require(values[0]!, e, callee.name)
          return this.interned('unknown', 'nothing', e, null)
        }
        return plainBuiltins.has(callee.name) ? this.builtinCall(e, callee.name, values) : null
      case 'event':
        this.emitEvent(e, e)
        return this.interned('unknown', 'nothing', e, null)
      case 'contract':
      case 'enum':
        return values.length === 1 ? this.cast(e, values[0]!) : null
      case 'function': {
        if (one.role !== 'function' || one.params.length !== values.length) return null
        if (one.contract === null || one.contract.contractKind === 'library') return null
        const args: Op[] = []
        for (const value of values) args.push(this.expr(value))
        return this.dispatched(e, one, args, null)
      }
      default:
        return null
    }
  }

  /** `abi.encode…(…)`, and `list.push(x)` on a list whose type is plain to see. */
  private plainMemberCall(e: ast.Call, callee: ast.Member): Op | null {
    const name = callee.name.name
    const object = callee.object
    if (object.kind === 'Identifier' && object.name === 'abi' && name.startsWith('encode')) {
      const decl = this.model.resolve(object)
      if (decl === undefined || Array.isArray(decl) || (decl as Declaration).kind !== 'builtin') return null
      return this.builtinCall(e, `abi.${name}`, e.args.values)
    }
    if (name !== 'push' || e.args.values.length > 1) return null
    const root = rootIdentifier(object)
    const decl = root === null ? undefined : this.model.resolve(root)
    if (!isVariable(decl) || decl.role !== 'state' || elementType(decl.type, object)?.kind !== 'array') return null
    return this.grow(e, object, e.args.values[0])
  }

  private builtinCall(e: ast.Call, name: string, values: readonly ast.Expression[]): Op {
    const args: Op[] = []
    for (const value of values) args.push(this.asValue(scalar(this.expr(value)), value))
    return this.emit('builtin', e, canonicalBuiltin(name), args)
  }

  private cast(e: ast.Call, arg: ast.Expression): Op {
    const value = this.expr(arg)
    return this.push(this.make('cast', e, '', [scalar(value)], value.kind === 'ref' ? value.location : null))
  }

  private writtenIn(): ContractModel | null {
    const fn = this.frame.fn
    return (this.site?.call === null ? this.site.fn.contract : fn?.contract) ?? null
  }

  private unknownCall(e: ast.Call, target: CallTarget, tried: boolean): Op {
    const callee = unwrapOptions(e.callee)
    if (callee.kind === 'Member' && !isSuper(callee.object) && !this.isAttached(callee.object)) {
      return this.external(e, target, tried)
    }
    const args = (target.args.length > 0 ? target.args : e.args.values).map((x) => this.expr(x))
    const name = callee.kind === 'Identifier' ? callee.name : callee.kind === 'Member' ? callee.name.name : ''
    if (callee.kind === 'Member') {
      if (!isTypeName(this.model, callee.object) && !isSuper(callee.object)) args.unshift(this.expr(callee.object))
    } else if (callee.kind !== 'Identifier') this.expr(callee)
    const call = this.push(this.make('call', e, name, args, null, plainCall('internal', null, name, false)))
    this.forgetState()
    return call
  }

  /** Only an address or a contract can be called from outside: on anything else a member is a library's, here a missing one. */
  private isAttached(receiver: ast.Expression): boolean {
    const type = this.model.typeOf(receiver)
    switch (type.kind) {
      case 'contract':
      case 'address':
      case 'function':
        return false
      case 'unknown':
        return this.isUsed(receiver)
      default:
        return true
    }
  }

  /** A value of a missing type that lives in memory or storage as a whole, or that `using` attaches functions to. */
  private isUsed(receiver: ast.Expression): boolean {
    if (isTypeName(this.model, receiver)) return true
    const found = receiver.kind === 'Identifier' ? this.model.declarationOf(receiver) : this.memberDeclaration(receiver)
    const decl = Array.isArray(found) ? undefined : (found as Declaration | undefined)
    if (decl === undefined) return receiver.kind === 'Identifier' && startsUpper(receiver.name)
    if (decl.kind !== 'variable') return false
    if (decl.location === 'storage' || decl.location === 'memory' || decl.location === 'calldata')
      return decl.role !== 'state'
    const type = decl.node.type
    const name = type.kind === 'UserType' ? type.path.names[type.path.names.length - 1]!.name : ''
    const usings = this.frame.fn?.contract?.usings ?? []
    return usings.some((using) => {
      if (using.type === null) return true
      return using.type.kind === 'UserType' && using.type.path.names[using.type.path.names.length - 1]!.name === name
    })
  }

  private memberDeclaration(e: ast.Expression): Declaration | readonly Declaration[] | undefined {
    let at = e
    while (at.kind === 'Index') at = at.object
    if (at.kind === 'Identifier') return this.model.declarationOf(at)
    return at.kind === 'Member' ? this.model.memberOf(at) : undefined
  }

  private internal(e: ast.Call, target: CallTarget, superFrom: ContractModel | null): Op {
    const fn = target.function ?? target.functions[0] ?? null
    const args = this.args(target)
    if (fn === null) {
      const call = this.push(this.make('call', e, '', args, null, plainCall('internal', null, '', false)))
      this.forgetState()
      return call
    }
    return this.dispatched(e, fn, args, superFrom)
  }

  /** Runs the implementation that this contract has of `asked`. */
  private dispatched(e: ast.Call, asked: FunctionModel, args: Op[], superFrom: ContractModel | null): Op {
    let fn = asked
    if (this.contract !== null && asked.contract !== null) {
      const virtual = isVirtualCall(e)
      if (superFrom !== null) fn = this.model.superOf(asked, superFrom, this.contract) ?? asked
      else if (virtual) fn = this.model.dispatch(asked, this.contract)
      this.decisions.push({ asked, from: superFrom, got: fn, use: null, virtual })
    }
    return this.inline(fn, args, e, 'internal', null)
  }

  private library(e: ast.Call, target: CallTarget, tried: boolean): Op {
    const fn = target.function ?? target.functions[0] ?? null
    const args: Op[] = []
    if (target.kind === 'using-for' && target.receiver !== null) args.push(this.expr(target.receiver))
    for (const x of target.args) args.push(this.expr(x))
    if (fn === null) return this.unknownCall(e, target, tried)
    return this.inline(fn, args, e, 'library', null)
  }

  private options(target: CallTarget): { value: Op | null; gas: Op | null } {
    const value = target.value === null ? null : scalar(this.expr(target.value))
    const gas = target.gas === null ? null : scalar(this.expr(target.gas))
    if (target.salt !== null) this.expr(target.salt)
    return { value, gas }
  }

  private external(e: ast.Call, target: CallTarget, tried: boolean): Op {
    const callee = unwrapOptions(e.callee)
    const receiverNode = target.receiver ?? (callee.kind === 'Member' ? callee.object : null)
    const receiver = receiverNode === null ? this.expr(callee) : scalar(this.expr(receiverNode))
    const args = (target.args.length > 0 ? target.args : e.args.values).map((x) =>
      this.asValue(scalar(this.expr(x)), x),
    )
    const { value, gas } = this.options(target)
    if (target.isOption) return receiver
    const definition = target.function
    const name = definition?.name ?? target.getter?.name ?? (callee.kind === 'Member' ? callee.name.name : '')
    const mutability = target.getter !== null ? 'view' : definition?.mutability
    const info: CallInfo = {
      kind: 'external',
      definition,
      contract: target.contract,
      name,
      target: receiver,
      value,
      gas,
      gasKind: gas === null ? 'all' : 'limited',
      inlined: false,
      isStatic: this.enforcesView && (mutability === 'view' || mutability === 'pure'),
      isTried: tried,
      bubbles: !tried,
    }
    const call = this.push(this.make('call', e, name, args, null, info))
    if (!info.isStatic) this.forgetState()
    return this.results(call, resultCount(target), e)
  }

  private address(e: ast.Call, target: CallTarget): Op {
    const receiver = target.receiver === null ? this.unknown('receiver', e) : scalar(this.expr(target.receiver))
    const args = target.args.map((x) => this.asValue(scalar(this.expr(x)), x))
    let { value, gas } = this.options(target)
    if (target.isOption) return receiver
    let kind: FlowCallKind
    const name = target.builtin ?? target.kind
    if (target.kind === 'send' || target.kind === 'transfer') {
      kind = target.kind
      value = args[0] ?? null
    } else if (name === 'delegatecall') kind = 'delegate'
    else if (name === 'callcode') kind = 'callcode'
    else if (name === 'staticcall') kind = 'static'
    else kind = 'lowlevel'
    return this.addressCall(e, kind, name, receiver, value, gas, args, resultCount(target))
  }

  addressCall(
    node: ast.Span,
    kind: FlowCallKind,
    name: string,
    receiver: Op,
    value: Op | null,
    gas: Op | null,
    args: Op[],
    results: number,
  ): Op {
    const stipend =
      gasStipendKinds.has(kind) || (gas?.kind === 'const' && gas.constant !== null && gas.constant <= 2300n)
    const gasKind: GasKind = stipend ? 'stipend' : gas === null ? 'all' : 'limited'
    const info: CallInfo = {
      kind,
      definition: null,
      contract: null,
      name,
      target: receiver,
      value,
      gas,
      gasKind,
      inlined: false,
      isStatic: kind === 'static',
      isTried: false,
      bubbles: kind === 'transfer',
    }
    const call = this.push(this.make('call', node, name, args, null, info))
    if (!stipend && kind !== 'static') this.forgetState()
    return this.results(call, results, node)
  }

  private create(e: ast.Call, target: CallTarget, tried: boolean): Op {
    const args = this.args(target).map((v) => this.asValue(scalar(v), e))
    const { value, gas } = this.options(target)
    return this.createCall(e, target.contract, value, gas, args, tried)
  }

  createCall(
    node: ast.Span,
    contract: ContractModel | null,
    value: Op | null,
    gas: Op | null,
    args: Op[],
    tried: boolean,
  ): Op {
    const info: CallInfo = {
      kind: 'create',
      definition: contract?.constructor_ ?? null,
      contract,
      name: contract?.name ?? '',
      target: null,
      value,
      gas,
      gasKind: 'all',
      inlined: false,
      isStatic: false,
      isTried: tried,
      bubbles: !tried,
    }
    return this.push(this.make('call', node, contract?.name ?? '', args, null, info))
  }

  private builtin(e: ast.Call, target: CallTarget): Op {
    const name = target.builtin ?? ''
    switch (name) {
      case 'require':
      case 'assert': {
        const condition = target.args[0] ?? e.args.values[0]
        if (condition !== undefined) this.require(condition, e, name)
        return this.interned('unknown', 'nothing', e, null)
      }
      case 'revert':
        this.revert(e, this.args(target))
        return this.interned('unknown', 'nothing', e, null)
      case 'push':
      case 'pop':
        return this.pushPop(e, target, name)
      default: {
        const args: Op[] = []
        if (target.receiver !== null && !isTypeName(this.model, target.receiver))
          args.push(scalar(this.expr(target.receiver)))
        for (const x of target.args) args.push(this.asValue(scalar(this.expr(x)), x))
        const op = this.emit('builtin', e, canonicalBuiltin(name), args)
        if (op.operator === 'selfdestruct') {
          if (this.cur !== null) this.exits.push(this.cur.id)
          this.cur = null
        }
        if (op.operator === 'abi.decode') return this.results(op, resultCount(target), e)
        return op
      }
    }
  }

  /** `a && b` must both hold, one after the other; `a || b` stays one condition. */
  require(condition: ast.Expression, node: ast.Span, name: string): void {
    let rest: ast.Expression = condition
    const parts: ast.Expression[] = []
    for (;;) {
      if (rest.kind === 'Tuple' && rest.elements.length === 1 && rest.elements[0]) rest = rest.elements[0]
      else if (rest.kind === 'Binary' && rest.operator === '&&') {
        parts.push(rest.right)
        rest = rest.left
      } else break
    }
    parts.push(rest)
    for (let i = parts.length - 1; i >= 0; i--) this.emit('assume', node, name, [this.condition(parts[i]!)])
  }

  private pushPop(e: ast.Call, target: CallTarget, name: string): Op {
    const receiver = target.receiver
    if (receiver === null) return this.unknown('receiver', e)
    if (name === 'push') return this.grow(e, receiver, target.args[0])
    const place = this.placeOf(receiver)
    const length = this.child(place, 'length', '', null)
    const old = this.load(length, e)
    this.store(this.child(place, 'any', '', null), this.constant(0n, e), e, true)
    this.store(length, this.bin('-', old, this.constant(1n, e), e, true), e, true)
    return old
  }

  private grow(e: ast.Call, list: ast.Expression, arg: ast.Expression | undefined): Op {
    const place = this.placeOf(list)
    const length = this.child(place, 'length', '', null)
    const old = this.load(length, e)
    const element = this.child(place, 'index', '', old)
    if (arg !== undefined) {
      const value = this.asValue(scalar(this.expr(arg)), arg)
      this.store(element, value, e)
    }
    const grown = this.bin('+', old, this.constant(1n, e), e, true)
    this.store(length, grown, e)
    if (arg === undefined) return this.make('ref', e, '', noArgs, element)
    return grown
  }
}

/** A comparison of two constants, as when a shared helper asks which case it serves and this caller says so in its arguments. */
const settledBy = (condition: Op): boolean | null => {
  if (condition.kind !== 'bin' || (condition.operator !== '==' && condition.operator !== '!=')) return null
  const [a, b] = condition.args.map(stripCasts) as [Op, Op]
  if (a.kind !== 'const' || b.kind !== 'const' || a.constant === null || b.constant === null) return null
  return (a.constant === b.constant) === (condition.operator === '==')
}

/** Evaluating it can neither do nor break anything, so it need not wait for the condition. */
const isPlain = (e: ast.Expression): boolean =>
  e.kind === 'Identifier' || e.kind === 'Literal' || (e.kind === 'Member' && e.object.kind === 'Identifier')

/** A tuple where one value is expected: its first part (`bool ok = a.call()` in 0.4). */
export const scalar = (value: Op): Op => (value.kind === 'tuple' && value.args.length > 0 ? value.args[0]! : value)

const part = (lowering: Lowering, value: Op, index: number, node: ast.Span): Op => {
  if (value.kind === 'tuple') return value.args[index] ?? lowering.unknown('tuple', node)
  if (value.kind === 'call' || value.kind === 'builtin') return lowering.extract(value, index, node)
  return index === 0 ? value : lowering.unknown('tuple', node, [value])
}

const resultCount = (target: CallTarget): number => (target.type.kind === 'tuple' ? target.type.elements.length : 1)

const isVariable = (decl: Declaration | readonly Declaration[] | undefined): decl is VariableModel =>
  decl !== undefined && !Array.isArray(decl) && (decl as Declaration).kind === 'variable'

/** Written `storage`, also where the type is not among the files. */
const isStorage = (variable: VariableModel): boolean =>
  variable.location === 'storage' || (variable.node.kind === 'Parameter' && variable.node.location === 'storage')

const isStoragePointer = (op: Op): boolean =>
  op.decl !== null && op.decl.kind === 'variable' && op.decl.location === 'storage'

const baseType = (base: Op | null): Type | null =>
  base?.decl?.kind === 'variable' && base.kind === 'param' ? base.decl.type : null

/** The type of a part of something: an element, a field, a length. */
const partType = (whole: Type | null, part: PartKind, name: string): Type | null => {
  if (whole === null) return null
  if (part === 'index') return whole.kind === 'mapping' ? whole.value : whole.kind === 'array' ? whole.base : null
  if (part === 'field' && whole.kind === 'struct') {
    for (const field of whole.struct.fields) if (field.name === name) return field.type
  }
  return null
}

/** The variable at the bottom of `a[i][j]`. */
const rootIdentifier = (e: ast.Expression): ast.Identifier | null => {
  let at = e
  while (at.kind === 'Index' && at.index !== null) at = at.object
  return at.kind === 'Identifier' ? at : null
}

/** What indexing a variable of this type as `e` does gives. */
const elementType = (type: Type, e: ast.Expression): Type | null => {
  let depth = 0
  for (let at = e; at.kind === 'Index'; at = at.object) depth++
  let element: Type | null = type
  while (depth-- > 0 && element !== null) element = partType(element, 'index', '')
  return element
}

export const rootOf = (place: Location): Location => {
  let root = place
  while (root.parent !== null) root = root.parent
  return root
}

/** Conversions that keep the number are no new key. */
const keyOf = (value: Op): Op => {
  let key = scalar(value)
  while (key.kind === 'cast' && key.args[0]!.kind !== 'const') key = key.args[0]!
  return key
}

/** Whether a write to one place may change the other. Different roots never meet; different constant keys neither. */
export const mayOverlap = (a: Location, b: Location): boolean => {
  if (a.space !== b.space) {
    // A storage pointer parameter or a computed slot may be any state.
    return a.space !== 'memory' && b.space !== 'memory' && (a.space === 'pointer' || b.space === 'pointer')
  }
  if (a.variable !== b.variable || (a.variable === null && a.base !== b.base)) {
    return a.space === 'slot' && !(a.base!.kind === 'const' && b.base!.kind === 'const')
  }
  let x: Location | null = a
  let y: Location | null = b
  while (x !== null && y !== null && x.depth > y.depth) x = x.parent
  while (x !== null && y !== null && y.depth > x.depth) y = y.parent
  while (x !== null && y !== null && x !== y) {
    if (x.part === 'field' && y.part === 'field' && x.name !== y.name) return false
    if (x.part !== y.part && x.part !== 'any' && y.part !== 'any') return false
    if (x.part === 'index' && y.part === 'index') {
      const i = x.index!.constant
      const j = y.index!.constant
      if (i !== null && j !== null && x.index!.kind === 'const' && y.index!.kind === 'const' && i !== j) return false
    }
    x = x.parent
    y = y.parent
  }
  return true
}

const plainCall = (
  kind: FlowCallKind,
  definition: FunctionModel | null,
  name: string,
  inlined: boolean,
  target: Op | null = null,
): CallInfo => ({
  kind,
  definition,
  contract: null,
  name,
  target,
  value: null,
  gas: null,
  gasKind: 'all',
  inlined,
  isStatic: false,
  isTried: false,
  bubbles: true,
})

const unwrapOptions = (callee: ast.Expression): ast.Expression => {
  let e = callee
  for (;;) {
    if (e.kind === 'CallOptions') e = e.callee
    else if (e.kind === 'Tuple' && e.elements.length === 1 && e.elements[0]) e = e.elements[0]
    else if (
      e.kind === 'Call' &&
      e.callee.kind === 'Member' &&
      (e.callee.name.name === 'value' || e.callee.name.name === 'gas')
    ) {
      e = e.callee.object
    } else return e
  }
}

/** An unresolved name before a dot: by convention types and libraries start with a capital, and no variable is missing. */
const startsUpper = (name: string): boolean => name.charCodeAt(0) >= 65 && name.charCodeAt(0) <= 90

const isSuper = (e: ast.Expression): boolean => e.kind === 'Identifier' && e.name === 'super'

/** `Base.f()` names one implementation; `f()` is dispatched. */
const isVirtualCall = (e: ast.Call): boolean => unwrapOptions(e.callee).kind === 'Identifier'

const isTypeName = (model: Model, e: ast.Expression): boolean => {
  if (e.kind === 'TypeExpression') return true
  if (e.kind === 'Identifier') {
    const decl = model.resolve(e)
    if (decl === undefined || Array.isArray(decl)) return false
    const kind = (decl as Declaration).kind
    return kind !== 'variable' && kind !== 'function' && (kind !== 'builtin' || (e.name !== 'this' && e.name !== 'now'))
  }
  if (e.kind === 'Member' || e.kind === 'Call') {
    const kind = model.typeOf(e).kind
    return kind === 'type' || kind === 'module' || kind === 'meta' || kind === 'magic'
  }
  return false
}

/** Builtins that only compute: their name says everything. */
const plainBuiltins = new Set([
  'keccak256',
  'sha3',
  'sha256',
  'ripemd160',
  'ecrecover',
  'blockhash',
  'blobhash',
  'addmod',
  'mulmod',
  'gasleft',
])

const canonicalBuiltin = (name: string): string => {
  if (name === 'suicide') return 'selfdestruct'
  if (name === 'sha3') return 'keccak256'
  if (name === 'block.blockhash') return 'blockhash'
  return name
}

const units = new Map<string, bigint>([
  ['wei', 1n],
  ['gwei', 10n ** 9n],
  ['szabo', 10n ** 12n],
  ['finney', 10n ** 15n],
  ['ether', 10n ** 18n],
  ['seconds', 1n],
  ['minutes', 60n],
  ['hours', 3600n],
  ['days', 86_400n],
  ['weeks', 604_800n],
  ['years', 31_536_000n],
])

const isPlainNumber = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c < 48 || c > 57) return false
  }
  return text.length > 0
}

const isLiteralExpression = (e: ast.Expression): boolean => {
  if (e.kind === 'Literal') return e.literalKind === 'number' || e.literalKind === 'hexNumber'
  if (e.kind === 'Unary') return e.operator === '-' && isLiteralExpression(e.operand)
  if (e.kind === 'Tuple')
    return e.elements.length === 1 && e.elements[0] !== null && isLiteralExpression(e.elements[0]!)
  if (e.kind === 'Binary' && e.left.kind === 'Literal')
    return isLiteralExpression(e.left) && isLiteralExpression(e.right)
  return false
}

const maxShift = 512n

/** Exact arithmetic on constants, as the compiler does for literals. */
const fold = (operator: string, a: bigint, b: bigint): bigint | null => {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0n ? null : a / b
    case '%':
      return b === 0n ? null : a % b
    case '**':
      return b < 0n || b > maxShift || a > 1_000_000_000_000n ? null : a ** b
    case '<<':
      return b < 0n || b > maxShift ? null : a << b
    case '>>':
      return b < 0n || b > maxShift ? null : a >> b
    default:
      return null
  }
}
