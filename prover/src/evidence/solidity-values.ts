/** Values of the scene as Solidity expressions: addresses that the test knows by name are written by name. */
import { type AbiFunction, type AbiParameter, type AbiValue, encodeArguments, signatureOf } from '../evm/abi.ts'

/** Address in the scene → expression of type address in the test. */
export type AddressNames = ReadonlyMap<string, string>

const elementary = /^(u?int\d*|address|bool|string|bytes\d*)$/

export const addressExpression = (address: string, names: AddressNames): string =>
  names.get(address) ?? `address(uint160(${BigInt(address)}))`

const textLiteral = (text: string): string => JSON.stringify(text)

/** A value of an elementary type, cast so that the ABI encoder sees that type. */
export const expressionOf = ({ type }: AbiParameter, value: AbiValue, names: AddressNames): string => {
  if (type === 'address') return addressExpression(value as string, names)
  if (type === 'bool') return String(value)
  if (type === 'string') return textLiteral(value as string)
  if (type === 'bytes') return bytesExpression(value as string, names)
  if (type.startsWith('bytes')) return `${type}(${value as string})`
  return `${type}(${value as bigint})`
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
