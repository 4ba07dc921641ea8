/** What speaks against a draw: nothing shows that an outcome hangs on it. */
import { dependsOn, endsInRevert, guardsAt, reaches, writesState } from '../../facts/index.ts'
import { isHash, outgoingOf, type Payment, recordedEther } from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  isEquality,
  isOrdering,
  type Location,
  mayOverlap,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import type { ConfidenceFactors } from '../define-detector.ts'
import { type Draw, isBlockhash, isClockValue } from './draw.ts'

export const evidenceAgainst = (draw: Draw): ConfidenceFactors => {
  if (isNeverReduced(draw)) return { impact: 'none', counterEvidence: ['the hash is never reduced to an outcome'] }
  if (hasNoEffect(draw.flow)) return { counterEvidence: ['the function only answers, and changes nothing'] }
  if (!isRemoteClock(draw)) return {}
  if (isOrderOfHashes(draw))
    return { impact: 'none', counterEvidence: ['the caller must bring two hashes in order, which draws nothing'] }
  return { counterEvidence: ['the time reaches the hash only in periods or through another contract'] }
}

/** What is paid out of the players' money depends on the draw: who predicts it takes the stakes of the others. */
export const lossOf = ({ flow, draw }: Draw): string | undefined => {
  const isDrawn = (op: Op): boolean => op === draw
  const isStake = ({ op, to, amount }: Payment): boolean =>
    [amount, ...(to === null ? [] : [to]), ...guardsAt(flow, op).map(({ condition }) => condition)].some((value) =>
      dependsOn(flow, value, isDrawn, { keys: true }),
    )
  if (!flow.isPayable && recordedEther(flow) === null) return undefined
  return outgoingOf(flow).some(isStake) ? 'the stakes of other players' : undefined
}

/** A hash kept as it is may be a name, a salt or a proof: chance it becomes where few outcomes are made of it. */
const isNeverReduced = ({ flow, draw, value, isWhole }: Draw): boolean => {
  if (!isWhole || isOrdering(draw.operator) || flow.typeOf(value)?.kind === 'bool') return false
  if (dependsOn(flow, value, isReduction)) return false
  if (draw.kind !== 'store') return flow.sends().length === 0
  return !flow.contractFlow.answerAt(draw.location, isReducedLater)
}

const isReducedLater = ({ flows }: ContractFlow, place: Location): boolean =>
  flows.some((flow) => {
    const isRead = (op: Op): boolean => op.kind === 'load' && mayOverlap(op.location, place)
    return flow
      .ops('bin')
      .some((op) => (isReduction(op) || isGuess(flow, op)) && op.args.some((arg) => dependsOn(flow, arg, isRead)))
  })

const isReduction = ({ kind, operator }: Op): boolean =>
  kind === 'bin' && (operator === '%' || operator === '/' || operator === '&' || isOrdering(operator))

/** `require(guess == answer)` before ETH is sent: the whole hash is what the caller has to find. */
const isGuess = (flow: Flow, { operator, args }: Op): boolean =>
  isEquality(operator) && args.some((arg) => stripCasts(arg).kind === 'param') && flow.sends().length > 0

const hasNoEffect = (flow: Flow): boolean =>
  flow.isEntryPoint &&
  !writesState(flow) &&
  outgoingOf(flow).length === 0 &&
  flow.externalCalls().every(({ call }) => call.isStatic)

/** `if (hash(one) < hash(other)) revert`: of two that are given the caller names the right one first. */
const isOrderOfHashes = ({ flow, draw }: Draw): boolean =>
  isOrdering(draw.operator) &&
  draw.args.every((side) => isHash(stripCasts(side))) &&
  reaches(flow, draw, {
    through: ({ kind }) => kind === 'bin' || kind === 'un',
    until: ({ user, branch }) =>
      branch === null ? user.kind === 'assume' : branch.succs.some((next) => endsInRevert(flow, next)),
  })

/** `hash((block.timestamp - start) / 1 days)`, `feed.add(hash)`: no block hash, and no clock that the hash takes as it is. */
export const isRemoteClock = ({ source, value }: Draw): boolean =>
  !isBlockhash(source) && source.args.some(isClockValue) && !mixesClock(value, 0)

const mixing = new Set(['cast', 'builtin', 'phi', 'select', 'extract'])

const mixingOperators = new Set(['+', '*', '^', '|', '%', '&', '>>'])

const maxDepth = 12

const mixesClock = (value: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (isClockValue(op)) return true
  const isMixing = mixing.has(op.kind) || (op.kind === 'bin' && mixingOperators.has(op.operator))
  return isMixing && depth < maxDepth && op.args.some((arg) => mixesClock(arg, depth + 1))
}
