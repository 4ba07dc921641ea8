/** Values of the scene as Solidity expressions: addresses that the test knows by name are written by name. */
import { type AbiFunction, type AbiParameter, type AbiValue, encodeArguments, signatureOf } from '../evm/abi.ts'

/** Address in the scene → expression of type address in the test. */
export type AddressNames = ReadonlyMap<string, string>

const elementary = /^(u?int\d*|address|bool|string|bytes\d*)$/

export const addressExpression = (address: string, names: AddressNames): string =>
  names.get(address) ?? `address(uint160(${BigInt(address)}))`

/** An address as the language wants its literals: mixed case by EIP-55. */
export const checksummed = (address: string, machine: { keccak(hex: string): string }): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = machine.keccak(`0x${Buffer.from(digits, 'utf8').toString('hex')}`).slice(2)
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

const etherUnit = 10n ** 18n

/** `2.5 ether` where three digits behind the point are enough, else wei. */
export const amountExpression = (wei: bigint): string => {
  if (wei <= 0n || wei % 10n ** 15n !== 0n || wei > 10n ** 30n) return String(wei)
  const digits = (wei % etherUnit).toString().padStart(18, '0').replace(/0+$/, '')
  return `${wei / etherUnit}${digits ? `.${digits}` : ''} ether`
}

const textLiteral = (text: string): string => JSON.stringify(text)

/** A value of an elementary type, cast so that the ABI encoder sees that type. */
export const expressionOf = ({ type }: AbiParameter, value: AbiValue, names: AddressNames): string => {
  if (type === 'address') return addressExpression(value as string, names)
  if (type === 'bool') return String(value)
  if (type === 'string') return textLiteral(value as string)
  if (type === 'bytes') return bytesExpression(value as string, names)
  const named = names.get(addressIn(value))
  if (named && /^(?:uint(?:160|256)|bytes32)$/.test(type))
    return type === 'bytes32' ? `bytes32(uint256(uint160(${named})))` : `${type}(uint160(${named}))`
  if (type.startsWith('bytes')) return `${type}(${value as string})`
  return `${type}(${amountExpression(value as bigint)})`
}

/** A number or word read as an address: code may keep one where the other is meant. */
export const addressIn = (value: AbiValue): string => {
  const isWord = typeof value === 'bigint' || (typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))
  const word = isWord ? BigInt(value as bigint | string) : 0n
  return word >= 0n && word < 1n << 160n ? `0x${word.toString(16).padStart(40, '0')}` : ''
}

/** Bytes with the addresses in them, if any, put in by name: `abi.encodePacked(hex"…", uint256(uint160(agent)), hex"…")`. */
export const bytesExpression = (hex: string, names: AddressNames): string => {
  const body = hex.replace(/^0x/, '')
  const parts: string[] = []
  let rest = body
  for (;;) {
    const hit = firstAddress(rest, names)
    if (!hit) break
    if (hit.at > 0) parts.push(`hex"${rest.slice(0, hit.at)}"`)
    parts.push(`bytes20(${names.get(hit.address)})`)
    rest = rest.slice(hit.at + 40)
  }
  if (parts.length === 0) return body === '' ? '""' : `hex"${body}"`
  if (rest !== '') parts.push(`hex"${rest}"`)
  return `abi.encodePacked(${parts.join(', ')})`
}

const firstAddress = (body: string, names: AddressNames): { at: number; address: string } | undefined => {
  let best: { at: number; address: string } | undefined
  for (const address of names.keys()) {
    const at = body.indexOf(address.slice(2))
    if (at >= 0 && at % 2 === 0 && (!best || at < best.at)) best = { at, address }
  }
  return best
}

/** Calldata of a call. */
export const calldataExpression = (
  fn: AbiFunction | null,
  args: readonly AbiValue[],
  selector: string,
  names: AddressNames,
): string => {
  if (!fn) return '""'
  if (fn.inputs.every(({ type }) => elementary.test(type))) {
    const list = fn.inputs.map((input, index) => expressionOf(input, args[index] as AbiValue, names))
    return `abi.encodeWithSignature(${[textLiteral(signatureOf(fn)), ...list].join(', ')})`
  }
  return bytesExpression(selector + encodeArguments(fn.inputs, args), names)
}
