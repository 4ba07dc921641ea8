import { argumentsIn, everyPart } from '../facts/index.ts'
import { type Flow, type Op, stripCasts } from '../ir/index.ts'

const hashes = new Set(['keccak256', 'sha256', 'ripemd160'])

/** A value from which nobody finds back to what it was made of, and which everybody can make who knows that. */
export const isHash = ({ kind, operator }: Op): boolean => kind === 'builtin' && hashes.has(operator)

/** The innermost hash that holds as many arguments as the digest does, of one parameter or of all: where a missing field belongs. */
export const messageHash = (flow: Flow, digest: Op, param: Op | null = null): Op => {
  const heldBy = (value: Op): number =>
    argumentsIn(flow, value, 'data').filter((said) => param === null || said.param === param).length
  const all = heldBy(digest)
  return everyPart(flow, digest).reduce(
    (inner, op) => (op.id < inner.id && isHash(op) && heldBy(op) === all ? op : inner),
    stripCasts(digest),
  )
}
