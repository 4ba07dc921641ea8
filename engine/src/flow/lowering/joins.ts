/** Where paths meet: locals that differ become phis, and only what is stored on all of them is still known. */
import type { VariableModel } from '../../model/index.ts'
import type { BasicBlock, Location, Op } from '../ir.ts'
import { type Builder, noArgs } from './builder.ts'
import type { Exit } from './frames.ts'
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
  const slots = longest.length
  for (let i = 0; i < slots; i++) {
    const value = merge(to, exits, i, block)
    if (value !== to.env[i]) to.setSlot(i, value)
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

const phiOf = (to: Builder, exits: readonly Exit[], slot: number, block: BasicBlock): Op => {
  const args: Op[] = []
  for (const exit of exits) args.push(exit.env[slot] ?? to.constant(0n, null))
  const variable = to.variableIn(slot) as VariableModel | null
  const phi = to.make('phi', null, variable?.name ?? '', args, null, null, false, null, variable)
  phi.location = commonPlace(to, args)
  if (block.phis === noArgs) block.phis = [phi]
  else block.phis.push(phi)
  return phi
}

const joinHeld = (to: Builder, exits: readonly Exit[]): void => {
  const first = exits[0]!
  let isSame = true
  for (let i = 1; i < exits.length; i++) if (exits[i]!.places !== first.places) isSame = false
  if (isSame) {
    to.places = first.places
    to.held = first.held
    to.areHeldShared = true
    return
  }
  const places: Location[] = []
  const held: Op[] = []
  for (let i = 0; i < first.places.length; i++) {
    const place = first.places[i]!
    const value = first.held[i]!
    if (!isHeldBy(exits, place, value)) continue
    places.push(place)
    held.push(value)
  }
  to.places = places
  to.held = held
  to.areHeldShared = false
}

/** Whether all paths but the first hold this value in this place. */
const isHeldBy = (exits: readonly Exit[], place: Location, value: Op): boolean => {
  for (let i = 1; i < exits.length; i++) {
    const { places, held } = exits[i]!
    const at = places.indexOf(place)
    if (at < 0 || held[at] !== value) return false
  }
  return true
}
