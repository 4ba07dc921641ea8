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
 * `rounds[id].time = time`, taken in as anybody names it. Whatever is worked out with that later, and with nothing that the caller brings,
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

/** `(gas * price * (100 + fee)) / 100`: what is written in one go is put right in one go, in however many steps it is worked out. */
const expressionAround = (flow: Flow, op: BinaryOp): Span => {
  let whole: Op = op
  for (;;) {
    const users: readonly Op[] = flow.usersOf(whole).filter(({ kind, call }) => kind !== 'call' || !call.inlined)
    const user: Op | undefined = users[0]
    if (user === undefined || users.length > 1 || user.site !== op.site || !isPassedOn(user)) break
    if (user.start > op.start || user.end < op.end) break
    whole = user
  }
  return whole
}

const isPassedOn = ({ kind, operator }: Op): boolean => kind === 'cast' || (kind === 'bin' && isCounting.has(operator))

/** What is at fault: that a number was taken in without a limit, or else the expression that counts with it. */
export const causeOf = (flow: Flow, op: BinaryOp): Span => takenInAt(flow, op) ?? expressionAround(flow, op)
