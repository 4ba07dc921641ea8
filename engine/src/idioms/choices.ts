/** The numbers that a phi or a select chooses from, each held to what it was compared with on the path to being chosen. */
import { type Relation, relationsOf, relationsOnEdge } from '../facts/index.ts'
import { type Flow, type Interval, type Op, type OpOf, sameValue, stripCasts } from '../ir/index.ts'

type Of = (arg: Op) => Interval

/** What each of these ways brings: no more than what it was compared with last. */
export const rangesInto = (flow: Flow, phi: Op, isMeant: (arg: Op, edge: number) => boolean, of: Of): Interval[] =>
  phi.args.flatMap((arg, edge) => (isMeant(arg, edge) ? [heldTo(arg, relationsOnEdge(flow, phi, edge), of)] : []))

/** `a < b ? a : b`: what is taken is no more than what it was compared with. */
export const choicesOf = (choice: OpOf<'select'>, of: Of): Interval[] => [
  heldTo(choice.args[1], chosenBy(choice, true), of),
  heldTo(choice.args[2], chosenBy(choice, false), of),
]

/** What holds when a select takes its first value, or else its second. */
export const chosenBy = ({ args: [condition] }: OpOf<'select'>, isFirst: boolean): readonly Relation[] =>
  relationsOf(condition, isFirst)

const heldTo = (arg: Op, relations: readonly Relation[], of: Of): Interval => {
  let { min, max } = of(arg)
  if (stripCasts(arg).kind === 'const') return { min, max }
  for (const { greater, smaller } of relations) {
    if (!sameValue(smaller, arg) || stripCasts(greater) === stripCasts(arg)) continue
    const most = of(greater).max
    if (most < max) max = most
  }
  if (max < min) min = max
  return { min, max }
}
