import { dependsOn } from '../../facts/index.ts'
import {
  type BinaryOp,
  type ContractFlow,
  type Flow,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'

/**
 * `rounds[id].time = time`, taken in as anyone names it. Whatever is worked out with that later, and with nothing that the caller brings,
 * goes wrong for want of a limit there: one cause, in however many sums. Of several such numbers the first one stands for all.
 */
const takenInAt = (flow: Flow, op: Op): StoreOp | undefined => {
  let first: StoreOp | undefined
  const isGiven = dependsOn(flow, op, (part) => {
    if (part.kind === 'load' && part.location.space === 'state')
      for (const store of namedStores(flow, part)) if (first === undefined || store.start < first.start) first = store
    return part.kind === 'param'
  })
  return isGiven ? undefined : first
}

const namedStores = ({ contractFlow }: Flow, { location }: LoadOp): readonly StoreOp[] =>
  contractFlow.answerAt(location, findNamed)

const findNamed = (contractFlow: ContractFlow, place: Location): readonly StoreOp[] =>
  contractFlow.writersTo(place).flatMap(({ op }) => (stripCasts(op.args[0]).kind === 'param' ? [op] : []))

const isCounting: ReadonlySet<string> = new Set(['+', '-', '*', '/', '**'])

const createWholes = (): Map<Op, Op> => new Map()

/**
 * `(gas * price * (100 + fee)) / 100`: what is written in one go is put right in one go, in however many steps it is worked out. The
 * whole is found once for all that it is made of.
 */
const expressionAround = (flow: Flow, op: BinaryOp): Op => {
  const wholes = flow.answer(createWholes)
  const parts: Op[] = []
  let whole: Op = op
  for (let next: Op | null = op; next !== null; next = userOf(flow, whole)) {
    whole = wholes.get(next) ?? next
    if (whole !== next) break
    parts.push(next)
  }
  for (const part of parts) wholes.set(part, whole)
  return whole
}

/** What is worked out with a value alone, in the expression around it. */
const userOf = (flow: Flow, op: Op): Op | null => {
  const [user, other] = flow.usersOf(op).filter(({ kind, call }) => kind !== 'call' || !call.inlined)
  if (user === undefined || other !== undefined || user.site !== op.site || !isPassedOn(user)) return null
  return user.start > op.start || user.end < op.end ? null : user
}

const isPassedOn = ({ kind, operator }: Op): boolean => kind === 'cast' || (kind === 'bin' && isCounting.has(operator))

/** What is at fault: that a number was taken in without a limit, or else the expression that counts with it. */
export const causeOf = (flow: Flow, op: BinaryOp): Span => {
  const whole = expressionAround(flow, op)
  return flow.answerAbout(whole, takenInAt) ?? whole
}
