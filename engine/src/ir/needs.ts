/** What claims commonly need a flow to hold; see `needs` of a detector. Recognized by what operations there are, never by what they mean. */
import type { Need } from './context.ts'
import type { Flow } from './flow.ts'
import type { FlowCallKind, Location, OpKind, StoreOp } from './ir.ts'

const operation =
  (kind: OpKind): Need =>
  (flow) =>
    flow.has(kind)

const environment =
  (name: string): Need =>
  (flow) =>
    flow.usesEnvironment(name)

const builtin =
  (...names: readonly string[]): Need =>
  (flow) =>
    flow.ops('builtin').some(({ operator }) => names.includes(operator))

const operator =
  (symbol: string): Need =>
  (flow) =>
    flow.ops('bin').some((op) => op.operator === symbol)

const callOf =
  (...kinds: readonly FlowCallKind[]): Need =>
  (flow) =>
    kinds.some((kind) => flow.hasCall(kind))

/** Under a key: a value of a mapping, an element of a list, or a part of one. */
const isOfEntry = ({ location }: StoreOp): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) if (at.index !== null) return true
  return false
}

const externalCall = (flow: Flow): boolean => flow.externalCalls().length > 0
const stateWrite = (flow: Flow): boolean => flow.stateStores().length > 0

export const holding = {
  externalCall,
  stateWrite,
  /** Of a variable by itself, not of an entry or field of one. */
  rootWrite: (flow: Flow): boolean => flow.stateStores().some(({ location }) => location.part === 'root'),
  /** Of a variable that is an address. */
  addressWrite: (flow: Flow): boolean =>
    flow.stateStores().some(({ location: { part, variable } }) => part === 'root' && variable?.type.kind === 'address'),
  entryWrite: (flow: Flow): boolean => flow.stateStores().some(isOfEntry),
  severalWrites: (flow: Flow): boolean => flow.stateStores().length > 1,
  deletion: (flow: Flow): boolean => flow.ops('store').some(({ flag }) => flag),
  memoryWrite: (flow: Flow): boolean => flow.memoryStores().length > 0,
  /** It can change something, here or elsewhere. */
  effect: (flow: Flow): boolean => stateWrite(flow) || externalCall(flow) || flow.hasCall('library'),
  loop: (flow: Flow): boolean => flow.ir.loops.length > 0,
  arithmetic: operation('bin'),
  builtin: operation('builtin'),
  call: operation('call'),
  /** Of code that is not the contract's own: another contract's, a library's, or what no file here holds. */
  foreignCall: (flow: Flow): boolean =>
    flow.ops('call').some(({ call, decl }) => call.kind !== 'internal' || (call.definition === null && decl === null)),
  cast: operation('cast'),
  quotient: operator('/'),
  product: operator('*'),
  construction: (flow: Flow): boolean => flow.isConstructor,
  internalCall: callOf('internal'),
  lowLevelCall: callOf('lowlevel'),
  /** `x.f()` on another contract. */
  typedCall: callOf('external'),
  /** Of another contract, with gas to do more than take ether. */
  openCall: (flow: Flow): boolean => flow.externalCalls().some(({ call }) => call.gasKind !== 'stipend'),
  balanceQuery: (flow: Flow): boolean => flow.ops('call').some(({ call }) => call.name === 'balanceOf'),
  delegateCall: callOf('delegate', 'callcode'),
  /** By the builtin; see `recoversSigner` for libraries too. */
  recovery: builtin('ecrecover'),
  selfDestruct: builtin('selfdestruct', 'suicide'),
  assumption: operation('assume'),
  origin: environment('tx.origin'),
  gasPrice: environment('tx.gasprice'),
} satisfies Record<string, Need>
