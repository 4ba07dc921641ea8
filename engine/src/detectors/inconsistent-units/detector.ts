import { keyOfColumn, nameOfColumn } from '../../idioms/index.ts'
import {
  type Context,
  type ContractFlow,
  describeValue,
  type Flow,
  groupBy,
  isComparison,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { tradeShape } from '../../knowledge/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, type TraceStep } from '../define-detector.ts'
import { mixedRatios } from './ratios.ts'
import { inBlocks, inSeconds, isTime, rateUsesIn, type TimeUnit, timeUnitOf, unitsStored } from './time-units.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly at: Span
  readonly message: string
  readonly trace: readonly TraceStep[]
}

const named = (flow: Flow, value: Op, unit: TimeUnit): string => {
  const name = describeValue(flow.model, value)
  const counts = unit === inBlocks ? 'blocks' : 'seconds'
  return name === '…' ? `a number of ${counts}` : `\`${name}\` (${counts})`
}

/** A sum, a difference or a comparison of blocks and seconds. */
function* mixedTimes(context: Context, flow: Flow): Iterable<Candidate> {
  if (!readsTime(flow)) return
  for (const op of flow.ops('bin')) {
    if (op.operator !== '+' && op.operator !== '-' && !isComparison(op.operator)) continue
    const [left, right] = op.args
    const [a, b] = [timeUnitOf(context, flow, left), timeUnitOf(context, flow, right)]
    if (!isTime(a) || !isTime(b) || a === b) continue
    const does = isComparison(op.operator) ? 'compares' : op.operator === '+' ? 'adds' : 'subtracts'
    yield {
      flow,
      op,
      at: op,
      message: `\`${flow.name}()\` ${does} ${named(flow, left, a)} and ${named(flow, right, b)}, so the period is wrong and checks on it pass too early, or never.`,
      trace: [...flow.trace(op), { at: op, message: 'Blocks and seconds meet here.' }],
    }
  }
}

/** Without one of the clocks there is nothing to mix: what state holds of the other comes from a clock too. */
const readsTime = (flow: Flow): boolean => flow.contractFlow.answer(readsBlocks) || flow.hasCall('external')

const readsBlocks = ({ flows }: ContractFlow): boolean => flows.some((flow) => flow.usesEnvironment('block.number'))

/** One variable that holds a block number here and a timestamp there. */
function* mixedStores(context: Context): Iterable<Candidate> {
  for (const contractFlow of context.contracts) {
    if (!contractFlow.answer(readsBlocks) && !contractFlow.flows.some((flow) => flow.hasCall('external'))) continue
    for (const units of unitsStored(context, contractFlow).values()) {
      const [blocks, seconds] = [units.get(inBlocks), units.get(inSeconds)]
      if (blocks === undefined || seconds === undefined) continue
      const { flow, op } = blocks
      const place = op.location === null ? 'the variable' : `\`${flow.describe(op.location)}\``
      yield {
        flow,
        op,
        at: op,
        message: `\`${flow.name}()\` stores a number of blocks in ${place}, where \`${seconds.flow.name}()\` stores seconds, so readers take one for the other.`,
        trace: [...flow.trace(op), { at: seconds.op, message: 'Seconds are stored here.' }],
      }
    }
  }
}

/** The deadline of a trade, in blocks. */
function* blockDeadlines(context: Context, flow: Flow): Iterable<Candidate> {
  if (!flow.usesEnvironment('block.number')) return
  for (const op of flow.externalCalls()) {
    const place = op.call.kind === 'external' ? tradeShape(op.call.name, op.args.length)?.deadline : null
    const deadline = typeof place === 'number' ? op.args[place] : undefined
    if (deadline === undefined || timeUnitOf(context, flow, stripCasts(deadline)) !== inBlocks) continue
    yield {
      flow,
      op,
      at: op,
      message: `\`${flow.name}()\` passes a block number as the deadline of a trade, which is a timestamp, so the trade always reverts.`,
      trace: [...flow.trace(op), { at: op, message: 'The exchange compares it with block.timestamp.' }],
    }
  }
}

/** A rate that is per block here and per second there. */
function* mixedRates(context: Context): Iterable<Candidate> {
  for (const contractFlow of context.contracts) {
    if (!contractFlow.answer(readsBlocks)) continue
    const { flows } = contractFlow
    const uses = flows.flatMap((flow) => [...rateUsesIn(context, flow)])
    for (const all of groupBy(uses, ({ column }) => keyOfColumn(column)).values()) {
      const perBlock = all.find(({ unit }) => unit === inBlocks)
      const perSecond = all.find(({ unit }) => unit === inSeconds)
      if (perBlock === undefined || perSecond === undefined) continue
      const { flow, op, column } = perBlock
      yield {
        flow,
        op,
        at: op,
        message: `\`${flow.name}()\` uses \`${nameOfColumn(column)}\` as a rate per block, \`${perSecond.flow.name}()\` as a rate per second, so one of them is wrong by the block time.`,
        trace: [...flow.trace(op), { at: perSecond.op, message: 'The rate is per second here.' }],
      }
    }
  }
}

/** A ratio of which one function takes ten-thousandths and another thousandths. */
function* mixedDenominators(context: Context): Iterable<Candidate> {
  for (const contractFlow of context.contracts)
    for (const { odd, usual } of mixedRatios(contractFlow)) {
      const { flow, op, column, denominator } = odd
      yield {
        flow,
        op,
        at: op,
        message: `\`${flow.name}()\` divides by ${denominator} what it takes by \`${nameOfColumn(column)}\`, \`${usual.flow.name}()\` by ${usual.denominator}, so one of the two amounts is wrong.`,
        trace: [...flow.trace(op), { at: usual.op, message: `The denominator is ${usual.denominator} here.` }],
      }
    }
}

export default defineDetector<Candidate>({
  id: 'inconsistent-units',
  swc: null,
  title: 'Inconsistent units',
  aliases: {
    owasp: ['SC03:2025'],
    words: ['unit mismatch', 'decimals', 'basis points', 'seconds and blocks', 'block.number', 'scaling'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'Numbers of different units are added, compared or stored in one variable: blocks and seconds, basis points and percent. The result is wrong by the factor between the units.',
  recommendation: 'Convert both sides to one unit first, and name the unit and the scale where the number is declared.',
  references: ['https://docs.soliditylang.org/en/latest/units-and-global-variables.html'],
  cwe: ['CWE-682'],

  *candidates(context) {
    for (const flow of context.functions) {
      yield* mixedTimes(context, flow)
      yield* blockDeadlines(context, flow)
    }
    yield* mixedStores(context)
    yield* mixedRates(context)
    yield* mixedDenominators(context)
  },
  finding: ({ at, message, trace }) => ({ at, message, trace }),
})
