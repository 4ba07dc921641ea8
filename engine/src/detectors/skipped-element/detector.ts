import { guardsAt } from '../../facts/index.ts'
import {
  bothOrders,
  type Flow,
  groupBy,
  holding,
  isInLoop,
  type LoadOp,
  type Location,
  type LoopMark,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** Another element takes the place of the one that is looked at. */
  readonly move: StoreOp
  readonly counter: Op
  readonly mark: LoopMark
}

/** `list[i] = list[list.length - 1]`, where `i` is the round of a loop that shortens the list. */
const candidateOf = (flow: Flow, move: StoreOp): Candidate | null => {
  const { location } = move
  const value = stripCasts(move.args[0])
  const list = location.part === 'index' ? location.parent : null
  if (list === null || location.index === null || value.kind !== 'load' || value.location.parent !== list) return null
  const counter = stripCasts(location.index)
  const mark = counter.kind === 'phi' ? flow.loopMarkAround(counter) : null
  if (mark === null || counter.block !== mark.header || !isInLoop(mark, move)) return null
  const isShortened = !flow.within(mark, flow.answer(shorteningsByList).get(list) ?? []).next().done
  return isShortened ? { flow, move, counter, mark } : null
}

const shorteningsByList = (flow: Flow): ReadonlyMap<Location | null, readonly StoreOp[]> =>
  groupBy(
    flow.stateStores().filter(({ location }) => location.part === 'length'),
    ({ location }) => location.parent,
  )

const loadsByPlace = (flow: Flow): ReadonlyMap<Location, readonly LoadOp[]> =>
  groupBy(flow.stateLoads(), ({ location }) => location)

/** Whatever the round did, the next one is for the place after it. */
const isAlwaysRaised = (counter: Op): boolean =>
  counter.args.slice(1).every((arg) => {
    const next = stripCasts(arg)
    if (next.kind !== 'bin' || next.operator !== '+') return false
    const [left, right] = next.args.map(stripCasts) as [Op, Op]
    return left === counter && right.kind === 'const' && right.constant === 1n
  })

/** A next round of this very loop comes after: after a `break` or a `return` there is none, though a loop around may start it anew. */
const isRepeated = ({ flow, move, mark }: Candidate): boolean => {
  const reached = new Set([move.block])
  for (const block of reached)
    for (const next of flow.blocks[block]!.succs) {
      if (next === mark.header) return true
      if (next > mark.header && next <= mark.last) reached.add(next)
    }
  return false
}

/** The list is looked at again under the same number before the round ends. */
const isLookedAtAgain = ({ flow, move, mark }: Candidate): boolean => {
  for (const load of flow.within(mark, flow.answer(loadsByPlace).get(move.location) ?? []))
    if (isAfter(flow, mark, move, load)) return true
  return false
}

/** Later in the same round, or in the next one of a loop inside: a next round has another number. */
const isAfter = (flow: Flow, mark: LoopMark, move: Op, load: Op): boolean => {
  if (load.block === move.block ? load.id > move.id : load.block > move.block && flow.canFollow(move, load)) return true
  if (flow.loopMarkAround(move) === mark) return false
  return flow.ir.loops.some(
    (inner) =>
      inner.header > mark.header && isInLoop(inner, move) && isInLoop(inner, load) && flow.canFollow(move, load),
  )
}

/** `if (list[i] == account)`: one that is named before the loop is taken out. Who is moved is another, unless the list holds the one twice. */
const isNamedBefore = ({ flow, move, mark }: Candidate): boolean =>
  guardsAt(flow, move).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
    return bothOrders(condition).some(([one, other]) => {
      const [element, named] = [stripCasts(one), stripCasts(other)]
      return element.kind === 'load' && element.location === move.location && named.block < mark.header
    })
  })

export default defineDetector<Candidate>({
  id: 'skipped-element',
  swc: null,
  title: 'Loop skips the element moved into a removed slot',
  aliases: { aderyn: ['enumerable-loop-removal'], owasp: ['SC03:2025'], words: ['swap and pop', 'remove in loop'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A loop removes an element by moving the last one into its slot and then increments the index, so the moved element is never checked. An element that should be removed or settled remains.',
  recommendation: 'Iterate from the end, or do not increment the index after a removal.',
  references: ['https://cwe.mitre.org/data/definitions/193.html'],
  cwe: ['CWE-193'],

  needs: [holding.loop, holding.entryWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const move of flow.stateStores()) {
        const found = candidateOf(flow, move)
        if (found !== null && isAlwaysRaised(found.counter) && isRepeated(found)) yield found
      }
  },
  excuses: [excuse('looked-at-again', 'the moved element is checked before the iteration ends', isLookedAtAgain)],
  finding: (candidate) => ({
    at: candidate.move,
    factors: { counterEvidence: isNamedBefore(candidate) ? ['one named element is removed, which occurs once'] : [] },
    message: 'The element moved into this slot is skipped, because the next iteration continues after it.',
    trace: candidate.flow.trace(candidate.move),
  }),
})
