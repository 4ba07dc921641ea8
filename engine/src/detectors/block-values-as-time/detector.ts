import { dependsOn, isProtected, reaches, readsBlock, Source, taintOf } from '../../facts/index.ts'
import { firstThatFits, isBlockNumber, outgoingOf } from '../../idioms/index.ts'
import {
  type ContractFlow,
  describeCall,
  type Flow,
  isBefore,
  isComparison,
  isEquality,
  type Location,
  type Op,
  quoteSource,
  stripCasts,
} from '../../ir/index.ts'
import { type Span, walk } from '../../syntax/index.ts'
import { defineDetector, type TraceStep } from '../define-detector.ts'
import { type Decision, effectsOf, isClock, isFixedMoment } from './decision.ts'
import { excuses, isForOwner } from './excuses.ts'
import { isExact, isOverLongPeriod } from './precision.ts'

/** Comparisons of a moment, computed without a hash (that is chance, not time) and not from storage. */
function* comparisonsIn(flow: Flow): Iterable<Decision> {
  for (const op of flow.ops('bin')) {
    if (!isComparison(op.operator) || (taintOf(flow, op) & Source.time) === 0) continue
    const [left, right] = op.args.map(stripCasts) as [Op, Op]
    if (isClock(left)) yield { flow, op, time: left, other: op.args[1] }
    else if (isClock(right)) yield { flow, op, time: right, other: op.args[0] }
  }
}

/** Stored or constant. A caller's own deadline is fine, unless it must be hit exactly. */
const isFixed = ({ flow, op, other }: Decision): boolean => {
  const sources = taintOf(flow, other)
  if ((sources & Source.unknown) !== 0) return isInherited(other)
  return (sources & (Source.param | Source.data)) === 0 || isEquality(op.operator)
}

/** A name that nothing here declares, or a part of what it holds: state or a constant of a missing base. */
const isInherited = (value: Op): boolean => {
  let op = stripCasts(value)
  while (op.kind === 'load' && op.location.space === 'memory' && op.location.base !== null)
    op = stripCasts(op.location.base)
  return op.kind === 'unknown' && (op.node as { kind?: string } | null)?.kind === 'Identifier'
}

/** A store, a transfer or the end of the contract depends on the comparison, or it is handed out as an answer. */
const decides = ({ flow, op }: Decision): boolean => {
  if (op.args.some(isFixedMoment)) return flow.usersOf(op).length > 0 || flow.branchesOn(op).length > 0
  return flow.answer(effectsOf).length > 0 && decidedEffects({ flow, op }, 1).length > 0
}

/** Effects that run only where a `require` of the comparison holds, or that only one successor of a branch on it leads to. */
const decidedEffects = ({ flow, op }: Pick<Decision, 'flow' | 'op'>, limit = Number.POSITIVE_INFINITY): Op[] => {
  const found = new Set<Op>()
  reaches(flow, op, {
    through: ({ kind }) => kind === 'bin' || kind === 'un' || kind === 'phi' || kind === 'select',
    until: ({ user, branch }) => {
      if (branch === null && user.kind !== 'assume') return false
      for (const effect of flow.answer(effectsOf))
        if (branch === null ? flow.canFollow(user!, effect) : isBehind(flow, branch.succs, effect)) found.add(effect)
      return found.size >= limit
    },
  })
  return flow.answer(effectsOf).filter((effect) => found.has(effect))
}

/** One successor of a branch alone leads to the effect. */
const isBehind = (flow: Flow, successors: readonly number[], { block }: Op): boolean => {
  // The entry is dominated by itself alone.
  for (let at = block, last = -1; at >= 0 && at !== last; last = at, at = flow.idom[at]!)
    if (successors.includes(at)) return flow.blocks[at]!.preds.length === 1
  return false
}

/** The deadline was computed from a block number when it was stored: that is where time became blocks. */
const deadlineOf = ({ flow, other }: Decision): Op | null => {
  const load = stripCasts(other)
  return load.kind === 'load' ? flow.contractFlow.answerAt(load.location, storedDeadline) : null
}

const storedDeadline = (contractFlow: ContractFlow, place: Location): Op | null => {
  for (const { op, flow: writer } of contractFlow.writersTo(place)) {
    const value = stripCasts(op.args[0])
    if (!dependsOn(writer, value, isBlockNumber)) continue
    const isSum = value.kind === 'bin' && (value.operator === '+' || value.operator === '-')
    const parts = isSum ? value.args.map(stripCasts).filter(({ kind }) => kind === 'bin') : []
    // `first + (block.number - start) / length` is the number of a round, counted in blocks: no moment.
    const isRound = parts.some((part) => part.operator === '/' && dependsOn(writer, part, isBlockNumber))
    if (parts.length > 0 && !isRound) return op
  }
  return null
}

/** The statement in which it stands. */
const statementOf = ({ model }: Flow, at: Span): Span => {
  const owner = model.functionAt(at.start) ?? model.modifierAt(at.start)
  let innermost = at
  if (owner)
    walk(owner.node, (node) => {
      if (at.start < node.start || node.end <= at.start) return false
      if (node.kind.endsWith('Statement')) innermost = node
      return true
    })
  return innermost
}

/** Accounts of a role wait for a date: one second earlier is worth nothing to them. */
const isDateOfRole = ({ flow, op }: Decision): boolean => op.args.some(isFixedMoment) && isProtected(flow, op)

const counterEvidenceOf = (decision: Decision): string[] => [
  ...(isForOwner(decision) || isDateOfRole(decision) ? ['only privileged accounts can run what follows'] : []),
  ...(isOverLongPeriod(decision) ? ['the period is 15 minutes or longer'] : []),
]

/** Where one second decides nothing, a person does, and nothing is at stake but those seconds. */
const littleChange = 'a few seconds or blocks more or less change little'

const isCounted = ({ time }: Decision): boolean => clockReadBy(time)?.operator === 'block.number'

const clockOf = (decision: Decision): string => (isCounted(decision) ? '`block.number`' : '`block.timestamp`')

/** `block.timestamp >= end`, as it is written. */
const comparisonOf = (decision: Decision): string => {
  const written = quoteSource(decision.flow.model, decision.op.node)
  return written === null ? `a comparison with ${clockOf(decision)}` : `\`${written}\``
}

/** What hangs on it, money first. */
const decidedBy = (decision: Decision): string => {
  const { flow } = decision
  const decided = decidedEffects(decision)
  if (outgoingOf(flow).some((payment) => decided.includes(payment.op))) return 'whether tokens or ETH move'
  const store = decided.find((effect) => effect.kind === 'store')
  if (store !== undefined) return `whether \`${flow.describe(store.location)}\` changes`
  const call = decided.find((effect) => effect.kind === 'call')
  return call === undefined ? 'the result' : `whether \`${describeCall(flow.model, call)}\` is called`
}

const messageOf = (decision: Decision): string =>
  firstThatFits(
    messageAbout(decision, comparisonOf(decision)),
    messageAbout(decision, `a comparison with ${clockOf(decision)}`),
  )

const messageAbout = (decision: Decision, written: string): string => {
  const source =
    readOf(decision).length > 0 && written.startsWith('`') ? `, which depends on ${clockOf(decision)},` : ''
  const text = `In \`${decision.flow.name}()\`, ${written}${source} decides ${decidedBy(decision)}`
  return isCounted(decision)
    ? `${text}, but the time between blocks varies, so this happens earlier or later than intended.`
    : `${text}. A block proposer can shift \`block.timestamp\` by seconds, and so choose the outcome near that moment.`
}

/** Where the clock is read, when that is another line than the comparison. */
const readOf = (decision: Decision): TraceStep[] => {
  const read = clockReadBy(decision.time)
  const { op } = decision
  return read === null || (op.start <= read.start && read.end <= op.end)
    ? []
    : [{ at: read, message: `${clockOf(decision)} is read here.` }]
}

const clockReadBy = (value: Op, depth = 0): Op | null => {
  const op = stripCasts(value)
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number' ? op : null
  if ((op.kind !== 'bin' && op.kind !== 'phi' && op.kind !== 'select') || depth > 4) return null
  for (const arg of op.args) {
    const read = isBefore(arg, op) ? clockReadBy(arg, depth + 1) : null
    if (read !== null) return read
  }
  return null
}

const fixOf = (decision: Decision): string => {
  const { op, time } = decision
  if (isCounted(decision)) return 'Measure durations by `block.timestamp`, not by block numbers.'
  if (isEquality(op.operator) && time.kind === 'env')
    return 'Compare with `<` or `>=`; an exact timestamp can be missed or chosen.'
  return 'Make periods long enough that a shift of a few seconds gains nothing.'
}

export default defineDetector<Decision>({
  id: 'block-values-as-time',
  swc: 'SWC-116',
  title: 'Timestamp dependence',
  aliases: {
    slither: ['timestamp'],
    scwe: ['SCWE-065', 'SCWE-031'],
    words: ['block.timestamp', 'timestamp manipulation', 'now'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A state change or an ETH transfer depends on `block.timestamp` or `block.number`. Block proposers choose the timestamp within limits and block times vary, so a proposer can influence the decision.',
  recommendation:
    'Tolerate an error of minutes, never compare for equality, and do not derive durations from block numbers.',
  references: [
    'https://swcregistry.io/docs/SWC-116',
    'https://docs.soliditylang.org/en/latest/units-and-global-variables.html#block-and-transaction-properties',
  ],
  cwe: ['CWE-829'],
  // What is left of a block's number where ether moves is a lot, not a moment.
  yieldsTo: ['weak-randomness'],

  needs: [readsBlock],
  *candidates({ functions }) {
    for (const flow of functions)
      if (!flow.isConstructor && (flow.usesEnvironment('block.timestamp') || flow.usesEnvironment('block.number')))
        for (const decision of comparisonsIn(flow)) if (isFixed(decision) && decides(decision)) yield decision
  },

  excuses,

  finding(decision) {
    const { flow, op } = decision
    const at = deadlineOf(decision) ?? op
    const isHarmful = at !== op || isExact(decision)
    return {
      at,
      ...(isCounted(decision) ? { title: 'Block number used as time' } : {}),
      // The beginning and the end of one window make one finding.
      cause: statementOf(flow, at),
      message:
        at === op
          ? messageOf(decision)
          : `A deadline is computed from ${clockOf(decision)} here and later decides in \`${flow.name}()\`, but the time between blocks varies, so it comes earlier or later than intended.`,
      recommendation: fixOf(decision),
      trace: [...flow.trace(op), ...readOf(decision), { at: op, message: `${clockOf(decision)} is compared here.` }],
      factors: {
        impact: 'assets',
        counterEvidence: [...counterEvidenceOf(decision), ...(isHarmful ? [] : [littleChange])],
      },
      ...(isHarmful ? {} : { reviewSeverity: 'info' as const }),
    }
  },
})
