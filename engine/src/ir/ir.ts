/**
 * The intermediate representation: static single assignment over a control-flow graph.
 *
 * An operation that yields something IS the value: `Op` serves as both, so a data-flow edge is a plain reference.
 * To the reader operations are a union by `kind`: a load has a location, a call has a call. At run time all are objects of one class with
 * an integer `id` that follows program order inside one flow; tables are lists by these ids, and order is answered in `order.ts`.
 *
 * Internal calls, library calls and modifiers are inlined where they occur, so order, dominance and data flow need no
 * second mechanism; `site` tells through which call an operation came in. Past a budget a call stays a call.
 */
import type {
  ContractModel,
  Declaration,
  FunctionModel,
  ModifierModel,
  ModifierUse,
  Type,
  VariableModel,
} from '../model/index.ts'
import type { Expression, Span } from '../syntax/index.ts'

export type OpKind =
  // Values that no operation computes.
  | 'const'
  | 'param'
  /** `msg.sender`, `block.timestamp`, `this`…: the name is in `operator`. */
  | 'env'
  | 'phi'
  | 'tuple'
  /** A storage pointer: `location` says where it points. */
  | 'ref'
  /** A function, type or contract name used as a value. */
  | 'name'
  /** Not understood: the reason is in `operator`. */
  | 'unknown'
  // Operations.
  | 'bin'
  | 'un'
  | 'cast'
  /** `c ? a : b`: args are c, a, b. */
  | 'select'
  | 'load'
  /** `args[0]` is the new value. */
  | 'store'
  /** Code that runs elsewhere or was inlined: see `call`. */
  | 'call'
  /** keccak256, abi.encode, blockhash, balance, selfdestruct, ecrecover, mload…: the name is in `operator`. */
  | 'builtin'
  /** A struct, an array, a string or a slice built in memory. */
  | 'make'
  /** What a large pure function computes from `args`; the function is in `decl`, and its body is a flow of its own. */
  | 'compute'
  /** One of several results of the call in `args[0]`; `operator` is `success` for the outcome of a `try`. */
  | 'extract'
  | 'emit'
  /** `require(c)`, `assert(c)`: execution goes on only when `args[0]` is true. `operator` is the builtin's name. */
  | 'assume'
  /** Code that is not understood (legacy assembly): anything may have changed. */
  | 'opaque'
  | 'return'
  | 'revert'

export type FlowCallKind =
  /** Same contract, modifiers and base constructors too; inlined or, past a budget or in recursion, summarized. */
  | 'internal'
  | 'library'
  /** `x.f()` on another contract, also `this.f()`. */
  | 'external'
  /** `.call` */
  | 'lowlevel'
  | 'delegate'
  | 'callcode'
  | 'static'
  | 'send'
  | 'transfer'
  | 'create'
  /** Through a function-typed value. */
  | 'pointer'

export type GasKind = 'stipend' | 'all' | 'limited'

export interface CallInfo {
  readonly kind: FlowCallKind
  /** The function called after dispatch, if known. */
  readonly definition: FunctionModel | null
  /** The contract created or called, if known. */
  readonly contract: ContractModel | null
  /** Its name as written. */
  readonly name: string
  /** Receiver address or contract; null for internal ones. */
  readonly target: Op | null
  /** Ether sent along; null when none is. */
  readonly value: Op | null
  readonly gas: Op | null
  readonly gasKind: GasKind
  readonly inlined: boolean
  /** The callee cannot change state: `staticcall`, or a view/pure target compiled with 0.5 or later. */
  readonly isStatic: boolean
  /** Inside `try`: a failure is caught. */
  readonly isTried: boolean
  /** A failure reverts the caller by itself: high-level calls, `transfer`, `new`. */
  readonly bubbles: boolean
}

export class CallRecord implements CallInfo {
  declare readonly kind: FlowCallKind
  declare readonly definition: FunctionModel | null
  declare readonly contract: ContractModel | null
  declare readonly name: string
  declare readonly target: Op | null
  declare readonly value: Op | null
  declare readonly gas: Op | null
  declare readonly gasKind: GasKind
  declare readonly inlined: boolean
  declare readonly isStatic: boolean
  declare readonly isTried: boolean
  declare readonly bubbles: boolean

  constructor(
    kind: FlowCallKind,
    definition: FunctionModel | null,
    contract: ContractModel | null,
    name: string,
    target: Op | null,
    value: Op | null,
    gas: Op | null,
    gasKind: GasKind,
    inlined: boolean,
    isStatic: boolean,
    isTried: boolean,
    bubbles: boolean,
  ) {
    this.kind = kind
    this.definition = definition
    this.contract = contract
    this.name = name
    this.target = target
    this.value = value
    this.gas = gas
    this.gasKind = gasKind
    this.inlined = inlined
    this.isStatic = isStatic
    this.isTried = isTried
    this.bubbles = bubbles
  }
}

/** A call without options. */
export const plainCallInfo = (
  kind: FlowCallKind,
  definition: FunctionModel | null,
  name: string,
  inlined: boolean,
  target: Op | null,
): CallInfo => new CallRecord(kind, definition, null, name, target, null, null, 'all', inlined, false, false, true)

/** How an operation came into the flow: through which call or modifier. */
export interface Site {
  readonly parent: Site | null
  /** Where the operations of this site are written. */
  readonly fn: FunctionModel | ModifierModel
  /** The call operation, or null for a modifier. */
  readonly call: Op | null
  /** The call, or the modifier's name in the function's head, in the text of the caller. */
  readonly at: Span
  readonly depth: number
}

export class CallSite implements Site {
  declare readonly parent: Site | null
  declare readonly fn: FunctionModel | ModifierModel
  declare readonly call: Op | null
  declare readonly at: Span
  declare readonly depth: number

  constructor(parent: Site | null, fn: FunctionModel | ModifierModel, call: Op | null, at: Span, depth: number) {
    this.parent = parent
    this.fn = fn
    this.call = call
    this.at = at
    this.depth = depth
  }
}

/** What operations of every kind have. */
interface AnyOp<Kind extends OpKind> extends Span {
  readonly id: number
  readonly kind: Kind
  /** Index of its block. */
  readonly block: number
  readonly start: number
  readonly end: number
  /** Operator, or name of an environment value, builtin, event or parameter. */
  readonly operator: string
  readonly args: Many
  /** The syntax it stands for; null for made-up ones. In a known library it is not text of the scan. */
  readonly node: Span | null
  /** param: the variable. name: what it means. */
  readonly decl: Declaration | null
  /** load, store, ref: the place. phi, select, cast: the place that a storage pointer among them points to, if it is one. */
  readonly location: Location | null
  readonly call: CallInfo | null
  /** bin: reverts on overflow. store: comes from `delete`, or from `pop`. */
  readonly flag: boolean
  readonly site: Site | null
  /** const: its number, if it has one. extract, param: its index. */
  readonly constant: bigint | null
}

/** Arguments by how many there are at least. The first ones are named: of a plain list in a union the compiler takes any to be there. */
interface Many extends Array<Op> {
  0?: Op
  1?: Op
  2?: Op
}
interface One extends Many {
  0: Op
}
interface Two extends One {
  1: Op
}
interface Three extends Two {
  2: Op
}

/** Has neither place nor call, and as many arguments as it happens to have. */
interface PlainOp<Kind extends OpKind> extends AnyOp<Kind> {
  readonly location: null
  readonly call: null
}

/** What is made of one value. */
interface UnaryOp<Kind extends OpKind> extends PlainOp<Kind> {
  readonly args: One
}

export interface BinaryOp extends PlainOp<'bin'> {
  readonly args: Two
}

interface CastOp extends AnyOp<'cast'> {
  readonly args: One
  readonly call: null
}

interface SelectOp extends AnyOp<'select'> {
  readonly args: Three
  location: Location | null
  readonly call: null
}

interface PhiOp extends AnyOp<'phi'> {
  readonly args: One
  location: Location | null
  readonly call: null
}

interface RefOp extends AnyOp<'ref'> {
  readonly location: Location
  readonly call: null
}

export interface LoadOp extends AnyOp<'load'> {
  readonly location: Location
  readonly call: null
}

export interface StoreOp extends AnyOp<'store'> {
  readonly args: One
  readonly location: Location
  readonly call: null
}

export interface CallOp extends AnyOp<'call'> {
  readonly location: null
  readonly call: CallInfo
}

interface OpByKind {
  const: PlainOp<'const'>
  param: PlainOp<'param'>
  env: PlainOp<'env'>
  phi: PhiOp
  tuple: PlainOp<'tuple'>
  ref: RefOp
  name: PlainOp<'name'>
  unknown: PlainOp<'unknown'>
  bin: BinaryOp
  un: UnaryOp<'un'>
  cast: CastOp
  select: SelectOp
  load: LoadOp
  store: StoreOp
  call: CallOp
  builtin: PlainOp<'builtin'>
  make: PlainOp<'make'>
  compute: PlainOp<'compute'>
  extract: UnaryOp<'extract'>
  emit: PlainOp<'emit'>
  assume: UnaryOp<'assume'>
  opaque: PlainOp<'opaque'>
  return: PlainOp<'return'>
  revert: PlainOp<'revert'>
}

/** Operations of one kind, or of some. */
export type OpOf<Kind extends OpKind> = OpByKind[Kind]

/** An operation and the value it yields. Its kind says what it has: a place, a call, how many arguments. */
export type Op = OpOf<OpKind>

/**
 * All operations are objects of this one class, so that reading them stays fast; who makes one sees to it that it has what its kind needs.
 * A class rather than a literal: the runtime may place what a much used literal makes among old objects, to stay there.
 */
export class Operation {
  declare readonly id: number
  declare readonly kind: OpKind
  declare readonly block: number
  declare readonly operator: string
  declare readonly args: Op[]
  declare readonly node: Span | null
  declare private readonly at: Span | null
  declare readonly decl: Declaration | null
  declare location: Location | null
  declare readonly call: CallInfo | null
  declare readonly flag: boolean
  declare readonly site: Site | null
  declare readonly constant: bigint | null

  constructor(
    id: number,
    kind: OpKind,
    block: number,
    operator: string,
    args: Op[],
    node: Span | null,
    at: Span | null,
    decl: Declaration | null,
    location: Location | null,
    call: CallInfo | null,
    flag: boolean,
    site: Site | null,
    constant: bigint | null,
  ) {
    this.id = id
    this.kind = kind
    this.block = block
    this.operator = operator
    this.args = args
    this.node = node
    this.at = at
    this.decl = decl
    this.location = location
    this.call = call
    this.flag = flag
    this.site = site
    this.constant = constant
  }

  // Read on request, which few are: nodes of this many shapes answer slowly.
  get start(): number {
    return this.at === null ? 0 : this.at.start
  }

  get end(): number {
    return this.at === null ? 0 : this.at.end
  }
}

export type PartKind = 'root' | 'field' | 'index' | 'length' | 'any'

/** A place in storage or memory: a root and a path. Interned per flow, so equality is identity. */
export interface Location {
  readonly id: number
  /** pointer: behind a storage parameter. slot: an assembly slot that is no variable. */
  readonly space: 'state' | 'memory' | 'pointer' | 'slot'
  /** The state variable at the root. */
  readonly variable: VariableModel | null
  /** The memory object, storage pointer or slot number at the root. */
  readonly base: Op | null
  readonly parent: Location | null
  readonly part: PartKind
  /** Field name. */
  readonly name: string
  /** Key or index. */
  readonly index: Op | null
  readonly depth: number
  /** Elements by their key, other parts by kind and name. */
  readonly children: Map<Op | string, Location>
  /** What is stored there; null where it is not known (behind casts, in assembly). */
  readonly type: Type | null
}

export interface BasicBlock {
  readonly id: number
  /** Operations in order; phis are apart. */
  readonly ops: Op[]
  readonly phis: Op[]
  preds: number[]
  succs: number[]
  /** With two successors: `succs[0]` is taken when it is true. */
  condition: Op | null
}

export class Block implements BasicBlock {
  readonly id: number
  readonly ops: Op[] = []
  readonly phis: Op[] = []
  preds: number[] = []
  succs: number[] = []
  condition: Op | null = null

  constructor(id: number) {
    this.id = id
  }
}

export interface LoopMark extends Span {
  readonly header: number
  /** Blocks header…last were made for this loop: ids are contiguous. */
  last: number
  /** The block whose condition decides whether to go on; -1 for none. */
  test: number
  readonly site: Site | null
  readonly node: Span
}

/** The behavior of one function in one contract, everything it calls inside included. */
export interface Ir {
  readonly blocks: BasicBlock[]
  readonly ops: Op[]
  readonly params: Op[]
  readonly loops: LoopMark[]
  readonly locations: Location[]
  /** Names of the environment values it reads. */
  readonly environments: readonly string[]
  /** Blocks that end by returning. */
  readonly exits: number[]
  /** Functions and modifiers whose bodies went in. */
  readonly covered: readonly (FunctionModel | ModifierModel)[]
  /** How virtual calls were resolved: another contract with the same answers can share this flow. */
  readonly decisions: readonly Decision[]
  /** What a budget cut. */
  readonly problems: readonly string[]
  /** Something is missing inside of bodies that went in, not only calls that stayed calls. */
  readonly isCutInside: boolean
}

export interface Decision {
  readonly called: FunctionModel | ModifierModel
  /** For `super`: the contract it is written in. */
  readonly from: ContractModel | null
  readonly got: FunctionModel | ModifierModel | null
  readonly use: ModifierUse | null
  /** False for `Base.f()`, which names one implementation. */
  readonly virtual: boolean
}

/** The expression an operation stands for, when it is one. */
export const expressionOf = (op: Op): Expression | null => op.node as Expression | null
