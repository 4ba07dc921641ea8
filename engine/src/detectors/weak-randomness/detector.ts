import { type DependencyOptions, findDependency, readsBlock, Source, taintOf } from '../../facts/index.ts'
import { isHash, outgoingOf, witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, isEquality, isOrdering, isZero, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'
import { type Draw, isBlockhash, isBlockNumber, isClockValue, isStateLoad } from './draw.ts'
import { excuses } from './excuses.ts'
import { evidenceAgainst, isRemoteClock, lossOf } from './stakes.ts'

/** What only the block producer decides. */
const producerValues = new Set(['block.difficulty', 'block.prevrandao', 'block.coinbase'])

const isProducerValue = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && producerValues.has(op.operator)
}

const isOfBlock = (flow: Flow, value: Op): boolean => (taintOf(flow, value) & (Source.block | Source.time)) !== 0

/** Places where a value is used as chance: reduced by a modulus, cut to few bits, compared, or stored. */
function* usesIn(flow: Flow): Iterable<Pick<Draw, 'draw' | 'value' | 'isWhole'>> {
  for (const draw of flow.ops('bin')) {
    if (['%', '&', '/'].includes(draw.operator)) yield { draw, value: draw.args[0], isWhole: false }
    // `blockhash(n) == 0` asks whether it is still known.
    else if ((isOrdering(draw.operator) || isEquality(draw.operator)) && !draw.args.some(isZero))
      for (const value of draw.args) if (!isAnswer(value) && !isLength(value)) yield { draw, value, isWhole: true }
  }
  for (const draw of flow.ops('cast')) if (isNarrowing(flow, draw)) yield { draw, value: draw.args[0], isWhole: false }
  for (const draw of flow.stateStores()) yield { draw, value: draw.args[0], isWhole: true }
}

/** What another contract answers when it is handed a hash is not that hash. */
const isAnswer = (value: Op): boolean => {
  const op = stripCasts(value)
  const { kind, call } = op.kind === 'extract' ? op.args[0] : op
  return kind === 'call' && call.kind === 'external'
}

/** How long a list is says nothing about what is in it. */
const isLength = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'load' && op.location.part === 'length'
}

const isNarrowing = (flow: Flow, op: Op): boolean => {
  const type = flow.typeOf(op)
  return type?.kind === 'int' && type.bits < 160
}

/**
 * The operation at which block values enter `value`: a block hash, a producer's value put to use, or a clock value that
 * a hash stirs up and that is counted with. A clock value by itself is a question of time, and a hash may be a name.
 */
const sourceOf = (flow: Flow, value: Op): Op | undefined => {
  const strong = findDependency(flow, value, isStrongSource, kept)
  if (strong !== undefined) return strong
  const hash = flow.typeOf(value)?.kind === 'int' ? findDependency(flow, value, isHash, kept) : undefined
  return hash === undefined ? undefined : findDependency(flow, hash, takesClock, kept)
}

/** One number is drawn from another, and that from a third: each is followed. */
const kept: DependencyOptions = { isKept: true }

const isStrongSource = (op: Op): boolean =>
  isBlockhash(op) ||
  (op.args.some(isProducerValue) && op.kind !== 'return') ||
  (isStirred(op) && op.args.some(isGasLimit))

/** The gas of a block bounds what a call may use; chance it becomes where it is hashed, or cut down to a few outcomes. */
const isGasLimit = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'block.gaslimit'
}

const isStirred = ({ kind, operator }: Op): boolean =>
  kind === 'builtin' || kind === 'call' || (kind === 'bin' && (operator === '%' || operator === '^'))

const takesClock = ({ args }: Op): boolean => args.some(isClockValue)

/** `block.number % 2` where someone is sent ether, not a function paid for: the pace of blocks is time, what is left of their number is a lot. */
const isLot = (flow: Flow, draw: Op): boolean =>
  draw.kind === 'bin' &&
  draw.operator === '%' &&
  isBlockNumber(draw.args[0]) &&
  stripCasts(draw.args[1]).kind === 'const' &&
  outgoingOf(flow).some(({ asset, op }) => asset === 'ether' && op.call.kind !== 'external')

/** What the draw is salted with was itself taken from the clock when the contract was made. */
const saltsOf = (flow: Flow, value: Op): readonly Op[] => {
  const salt = findDependency(flow, value, isStateLoad, kept)?.location
  if (salt?.part !== 'root' || salt.variable === null) return noSalts
  return flow.contractFlow.answer(saltsByVariable).get(salt.variable) ?? noSalts
}

const noSalts: readonly Op[] = []

/** What constructors store of the block, by where it is kept. */
const saltsByVariable = ({ flows }: ContractFlow): ReadonlyMap<VariableModel, readonly Op[]> => {
  const salts = new Map<VariableModel, Op[]>()
  for (const flow of flows)
    for (const store of flow.isConstructor ? flow.stateStores() : []) {
      const { variable } = store.location
      if (variable === null || !isOfBlock(flow, store.args[0])) continue
      const known = salts.get(variable)
      if (known === undefined) salts.set(variable, [store])
      else known.push(store)
    }
  return salts
}

export default defineDetector<Draw>({
  id: 'weak-randomness',
  swc: 'SWC-120',
  title: 'Weak randomness from block values',
  aliases: {
    slither: ['weak-prng'],
    aderyn: ['weak-randomness'],
    owasp: ['SC09:2025'],
    scwe: ['SCWE-024', 'SCWE-084'],
    words: ['blockhash', 'prevrandao', 'lottery', 'predictable randomness'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    'A random number is derived from values that everyone can read and the block proposer can influence: block hash, difficulty, coinbase, gas limit, timestamp or number. An attacker contract computes the same number in the same transaction.',
  recommendation:
    'Use a verifiable random function (Chainlink VRF), or commit-reveal with a deadline that cannot be skipped.',
  references: ['https://swcregistry.io/docs/SWC-120', 'https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-330'],

  needs: [readsBlock],
  *candidates({ functions }) {
    for (const flow of functions) {
      if (!flow.ir.ops.some((op) => isOfBlock(flow, op))) continue
      for (const use of usesIn(flow)) {
        const { draw, value } = use
        const source = isOfBlock(flow, value)
          ? (sourceOf(flow, value) ?? (isLot(flow, draw) ? draw : undefined))
          : undefined
        if (source === undefined) continue
        const found = { flow, ...use, source, salt: null }
        yield found
        const salts = isRemoteClock(found) ? noSalts : saltsOf(flow, value)
        for (const salt of salts) yield { ...found, salt }
      }
    }
  },

  excuses,

  finding: (candidate) => {
    const { flow, draw, source, salt } = candidate
    return salt === null
      ? {
          at: source,
          factors: { loss: lossOf(candidate), ...evidenceAgainst(candidate) },
          // One draw is one cause, of however many values it is made; a helper that others draw with as well is at no fault.
          cause: flow.inCommonCaller(draw, source),
          message: flow.isConstructor
            ? 'The constructor derives a random number from block values, so anyone can compute it from the block of the deployment.'
            : `\`${flow.name}()\` derives a random number from block values, so an attacker’s contract can compute it in the same transaction and call only when it wins.`,
          trace: [
            flow.isConstructor
              ? { at: source, message: 'An attacker computes the number from the block of the deployment.' }
              : witnessStep(flow, source, 'acts only when the computed number favors them'),
            ...flow.trace(source),
            { at: draw, message: 'The number made of it is used here.' },
          ],
        }
      : {
          at: salt,
          cause: flow.inCommonCaller(draw, source),
          message: `\`${salt.location?.variable?.name}\` is used as a random seed in \`${flow.name}()\` but holds a public block value, so an attacker can compute the number and call only when it wins.`,
          trace: [witnessStep(flow, draw, 'acts only when the computed number favors them')],
        }
  },
})
