/**
 * Open while the contract is being set up and to a few from then on: `require(!configured || dao.passed(msg.sender))`, where
 * `configured` is set once and never put back. Such a function is open to whoever comes before the set-up has ended, as one
 * that runs once is; what it wrote by then is no later caller's choice.
 */
import { bothWays, type ContractFlow, type Flow, type Location, type Op, stripCasts } from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import { fromFactsAt } from './guards.ts'
import { factsOnWay, isTruth } from './initialisers.ts'
import { guardFrom, type SenderGuard } from './sender-conditions.ts'

/** Who is let through to `op` once the set-up has ended: what is asked of the sender where it is not asked before that. */
export const guardsAfterSetUp = (flow: Flow, op: Op): readonly SenderGuard[] => fromFactsAt(flow, op, guardAfterSetUp)

const guardAfterSetUp = (flow: Flow, fact: Fact): readonly SenderGuard[] => {
  const ways = waysOf(flow, fact)
  const later = ways.filter((way) => !way.some((known) => isSetUpOpen(flow, known) || isUnset(known)))
  if (later.length === 0 || !ways.some((way) => way.some((known) => isSetUpOpen(flow, known)))) return []
  const guards = later.map((way) => guardOf(flow, way))
  if (guards.includes(null)) return []
  const places = guards.flatMap((guard) => guard!.places)
  return [{ ...guards[0]!, places, variables: places.map((place) => place.variable!) }]
}

const guardOf = (flow: Flow, way: readonly Fact[]): SenderGuard | null => {
  for (const known of way) {
    const guard = guardFrom(flow, known.condition, known.polarity, known, 1)
    if (guard !== null) return guard
  }
  return null
}

/** Conditions whose ways are listed already, by how they come out: what is used twice, or by the next round of a loop, adds none. */
type Listed = Readonly<Record<'true' | 'false', Set<Op>>>

/** The ways in which a condition can come out as it does, each with what holds on it. */
const waysOf = (
  flow: Flow,
  fact: Fact,
  listed: Listed = { true: new Set(), false: new Set() },
): readonly (readonly Fact[])[] => {
  const { polarity, op } = fact
  const condition = stripCasts(fact.condition)
  const known = listed[`${polarity}`]
  if (known.has(condition)) return []
  known.add(condition)
  const through = (part: Op, comesOut: boolean) => waysOf(flow, { condition: part, polarity: comesOut, op }, listed)
  if (condition.kind === 'un' && condition.operator === '!') return through(condition.args[0], !polarity)
  if (condition.kind === 'bin' && condition.operator === (polarity ? '||' : '&&'))
    return condition.args.flatMap((side) => through(side, polarity))
  if (condition.kind !== 'phi') return [[{ condition, polarity, op }]]
  return condition.args.flatMap((arg, way) => {
    if (isTruth(arg, !polarity)) return []
    return isTruth(arg, polarity) ? [factsOnWay(flow, condition, way)] : through(arg, polarity)
  })
}

/** `!configured`: a flag that some function sets, and none ever puts back. */
const isSetUpOpen = (flow: Flow, { condition, polarity }: Fact): boolean => {
  if (polarity || condition.kind !== 'load' || !isOnePlace(condition.location)) return false
  const { variable, type } = condition.location
  if (variable === null || type?.kind !== 'bool') return false
  return flow.contractFlow.answerAt(condition.location, isOnlyRaised)
}

const isOnlyRaised = (contractFlow: ContractFlow, { variable }: Location): boolean => {
  const writers = contractFlow.writersOf(variable!).filter(({ flow: writer }) => !writer.isConstructor)
  return writers.length > 0 && writers.every(({ op }) => isTruth(stripCasts(op.args[0]), true))
}

/** `keeper == address(0)`: nobody is there yet. */
const isUnset = ({ condition, polarity }: Fact): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
  return bothWays(condition).some(
    ([kept, zero]) =>
      zero.kind === 'const' && zero.constant === 0n && kept.kind === 'load' && kept.location.space === 'state',
  )
}

/** Not one of many that are kept under keys. */
export const isOnePlace = ({ space, index, parent }: Location): boolean =>
  space === 'state' && index === null && (parent === null || isOnePlace(parent))
