/** Numbers of a record that whoever opened it is in charge of: past the range they harm nobody whom plain ones would not. */
import { dependsOn, isOpened, usesOf } from '../../facts/index.ts'
import { accountOf, incomingOf, isNow, stakeOf } from '../../idioms/index.ts'
import { type BinaryOp, type Flow, isOverflowing, type Op, sameValue, stripCasts } from '../../ir/index.ts'

/**
 * `polls[++count].end = now + duration`: nothing is paid for it, the caller chooses what it is made of, and that is neither
 * asked about nor kept beside it, where it would say something else.
 */
export const isOwnTerm = (flow: Flow, op: BinaryOp): boolean => {
  if (stakeOf(flow) === 'assets') return false
  const parts = partsOf(op)
  const given = parts.filter(({ kind }) => kind === 'param')
  return (
    given.length > 0 &&
    parts.every((part) => part.kind === 'param' || part.kind === 'const' || isNow(part)) &&
    given.every((term) => goesIntoTerms(flow, term))
  )
}

/** What a sum of sums is made of. */
const partsOf = (op: Op): readonly Op[] => {
  const value = stripCasts(op)
  return isArithmetic(value) ? value.args.flatMap(partsOf) : [value]
}

const isArithmetic = ({ kind, operator }: Op): boolean => kind === 'bin' && isOverflowing(operator)

const goesIntoTerms = (flow: Flow, given: Op): boolean => {
  const passesOn = (user: Op): boolean => user.kind === 'cast' || user.kind === 'make' || isArithmetic(user)
  for (const { value, user, branch } of usesOf(flow, given, passesOn)) {
    if (branch !== null) return false
    const isRaw = stripCasts(value) === given
    if (user.kind === 'store') {
      if (isRaw || stripCasts(user.args[0]) !== stripCasts(value) || !isOpened(flow, user.location)) return false
    } else if (user.kind === 'make' ? isRaw : !passesOn(user) && !isTold(user)) return false
  }
  return true
}

const isTold = ({ kind, call }: Op): boolean =>
  kind === 'emit' || kind === 'return' || (kind === 'call' && call.inlined)

/** `pots[id].held += amount`, paid in the token that the same pot names: honest tokens have a supply, and who chose another did so for this pot alone. */
export const isInTokenOfRecord = (flow: Flow, op: BinaryOp): boolean => {
  const record = accountOf(op)?.parent ?? null
  if (record === null || record.index === null) return false
  const isOfRecord = ({ kind, location }: Op): boolean => kind === 'load' && location.parent === record
  return incomingOf(flow).some(
    ({ token, amount }) =>
      token !== null &&
      op.args.some((arg) => sameValue(stripCasts(arg), stripCasts(amount))) &&
      dependsOn(flow, token, isOfRecord),
  )
}
