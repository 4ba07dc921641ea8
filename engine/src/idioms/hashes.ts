import type { Op } from '../ir/index.ts'

const hashes = new Set(['keccak256', 'sha256', 'ripemd160'])

/** A value from which nobody finds back to what it was made of, and which everybody can make who knows that. */
export const isHash = ({ kind, operator }: Op): boolean => kind === 'builtin' && hashes.has(operator)
