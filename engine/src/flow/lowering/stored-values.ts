/**
 * Loads and stores are forwarded: a place read twice with nothing between that could change it gives one value, so that
 * a check and the arithmetic after it speak of the same thing. External calls that pass on gas end this for state.
 */
import type { Span } from '../../syntax/index.ts'
import type { Location, Op } from '../ir.ts'
import { type Builder, noArgs } from './builder.ts'
import { mayOverlap } from './places.ts'

const maxHeld = 24

export const load = (to: Builder, place: Location, node: Span | null): Op => {
  const { places } = to
  let known: Op | null = null
  for (let i = 0; i < places.length; i++) {
    if (places[i] === place) {
      known = to.held[i]!
      break
    }
  }
  if (known !== null && place.space === 'memory') return known
  const op = to.push(to.make('load', node, '', noArgs, place))
  if (known !== null) return known
  if (place.part !== 'any') hold(to, place, op)
  return op
}

export const store = (to: Builder, place: Location, value: Op, node: Span | null, deletes = false): void => {
  to.push(to.make('store', node, '', [value], place, null, deletes))
  forget(to, place)
  if (place.part !== 'any' && value.kind !== 'ref') hold(to, place, value)
}

/** Reading a storage reference as a whole copies it. */
export const asValue = (to: Builder, value: Op, node: Span | null): Op =>
  value.kind === 'ref' && value.location !== null ? load(to, value.location, node) : value

const hold = (to: Builder, place: Location, value: Op): void => {
  if (to.places.length >= maxHeld) {
    to.places = to.places.slice(maxHeld / 2)
    to.held = to.held.slice(maxHeld / 2)
    to.areHeldShared = false
  } else own(to)
  to.places.push(place)
  to.held.push(value)
}

const own = (to: Builder): void => {
  if (!to.areHeldShared) return
  to.places = to.places.slice()
  to.held = to.held.slice()
  to.areHeldShared = false
}

const forget = (to: Builder, written: Location): void => {
  let i = 0
  const count = to.places.length
  while (i < count && !mayOverlap(to.places[i]!, written)) i++
  if (i === count) return
  own(to)
  const { places, held } = to
  let kept = i
  for (i++; i < count; i++) {
    if (mayOverlap(places[i]!, written)) continue
    places[kept] = places[i]!
    held[kept++] = held[i]!
  }
  cut(to, kept)
}

/** After code that may change any state. */
export const forgetState = (to: Builder): void => {
  let i = 0
  const count = to.places.length
  while (i < count && isLasting(to.places[i]!)) i++
  if (i === count) return
  own(to)
  const { places, held } = to
  let kept = i
  for (i++; i < count; i++) {
    if (!isLasting(places[i]!)) continue
    places[kept] = places[i]!
    held[kept++] = held[i]!
  }
  cut(to, kept)
}

const isLasting = (place: Location): boolean => place.space === 'memory' || place.variable?.isImmutable === true

/** Popping keeps the room that setting the length would give back. */
const cut = (to: Builder, kept: number): void => {
  const { places, held } = to
  for (let i = places.length; i > kept; i--) {
    places.pop()
    held.pop()
  }
}
