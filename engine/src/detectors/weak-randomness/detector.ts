import { dependsOn, findDependency, guardsAt, Source, taintOf } from '../../facts/index.ts'
import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
  id: 'weak-randomness',
  swc: 'SWC-120',
  title: 'Chance drawn from block values',
  severity: 'high',
  confidence: 'medium',
  description:
    'A number meant to be unpredictable is made from values that everybody can read and the block producer can choose or withhold: block hash, difficulty, coinbase, gas limit, time or number. A contract called in the same transaction computes the same number first.',
  recommendation:
    'Use a verifiable random function from an oracle, or a commit and reveal scheme whose deadline cannot be skipped.',
  references: ['https://swcregistry.io/docs/SWC-120', 'https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-330'],

  run({ functions }) {
    const hits: Hit[] = []
    const seen = new Set<number>()
    for (const flow of functions) if (mentionsBlock(flow)) addDraws(flow, seen, hits)
    return hits
  },
})

/** What only the block producer decides. */
const producerValues = new Set(['block.difficulty', 'block.prevrandao', 'block.coinbase', 'block.gaslimit'])
const clockValues = new Set(['block.timestamp', 'block.number'])
const hashes = new Set(['keccak256', 'sha256', 'ripemd160'])

/** Places where a value is used as chance: reduced by a modulus, cut to few bits, compared, stored, paid out or used to choose. */
const addDraws = (flow: Flow, seen: Set<number>, hits: Hit[]): void => {
  const addDraw = (draw: Op, value: Op, isWhole: boolean): void => {
    if ((taintOf(flow, value) & (Source.block | Source.time)) === 0) return
    const entry = sourceOf(flow, value, isWhole) ?? (isLot(flow, draw) ? draw : null)
    if (entry === null) return
    addSeed(flow, value, seen, hits)
    if (seen.has(entry.start)) return
    seen.add(entry.start)
    hits.push({
      at: { start: entry.start, end: entry.end },
      message: 'A number that must not be foreseen is made from block values here.',
      trace: [
        ...flow.trace(entry),
        { at: { start: draw.start, end: draw.end }, message: 'It is used as chance here.' },
      ],
    })
  }
  for (const op of flow.ops('bin')) {
    if ((taintOf(flow, op) & (Source.block | Source.time)) === 0) continue
    if (op.operator === '%' || op.operator === '&' || op.operator === '/') addDraw(op, op.args[0]!, false)
    else if (isComparison(op.operator) && !isProof(flow, op)) for (const side of op.args) addDraw(op, side, true)
  }
  for (const op of flow.ops('cast')) if (isNarrowing(flow, op)) addDraw(op, op.args[0]!, false)
  for (const op of flow.stateStores()) if (!isRecord(flow, op.args[0]!)) addDraw(op, op.args[0]!, true)
}

/** Whatever is kept under a number has it as its name; and the hash of a block that the caller names is no draw. */
const isRecord = (flow: Flow, stored: Op): boolean => {
  const value = stripCasts(stored)
  if (isBlockhashOf(value)) return isGiven(flow, findDependency(flow, value, isBlockhash)!.args[0]!)
  return isHash(value) && flow.isIndex(value)
}

const isHash = ({ kind, operator }: Op): boolean => kind === 'builtin' && hashes.has(operator)

/** What the draw is salted with was itself taken from the clock when the contract was made. */
const addSeed = (flow: Flow, value: Op, seen: Set<number>, hits: Hit[]): void => {
  const salt = findDependency(flow, value, isStateLoad)?.location
  if (salt === undefined || salt === null || salt.part !== 'root' || salt.variable === null) return
  const writes = flow.whole.writersOf(salt.variable)
  const write = writes[0]
  if (write === undefined || writes.length > 1 || !write.flow.isConstructor || seen.has(write.op.start)) return
  if ((taintOf(write.flow, write.op.args[0]!) & (Source.block | Source.time)) === 0) return
  seen.add(write.op.start)
  hits.push({
    at: { start: write.op.start, end: write.op.end },
    message: `\`${salt.variable.name}\` is meant to make a number unpredictable, and is a block value that everybody can read.`,
  })
}

/** `block.number % 2` where ether moves: the pace of blocks is time, what is left of their number is a lot. */
const isLot = (flow: Flow, { operator, args }: Op): boolean => {
  if (operator !== '%' || stripCasts(args[1]!).kind !== 'const' || flow.sends().length === 0) return false
  const number = stripCasts(args[0]!)
  return number.kind === 'env' && number.operator === 'block.number'
}

const isComparison = (operator: string): boolean =>
  operator === '==' || operator === '<' || operator === '>' || operator === '<=' || operator === '>='

/**
 * A block's hash, what its producer decides, its number where ether moves, or its time stirred up by a hash: without any of
 * them there is no chance.
 */
const mentionsBlock = (flow: Flow): boolean => {
  for (const name of producerValues) if (flow.usesEnvironment(name)) return true
  const isCounted = flow.usesEnvironment('block.number')
  if (isCounted && flow.sends().length > 0) return true
  const isTimed = isCounted || flow.usesEnvironment('block.timestamp')
  const builtins = flow.ops('builtin')
  for (let i = 0; i < builtins.length; i++)
    if (isBlockhash(builtins[i]!) || (isTimed && hashes.has(builtins[i]!.operator))) return true
  return false
}

const isNarrowing = (flow: Flow, op: Op): boolean => {
  const type = flow.typeOf(op)
  return type?.kind === 'int' && type.bits < 160
}

/** `blockhash(n) == keccak256(header)`, or with the caller's number of a block and its hash: a proof, not a draw. */
const isProof = (flow: Flow, { args }: Op): boolean => {
  const header = args.find((side) => !isBlockhashOf(side))
  const block = args.find(isBlockhashOf)
  if (header === undefined || block === undefined) return false
  if (dependsOn(flow, header, isHash)) return true
  const number = findDependency(flow, block, isBlockhash)?.args[0]
  return number !== undefined && isGiven(flow, header) && isGiven(flow, number)
}

const isGiven = (flow: Flow, value: Op): boolean => {
  const sources = taintOf(flow, value)
  return (sources & Source.param) !== 0 && (sources & (Source.block | Source.time | Source.state)) === 0
}

/** The hash of a block, also where older ones are looked up elsewhere. */
const isBlockhashOf = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'select') return op.args.slice(1).some((arg) => isBlockhash(stripCasts(arg)))
  return isBlockhash(op) || (op.kind === 'phi' && op.args.some((arg) => isBlockhash(stripCasts(arg))))
}

const isBlockhash = (op: Op): boolean =>
  op.kind === 'builtin' && (op.operator === 'blockhash' || op.operator === 'blobhash')

/**
 * The operation at which block values enter `value`: a block hash, a producer's value put to use, or a clock value that
 * a hash stirs up. A clock value by itself is a question of time, not of chance.
 */
const sourceOf = (flow: Flow, value: Op, isWhole: boolean): Op | null => {
  const strong = findDependency(
    flow,
    value,
    (op) =>
      (isBlockhash(op) && !(isWhole && isCommitted(flow, op))) ||
      (op.args.some(isProducerValue) && op.kind !== 'return'),
  )
  if (strong !== undefined) return strong
  if (isProducerValue(value)) return null
  const hash = findDependency(flow, value, isHash)
  if (hash === undefined || !isNumberOf(flow, value)) return null
  return findDependency(flow, hash, (op) => op.args.some(isClockValue)) ?? null
}

/**
 * The hash of a block that was still to come when the bet was stored, and that must not be older than the 256 blocks
 * whose hash is known: nobody could foresee it, and it cannot be made zero by waiting. Compared as a whole it is safe; cut
 * down to a few outcomes, the producer of that block can still throw away the ones it does not like.
 */
const isCommitted = (flow: Flow, op: Op): boolean => {
  const block = op.args[0]
  if (block === undefined || !dependsOn(flow, block, isStateLoad) || dependsOn(flow, block, isClockValue)) return false
  return guardsAt(flow, op).some(
    ({ condition }) =>
      condition.kind === 'bin' &&
      dependsOn(
        flow,
        condition,
        (part) => part.kind === 'const' && part.constant !== null && part.constant >= 200n && part.constant <= 256n,
      ) &&
      dependsOn(flow, condition, isClockValue),
  )
}

const isStateLoad = (op: Op): boolean => op.kind === 'load' && op.location!.space === 'state'

const isProducerValue = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && producerValues.has(op.operator)
}

const isClockValue = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && clockValues.has(op.operator)
}

/** A hash as such may be an identifier; turned into a number it is meant to be counted with. */
const isNumberOf = (flow: Flow, value: Op): boolean => flow.typeOf(value)?.kind === 'int'
