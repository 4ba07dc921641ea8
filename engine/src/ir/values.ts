/** Values looked at through what does not change them. */
import type { Op } from './ir.ts'

/** The value behind conversions, and behind a loop's phi for what the loop does not change after all. */
export const stripCasts = (value: Op): Op => {
  let op = value
  while (op.kind === 'cast' || (op.kind === 'phi' && op.args.length === 2 && op.args[1] === op)) op = op.args[0]!
  return op
}
