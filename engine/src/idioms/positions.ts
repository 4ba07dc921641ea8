/** Numbers that say how long data is, or where in it something lies. */
import { contentOf, reaches } from '../facts/index.ts'
import { budget, type Flow, type Op, stripCasts } from '../ir/index.ts'

/** What a number is made of: of sizes and bytes of data, of constants alone, or of anything else. */
type Matter = 'data' | 'constant' | 'other'

const sizesAndBytes = new Set(['byte', 'mload', 'calldataload', 'calldatasize', 'returndatasize'])

/**
 * Worked out from sizes and bytes of data alone, and neither kept nor handed to anyone: `data.length - 32`. Past its range it
 * points behind the data, where indexing reverts and reading finds bytes that anyone who brings the data could have put into it.
 */
export const isPositionInData = (flow: Flow, op: Op): boolean =>
  matterOf(flow, op, 0) === 'data' && !isPassedOn(flow, op)

const matterOf = (flow: Flow, value: Op, depth: number): Matter => {
  const op = stripCasts(value)
  if (depth > budget.depth.position) return 'other'
  switch (op.kind) {
    case 'const':
      return 'constant'
    case 'builtin':
      return sizesAndBytes.has(op.operator) ? 'data' : 'other'
    case 'load': {
      if (op.location.part === 'length') return 'data'
      const content = contentOf(flow, op.location)
      return content === null || content.copies.length > 0 ? 'other' : together(flow, content.values, depth)
    }
    case 'bin':
    case 'phi':
      return together(flow, op.args, depth)
    case 'select':
      return together(flow, [op.args[1], op.args[2]], depth)
    default:
      return 'other'
  }
}

const together = (flow: Flow, parts: readonly Op[], depth: number): Matter => {
  let matter: Matter = 'constant'
  for (const part of parts) {
    const of = matterOf(flow, part, depth + 1)
    if (of === 'other') return 'other'
    if (of === 'data') matter = 'data'
  }
  return matter
}

/** Stored, or an argument of a call that leaves. */
const isPassedOn = (flow: Flow, op: Op): boolean =>
  reaches(flow, op, {
    through: ({ kind }) => kind === 'cast' || kind === 'phi' || kind === 'select',
    until: ({ user }) =>
      user !== null &&
      ((user.kind === 'store' && user.location.space !== 'memory') || (user.kind === 'call' && !user.call.inlined)),
  })
