/**
 * Loads and stores are forwarded: a place read twice with nothing between that could change it gives one value, so that
 * a check and the arithmetic after it speak of the same thing. External calls that pass on gas end this for state.
 */

import type { Span } from '../../syntax/index.ts'
import { budget } from '../budget.ts'
import type { Location, Op } from '../ir.ts'
import { mayOverlap } from '../overlap.ts'
import type { Builder } from './builder.ts'
import { Held } from './frames.ts'

const maxHeld = budget.work.heldValues

export const load = (to: Builder, place: Location, node: Span | null): Op => {
  let held = to.held
  while (held !== null && held.place !== place) held = held.older
  if (held !== null && place.space === 'memory') return held.value
  const op = to.push(to.make('load', node, '', [], place))
  if (held !== null) return held.value
  if (place.part !== 'any') hold(to, place, op)
  return op
}

export const store = (to: Builder, place: Location, value: Op, node: Span | null, deletes = false): void => {
  to.push(to.make('store', node, '', [value], place, null, deletes))
  if (place.space === 'memory') noteChange(to, place)
  forget(to, place)
  if (place.part !== 'any' && value.kind !== 'ref') hold(to, place, value)
}

/** Which field of a copy of a record a write to memory changes. */
const noteChange = (to: Builder, written: Location): void => {
  let field = written
  while (field.depth > 1 && field.parent !== null) field = field.parent
  const { base } = field
  if (base?.kind !== 'load' || field.parent === null) return
  const known = to.changedFields.get(base)
  if (known === undefined) to.changedFields.set(base, new Set([field]))
  else known.add(field)
}

/** Reading a storage reference as a whole copies it. */
export const asValue = (to: Builder, value: Op, node: Span | null): Op =>
  value.kind === 'ref' && value.location !== null ? load(to, value.location, node) : value

const hold = (to: Builder, place: Location, value: Op): void => {
  const { held } = to
  const older = held !== null && held.count >= maxHeld ? latest(held, maxHeld / 2) : held
  to.held = new Held(place, value, older)
}

const latest = (held: Held | null, count: number): Held | null =>
  held === null || count === 0 ? null : new Held(held.place, held.value, latest(held.older, count - 1))

/** A write: what else may be meant by the place is no longer known. */
const forget = (to: Builder, written: Location): void => {
  if (to.held !== null) to.held = apartFrom(to.held, written)
}

const apartFrom = (held: Held, written: Location): Held | null => {
  const older = held.older === null ? null : apartFrom(held.older, written)
  return mayOverlap(held.place, written) ? older : withEnd(held, older)
}

/** After code that may change any state. */
export const forgetState = (to: Builder): void => {
  if (to.held !== null) to.held = lasting(to.held)
}

const lasting = (held: Held): Held | null => {
  const older = held.older === null ? null : lasting(held.older)
  const { place } = held
  return place.space === 'memory' || place.variable?.isImmutable === true ? withEnd(held, older) : older
}

const withEnd = (held: Held, older: Held | null): Held =>
  older === held.older ? held : new Held(held.place, held.value, older)
