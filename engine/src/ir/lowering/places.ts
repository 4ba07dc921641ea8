/** Places in storage and memory: made once per flow, so that the same place is the same object. */

import { isFarSlot, type Type, type VariableModel } from '../../model/index.ts'
import { budget } from '../budget.ts'
import type { Location, Op, PartKind } from '../ir.ts'
import { stripCasts } from '../values.ts'
import type { Builder } from './builder.ts'

const maxPath = budget.depth.place

class Place implements Location {
  declare readonly id: number
  declare readonly space: Location['space']
  declare readonly variable: VariableModel | null
  declare readonly base: Op | null
  declare readonly parent: Location | null
  declare readonly part: PartKind
  declare readonly name: string
  declare readonly index: Op | null
  declare readonly depth: number
  readonly children = new Map<Op | string, Location>()
  declare readonly type: Type | null

  constructor(
    id: number,
    space: Location['space'],
    variable: VariableModel | null,
    base: Op | null,
    parent: Location | null,
    part: PartKind,
    name: string,
    index: Op | null,
    type: Type | null,
  ) {
    this.id = id
    this.space = space
    this.variable = variable
    this.base = base
    this.parent = parent
    this.part = part
    this.name = name
    this.index = index
    this.depth = parent === null ? 0 : parent.depth + 1
    this.type = type
  }
}

export const stateRoot = (to: Builder, variable: VariableModel): Location => {
  const known = to.roots.get(variable)
  return known?.[0] ?? newRoot(to, 'state', variable, null, variable.name, variable.type)
}

const newRoot = (
  to: Builder,
  space: Location['space'],
  variable: VariableModel | null,
  base: Op | null,
  name: string,
  type: Type | null,
): Location => {
  const root = new Place(to.locations.length, space, variable, base, null, 'root', name, null, type)
  to.locations.push(root)
  const owner = variable ?? base
  if (owner !== null && to.roots.get(owner)?.push(root) === undefined) to.roots.set(owner, [root])
  return root
}

/** An assembly slot that is no variable. */
export const slotRoot = (to: Builder, named: Op, isTransient = false): Location => {
  const slot = canonicalSlot(to, named)
  const variable = isTransient ? undefined : namedBy(to, slot)
  if (variable !== undefined)
    return to.roots.get(variable)?.[0] ?? newRoot(to, 'state', variable, slot, variable.name, null)
  const known = to.roots.get(slot)?.find(({ space }) => space === 'slot')
  return known ?? newRoot(to, 'slot', null, slot, '', baseType(slot))
}

/** An element of a mapping that code keeps by itself: the slot is the hash of a number of its own and the keys. */
export const mappingPlace = (to: Builder, seed: Op, keys: readonly Op[]): Location => {
  const variable = to.model.slotOf(`mapping ${seed.constant}`, seed)
  if (variable === undefined) return slotRoot(to, seed)
  const root = to.roots.get(variable)?.[0] ?? newRoot(to, 'state', variable, seed, variable.name, null)
  return keys.reduce((place, key) => child(to, place, 'index', '', stripCasts(key)), root)
}

/** One operation for one slot, however it is converted on the path: `SLOT.asBoolean().tload()` and `.tstore(true)` mean the same. */
const canonicalSlot = (to: Builder, named: Op): Op => {
  const slot = stripCasts(named)
  if (slot.kind !== 'const') return slot
  if (slot.constant !== null) return to.constant(slot.constant, slot.node)
  return slot.decl === null ? slot : to.interned('const', slot.operator, slot.node, slot.decl)
}

/** A constant that names a slot far from what is declared, also the hash of a text, worked out on the spot. */
const namedBy = (to: Builder, slot: Op): VariableModel | undefined => {
  const text = hashedText(slot)
  if (text !== null) return to.model.slotOf(text, slot)
  if (slot.kind !== 'const') return undefined
  const name = slot.constant ?? (slot.decl?.kind === 'variable' ? slot.decl : null)
  if (name === null || (typeof name === 'bigint' && !isFarSlot(name))) return undefined
  return to.model.slotOf(name, slot)
}

/** `keccak256("vault.storage")`: the text. */
const hashedText = (slot: Op): string | null => {
  const hash = stripCasts(slot)
  const [hashed] = hash.kind === 'builtin' && hash.operator === 'keccak256' ? hash.args : []
  const node = hashed === undefined ? null : (stripCasts(hashed).node as { kind?: string; value?: unknown } | null)
  return node?.kind === 'Literal' && typeof node.value === 'string' ? node.value : null
}

export const memoryRoot = (to: Builder, base: Op): Location => {
  const known = to.roots.get(base)?.at(-1)
  if (known !== undefined) return known
  const space = base.kind === 'param' && isStoragePointer(base) ? 'pointer' : 'memory'
  return newRoot(to, space, null, base, '', baseType(base))
}

/** What a function that cannot be seen returns as storage is a place of its own. */
export const pointerRoot = (to: Builder, base: Op): Location => {
  const known = to.roots.get(base)?.[0]
  return known ?? newRoot(to, 'pointer', null, base, '', baseType(base))
}

export const child = (to: Builder, parent: Location, part: PartKind, name: string, index: Op | null): Location => {
  const { children } = parent
  const key = index ?? `${part} ${name}`
  const known = children.get(key)
  if (known !== undefined) return known
  if (parent.depth >= maxPath && part !== 'any') return child(to, parent, 'any', '', null)
  if (parent.part === 'any' && part === 'any') return parent
  const type = partType(parent.type, part, name)
  const made = new Place(
    to.locations.length,
    parent.space,
    parent.variable,
    parent.base,
    parent,
    part,
    name,
    index,
    type,
  )
  to.locations.push(made)
  children.set(key, made)
  return made
}

/** The place a reference value stands for. */
export const placeOfValue = (to: Builder, value: Op): Location => {
  if (value.location !== null && (value.kind === 'ref' || value.kind === 'phi' || value.kind === 'select')) {
    return value.location
  }
  return memoryRoot(to, value)
}

/** Where a storage pointer that comes from several places may point. */
export const commonPlace = (to: Builder, values: readonly Op[]): Location | null => {
  let place: Location | null = null
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const at = value.kind === 'ref' || value.kind === 'phi' ? value.location : null
    if (at === null) return null
    if (place === null || place === at) place = at
    else {
      const both = commonParent(place, at)
      if (both === null) return null
      place = child(to, both, 'any', '', null)
    }
  }
  return place
}

const commonParent = (one: Location, other: Location): Location | null => {
  let a = one
  let b = other
  while (a.parent !== null && a.depth > b.depth) a = a.parent
  while (b.parent !== null && b.depth > a.depth) b = b.parent
  while (a !== b && a.parent !== null && b.parent !== null) {
    a = a.parent
    b = b.parent
  }
  return a === b ? a : null
}

const isStoragePointer = (op: Op): boolean =>
  op.decl !== null && op.decl.kind === 'variable' && op.decl.location === 'storage'

const baseType = (base: Op): Type | null =>
  base.decl?.kind === 'variable' && base.kind === 'param' ? base.decl.type : null

/** The type of a part of something: an element, a field, a length. */
export const partType = (whole: Type | null, part: PartKind, name: string): Type | null => {
  if (whole === null) return null
  if (part === 'index') return whole.kind === 'mapping' ? whole.value : whole.kind === 'array' ? whole.base : null
  if (part === 'field' && whole.kind === 'struct') {
    const { fields } = whole.struct
    for (let i = 0; i < fields.length; i++) if (fields[i]!.name === name) return fields[i]!.type
  }
  return null
}
