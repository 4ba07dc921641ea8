import {
  chosenByCaller,
  comparisonsOf,
  dependsOn,
  intervalOf,
  reaches,
  relationsAt,
  Source,
  taintOf,
} from '../../facts/index.ts'
import { affectedResult, firstThatFits, isOwnEther, outgoingOf } from '../../idioms/index.ts'
import { type Flow, holding, type Interval, type Op, quoteSource, rangeOf, stripCasts } from '../../ir/index.ts'
import type { IntType, Type } from '../../model/index.ts'
import type { Expression } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly cast: Op
  readonly value: Op
  readonly from: IntType
  readonly to: IntType
  /** Nobody passes it in: it is ether that users paid and that is still here. */
  readonly isPaidIn: boolean
}

const asInt = (type: Type | null): IntType | null => (type?.kind === 'int' ? type : null)

/** `uint256(x)` of a negative number, `int128(x)` of one with the top bit set: as many bits, another number. */
const losesSign = (from: IntType, to: IntType): boolean =>
  from.signed !== to.signed && (from.signed || to.bits === from.bits)

/** Operations that hand a number on: arithmetic, a choice, a struct that is put together. */
const passing: ReadonlySet<string> = new Set(['bin', 'un', 'cast', 'phi', 'select', 'make'])

/** The cut value is kept or decides about money. */
const isKept = (flow: Flow, cast: Op): boolean =>
  reaches(flow, cast, {
    through: ({ kind }) => passing.has(kind),
    until: ({ user }) =>
      (user?.kind === 'store' && user.location.space !== 'memory') || (user?.kind === 'call' && !user.call.inlined),
  })

/** All ether there will be is less than 2^87 wei. */
const etherBits = 87

/** Computed from the ether that this contract has, or from the same result as a payment of ether in the same function. */
const isEther = (flow: Flow, value: Op): boolean =>
  dependsOn(flow, value, isOwnEther, { isKept: true }) ||
  outgoingOf(flow).some(
    ({ asset, amount }) =>
      asset === 'ether' &&
      dependsOn(flow, amount, (part) => part.kind === 'bin' && dependsOn(flow, value, (other) => other === part)),
  )

const usersGrow = Source.outsiderState | Source.balance

/** 64 bits hold 18 ether. */
const isPaidInEther = (flow: Flow, value: Op, { bits }: IntType): boolean =>
  bits < etherBits && (taintOf(flow, value) & usersGrow) !== 0 && isEther(flow, value)

const cutting = new Set(['>>', '<<', '&', '%', '^', '|'])

const isHashed = ({ kind, operator }: Op): boolean => kind === 'builtin' && operator.startsWith('keccak')

const nameOf = ({ signed, bits }: IntType): string => `${signed ? 'int' : 'uint'}${bits}`

/** `x` of `uint128(x)`, as it is written there. */
const operandOf = (flow: Flow, { node }: Op): string => {
  const cast = node as Expression | null
  const written = quoteSource(flow.model, (cast?.kind === 'Call' && cast.args.values[0]) || null)
  return written === null ? 'the number in these parentheses' : `\`${written}\``
}

/** What becomes of a value that does not fit. */
const wrapOf = (from: IntType, to: IntType): string => {
  if (from.signed && !to.signed) return 'a negative number becomes a huge one'
  const limit = `a value of 2^${to.signed ? to.bits - 1 : to.bits} or more`
  return to.signed && !from.signed && to.bits >= from.bits ? `${limit} becomes negative` : `${limit} is truncated`
}

/** Of `-x`, those of `x` the other way round. */
const boundsOf = (flow: Flow, value: Op, at: Op): Interval | null => {
  const op = stripCasts(value)
  if (op.kind !== 'un' || op.operator !== '-') return intervalOf(flow, value, at)
  const bounds = intervalOf(flow, op.args[0], at)
  return bounds === null ? null : { min: -bounds.max, max: -bounds.min }
}

/** `for (i) total += list[i]; require(total < limit)`: no element is larger than the sum that was checked. */
const isInCheckedSum = ({ flow, cast, value, to }: Candidate): boolean => {
  const element = stripCasts(value)
  if (element.kind !== 'load' || element.location.part !== 'index' || element.location.space !== 'memory') return false
  const isElement = (part: Op): boolean =>
    part.kind === 'load' && part.location.part === 'index' && part.location.parent === element.location.parent
  return relationsAt(flow, cast).some(({ greater, smaller }) => {
    const limit = stripCasts(greater).constant
    const sum = stripCasts(smaller)
    return limit !== null && limit <= rangeOf(to).max && sum.kind === 'phi' && dependsOn(flow, sum, isElement)
  })
}

const messageOf = ({ flow, cast, from, to, isPaidIn }: Candidate): string => {
  const origin = isPaidIn ? 'ETH that users paid in' : 'influenced by the caller'
  const text = `\`${flow.writtenIn(cast)?.name || flow.name}()\` casts ${operandOf(flow, cast)} (${nameOf(from)}, ${origin}) to \`${nameOf(to)}\` without a range check: ${wrapOf(from, to)}`
  const affected = affectedResult(flow, cast)
  return affected === null ? `${text}.` : firstThatFits(`${text}, so ${affected} is wrong.`, `${text}.`)
}

export default defineDetector<Candidate>({
  id: 'unsafe-downcast',
  swc: null,
  title: 'Unsafe downcast',
  aliases: {
    aderyn: ['unsafe-casting'],
    owasp: ['SC08:2025'],
    scwe: ['SCWE-041', 'SCWE-080'],
    words: ['downcast', 'cast', 'truncation', 'SafeCast'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    'Casting to a smaller integer type silently drops the upper bits, and casting between signed and unsigned turns a negative number into a huge one, also in Solidity 0.8. Recorded amounts then differ from what moved.',
  recommendation: 'Use OpenZeppelin `SafeCast`, or require that the value fits before casting.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/api/utils#SafeCast'],
  cwe: ['CWE-197'],
  yieldsTo: ['truncated-amount'],

  needs: [holding.cast],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const cast of flow.ops('cast')) {
        const value = cast.args[0]
        const to = asInt(flow.typeOf(cast))
        const from = value && to !== null ? asInt(flow.typeOf(value)) : null
        if (!value || !to || !from || (to.bits >= from.bits && !losesSign(from, to))) continue
        // A number that anyone can have stored is as good as one that is passed in, where its sign is at stake.
        const sources = losesSign(from, to) ? chosenByCaller | Source.outsiderState : chosenByCaller
        if (!isKept(flow, cast)) continue
        // Before 0.8 every operation wraps, and a cast says nothing more.
        const isChecked = flow.writtenIn(cast)?.file.versions.isAtLeast(8) ?? false
        const isPassedIn = isChecked && (taintOf(flow, value) & sources) !== 0
        if (isPassedIn || isPaidInEther(flow, value, to)) yield { flow, cast, value, from, to, isPaidIn: !isPassedIn }
      }
  },

  excuses: [
    excuse(
      'time',
      'it is a timestamp, which fits in 40 bits',
      ({ flow, value }) => (taintOf(flow, value) & Source.time) !== 0,
    ),
    excuse(
      'meant-to-cut',
      'bits are selected on purpose: from a word of bytes, a hash, by a mask, a shift or a remainder',
      ({ flow, value }) => {
        const op = stripCasts(value)
        // `address(uint160(uint256(word)))`: the account that a word of bytes holds in its low bits.
        if (flow.typeOf(op)?.kind === 'fixedBytes') return true
        if ((op.kind === 'builtin' && !isOwnEther(op)) || (op.kind === 'bin' && cutting.has(op.operator))) return true
        return dependsOn(flow, op, isHashed, { isKept: true })
      },
    ),
    excuse('fits', 'every possible value fits', ({ flow, cast, value, to }) => {
      const bounds = boundsOf(flow, value, cast)
      const range = rangeOf(to)
      return bounds !== null && bounds.min >= range.min && bounds.max <= range.max
    }),
    excuse('compared', 'the value is compared with the cast result or a constant', ({ flow, value }) => {
      const whole = stripCasts(value)
      return comparisonsOf(flow, whole).some(({ args }) =>
        args.every((arg) => stripCasts(arg) === whole || stripCasts(arg).kind === 'const'),
      )
    }),
    excuse('summed', 'a checked sum of all elements of the list limits each of them', isInCheckedSum),
  ],

  finding: (candidate) => ({
    at: candidate.cast,
    ...(candidate.isPaidIn ? { severity: 'medium' as const } : {}),
    message: messageOf(candidate),
    trace: candidate.flow.trace(candidate.cast),
  }),
})
