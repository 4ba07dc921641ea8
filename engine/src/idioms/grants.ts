/** What an account has granted the caller: an allowance, an approval. Whether a caller to whom nothing was granted is stopped by it. */
import { canHoldWithin, constantBounds, dependsOn, endsInRevert, isCallersNumber, isSender } from '../facts/index.ts'
import {
  type BasicBlock,
  type Flow,
  type Interval,
  isEquality,
  type Op,
  sameValueOrPlace,
  stripCasts,
  uint256,
} from '../ir/index.ts'
import { keysOf } from './entries.ts'

/** `free`: it does not speak of the caller. `unsure`: it does, and nothing says how it comes out. */
type Outcome = boolean | 'free' | 'unsure'

const nothing: Interval = { min: 0n, max: 0n }
const something: Interval = { min: 1n, max: uint256.max }

/** Empty until the account grants something: the entry under it and the caller. */
const isGrant =
  (account: Op) =>
  (value: Op): boolean => {
    if ((value.kind !== 'load' && value.kind !== 'store') || value.location.space !== 'state') return false
    const keys = keysOf(value.location)
    return keys.some(isSender) && keys.some((key) => sameValueOrPlace(key, account))
  }

class UngrantedCaller {
  readonly #flow: Flow
  readonly #op: Op
  readonly #isAccount: (value: Op) => boolean
  readonly #isGrant: (value: Op) => boolean

  constructor(flow: Flow, op: Op, account: Op) {
    this.#flow = flow
    this.#op = op
    this.#isAccount = (value) => sameValueOrPlace(value, account)
    this.#isGrant = isGrant(account)
  }

  /** Through `op` to an end that keeps what was done. */
  passes(): boolean {
    return this.#rests(this.#op) ? false : this.#walks(0, this.#op.block) && this.#walks(this.#op.block, null)
  }

  #walks(from: number, to: number | null): boolean {
    const seen = new Set([from])
    for (const id of seen) {
      const block = this.#flow.blocks[id]!
      if (id === to) return true
      if (block.ops.some((op) => this.#stops(op)) || endsInRevert(this.#flow, id)) continue
      if (to === null && block.succs.length === 0) return true
      for (const next of this.#nextOf(block)) seen.add(next)
    }
    return false
  }

  #nextOf({ condition, succs }: BasicBlock): readonly number[] {
    const outcome = condition === null || succs.length < 2 ? 'free' : this.#outcomeOf(condition)
    if (outcome === 'free') return succs
    return outcome === 'unsure' ? [] : [succs[outcome ? 0 : 1]!]
  }

  #stops(op: Op): boolean {
    if (op.kind === 'assume') {
      const outcome = this.#outcomeOf(op.args[0])
      return outcome === false || outcome === 'unsure'
    }
    if (op.kind === 'store' && this.#isGrant(op)) return true
    const mayRevert = op.kind === 'call' || op.kind === 'store' || (op.kind === 'bin' && op.operator === '-')
    return mayRevert && this.#rests(op)
  }

  #outcomeOf(condition: Op): Outcome {
    const op = stripCasts(condition)
    if (op.kind === 'un' && op.operator === '!') {
      const outcome = this.#outcomeOf(op.args[0])
      return typeof outcome === 'boolean' ? !outcome : outcome
    }
    if (op.kind === 'bin' && (op.operator === '&&' || op.operator === '||')) {
      const decides = op.operator === '||'
      const sides = op.args.map((side) => this.#outcomeOf(side))
      if (sides.includes(decides)) return decides
      return sides.find((side) => side === 'unsure') ?? sides.find((side) => side === 'free') ?? !decides
    }
    // One of many accounts: neither the caller, nor the contract, nor nobody.
    if (op.kind === 'bin' && isEquality(op.operator) && op.args.some((side) => this.#isAccount(stripCasts(side))))
      return op.operator === '!='
    if (!this.#rests(op)) return this.#speaksOfSender(op) ? 'unsure' : 'free'
    const [yes, no] = [true, false].map((polarity) => canHoldWithin(this.#flow, this.#boundsOf, op, polarity))
    return yes === no ? 'unsure' : yes!
  }

  /** A caller who takes nothing harms nobody. */
  readonly #boundsOf = (value: Op): Interval | null => {
    const op = stripCasts(value)
    if (this.#isGrant(op)) return nothing
    return op.kind === 'param' && isCallersNumber(this.#flow, op) ? something : constantBounds(op)
  }

  #rests(op: Op): boolean {
    return dependsOn(this.#flow, op, (part) => part.kind === 'load' && this.#isGrant(part))
  }

  #speaksOfSender(op: Op): boolean {
    return dependsOn(this.#flow, op, isSender, { keys: true })
  }
}

/** No way through `op` asks for a grant of the account: `if (allowance[from][msg.sender] != max) {}` looks at one and stops nobody. */
export const isOpenWithoutGrant = (flow: Flow, op: Op, account: Op): boolean =>
  new UngrantedCaller(flow, op, account).passes()
