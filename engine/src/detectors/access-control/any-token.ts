/** Credits that are paid for in whatever token the caller names: one that they made up themselves pays for as much as they like. */
import { dependsOn, isUntrusted } from '../../facts/index.ts'
import { incomingOf, keysOf } from '../../idioms/index.ts'
import { type Flow, type Op, rootOf, stripCasts } from '../../ir/index.ts'

/** Nothing else comes in, and what is written down does not tell one token from another. */
export const isPaidInAnyToken = (flow: Flow): boolean => flow.answer(findWhetherAny)

const findWhetherAny = (flow: Flow): boolean => {
  const paid = incomingOf(flow)
  if (flow.isPayable || paid.length === 0) return false
  return paid.every(({ token, op }) => {
    const named = token === null ? null : namedAs(stripCasts(token))
    return named !== null && isUntrusted(flow, token!, op) && !isDistinguished(flow, op, named)
  })
}

/** The parameter that a token is, or is a part of. */
const namedAs = (token: Op): Op | null => {
  if (token.kind === 'param') return token
  const base = token.kind === 'load' && token.location.space === 'memory' ? rootOf(token.location).base : null
  return base !== null && stripCasts(base).kind === 'param' ? stripCasts(base) : null
}

/** Something is kept under the token, the token is noted too, or a user whom the caller did not choose hears of it. */
const isDistinguished = (flow: Flow, payment: Op, named: Op): boolean => {
  const isOfToken = (value: Op): boolean => dependsOn(flow, value, (part) => part === named, { keys: true })
  return (
    flow.stateStores().some(({ location, args }) => keysOf(location).some(isOfToken) || isOfToken(args[0])) ||
    flow
      .externalCalls()
      .some(
        ({ call: { target }, args }) =>
          target !== null && args.some(isOfToken) && !isOfToken(target) && !isUntrusted(flow, target, payment),
      )
  )
}
