/** Where paths meet: locals that differ become phis, and only what is stored on all of them is still known. */
import type { VariableModel } from '../../model/index.ts'
import type { BasicBlock, Op, OpOf } from '../ir.ts'
import type { Builder } from './builder.ts'
import { type Exit, Held } from './frames.ts'
import { commonPlace } from './places.ts'

/** Goes on where a path that ended in `other` (if it did not end for good) meets the current one (the same). */
export const meet = (to: Builder, other: Exit | null): void => {
  if (other === null) return
  if (to.cur === null) to.restore(other)
  else join(to, [other, to.exit()])
}

/** Goes on where all of `exits` meet; with none, what follows is dead. */
export const join = (to: Builder, exits: readonly Exit[]): void => {
  if (exits.length === 0) {
    to.cur = null
    return
  }
  if (exits.length === 1) {
    to.restore(exits[0]!)
    return
  }
  const block = to.newBlock()
  to.cur = block
  for (let i = 0; i < exits.length; i++) to.edge(exits[i]!.block, block)
  joinLocals(to, exits, block)
  joinHeld(to, exits)
}

const joinLocals = (to: Builder, exits: readonly Exit[], block: BasicBlock): void => {
  let longest = exits[0]!.env
  let isSame = true
  for (let i = 1; i < exits.length; i++) {
    const { env } = exits[i]!
    if (env !== longest) isSame = false
    if (env.length > longest.length) longest = env
  }
  to.env = longest
  to.isEnvShared = true
  if (isSame) return
  for (const slot of to.frame.inSight) {
    const value = merge(to, exits, slot, block)
    if (value !== to.env[slot]) to.setSlot(slot, value)
  }
}

const merge = (to: Builder, exits: readonly Exit[], slot: number, block: BasicBlock): Op | undefined => {
  let same: Op | undefined
  let differ = false
  for (let i = 0; i < exits.length; i++) {
    const { env } = exits[i]!
    const value = slot < env.length ? env[slot] : undefined
    if (value === undefined || value === same) continue
    if (same === undefined) same = value
    else differ = true
  }
  return differ ? phiOf(to, exits, slot, block) : same
}

const valueIn = (to: Builder, { env }: Exit, slot: number): Op => env[slot] ?? to.constant(0n, null)

const phiOf = (to: Builder, exits: readonly Exit[], slot: number, block: BasicBlock): Op => {
  to.spend(exits.length)
  const args: OpOf<'phi'>['args'] = [valueIn(to, exits[0]!, slot), valueIn(to, exits[1]!, slot)]
  for (let i = 2; i < exits.length; i++) args.push(valueIn(to, exits[i]!, slot))
  const variable = to.variableIn(slot) as VariableModel | null
  const phi = to.make('phi', null, variable?.name ?? '', args, null, null, false, null, variable)
  phi.location = commonPlace(to, args)
  block.phis.push(phi)
  return phi
}

const joinHeld = (to: Builder, exits: readonly Exit[]): void => {
  const first = exits[0]!.held
  let shared = first
  for (let i = 1; i < exits.length; i++) shared = commonEnd(shared, exits[i]!.held)
  to.held = shared === first ? first : heldByAll(exits, first, shared)
}

/** Where two lists become one. */
const commonEnd = (one: Held | null, other: Held | null): Held | null => {
  let a = one
  let b = other
  while (a !== b) {
    if (a === null || b === null) return null
    if (a.count > b.count) a = a.older
    else if (b.count > a.count) b = b.older
    else {
      a = a.older
      b = b.older
    }
  }
  return a
}

/** What all paths hold: `shared`, and what each has found on its own. */
const heldByAll = (exits: readonly Exit[], held: Held | null, shared: Held | null): Held | null => {
  if (held === shared || held === null) return shared
  const older = heldByAll(exits, held.older, shared)
  if (!isHeldByOthers(exits, held, shared)) return older
  return older === held.older ? held : new Held(held.place, held.value, older)
}

const isHeldByOthers = (exits: readonly Exit[], { place, value }: Held, shared: Held | null): boolean => {
  for (let i = 1; i < exits.length; i++) {
    let at = exits[i]!.held
    while (at !== shared && at !== null && at.place !== place) at = at.older
    if (at === shared || at === null || at.value !== value) return false
  }
  return true
}
