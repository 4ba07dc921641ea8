import { dependsOn, findDependency, guardsAt, Source, taintOf } from '../../facts/index.ts'
import { isHash } from '../../idioms/index.ts'
import { alternativesOf, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
import { type Draw, isBlockhash, isClockValue, isStateLoad } from './draw.ts'

/** Why what looks like a draw is none. */
export const excuses = [
  excuse<Draw>('named-block', 'the caller supplies the block and the hash to prove something', isProofOfHash),
  excuse<Draw>('name-of-record', 'it is a key under which something is stored', isNameOfRecord),
  excuse<Draw>(
    'in-created-contract',
    'it is passed to a new contract, and only the address of that is stored',
    isPassedToCreated,
  ),
  excuse<Draw>('committed', 'it is the full hash of a future block, with an age check', isCommitted),
]

/** The hash of a block, also where older ones are looked up elsewhere. */
const isBlockhashOf = (value: Op): boolean => {
  const op = stripCasts(value)
  return isBlockhash(op) || alternativesOf(op).some((arg) => isBlockhash(stripCasts(arg)))
}

/** A comparison of a block's hash with something else. */
const comparedHash = ({ kind, args }: Op): { block: Op; other: Op } | null => {
  const block = kind === 'bin' ? args.find(isBlockhashOf) : undefined
  const other = args.find((side) => !isBlockhashOf(side))
  return block === undefined || other === undefined ? null : { block, other }
}

function isProofOfHash({ flow, draw }: Draw): boolean {
  const compared = comparedHash(draw)
  return compared !== null && isGiven(flow, compared.other) && isOfGivenBlock(flow, compared.block)
}

const isOfGivenBlock = (flow: Flow, hash: Op): boolean => {
  const number = findDependency(flow, hash, isBlockhash)?.args[0]
  return number !== undefined && isGiven(flow, number)
}

const isGiven = (flow: Flow, value: Op): boolean => {
  const sources = taintOf(flow, value)
  return (sources & Source.param) !== 0 && (sources & (Source.block | Source.time | Source.state)) === 0
}

function isNameOfRecord({ flow, draw, value }: Draw): boolean {
  const hash = stripCasts(value)
  return draw.kind === 'store' && flow.isIndex(hash) && dependsOn(flow, hash, isHash)
}

/**
 * `address(new Game(blockhash(block.number - 1)))`: the hash reaches the value through the creation of a contract alone, or through a call
 * whose answer is a contract that is called next.
 */
function isPassedToCreated({ flow, value, source }: Draw): boolean {
  const called = new Set(
    flow.externalCalls().flatMap(({ call }) => (call.target === null ? [] : stripCasts(call.target))),
  )
  const isSource = (op: Op): boolean => op === source
  const isCreation = (op: Op): boolean =>
    (op.kind === 'call'
      ? op.call.kind === 'create' || called.has(op)
      : op.kind === 'builtin' && op.operator.startsWith('create')) &&
    op.args.some((arg) => dependsOn(flow, arg, isSource))
  return dependsOn(flow, value, isCreation)
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
