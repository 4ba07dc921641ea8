import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { Expression } from '../../syntax/index.ts'

/** A slot has so many bits, of which the uppermost keep a hash apart from the variables, which are counted from zero. */
const slotBits = 256n
const uppermostBits = 32n

/** As many as an address has: the other 96 bits of a hash are met by nobody who tries. */
const mostChosenBits = 160

const all = (bits: bigint): bigint => (1n << bits) - 1n

/**
 * `POSITION ^ (uint256(uint160(account)) << 64)`, `POSITION + id`: what the caller says moves the slot about in a part of the
 * storage that begins at a hash, and the rest of the bits are those of the hash.
 */
export const isWithinOwnRegion = (flow: Flow, slot: Op): boolean => {
  // Older compilers let more through than the type of a parameter says.
  if (flow.fn?.file.versions.isAtLeast(8) !== true) return false
  const { kind, operator, args } = stripCasts(slot)
  if (kind !== 'bin' || (operator !== '^' && operator !== '+')) return false
  const [left, right] = args as [Op, Op]
  const chosen = isFixedHash(left) ? right : isFixedHash(right) ? left : null
  const mask = chosen === null ? null : maskOf(flow, chosen)
  if (mask === null || mask > all(slotBits - uppermostBits)) return false
  return operator === '+' ? mask <= all(BigInt(mostChosenBits)) : countBits(mask) <= mostChosenBits
}

const countBits = (mask: bigint): number => mask.toString(2).replaceAll('0', '').length

/** A hash of something that is written in the code, also under the name of a constant. */
const isFixedHash = (value: Op): boolean => {
  const { kind, operator, args, constant, decl } = stripCasts(value)
  if (kind === 'builtin') return operator === 'keccak256' && args.every((arg) => stripCasts(arg).kind === 'const')
  if (kind !== 'const') return false
  if (constant !== null) return constant >> (slotBits - uppermostBits) > 0n
  return decl?.kind === 'variable' && decl.isConstant && decl.value !== null && isHashing(decl.value)
}

const isHashing = (value: Expression): boolean => {
  if (value.kind !== 'Call') return false
  if (value.callee.kind === 'Identifier' && value.callee.name === 'keccak256') return true
  const [converted] = value.args.values
  return value.callee.kind === 'TypeExpression' && converted !== undefined && isHashing(converted)
}

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
  if (value.kind !== 'param' && value.kind !== 'load') return null
  if (type?.kind === 'address' || type?.kind === 'contract') return all(160n)
  return type?.kind === 'int' && !type.signed ? all(BigInt(type.bits)) : null
}
