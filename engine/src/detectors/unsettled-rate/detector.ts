import { dependsOn } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  elapsedSince,
  initializer,
  isInColumn,
  keyOfColumn,
  nameOfColumn,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  holding,
  type LoadOp,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** Something grows by a rate for the time since the clock was moved. */
interface Rule {
  readonly clock: Column
  readonly at: Op
}

interface Candidate {
  readonly flow: Flow
  readonly op: StoreOp
  readonly rule: Rule
}

/** More than anyone multiplies in one expression. */
const mostFactors = 16

/** All that is multiplied, through divisions. */
const factorsOf = (value: Op): readonly Op[] => {
  const factors: Op[] = []
  const work = [stripCasts(value)]
  for (let seen = 0; work.length > 0 && seen < 2 * mostFactors; seen++) {
    const op = work.pop()!
    if (op.kind === 'bin' && op.operator === '*') work.push(...op.args.map(stripCasts))
    else if (op.kind === 'bin' && op.operator === '/') work.push(stripCasts(op.args[0]))
    else factors.push(op)
  }
  return factors
}

/** `(elapsed / period) * period`: whole periods, and no growth by a rate. */
const isPeriod = (product: Op, { location }: LoadOp): boolean =>
  product.args.some((part) => {
    const whole = stripCasts(part)
    const divisor = whole.kind === 'bin' && whole.operator === '/' ? stripCasts(whole.args[1]) : null
    return divisor?.kind === 'load' && divisor.location === location
  })

const isState = (op: Op): op is LoadOp => op.kind === 'load' && op.location.space === 'state'

const clockIn = (op: Op): Column | null => {
  const since = elapsedSince(op)
  return since?.space === 'state' ? columnOf(since) : null
}

const keyOfNullable = (column: Column | null): string | null => (column === null ? null : keyOfColumn(column))

const isMoved = (flow: Flow, clock: Column): boolean =>
  flow.stateStores().some(({ location }) => isInColumn(location, clock))

/** By the rate. Worked out where the clock is moved as well: what has grown is recorded there. */
const rulesOf = ({ flows }: ContractFlow): ReadonlyMap<string, Rule> => {
  const rules = new Map<string, Rule>()
  for (const flow of flows)
    for (const at of flow.ops('bin')) {
      if (at.operator !== '*') continue
      const factors = factorsOf(at)
      const clock = factors.map(clockIn).find((found) => found !== null)
      if (clock === undefined || clock === null || !isMoved(flow, clock)) continue
      for (const factor of factors) {
        const rate = isState(factor) && !isPeriod(at, factor) ? columnOf(factor.location) : null
        // What grows itself is no rate.
        if (rate === null || rules.has(keyOfColumn(rate)) || isMoved(flow, rate)) continue
        rules.set(keyOfColumn(rate), { clock, at })
      }
    }
  return rules
}

export default defineDetector<Candidate>({
  id: 'unsettled-rate',
  swc: null,
  title: 'Rate change without accruing first',
  aliases: { owasp: ['SC03:2025'], words: ['interest rate change', 'accrue interest', 'retroactive rate'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'An amount grows by a rate for the time since the last accrual. The rate changes without accruing first, so the new rate also applies to the past period and users are overcharged or overpaid.',
  recommendation: 'Accrue at the old rate before storing the new one.',
  references: ['https://cwe.mitre.org/data/definitions/841.html'],
  cwe: ['CWE-841', 'CWE-682'],

  needs: [holding.stateWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.stateStores()) {
        const column = columnOf(op.location)
        const rule = column === null ? undefined : flow.contractFlow.answer(rulesOf).get(keyOfColumn(column))
        if (rule !== undefined && !isMoved(flow, rule.clock)) yield { flow, op, rule }
      }
  },
  excuses: [
    initializer,
    excuse('accrued-in-value', 'the new value is computed from the time that has passed', ({ flow, op, rule }) =>
      dependsOn(flow, op.args[0], (part) => keyOfNullable(clockIn(part)) === keyOfColumn(rule.clock)),
    ),
  ],
  finding: ({ flow, op, rule }) => ({
    at: op,
    message: `\`${flow.describe(op.location)}\`, which is multiplied by the time since \`${nameOfColumn(rule.clock)}\`, changes in \`${flow.name}()\` without accruing first, so users are charged or paid for the past period by the new value.`,
    trace: [
      witnessStep(flow, op, 'the past period is computed with the new value'),
      ...flow.trace(op),
      { at: rule.at, message: 'It is multiplied by the elapsed time here.' },
    ],
  }),
})
