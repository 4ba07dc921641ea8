/**
 * Numbers of which only the residue counts. Odometers, and what is noted of them, are added to each other, taken off each other and
 * stored again; the one number that anyone acts on is how far such a sum has come since it was noted. Whether sums in between have
 * wrapped around does not show in it. A place that is compared, multiplied, paid or otherwise asked for its size is none of these.
 */
import { partFor } from '../facts/index.ts'
import {
  budget,
  type ContractFlow,
  type Flow,
  type Location,
  mayOverlapAcross,
  type Op,
  stripCasts,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'

/** A field of a variable, whatever the keys. */
class Place {
  readonly location: Location
  /** Every write is zero, or a sum of other such places. */
  isNote = true
  /** All that is done with it keeps to sums. */
  isLinear = true
  /** What the sums that are written there are made of. */
  readonly madeOf = new Set<Place>()
  /** Places that stand in one sum with it. */
  readonly beside = new Set<Place>()
  /** Someone takes it off a sum and acts on the difference. */
  isTakenOff = false

  constructor(location: Location) {
    this.location = location
  }
}

/** Sums that nobody can have written by hand. */
const mostLeaves = budget.work.modularLeaves
const mostParts = budget.work.modularParts
const mostOperations = budget.work.modularOperations

class Residues {
  readonly #places = new Map<VariableModel, Map<string, Place>>()
  readonly #contractFlow: ContractFlow

  constructor(contractFlow: ContractFlow) {
    this.#contractFlow = contractFlow
    if (contractFlow.flows.reduce((sum, flow) => sum + flow.ops('bin').length, 0) > mostOperations) return
    this.#collect()
    for (let changed = true; changed; ) changed = this.#drop()
  }

  /** The sum goes nowhere but into such places, or is what someone takes from one of them to act on. */
  holds(op: Op): boolean {
    if (this.isDifference(op)) return true
    const places = this.#placesIn(op)
    return places?.every((place) => this.#reachesDifference(place)) ?? false
  }

  /** What a sum is made of, when every part but what is added to it lies in such a place; null for anything else. */
  #placesIn(value: Op): readonly Place[] | null {
    const found = this.#partsOf(value, true)
    return found !== null && found.length > 0 ? found : null
  }

  /** `sum - noted`, where what is noted was such a sum of the same places. */
  isDifference(op: Op): boolean {
    if (op.kind !== 'bin' || op.operator !== '-') return false
    const note = this.#placeOf(stripCasts(op.args[1]))
    if (note === null || !note.isNote || !note.isLinear) return false
    const from = this.#partsOf(op.args[0], false) ?? []
    return from.length > 0 && from.every((part) => note.madeOf.has(part))
  }

  /** Null for what is no such sum, and for one of too many parts: a value that is added to itself, and so on, has more than can be counted. */
  #partsOf(value: Op, mayGrow: boolean): Place[] | null {
    const found: Place[] = []
    const left = { parts: mostParts }
    return this.#gather(value, found, mayGrow, left) && left.parts > 0 ? found : null
  }

  #gather(value: Op, found: Place[], mayGrow: boolean, left: { parts: number }): boolean {
    const op = stripCasts(value)
    if (found.length > mostLeaves || left.parts === 0) return false
    left.parts -= 1
    if (op.kind === 'bin' && !op.flag && (op.operator === '+' || op.operator === '-')) {
      const grows = mayGrow && op.operator === '+'
      return op.args.every((arg) => {
        const before = found.length
        if (this.#gather(arg, found, mayGrow, left)) return true
        found.length = before
        return grows
      })
    }
    const place = this.#placeOf(op)
    if (place === null || !place.isLinear) return false
    found.push(place)
    return true
  }

  #placeOf(op: Op): Place | null {
    return op.kind === 'load' ? this.#at(op.location) : null
  }

  #at(location: Location): Place | null {
    const { variable, space, type } = location
    if (space !== 'state' || variable === null || type?.kind !== 'int' || type.signed) return null
    let parts = this.#places.get(variable)
    if (parts === undefined) {
      parts = new Map()
      this.#places.set(variable, parts)
    }
    const part = `${location.part} ${location.name} ${location.depth}`
    let place = parts.get(part)
    if (place === undefined) {
      place = new Place(location)
      parts.set(part, place)
    }
    return place
  }

  #all(): Place[] {
    return [...this.#places.values()].flatMap((parts) => [...parts.values()])
  }

  /** All places there are, before anything is held against them. */
  #collect(): void {
    for (const flow of this.#contractFlow.flows) {
      for (const { location } of flow.stateLoads()) this.#at(location)
      for (const { location } of flow.stateStores()) this.#at(location)
    }
  }

  /** Takes out what breaks the rule as things stand; true when something was. */
  #drop(): boolean {
    const before = this.#all().filter(({ isLinear }) => isLinear)
    for (const place of before) {
      place.isNote = true
      place.isTakenOff = false
      place.madeOf.clear()
      place.beside.clear()
    }
    for (const flow of this.#contractFlow.flows) this.#readWrites(flow)
    for (const flow of this.#contractFlow.flows) this.#readUses(flow)
    return before.some(({ isLinear }) => !isLinear)
  }

  #readWrites(flow: Flow): void {
    for (const store of flow.stateStores()) {
      const { variable } = store.location
      if (variable === null) continue
      for (const place of this.#places.get(variable)?.values() ?? []) {
        if (place.isLinear && mayOverlapAcross(store.location, place.location))
          this.#readWrite(place, stripCasts(partFor(place.location, store)), flow.isConstructor)
      }
    }
  }

  #readWrite(place: Place, value: Op, isFirst: boolean): void {
    if (value.kind === 'const' && (value.constant === 0n || isFirst)) return
    const parts = this.#placesIn(value)
    if (parts === null) {
      place.isLinear = false
      return
    }
    const plain = this.#partsOf(value, false)
    if (plain === null || plain.includes(place)) place.isNote = false
    for (const part of plain ?? []) place.madeOf.add(part)
    join([place, ...parts])
  }

  #readUses(flow: Flow): void {
    for (const load of flow.stateLoads()) {
      const place = this.#at(load.location)
      if (place?.isLinear === true && !this.#keepsToSums(flow, load, 0)) place.isLinear = false
    }
  }

  #keepsToSums(flow: Flow, value: Op, depth: number): boolean {
    return (
      depth < mostLeaves &&
      flow.usersOf(value).every((user) => {
        if (user.kind === 'store') return this.#at(user.location)?.isLinear === true
        if (user.kind === 'emit' || user.kind === 'return') return true
        if (user.kind !== 'bin' || user.flag || (user.operator !== '+' && user.operator !== '-')) return false
        if (!this.isDifference(user)) return this.#keepsToSums(flow, user, depth + 1)
        const taken = this.#placeOf(stripCasts(user.args[1]))!
        taken.isTakenOff = true
        join([taken, ...(this.#placesIn(user.args[0]) ?? [])])
        return true
      })
    )
  }

  #reachesDifference(place: Place): boolean {
    const seen = new Set<Place>([place])
    for (const at of seen) {
      if (at.isTakenOff) return true
      for (const other of at.beside) seen.add(other)
    }
    return false
  }
}

const join = ([first, ...others]: readonly Place[]): void => {
  for (const other of others) {
    first!.beside.add(other)
    other.beside.add(first!)
  }
}

const createResidues = (contractFlow: ContractFlow): Residues => new Residues(contractFlow)

/** Part of a sum of which only the residue counts, or the difference that is right whether or not that sum has wrapped around. */
export const isModular = (flow: Flow, op: Op): boolean => flow.contractFlow.answer(createResidues).holds(op)
