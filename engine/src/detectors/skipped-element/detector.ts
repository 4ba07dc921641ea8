import { type Flow, holding, type LoopMark, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** Another element takes the place of the one that is looked at. */
  readonly move: StoreOp
  readonly counter: Op
  readonly mark: LoopMark
}

const isInside = ({ header, last }: LoopMark, { block }: Op): boolean => block >= header && block <= last

/** `list[i] = list[list.length - 1]`, where `i` is the round. */
const counterOf = (flow: Flow, mark: LoopMark, { location, args }: StoreOp): Op | null => {
  const value = stripCasts(args[0])
  const list = location.part === 'index' ? location.parent : null
  if (list === null || location.index === null || value.kind !== 'load' || value.location.parent !== list) return null
  const counter = stripCasts(location.index)
  if (counter.kind !== 'phi' || counter.block !== mark.header) return null
  const isShortened = flow
    .stateStores()
    .some((store) => isInside(mark, store) && store.location.part === 'length' && store.location.parent === list)
  return isShortened ? counter : null
}

/** Whatever the round did, the next one is for the place after it. */
const isAlwaysRaised = (counter: Op): boolean =>
  counter.args.slice(1).every((arg) => {
    const next = stripCasts(arg)
    if (next.kind !== 'bin' || next.operator !== '+') return false
    const [left, right] = next.args.map(stripCasts) as [Op, Op]
    return left === counter && right.kind === 'const' && right.constant === 1n
  })

/** The list is looked at again under the same number before the round ends. */
const isLookedAtAgain = ({ flow, move, mark }: Candidate): boolean =>
  flow
    .stateLoads()
    .some((load) => isInside(mark, load) && load.location === move.location && isAfter(flow, mark, move, load))

/** Later in the same round, or in the next one of a loop inside: a next round has another number. */
const isAfter = (flow: Flow, mark: LoopMark, move: Op, load: Op): boolean => {
  if (load.block === move.block ? load.id > move.id : load.block > move.block && flow.canFollow(move, load)) return true
  return flow.ir.loops.some(
    (inner) =>
      inner.header > mark.header && isInside(inner, move) && isInside(inner, load) && flow.canFollow(move, load),
  )
}

export default defineDetector<Candidate>({
  id: 'skipped-element',
  swc: null,
  title: 'An element is moved to a place that the loop has passed',
  severity: 'medium',
  confidence: 'medium',
  description:
    'A loop removes an element by putting the last one in its place and goes on with the next number: the one that was moved is never looked at. What should have been removed or settled stays.',
  recommendation: 'Go through the list from the end, or stay at the same number after a removal.',
  references: ['https://cwe.mitre.org/data/definitions/193.html'],
  cwe: ['CWE-193'],

  needs: [holding.loop, holding.entryWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const mark of flow.ir.loops)
        for (const move of flow.stateStores()) {
          // After a `break` there is no next round.
          const counter = isInside(mark, move) ? counterOf(flow, mark, move) : null
          if (counter !== null && isAlwaysRaised(counter) && flow.canFollow(move, counter))
            yield { flow, move, counter, mark }
        }
  },
  excuses: [excuse('looked-at-again', 'what was moved there is looked at before the round ends', isLookedAtAgain)],
  finding: ({ flow, move }) => ({
    at: move,
    message: 'The element that takes this place is skipped: the next round looks at the place after it.',
    trace: flow.trace(move),
  }),
})
