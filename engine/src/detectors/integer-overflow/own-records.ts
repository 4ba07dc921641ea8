/** Numbers of a record that anyone who opened it is in charge of: past the range they harm nobody whom plain ones would not. */
import { dependsOn, isOpened, usesOf } from '../../facts/index.ts'
import { accountOf, impactOf, incomingOf, isNow } from '../../idioms/index.ts'
import { type BinaryOp, type Flow, isOverflowing, type Op, sameValue, stripCasts } from '../../ir/index.ts'

/**
 * `polls[++count].end = now + duration`: nothing is paid for it, the caller chooses what it is made of, and that is neither
 * asked about nor kept beside it, where it would say something else.
 */
export const isOwnTerm = (flow: Flow, op: BinaryOp): boolean => {
  if (impactOf(flow) === 'assets') return false
  const parts = partsOf(op)
  if (parts === null) return false
  const given = parts.filter(({ kind }) => kind === 'param')
  return (
    given.length > 0 &&
    parts.every((part) => part.kind === 'param' || part.kind === 'const' || isNow(part)) &&
    given.every((term) => goesIntoTerms(flow, term))
  )
}

/** What a sum of sums is made of; null where that is too much for one term. */
const partsOf = (op: BinaryOp): readonly Op[] | null => {
  const parts: Op[] = [...op.args]
  for (let i = 0; i < parts.length; ) {
    const part = stripCasts(parts[i]!)
    parts[i] = part
    if (isArithmetic(part)) parts.splice(i, 1, ...part.args)
    else i++
  }
  return parts
}

const isArithmetic = ({ kind, operator }: Op): boolean => kind === 'bin' && isOverflowing(operator)

/** Asked once of each parameter, which many sums may be made of. */
const goesIntoTerms = (flow: Flow, given: Op): boolean => flow.answerAbout(given, endsInTerms)

const endsInTerms = (flow: Flow, given: Op): boolean => {
  const passesOn = (user: Op): boolean => user.kind === 'cast' || user.kind === 'make' || isArithmetic(user)
  for (const { value, user, branch } of usesOf(flow, given, passesOn)) {
    if (branch !== null) return false
    const isRaw = stripCasts(value) === given
    if (user.kind === 'store') {
      if (isRaw || stripCasts(user.args[0]) !== stripCasts(value) || !isOpened(flow, user.location)) return false
    } else if (user.kind === 'make' ? isRaw : !passesOn(user) && !isOutput(user)) return false
  }
  return true
}

const isOutput = ({ kind, call }: Op): boolean =>
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
