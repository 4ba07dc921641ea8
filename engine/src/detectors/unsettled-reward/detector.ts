import { dependsOn, isProtected } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  type Entry,
  entriesOf,
  isInColumn,
  keysOf,
  nameOfColumn,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  describeValue,
  type Flow,
  holding,
  type LoadOp,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse, type TraceStep } from '../define-detector.ts'

/** Someone earns by what they hold, since the point that was noted for them. */
interface Rule {
  readonly held: Column
  readonly noted: Column
  readonly at: Op
}

interface Candidate {
  readonly flow: Flow
  readonly entry: Entry
  readonly rule: Rule
  /** It is settled, but for the balance from now on. */
  readonly isLate: boolean
}

const keyedLoad = (value: Op): LoadOp | null => {
  const op = stripCasts(value)
  return op.kind === 'load' && op.location.space === 'state' && keysOf(op.location).length > 0 ? op : null
}

const isForSameAccount = (a: Location, b: Location): boolean => keysOf(a)[0] === keysOf(b)[0]

/** `perShare += reward / total`: what one share has earned so far, no matter who holds it. */
const accumulatorsOf = ({ flows }: ContractFlow): Column[] => {
  const found: Column[] = []
  for (const flow of flows)
    for (const { location, args } of flow.stateStores()) {
      const column = columnOf(location)
      if (column === null) continue
      const isOld = (op: Op): boolean => op.kind === 'load' && op.location === location
      if (dependsOn(flow, args[0], isShareOfTotal) && dependsOn(flow, args[0], isOld)) found.push(column)
    }
  return found
}

const isShareOfTotal = (op: Op): boolean =>
  op.kind === 'bin' && op.operator === '/' && stripCasts(op.args[1]).kind !== 'const'

/** What is multiplied, through divisions by a constant: `held * perShare / 1e12`. */
const factorsOf = (value: Op): readonly Op[] => {
  const op = stripCasts(value)
  if (op.kind !== 'bin') return []
  if (op.operator === '*') return op.args.map(stripCasts)
  return op.operator === '/' ? factorsOf(op.args[0]) : []
}

/** `held * (perShare - noted)` or `held * perShare - noted`: what is multiplied, and what was noted. */
function* growthsIn(flow: Flow): Iterable<{ factors: readonly Op[]; noted: LoadOp; at: Op }> {
  for (const at of flow.ops('bin')) {
    if (at.operator !== '-') continue
    const noted = keyedLoad(at.args[1])
    if (noted === null) continue
    yield { factors: factorsOf(at.args[0]), noted, at }
    for (const user of flow.usersOf(at))
      if (user.kind === 'bin' && user.operator === '*') yield { factors: factorsOf(user), noted, at }
  }
}

/** All of one account. */
function* earningsIn(flow: Flow): Iterable<{ held: LoadOp; growth: Op; noted: LoadOp; at: Op }> {
  for (const { factors, noted, at } of growthsIn(flow))
    for (const factor of factors) {
      const held = keyedLoad(factor)
      const growth = factors.find((other) => other !== factor)
      if (held !== null && growth !== undefined && held !== noted) yield { held, growth, noted, at }
    }
}

const rulesOf = (contractFlow: ContractFlow): readonly Rule[] => {
  const rules: Rule[] = []
  const grows = ({ kind, location }: Op): boolean =>
    kind === 'load' && contractFlow.answer(accumulatorsOf).some((column) => isInColumn(location, column))
  for (const flow of contractFlow.flows)
    for (const { held, growth, noted, at } of earningsIn(flow)) {
      if (!isForSameAccount(held.location, noted.location)) continue
      const [heldIn, notedIn] = [columnOf(held.location), columnOf(noted.location)]
      if (heldIn !== null && notedIn !== null && dependsOn(flow, growth, grows))
        rules.push({ held: heldIn, noted: notedIn, at })
    }
  return rules
}

/** What someone holds changes, and what they have earned so far is not settled for them, or for what they hold afterwards. */
function* unsettled(flow: Flow): Iterable<Candidate> {
  const rules = flow.contractFlow.answer(rulesOf)
  if (rules.length === 0) return
  for (const entry of entriesOf(flow)) {
    const rule = rules.find(({ held }) => isInColumn(entry.op.location, held))
    if (rule === undefined) continue
    const isNoted = ({ location }: { readonly location: Location }): boolean =>
      isInColumn(location, rule.noted) && isForSameAccount(location, entry.op.location)
    const isLate = isSettledLate(flow, entry, isNoted)
    if (isLate || !flow.stateStores().some(isNoted)) yield { flow, entry, rule, isLate }
  }
}

/** What was earned is worked out from the holding as it is after the change. */
const isSettledLate = (flow: Flow, entry: Entry, isNoted: (load: LoadOp) => boolean): boolean => {
  const held = stripCasts(entry.op.args[0])
  for (const { factors, noted } of growthsIn(flow)) if (factors.includes(held) && isNoted(noted)) return true
  return false
}

/** What is added earns as if it had been there all along; what is taken away earned until now and is not counted. */
const lossOf = ({ entry: { isRaised } }: Candidate, account: string): string =>
  isRaised
    ? 'the added amount earns for the past period too, at the cost of others'
    : `${account} loses the rewards earned so far on the removed amount`

const accountOf = ({ flow, entry }: Candidate): string => {
  const name = describeValue(flow.model, entry.account)
  return name === '…' ? 'the account' : `\`${name}\``
}

const messageOf = (candidate: Candidate): string => {
  const { flow, entry, rule, isLate } = candidate
  const account = accountOf(candidate)
  const change = `\`${flow.name}()\` ${entry.isRaised ? 'raises' : 'lowers'} \`${flow.describe(entry.op.location)}\``
  const order = isLate
    ? 'before it computes the rewards of'
    : `without first updating \`${nameOfColumn(rule.noted)}\` for`
  return `${change} ${order} ${account}, so ${lossOf(candidate, account)}.`
}

const traceOf = (candidate: Candidate): TraceStep[] => {
  const { flow, entry, rule } = candidate
  const outcome = entry.isRaised
    ? 'earns for the past with a late deposit'
    : `forfeits the past rewards of ${accountOf(candidate)}`
  return [
    witnessStep(flow, entry.op, outcome, entry.isRaised ? 'An attacker' : 'A user'),
    ...flow.trace(entry.op),
    { at: entry.op, message: `\`${flow.describe(entry.op.location)}\` changes here.` },
    { at: rule.at, message: 'Earned rewards are computed here.' },
  ]
}

/** A helper that other functions call after they have settled is right by itself. */
const placeOf = ({ flow, entry, rule }: Candidate): Span => {
  const isSettledBy = (other: Flow): boolean =>
    entriesOf(other).some(
      ({ op }) =>
        op.start === entry.op.start &&
        other
          .stateStores()
          .some(({ location }) => isInColumn(location, rule.noted) && isForSameAccount(location, op.location)),
    )
  return flow.contractFlow.entryPoints.some(isSettledBy) ? flow.inEntry(entry.op) : entry.op
}

export default defineDetector<Candidate>({
  id: 'unsettled-reward',
  swc: null,
  title: 'Rewards not updated before balance change',
  aliases: { owasp: ['SC03:2025'], words: ['reward debt', 'MasterChef', 'staking checkpoint', 'updateReward'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'Accounts earn rewards by balance since their last checkpoint. The balance changes here without a checkpoint, so the new balance earns for the past period at the cost of others, or earned rewards are lost.',
  recommendation:
    'Update the reward accumulator and the account’s checkpoint before every balance change, for both accounts of a transfer.',
  references: ['https://solidity-by-example.org/defi/staking-rewards/'],
  cwe: ['CWE-682', 'CWE-841'],

  needs: [holding.entryWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) yield* unsettled(flow)
  },
  excuses: [
    excuse('protected', 'only privileged accounts change it', ({ flow, entry }) => isProtected(flow, entry.op)),
  ],
  finding: (candidate) => ({
    at: placeOf(candidate),
    message: messageOf(candidate),
    trace: traceOf(candidate),
  }),
})
