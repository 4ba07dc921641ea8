/** Calldata from typed values and back, for the types that an ABI can name. */

export interface AbiParameter {
  readonly name: string
  readonly type: string
  /** As written in the source: `contract IERC20`, `address payable`; older compilers do not tell. */
  readonly internalType?: string
  /** Of an address: contracts that the code converts it to. */
  readonly convertedTo?: readonly string[]
  readonly components?: readonly AbiParameter[]
}

export interface AbiFunction {
  readonly type: 'function' | 'constructor' | 'fallback' | 'receive'
  readonly name: string
  readonly inputs: readonly AbiParameter[]
  readonly outputs: readonly AbiParameter[]
  readonly isPayable: boolean
  readonly isView: boolean
}

/** Integers and fixed bytes as bigint and hex, `bytes` as hex, `string` as text, lists and structs as arrays. */
export type AbiValue = bigint | boolean | string | readonly AbiValue[]

const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

export const canonicalType = ({ type, components }: AbiParameter): string =>
  type.startsWith('tuple') ? `(${(components ?? []).map(canonicalType).join(',')})${type.slice(5)}` : type

export const signatureOf = ({ name, inputs }: Pick<AbiFunction, 'name' | 'inputs'>): string =>
  `${name}(${inputs.map(canonicalType).join(',')})`

/** `uint8[3][]` → element `uint8[3]`, no count. */
export const elementOf = (parameter: AbiParameter): { element: AbiParameter; count: number | null } | undefined => {
  const match = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (!match) return undefined
  return { element: { ...parameter, type: match[1] as string }, count: match[2] ? Number(match[2]) : null }
}

const isDynamic = (parameter: AbiParameter): boolean => {
  const list = elementOf(parameter)
  if (list) return list.count === null || isDynamic(list.element)
  if (parameter.type === 'tuple') return (parameter.components ?? []).some(isDynamic)
  return parameter.type === 'bytes' || parameter.type === 'string'
}

const padRight = (hex: string): string => hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')

const encodeBytes = (hex: string): string => word(BigInt(hex.length / 2)) + padRight(hex)

const encodeOne = (parameter: AbiParameter, value: AbiValue): string => {
  const list = elementOf(parameter)
  if (list) {
    const items = value as readonly AbiValue[]
    const body = encodeAll(
      items.map(() => list.element),
      items,
    )
    return list.count === null ? word(BigInt(items.length)) + body : body
  }
  const { type } = parameter
  if (type === 'tuple') return encodeAll(parameter.components ?? [], value as readonly AbiValue[])
  if (type === 'string') return encodeBytes(Buffer.from(value as string, 'utf8').toString('hex'))
  if (type === 'bytes') return encodeBytes((value as string).slice(2))
  if (type === 'function') return padRight((value as string).slice(2))
  if (type.startsWith('bytes')) return (value as string).slice(2).padEnd(64, '0')
  if (type === 'bool') return word(value ? 1n : 0n)
  return word(BigInt(value as bigint | string))
}

const encodeAll = (parameters: readonly AbiParameter[], values: readonly AbiValue[]): string => {
  const parts = parameters.map((parameter, index) => ({
    dynamic: isDynamic(parameter),
    text: encodeOne(parameter, values[index] as AbiValue),
  }))
  let offset = parts.reduce((sum, { dynamic, text }) => sum + (dynamic ? 32 : text.length / 2), 0)
  let head = ''
  let tail = ''
  for (const { dynamic, text } of parts) {
    if (!dynamic) head += text
    else {
      head += word(BigInt(offset))
      tail += text
      offset += text.length / 2
    }
  }
  return head + tail
}

/** Arguments alone, without a selector: hex without prefix. */
export const encodeArguments = (parameters: readonly AbiParameter[], values: readonly AbiValue[]): string =>
  encodeAll(parameters, values)

export const hexToBytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'))

export const bytesToHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

export const bytesToWord = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

export const addressOfWord = (value: bigint): string => `0x${BigInt.asUintN(160, value).toString(16).padStart(40, '0')}`
