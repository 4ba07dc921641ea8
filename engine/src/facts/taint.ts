/**
 * Where values come from, as a bit set per operation. One pass in program order, repeated while a loop's phi still
 * gains bits; data flow only. Results of inlined calls need no rule: their values are in the same flow.
 */

import { type Flow, type LoadOp, type Op, stripCasts } from '../ir/index.ts'
import { outsiderCanSetPlace } from './principals.ts'

/** Where a value can come from, one bit each: the answer of `taintOf`. */
export const Source = {
  /** A parameter of the function that outsiders call. */
  param: 1,
  sender: 2,
  /** `msg.value` */
  value: 4,
  /** `msg.data`, `msg.sig` */
  data: 8,
  origin: 16,
  /** `block.timestamp`, `block.number` */
  time: 32,
  /** blockhash, difficulty, prevrandao, coinbase, gas limit: what miners know or choose. */
  block: 64,
  state: 128,
  /** State that an outsider can set. */
  outsiderState: 256,
  /** Result of a call to another contract. */
  call: 512,
  balance: 1024,
  gas: 2048,
  unknown: 4096,
} as const

/** Sources whose value an outsider chooses. */
export const chosenByCaller = Source.param | Source.sender | Source.value | Source.data | Source.origin

const environmentBits: ReadonlyMap<string, number> = new Map([
  ['msg.sender', Source.sender],
  ['msg.value', Source.value],
  ['msg.data', Source.data],
  ['msg.sig', Source.data],
  ['tx.origin', Source.origin],
  ['tx.gasprice', Source.gas],
  ['msg.gas', Source.gas],
  ['block.timestamp', Source.time],
  ['block.number', Source.time],
  ['block.coinbase', Source.block],
  ['block.difficulty', Source.block],
  ['block.prevrandao', Source.block],
  ['block.gaslimit', Source.block],
  ['block.basefee', Source.block],
  ['block.blobbasefee', Source.block],
])

/** Plainly what the caller hands in: nobody needs to work out where it comes from. */
export const isPassedIn = (value: Op): boolean => {
  const { kind, operator } = stripCasts(value)
  return kind === 'param' || (kind === 'env' && ((environmentBits.get(operator) ?? 0) & chosenByCaller) !== 0)
}

/** Some value of the flow comes from the block that it runs in; nothing else brings such a bit. */
export const readsBlock = (flow: Flow): boolean =>
  flow.ir.environments.some((name) => ((environmentBits.get(name) ?? 0) & (Source.block | Source.time)) !== 0) ||
  flow.ops('builtin').some((op) => (builtinBits(op) & Source.block) !== 0)

/** A bit set of `Source`s that the value depends on (data flow only), also through state of the contract. */
export const taintOf = (flow: Flow, op: Op): number => flow.answer(taintPass)[op.id] ?? 0

/** The bits of every operation, by its id. */
const taintPass = (flow: Flow): readonly number[] => {
  const { ops } = flow.ir
  const bits = new Array<number>(ops.length).fill(0)
  // Without a loop only a store to memory can bring something to an operation before it.
  const isStraight = flow.ir.loops.length === 0
  for (let round = 0; round < 4; round++) {
    let changed = false
    for (let i = 0; i < ops.length; i++) {
      const now = bits[i]! | sourcesOf(flow, ops[i]!, bits)
      if (now !== bits[i]) {
        bits[i] = now
        changed = true
      }
    }
    if (!changed || (isStraight && (round > 0 || flow.memoryStores().length === 0))) break
  }
  return bits
}

const sourcesOf = (flow: Flow, op: Op, bits: readonly number[]): number => {
  switch (op.kind) {
    case 'const':
    case 'name':
      return 0
    case 'param':
      return Source.param
    case 'env':
      return environmentBits.get(op.operator) ?? 0
    case 'load':
      return loadBits(flow, op, bits)
    case 'call':
      if (op.call.inlined) return 0
      return argumentBits(op, bits) | Source.call
    case 'builtin':
      return argumentBits(op, bits) | builtinBits(op)
    case 'unknown':
      return argumentBits(op, bits) | Source.unknown
    default:
      return argumentBits(op, bits)
  }
}

const argumentBits = ({ args }: Op, bits: readonly number[]): number => {
  let all = 0
  for (const { id } of args) all |= bits[id]!
  return all
}

const builtinBits = (op: Op): number => {
  switch (op.operator) {
    case 'blockhash':
    case 'blobhash':
      return Source.block
    case 'balance':
    case 'selfbalance':
      return Source.balance
    case 'gasleft':
      return Source.gas
    case 'calldataload':
    case 'calldatacopy':
      return Source.data
    case 'mload':
    case 'returndatasize':
      return Source.unknown
    default:
      return 0
  }
}

const loadBits = (flow: Flow, op: LoadOp, bits: readonly number[]): number => {
  const place = op.location
  if (place.space === 'memory') {
    let all = place.base === null ? 0 : bits[place.base.id]!
    for (const { args } of flow.memoryStoresTo(place)) all |= bits[args[0].id]!
    return all
  }
  const variable = place.variable
  if (variable === null) return Source.state
  return outsiderCanSetPlace(flow.contractFlow, place) ? Source.state | Source.outsiderState : Source.state
}
