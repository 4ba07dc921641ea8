import { dependsOn } from '../../facts/index.ts'
import { type ContractFlow, type Flow, type Op, type OpKind, rootOf, stripCasts } from '../../ir/index.ts'
import type { Expression } from '../../syntax/index.ts'

/** A slot has so many bits. The uppermost keep a hash apart from the variables, which are counted from zero; the lowest are room for one entry. */
const slotBits = 256n
const uppermostBits = 32n
const entryBits = 64n

/** As many as an address has: the other 96 bits of a hash are met by nobody who tries. */
const mostChosenBits = 160

const all = (bits: bigint): bigint => (1n << bits) - 1n

/**
 * `POSITION ^ (uint256(uint160(account)) << 64)`: what the caller says chooses one of many entries in a part of the storage that
 * begins at a hash. The other bits are those of the hash, entries have room beside each other, and nothing else is kept at
 * that hash, where the entry of the zero address is: neither here nor in another contract, which may share the storage.
 */
export const isWithinOwnRegion = (contracts: readonly ContractFlow[], flow: Flow, slot: Op): boolean => {
  const region = regionOf(flow, slot)
  if (region === null || flow.contract?.hasUnresolvedBase !== false) return false
  return contracts.flatMap(slotsOf).every(({ flow: other, base }) => {
    if (!dependsOn(other, base, (op) => isSameHash(op, region.hash))) return true
    return regionOf(other, base)?.mask === region.mask
  })
}

interface Region {
  readonly hash: Op
  /** The bits of the slot that can be anything. */
  readonly mask: bigint
}

const regionOf = (flow: Flow, slot: Op): Region | null => {
  // Older compilers let more through than the type of a parameter says.
  if (flow.fn?.file.versions.isAtLeast(8) !== true) return null
  const { kind, operator, args } = stripCasts(slot)
  if (kind !== 'bin' || (operator !== '^' && operator !== '+')) return null
  const [left, right] = args as [Op, Op]
  const [hash, chosen] = isFixedHash(left) ? [left, right] : [right, left]
  const mask = isFixedHash(hash) ? maskOf(flow, chosen) : null
  if (mask === null || mask > all(slotBits - uppermostBits) || (mask & all(entryBits)) !== 0n) return null
  return countBits(mask) <= mostChosenBits ? { hash: stripCasts(hash), mask } : null
}

const countBits = (mask: bigint): number => mask.toString(2).replaceAll('0', '').length

/** A hash that has a name, or its number: neither so low that variables are near, nor so high that what is added leads round to them. */
const isFixedHash = (value: Op): boolean => {
  const { kind, constant, decl } = stripCasts(value)
  if (kind !== 'const') return false
  if (constant !== null) {
    const uppermost = constant >> (slotBits - uppermostBits)
    return uppermost > 0n && uppermost < all(uppermostBits)
  }
  return decl?.kind === 'variable' && decl.isConstant && decl.value !== null && isHashing(decl.value)
}

/** The same number or name, or a hash of the same content under two names. */
const isSameHash = (one: Op, other: Op): boolean => {
  if (one.kind === 'const' && one.constant !== null) return one.constant === other.constant
  if (one.kind === 'const' && one.decl !== null && one.decl === other.decl) return true
  const [hashed, others] = [hashedIn(one), hashedIn(other)]
  return hashed !== null && hashed === others
}

/** The text whose hash a constant or a call of `keccak256` is. */
const hashedIn = ({ kind, operator, decl, node }: Op): string | null => {
  if (kind === 'const') return decl?.kind === 'variable' && decl.value !== null ? textOf(decl.value) : null
  return kind === 'builtin' && operator === 'keccak256' && node !== null ? textOf(node as Expression) : null
}

/** `bytes32(keccak256(abi.encodePacked("app")))`: the one text that all is made of. */
const textOf = (value: Expression): string | null => {
  if (value.kind === 'Literal') return value.literalKind === 'string' ? value.value : null
  if (value.kind !== 'Call' || value.args.values.length !== 1) return null
  return textOf(value.args.values[0]!)
}

const isHashing = (value: Expression): boolean => {
  if (value.kind !== 'Call') return false
  if (value.callee.kind === 'Identifier' && value.callee.name === 'keccak256') return true
  const [converted] = value.args.values
  return value.callee.kind === 'TypeExpression' && converted !== undefined && isHashing(converted)
}

/** What is as its type says; assembly makes values that are not. */
const asTyped: ReadonlySet<OpKind> = new Set(['param', 'load', 'env', 'call', 'extract'])

/** Which bits a value can have; null: any. A conversion by which it can become larger or move counts as any. */
const maskOf = (flow: Flow, value: Op): bigint | null => {
  const type = flow.typeOf(value)
  if (value.kind === 'cast') {
    const isKept = (type?.kind === 'int' && !type.signed) || type?.kind === 'address' || type?.kind === 'contract'
    return isKept ? maskOf(flow, value.args[0]) : null
  }
  if (value.kind === 'bin' && value.operator === '<<') {
    const [moved, by] = [maskOf(flow, value.args[0]), stripCasts(value.args[1]).constant]
    return moved === null || by === null || by >= slotBits ? null : (moved << by) & all(slotBits)
  }
  if (!asTyped.has(value.kind)) return null
  if (type?.kind === 'address' || type?.kind === 'contract') return all(160n)
  return type?.kind === 'int' && !type.signed ? all(BigInt(type.bits)) : null
}

interface Slot {
  readonly flow: Flow
  readonly base: Op
}

/** Every slot that code of the contract chooses by itself, to read or to write. */
const slotsOf = (contractFlow: ContractFlow): readonly Slot[] => contractFlow.answer(findSlots)

const findSlots = ({ flows }: ContractFlow): readonly Slot[] =>
  flows.flatMap((flow) =>
    [...flow.ops('load'), ...flow.stateStores()].flatMap(({ location }) => {
      const { space, base } = rootOf(location)
      return space !== 'memory' && base !== null ? [{ flow, base }] : []
    }),
  )
