/** Payouts that must be back before the transaction ends. */
import { dependsOn, guardsAt } from '../facts/index.ts'
import type { Flow, Op } from '../ir/index.ts'
import { isOwnEther, isOwnTokenBalance } from './token-calls.ts'

const isHolding = (part: Op): boolean => isOwnEther(part) || isOwnTokenBalance(part)

/** `require(address(this).balance >= before)` on every path to the end: afterwards the contract holds what it held before, or what state says. */
export const isDemandedBack = (flow: Flow, payment: Op): boolean => {
  const isLater = (part: Op): boolean => isHolding(part) && flow.canFollow(payment, part)
  const isEarlier = (part: Op): boolean => part.kind === 'load' || (isHolding(part) && flow.canFollow(part, payment))
  const ends = flow.ops('return').filter((end) => flow.canFollow(payment, end))
  return (
    ends.length > 0 &&
    ends.every((end) =>
      guardsAt(flow, end).some(
        ({ condition }) => dependsOn(flow, condition, isLater) && dependsOn(flow, condition, isEarlier),
      ),
    )
  )
}
