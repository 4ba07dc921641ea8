import { comparisonsOf, intervalOf, isChosenByRole, type Relation, relationsAt } from '../../facts/index.ts'
import { accountOf, impactOf, incomingOf, isMessageValue, outgoingOf, witnessStep } from '../../idioms/index.ts'
import {
  type Flow,
  holding,
  isEquality,
  isOrdering,
  type Op,
  type OpOf,
  rangeOf,
  rootOf,
  stripCasts,
} from '../../ir/index.ts'
import type { IntType, Type } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly cast: OpOf<'cast'>
  readonly value: Op
  /** Bits of the value and of what is left of it. */
  readonly from: number
  readonly to: number
  /** Where the whole number is paid out or credited. */
  readonly gain: Op
}

const asInt = (type: Type | null): IntType | null => (type?.kind === 'int' ? type : null)

/** A parameter, or a part of one. */
const isGiven = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'param') return true
  const base = op.kind === 'load' && op.location.space === 'memory' ? rootOf(op.location).base : null
  return base !== null && stripCasts(base).kind === 'param'
}

/** The operand is the value, through conversions that keep all of its bits. */
const isWhole = (flow: Flow, operand: Op, value: Op, bits: number): boolean => {
  let op = operand
  while (op !== value && op.kind === 'cast' && (asInt(flow.typeOf(op))?.bits ?? bits) >= bits) op = op.args[0]
  return op === value || (op.kind === 'load' && value.kind === 'load' && op.location === value.location)
}

const isCut = (operand: Op, cast: Op): boolean => {
  let op = operand
  while (op !== cast && op.kind === 'cast') op = op.args[0]
  return op === cast
}

/** What a store adds to, or takes off, the place that it writes. */
const stepOf = (store: OpOf<'store'>, operator: '+' | '-'): Op | null => {
  const value = stripCasts(store.args[0])
  if (value.kind !== 'bin' || value.operator !== operator || accountOf(value) !== store.location) return null
  return value.args[1]
}

/** The truncated number is what the caller gives: a debit, a payment that comes in, or what the ether sent must be. */
const isCost = (flow: Flow, cast: Op): boolean =>
  flow.stateStores().some((store) => isCutStep(store, cast)) ||
  incomingOf(flow).some(({ amount }) => isCut(amount, cast)) ||
  comparisonsOf(flow, cast).some(
    ({ operator, args }) =>
      (isOrdering(operator) || isEquality(operator)) && args.some((side) => isMessageValue(stripCasts(side))),
  )

const isCutStep = (store: OpOf<'store'>, cast: Op): boolean => {
  const step = stepOf(store, '-')
  return step !== null && isCut(step, cast)
}

/** The whole number is what the caller gets: a payment that goes out, or a credit. */
const gainOf = (flow: Flow, value: Op, bits: number): Op | null => {
  const paid = outgoingOf(flow).find(({ amount }) => isWhole(flow, amount, value, bits))
  if (paid !== undefined) return paid.op
  const credit = flow.stateStores().find((store) => {
    const step = stepOf(store, '+')
    return step !== null && isWhole(flow, step, value, bits)
  })
  return credit ?? null
}

export default defineDetector<Candidate>({
  id: 'truncated-amount',
  swc: 'SWC-101',
  title: 'Unsafe cast: amount truncated',
  aliases: {
    aderyn: ['unsafe-casting'],
    owasp: ['SC08:2025'],
    scwe: ['SCWE-041'],
    words: ['downcast', 'truncation', 'SafeCast'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A caller-supplied amount is cast to a smaller integer type for the debit or the payment, and used in full for the payout or the credit. A cast drops the upper bits without an error in every compiler version, so a large amount costs next to nothing.',
  recommendation: 'Use one value in both places, converted with SafeCast, or require that the amount fits the type.',
  references: ['https://swcregistry.io/docs/SWC-101', 'https://docs.openzeppelin.com/contracts/5.x/api/utils#SafeCast'],
  cwe: ['CWE-197', 'CWE-681'],

  needs: [holding.cast],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const cast of flow.ops('cast')) {
        const value = cast.args[0]
        const to = asInt(flow.typeOf(cast))
        const from = to === null ? null : asInt(flow.typeOf(value))
        if (to === null || from === null || to.bits >= from.bits || !isGiven(value) || !isCost(flow, cast)) continue
        const gain = gainOf(flow, value, from.bits)
        if (gain !== null) yield { flow, cast, value, from: from.bits, to: to.bits, gain }
      }
  },

  excuses: [
    excuse(
      'fits',
      'a check bounds the whole amount by what the smaller type holds',
      ({ flow, cast, value, gain, from }) => {
        const { max } = rangeOf(flow.typeOf(cast))
        const isBounded = ({ smaller, greater }: Relation): boolean =>
          isWhole(flow, smaller, value, from) && intervalOf(flow, greater).max <= max
        return [cast, gain].some((at) => relationsAt(flow, at).some(isBounded))
      },
    ),
    excuse('by-role', 'only a privileged role chooses the amount', ({ flow, cast }) => isChosenByRole(flow, cast)),
  ],

  finding: ({ flow, cast, to, gain }) => ({
    at: cast,
    message: `\`${flow.name}()\` truncates the amount to ${to} bits on the paying side and uses it in full on the other, so an attacker can receive more than they pay.`,
    trace: [
      witnessStep(flow, cast, 'receives the full amount for its truncated part'),
      ...flow.trace(cast),
      { at: gain, message: 'The full amount is paid or credited here.' },
    ],
    factors: { hasWitness: true, impact: impactOf(flow) },
  }),
})
