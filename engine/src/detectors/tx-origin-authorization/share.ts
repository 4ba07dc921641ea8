/** What the answer decides is how large a share of what is paid anyway is kept back. */
import { dependsOn, usesOf } from '../../facts/index.ts'
import { type Payment, paymentsOf } from '../../idioms/index.ts'
import { type BasicBlock, type Flow, type Op, sameValueOrPlace, stripCasts } from '../../ir/index.ts'

/**
 * `if (tx.origin == owner) pay(vault, all); else pay(vault, all - fee);`: both ways pay the same accounts in the same asset and do
 * nothing else, and what others get is made of what the one gets.
 */
export const isOnlyShare = (flow: Flow, op: Op): boolean => {
  if (op.kind !== 'bin') return false
  let isCompared = false
  for (const { value, user, branch } of usesOf(flow, op, isPartOfCondition)) {
    if (branch === null) {
      if (!isPartOfCondition(user)) return false
    } else if (!isOnlyOnPath(flow, value, branch)) {
      if (!isShareAt(flow, branch, op.operator === '==')) return false
      isCompared = true
    }
  }
  return isCompared
}

const isShareAt = (flow: Flow, { succs: [whenTrue, whenFalse] }: BasicBlock, isTheOne: boolean): boolean => {
  const [one, others] = isTheOne ? [whenTrue, whenFalse] : [whenFalse, whenTrue]
  return one !== undefined && others !== undefined && isShare(flow, one, others)
}

/** Of `a || b` the one side alone decides whether the other is looked at, and nothing is done meanwhile. */
const isOnlyOnPath = (flow: Flow, value: Op, { id, succs }: BasicBlock): boolean => {
  const whole = flow.blocks[flow.ipdom[id]!]?.condition ?? null
  if (whole === null || !isPartOfCondition(whole) || !whole.args.includes(value)) return false
  return succs.every((successor) => onlyPayments(flow, successor)?.length === 0)
}

const isPartOfCondition = ({ kind, operator }: Op): boolean =>
  kind === 'bin' && (operator === '||' || operator === '&&')

const isShare = (flow: Flow, one: number, others: number): boolean => {
  const [full, reduced] = [onlyPayments(flow, one), onlyPayments(flow, others)]
  if (full === null || reduced === null || full.length === 0 || full.length !== reduced.length) return false
  return reduced.every((payment, i) => isPartOf(flow, payment, full[i]!))
}

/** What is paid on a way, in order; null where anything else is done there. */
const onlyPayments = (flow: Flow, successor: number): readonly Payment[] | null => {
  const blocks = new Set(flow.blocksUnder(successor))
  const isThere = ({ block }: Op): boolean => blocks.has(block)
  if (flow.stateStores().some(isThere)) return null
  const paid = paymentsOf(flow).filter(({ op }) => isThere(op))
  const isOfPayment = (call: Op): boolean =>
    paid.some(({ op }) => op === call || (call.site !== null && call.site.at.start === op.start))
  return flow.externalCalls().every((call) => !isThere(call) || isOfPayment(call)) ? paid : null
}

const isPartOf = (flow: Flow, part: Payment, whole: Payment): boolean =>
  part.asset === whole.asset &&
  isSame(part.token, whole.token) &&
  isSame(part.from, whole.from) &&
  isSame(part.to, whole.to) &&
  dependsOn(flow, part.amount, (op) => op === stripCasts(whole.amount))

const isSame = (a: Op | null, b: Op | null): boolean => (a === null || b === null ? a === b : sameValueOrPlace(a, b))
