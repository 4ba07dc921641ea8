/** What calls of functions that are not among the files can only be there for. */
import type { Op } from './ir.ts'
import { isLogical } from './operators.ts'

/** `check(a >= b, CODE)`: who is given a condition and the word for its failure requires it. */
export const isRequirement = ({ kind, call, args }: Op): boolean => {
  if (kind !== 'call' || args.length !== 2 || call.definition !== null || call.kind !== 'internal') return false
  const [condition, word] = args as [Op, Op]
  if (!isWord(word)) return false
  return condition.kind === 'bin'
    ? isLogical(condition.operator)
    : condition.kind === 'un' && condition.operator === '!'
}

/** A number, a text, or `Errors.CODE` of a missing file. */
const isWord = ({ kind, location }: Op): boolean =>
  kind === 'const' || kind === 'make' || (kind === 'load' && location.base?.kind === 'unknown')

/**
 * `Errors.wrong(a, b)`, `error.raise()` on bytes, `fail(Errors.CODE)`: qualified by a name that nothing declares, called on
 * something that is no contract, or given nothing but a word. It gets values only.
 */
export const isOfMissingFile = ({ kind, call, node, operator, args }: Op): boolean => {
  if (kind !== 'call' || call.definition !== null || call.value !== null || operator === 'modifier') return false
  if (args.some(isStorage)) return false
  const isBare = (node as { callee?: { kind?: string } } | null)?.callee?.kind === 'Identifier'
  if (isBare) return call.kind === 'internal' && args.length > 0 && args.every(isWord)
  const on = call.kind === 'internal' ? args[0] : call.kind === 'external' ? call.target : null
  if (on === null || on === undefined) return false
  if (on.kind === 'call') return isOfMissingFile(on)
  return on.kind === 'unknown' ? call.kind === 'internal' : on.kind === 'builtin' && on.operator.startsWith('abi.')
}

const isStorage = ({ kind, location }: Op): boolean => {
  if (kind === 'ref') return true
  const type = kind === 'load' ? location.type?.kind : undefined
  return type === 'struct' || type === 'array' || type === 'mapping'
}
