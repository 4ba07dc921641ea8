import { dependsOn, findDependency, guardsAt, Source, taintOf } from '../../facts/index.ts'
import { isConstant, isHash, tokenCalls } from '../../idioms/index.ts'
import {
  budget,
  type Flow,
  isGasLeft,
  isOrdering,
  type Location,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
import { type Draw, isBlockhash, isClockValue, isStateLoad } from './draw.ts'

/** Why what looks like a draw is none. */
export const excuses = [
  excuse<Draw>(
    'proof-of-header',
    'a block hash is compared with the hash of a header that the caller passes',
    isProofOfHeader,
  ),
  excuse<Draw>('named-block', 'the caller supplies the block and the hash to prove something', isProofOfHash),
  excuse<Draw>('stated-block', 'the caller names the previous block and gains nothing', ({ flow, draw }) =>
    isStatedBlock(flow, draw),
  ),
  excuse<Draw>(
    'own-data',
    'it is the hash of the caller’s own calldata',
    ({ source, isWhole }) => isWhole && source.operator === 'blobhash',
  ),
  excuse<Draw>('archive', 'the hash of a requested block is stored, or stored under its block number', isArchive),
  excuse<Draw>(
    'number-of-elements',
    'it is a list length that is already fixed',
    ({ value }) => value.kind === 'load' && value.location.space === 'memory' && value.location.part === 'length',
  ),
  excuse<Draw>('beginning', 'it is a stored start time, and elapsed time is the input', isBeginning),
  excuse<Draw>('room-for-gas', 'the block gas limit is compared with the gas available', isRoomForGas),
  excuse<Draw>('name-of-record', 'it is a key under which something is stored', isNameOfRecord),
  excuse<Draw>('committed', 'it is the full hash of a future block, with an age check', isCommitted),
]

/** The hash of a block, also where older ones are looked up elsewhere. */
const isBlockhashOf = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'select') return op.args.slice(1).some((arg) => isBlockhash(stripCasts(arg)))
  return isBlockhash(op) || (op.kind === 'phi' && op.args.some((arg) => isBlockhash(stripCasts(arg))))
}

/** A comparison of a block's hash with something else. */
const comparedHash = ({ kind, args }: Op): { block: Op; other: Op } | null => {
  const block = kind === 'bin' ? args.find(isBlockhashOf) : undefined
  const other = args.find((side) => !isBlockhashOf(side))
  return block === undefined || other === undefined ? null : { block, other }
}

function isProofOfHeader({ flow, draw }: Draw): boolean {
  const compared = comparedHash(draw)
  return compared !== null && dependsOn(flow, compared.other, isHash)
}

function isProofOfHash({ flow, draw }: Draw): boolean {
  const compared = comparedHash(draw)
  return compared !== null && isGiven(flow, compared.other) && isOfGivenBlock(flow, compared.block)
}

/** `require(blockhash(block.number - 1) == expected)`: it keeps the call off another fork of the chain. */
const isStatedBlock = (flow: Flow, draw: Op): boolean => {
  const compared = comparedHash(draw)
  if (compared === null || stripCasts(compared.other).kind !== 'param') return false
  if (isOfGivenBlock(flow, compared.block)) return false
  return flow.sends().length === 0 && flow.stateStores().length === 0 && tokenCalls(flow).length === 0
}

function isArchive({ flow, draw, value }: Draw): boolean {
  if (draw.kind !== 'store' || !isBlockhashOf(value)) return false
  return isOfGivenBlock(flow, value) || isUnderItsNumber(flow, draw.location, value)
}

const isUnderItsNumber = (flow: Flow, { index }: Location, hash: Op): boolean => {
  const number = findDependency(flow, hash, isBlockhash)?.args[0]
  return number !== undefined && index !== null && sameValue(stripCasts(index), stripCasts(number))
}

const isOfGivenBlock = (flow: Flow, hash: Op): boolean => {
  const number = findDependency(flow, hash, isBlockhash)?.args[0]
  return number !== undefined && isGiven(flow, number)
}

const isGiven = (flow: Flow, value: Op): boolean => {
  const sources = taintOf(flow, value)
  return (sources & Source.param) !== 0 && (sources & (Source.block | Source.time | Source.state)) === 0
}

/** `(block.timestamp - genesis) / slot`: it stirs nothing up. What is drawn from the time since is said where it is drawn. */
function isBeginning({ flow, salt }: Draw): boolean {
  const variable = salt?.location?.variable
  if (variable == null) return false
  const loads = flow.ops('load').filter(({ location }) => location.part === 'root' && location.variable === variable)
  return loads.every((load) =>
    flow
      .usersOf(load)
      .every(
        ({ kind, operator, args }) =>
          kind === 'bin' && (isOrdering(operator) || (operator === '-' && stripCasts(args[1]!) === load)),
      ),
  )
}

/** `gasleft() < block.gaslimit - reserve`: amounts of gas, of which nobody draws anything. */
function isRoomForGas({ draw }: Draw): boolean {
  if (draw.kind !== 'bin' || !isOrdering(draw.operator)) return false
  const [left, right] = draw.args
  return (
    (isGasLeft(stripCasts(left)) && isShareOfLimit(right)) || (isGasLeft(stripCasts(right)) && isShareOfLimit(left))
  )
}

/** Made of the limit and of fixed numbers alone: a hash of it, what is left of it, or what the caller brings, is another matter. */
const isShareOfLimit = (value: Op, depth = 0): boolean => {
  const { kind, operator, args } = stripCasts(value)
  if (kind !== 'bin') return kind === 'env' && operator === 'block.gaslimit'
  return (
    depth < budget.depth.shareOfLimit &&
    amounts.has(operator) &&
    args.every((arg) => isConstant(arg) || isShareOfLimit(arg, depth + 1))
  )
}

/** Operators that make an amount of amounts. */
const amounts: ReadonlySet<string> = new Set(['+', '-', '*', '/', '|'])

function isNameOfRecord({ flow, draw, value }: Draw): boolean {
  const hash = stripCasts(value)
  return draw.kind === 'store' && flow.isIndex(hash) && dependsOn(flow, hash, isHash)
}

/**
 * The hash of a block that was still to come when the bet was stored, and that must not be older than the 256 blocks
 * whose hash is known: nobody could foresee it, and it cannot be made zero by waiting. Compared as a whole it is safe; cut
 * down to a few outcomes, the producer of that block can still throw away the ones it does not like.
 */
function isCommitted({ flow, source, isWhole }: Draw): boolean {
  const block = isWhole && isBlockhash(source) ? source.args[0] : undefined
  if (block === undefined || !dependsOn(flow, block, isStateLoad)) return false
  return guardsAt(flow, source).some(
    ({ condition }) => dependsOn(flow, condition, isHashAge) && dependsOn(flow, condition, isClockValue),
  )
}

/** About as many blocks as their hashes are known for. */
const isHashAge = ({ kind, constant }: Op): boolean =>
  kind === 'const' && constant !== null && constant >= 200n && constant <= 256n
