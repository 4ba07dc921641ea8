/** What a low-level call is instructed to do: the function that its data names, and the values behind that name. */
import { type Op, stripCasts } from '../ir/index.ts'
import type { Expression } from '../syntax/index.ts'

export interface EncodedCall {
  readonly name: string
  readonly args: readonly Op[]
}

/** `abi.encodeWithSelector(0x23b872dd, …)`, `abi.encodeCall(token.transferFrom, (…))`; null where the name is not to be read. */
export const encodedCallOf = (data: Op | undefined): EncodedCall | null => {
  const encoded = data === undefined ? null : behindLength(stripCasts(data))
  if (encoded?.kind !== 'builtin' || !naming.has(encoded.operator)) return null
  const [first, ...args] = encoded.args
  const name = first === undefined ? null : functionNamed(stripCasts(first))
  return name === null ? null : { name, args }
}

/** `call(gas(), token, 0, add(data, 0x20), …)`: assembly points behind the word that holds the length. */
const behindLength = (op: Op): Op => {
  const isBehind = op.kind === 'bin' && op.operator === '+' && stripCasts(op.args[1]).constant === 32n
  return isBehind ? stripCasts(op.args[0]) : op
}

const naming = new Set(['abi.encodeWithSelector', 'abi.encodeWithSignature', 'abi.encodeCall'])

/** `transfer`, `transferFrom` and `approve` of ERC-20, which people know by number. */
const selectors: ReadonlyMap<bigint, string> = new Map([
  [0xa9059cbbn, 'transfer'],
  [0x23b872ddn, 'transferFrom'],
  [0x095ea7b3n, 'approve'],
])

const functionNamed = ({ kind, constant, operator, decl, args }: Op): string | null => {
  switch (kind) {
    case 'name':
      return operator
    case 'const':
      if (constant !== null) return selectors.get(constant) ?? null
      return decl?.kind === 'variable' ? namedInText(decl.value) : nameIn(operator)
    case 'builtin':
      return operator === 'selector' || operator === 'keccak256' ? functionNamed(stripCasts(args[0]!)) : null
    default:
      return null
  }
}

/** The value of a constant: `bytes4(keccak256("transfer(address,uint256)"))`, `IERC20.transfer.selector`. */
const namedInText = (e: Expression | null | undefined): string | null => {
  switch (e?.kind) {
    case 'Literal':
      return nameIn(e.value)
    case 'Call':
      return namedInText(e.args.values[0])
    case 'Member':
      return e.name.name === 'selector' && e.object.kind === 'Member' ? e.object.name.name : null
    default:
      return null
  }
}

/** `transfer(address,uint256)` */
const nameIn = (signature: string): string | null => {
  const end = signature.indexOf('(')
  return end > 0 ? signature.slice(0, end) : null
}
