/** Arithmetic on what is no amount: addresses, sizes, packed words, gas. That it wraps around does no harm. */

import { intervalOf, isInRevertReason, reaches } from '../facts/index.ts'
import { type BinaryOp, budget, type Flow, isGasLeft, isOrdering, type Op, rangeOf, stripCasts } from '../ir/index.ts'

/**
 * Nothing follows from it: it is reported in an error, asks for so much gas, is the size of a list that nobody could pay for, is a part of a
 * signature, or turns the sign; and what a token says of itself as an exponent harms anyone who chose the token.
 */
export const isHarmless = (flow: Flow, op: BinaryOp): boolean => {
  const by = stripCasts(op.args[1])
  if (op.operator === '*' && by.kind === 'const' && by.constant === -1n) return true
  if (op.operator === '**' && by.kind === 'call') return true
  if (op.operator === '-' && isSize(flow, op)) return true
  if (op.operator === '+' && isOfSignature(flow, op, 0)) return true
  return isInRevertReason(flow, op) || isGasLimit(flow, op, 0)
}

/** `ecrecover(hash, v + 27, r, s)`: anyone who brings a signature can bring any other number there as well, and it signs for nobody. */
const isOfSignature = (flow: Flow, op: Op, depth: number): boolean => {
  const users = flow.usersOf(op).filter(({ kind, call }) => kind !== 'call' || !call.inlined)
  return (
    users.length > 0 &&
    depth < budget.depth.packed &&
    users.every((user) => {
      if (user.kind === 'builtin') return user.operator === 'ecrecover' && user.args[1] === op
      return (user.kind === 'cast' || user.kind === 'phi') && isOfSignature(flow, user, depth + 1)
    })
  )
}

/** More memory than anyone can pay for. */
const tooLarge = 1n << 64n

/** Every way on takes memory of that size, or reads as much: below zero nobody can pay for that, and nothing of it remains. */
const isSize = (flow: Flow, op: BinaryOp): boolean =>
  rangeOf(flow.typeOf(op)).max - intervalOf(flow, op.args[1], op).max >= tooLarge &&
  reaches(flow, op, {
    through: (user) => user.kind === 'cast' && rangeOf(flow.typeOf(user)).max >= rangeOf(flow.typeOf(op)).max,
    until: ({ user, value }) => user !== null && isSizedBy(user, value) && flow.isFollowedBy(op, user),
  })

const isSizedBy = ({ kind, operator, args }: Op, size: Op): boolean =>
  (kind === 'make' && operator === 'new' && args[0] === size) ||
  (kind === 'builtin' && (operator === 'keccak256' || operator === 'sha3') && args[1] === size)

/** Compared with the gas that is left, and nothing else. */
const isGasLimit = (flow: Flow, op: Op, depth: number): boolean => {
  const users = flow.usersOf(op)
  return (
    users.length > 0 &&
    depth < budget.depth.packed &&
    users.every((user) => {
      if (user.kind === 'call' && user.call.inlined) return true
      if (user.kind === 'bin' && isOrdering(user.operator))
        return user.args.some((side) => isGasLeft(stripCasts(side))) || isChoice(flow, user)
      const isPassedOn = user.kind === 'bin' || user.kind === 'cast' || user.kind === 'phi' || user.kind === 'select'
      return (isPassedOn || isUnseen(user)) && isGasLimit(flow, user, depth + 1)
    })
  )
}

/** The larger or the smaller of two is taken. */
const isChoice = (flow: Flow, comparison: Op): boolean =>
  !flow.isCondition(comparison) && flow.usersOf(comparison).every(({ kind }) => kind === 'select')

/** A function that is not among the files, as one of a missing library that takes the larger of two. */
const isUnseen = ({ kind, call }: Op): boolean => kind === 'call' && call.definition === null

/** Of all nodes only those of assembly begin with a Y: `YulCall`, `YulIdentifier`… */
export const isAssembly = (op: Op): boolean => (op.node as { kind?: string } | null)?.kind?.charCodeAt(0) === 0x59
