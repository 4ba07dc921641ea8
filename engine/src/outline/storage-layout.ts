/**
 * Where state variables lie, by the rules of the language: in the order of the linearisation from the most base contract,
 * packed from the right into slots of 32 bytes; structs and arrays begin a slot, and what follows them begins another.
 */

import type { ContractModel, StructModel, Type, VariableModel } from '../model/index.ts'
import type { Expression } from '../syntax/index.ts'
import { keccak256 } from './keccak.ts'

export interface StorageEntry {
  readonly name: string
  readonly type: string
  /** The type with its structs written out: what must not change between versions. */
  readonly shape: string
  /** The contract that declares it. */
  readonly contract: string
  /** The file of that contract. */
  readonly file: string
  /** Decimal: a slot can exceed what a number holds exactly. `?` where a base contract was not read. */
  readonly slot: string
  readonly offset: number
  readonly bytes: number
  /** A reserved array at the end of a base contract, made to be used up by later versions. */
  readonly isGap: boolean
  /** The ERC-7201 namespace whose struct holds it. */
  readonly namespace?: string
}

/** What a layout asks of the model around it. */
export interface LayoutModel {
  describe(type: Type): string
  constantValue(expression: Expression): bigint | string | boolean | undefined
}

interface Size {
  /** Of one value; 32 and more occupy whole slots. */
  readonly bytes: bigint
  readonly slots: bigint
  /** Begins a slot, and so does what comes after it. */
  readonly isWhole: boolean
}

const slotBytes = 32n

export const unknownSlot = '?'

/**
 * Bases whose source is not there: not found at all, or stood in for by what is known of a library, whose versions differ in
 * their storage. An interface has none.
 */
export const unreadBases = (contract: ContractModel): string[] => [
  ...new Set(
    contract.linearization.flatMap((each) => [
      ...(each.isStub && each.contractKind !== 'interface' ? [each.name] : []),
      ...(each.isStub ? [] : each.bases.flatMap(({ contract: base, node }) => (base ? [] : [writtenName(each, node)]))),
    ]),
  ),
]

const writtenName = (
  { file }: ContractModel,
  { start, end }: { readonly start: number; readonly end: number },
): string => file.text.slice(start - file.base, end - file.base).replace(/\s*\([\s\S]*$/, '')

export const layOut = (contract: ContractModel, model: LayoutModel): StorageEntry[] => {
  const isUnknown = unreadBases(contract).length > 0
  const start = isUnknown ? undefined : firstSlot(contract, model)
  const stored = contract.allStateVariables.filter(
    ({ isConstant, isImmutable, isTransient, contract: owner }) =>
      !isConstant && !isImmutable && !isTransient && !(isUnknown && owner?.isStub),
  )
  const entries = place(stored).map((placed) => ({
    ...toEntry(placed, start, model),
    contract: (placed.variable.contract ?? contract).name,
    file: (placed.variable.contract ?? contract).file.path,
  }))
  return [...entries, ...contract.linearization.toReversed().flatMap((each) => namespacesIn(each, model))]
}

/** Slot 0, or what `layout at` says; undefined where that cannot be computed. */
const firstSlot = ({ node }: ContractModel, model: LayoutModel): bigint | undefined => {
  if (!node.layout) return 0n
  const value = model.constantValue(node.layout)
  return typeof value === 'bigint' ? value : undefined
}

const toEntry = (
  { variable, slot, offset, size }: Placed,
  start: bigint | undefined,
  model: LayoutModel,
): Omit<StorageEntry, 'contract' | 'file'> => ({
  name: variable.name,
  type: model.describe(variable.type),
  shape: shapeOf(variable.type, (type) => model.describe(type), new Set()),
  slot: start === undefined ? unknownSlot : (start + slot).toString(),
  offset: start === undefined ? 0 : offset,
  bytes: Number(size.isWhole ? size.slots * slotBytes : size.bytes),
  isGap: /^_{0,2}(gap|reserved)\w*$/i.test(variable.name) && variable.type.kind === 'array',
})

/** The fields of structs that a comment gives a place of their own, as ERC-7201 says. */
const namespacesIn = (contract: ContractModel, model: LayoutModel): StorageEntry[] =>
  contract.isStub
    ? []
    : contract.structs.flatMap((struct) => {
        const namespace = namespaceOf(struct)
        if (namespace === undefined) return []
        const start = namespaceSlot(namespace)
        return place(struct.fields).map((placed) => {
          const entry = toEntry(placed, start, model)
          return {
            ...entry,
            name: `${struct.name}.${entry.name}`,
            contract: contract.name,
            file: contract.file.path,
            namespace,
          }
        })
      })

/** From `@custom:storage-location erc7201:<id>` in the comment before the struct. */
const namespaceOf = ({ node, file }: StructModel): string | undefined => {
  const textBetween = (start: number, end: number) => file.text.slice(start - file.base, end - file.base)
  let from = node.start
  for (const comment of file.comments.toReversed()) {
    if (comment.end > from) continue
    if (textBetween(comment.end, from).trim() !== '') return undefined
    const id = /@custom:storage-location\s+erc7201:(\S+)/.exec(textBetween(comment.start, comment.end))?.[1]
    if (id !== undefined) return id.replace(/\*\/$/, '')
    from = comment.start
  }
  return undefined
}

const utf8 = (text: string): Uint8Array => {
  const units = encodeURIComponent(text).replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Uint8Array.from(units, (unit) => unit.charCodeAt(0))
}

/** `keccak256(abi.encode(uint256(keccak256(id)) - 1)) & ~0xff` */
export const namespaceSlot = (id: string): bigint => {
  const before = (keccak256(utf8(id)) - 1n).toString(16).padStart(64, '0')
  const bytes = Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(before.slice(index * 2, index * 2 + 2), 16),
  )
  return keccak256(bytes) & ~0xffn
}

interface Placed {
  readonly variable: VariableModel
  readonly slot: bigint
  readonly offset: number
  readonly size: Size
}

const place = (variables: readonly VariableModel[]): Placed[] => {
  let slot = 0n
  let used = 0n
  return variables.map((variable) => {
    const size = sizeOf(variable.type, new Set())
    if (used > 0n && (size.isWhole || used + size.bytes > slotBytes)) {
      slot += 1n
      used = 0n
    }
    const placed = { variable, slot, offset: Number(used), size }
    if (size.isWhole) slot += size.slots
    else used += size.bytes
    return placed
  })
}

const value = (bytes: number): Size => ({ bytes: BigInt(bytes), slots: 1n, isWhole: false })
const whole = (slots: bigint): Size => ({ bytes: slotBytes, slots, isWhole: true })

const sizeOf = (type: Type, inside: Set<StructModel>): Size => {
  switch (type.kind) {
    case 'int':
      return value(type.bits / 8)
    case 'bool':
      return value(1)
    case 'address':
    case 'contract':
      return value(20)
    case 'fixedBytes':
      return value(type.size)
    case 'enum':
      return value(type.enum.values.length > 256 ? 2 : 1)
    case 'userValue':
      return sizeOf(type.definition.underlying, inside)
    case 'function':
      return value(type.visibility === 'external' ? 24 : 8)
    case 'array':
      return type.length === null || type.length === undefined ? whole(1n) : arraySize(type.base, type.length, inside)
    case 'struct':
      return structSize(type.struct, inside)
    default:
      // Mappings, bytes and strings keep a slot; of what could not be resolved the same is assumed.
      return whole(1n)
  }
}

const arraySize = (base: Type, length: bigint, inside: Set<StructModel>): Size => {
  const item = sizeOf(base, inside)
  if (item.isWhole) return whole(item.slots * length)
  const perSlot = slotBytes / item.bytes
  return whole((length + perSlot - 1n) / perSlot)
}

const structSize = (struct: StructModel, inside: Set<StructModel>): Size => {
  // A struct may hold itself only by a mapping or a dynamic array, which have a size of their own.
  if (inside.has(struct)) return whole(1n)
  const last = place(struct.fields).at(-1)
  if (!last) return whole(1n)
  return whole(last.slot + (last.size.isWhole ? last.size.slots : 1n))
}

const shapeOf = (type: Type, describe: (type: Type) => string, inside: Set<StructModel>): string => {
  switch (type.kind) {
    case 'struct': {
      if (inside.has(type.struct)) return `struct ${type.struct.name}`
      const below = new Set(inside).add(type.struct)
      return `struct { ${type.struct.fields.map((field) => `${shapeOf(field.type, describe, below)} ${field.name};`).join(' ')} }`
    }
    case 'array':
      return `${shapeOf(type.base, describe, inside)}[${type.length ?? ''}]`
    case 'mapping':
      return `mapping(${shapeOf(type.key, describe, inside)} => ${shapeOf(type.value, describe, inside)})`
    case 'enum':
      return 'enum'
    // A contract is an address; which one it is may change between versions.
    case 'contract':
    case 'address':
      return 'address'
    case 'userValue':
      return shapeOf(type.definition.underlying, describe, inside)
    case 'bytes':
    case 'string':
      return type.kind
    default:
      return describe(type)
  }
}
