/**
 * What a loop makes of a number in as many rounds as someone can pay for. The body is gone through with the number that a round starts
 * with, along every way on which it comes back to where the loop begins: through sums, products, choices and conversions. Three rounds
 * tell how it goes on, since the steps themselves do not change.
 */
import { type BinaryOp, type Flow, type Interval, join, type Op, type OpOf, rangeOf, within } from '../ir/index.ts'
import { choicesOf, rangesInto } from './choices.ts'

/** Rounds of a loop that someone can pay for. */
const payableRounds = 1n << 8n

/** Loops in each other, or numbers that are made of each other, that are gone through together. */
const maxNested = 4

/** How numbers are worked out that no round changes. */
export interface Numbers {
  /** A number as it is where an operation uses it. */
  readonly of: (value: Op, user: Op) => Interval
  readonly computed: (op: BinaryOp, a: Interval, b: Interval) => Interval
}

/** Whether a loop starts a new round with this choice between what was there before and what the last round left. */
export const isRoundStart = (flow: Flow, { kind, block }: Op): boolean =>
  kind === 'phi' && flow.blocks[block]!.preds.some((pred) => pred >= block)

/** All numbers that a value can be at the start of some round, from those that it has at the first. */
export const afterRounds = (flow: Flow, start: OpOf<'phi'>, first: Interval, numbers: Numbers): Interval =>
  new Rounds(flow, numbers).all(start, first, new Map())

type Known = ReadonlyMap<Op, Interval>

class Rounds {
  readonly #flow: Flow
  readonly #numbers: Numbers

  constructor(flow: Flow, numbers: Numbers) {
    this.#flow = flow
    this.#numbers = numbers
  }

  /** `outer`: the numbers that the loops around this one start their rounds with. */
  all(start: OpOf<'phi'>, first: Interval, outer: Known): Interval {
    const range = rangeOf(this.#flow.typeOf(start))
    if (outer.size >= maxNested) return range
    const carried = carriedFrom(this.#flow, start)
    const { preds } = this.#flow.blocks[start.block]!
    const goOn = (now: Interval): Interval => {
      const starts = new Map([...outer, [start, now]])
      const known = new Map(starts)
      const back = rangesInto(
        this.#flow,
        start,
        (arg, edge) => arg !== start && preds[edge]! >= start.block,
        (arg) => this.#in(arg, start, carried, starts, known),
      )
      return [now, ...back].reduce(join)
    }
    const one = goOn(first)
    const two = goOn(one)
    const three = goOn(two)
    return {
      min: -carriedOn(-one.min, -two.min, -three.min, -range.min),
      max: carriedOn(one.max, two.max, three.max, range.max),
    }
  }

  /** A number somewhere in a round, where `user` uses it. */
  #in(value: Op, user: Op, carried: ReadonlySet<Op>, starts: Known, known: Map<Op, Interval>): Interval {
    const found = known.get(value)
    if (found !== undefined) return found
    if (!carried.has(value)) return this.#numbers.of(value, user)
    const made = this.#made(value, (arg) => this.#in(arg, value, carried, starts, known), starts)
    known.set(value, made)
    return made
  }

  #made(value: Op, of: (arg: Op) => Interval, starts: Known): Interval {
    const range = rangeOf(this.#flow.typeOf(value))
    switch (value.kind) {
      case 'cast':
        return within(of(value.args[0]), range)
      case 'select':
        return choicesOf(value, of).reduce(join)
      case 'bin':
        return this.#numbers.computed(value, of(value.args[0]), of(value.args[1]))
      case 'phi': {
        const { preds } = this.#flow.blocks[value.block]!
        const isFirst = (_: Op, edge: number): boolean => preds[edge]! < value.block
        const first = rangesInto(this.#flow, value, isFirst, of)
        if (first.length === 0) return range
        return isRoundStart(this.#flow, value) ? this.all(value, first.reduce(join), starts) : first.reduce(join)
      }
      default:
        return range
    }
  }
}

/**
 * After all rounds, from three in a row: what takes smaller steps comes to rest, as the middle of a search does, what takes larger ones
 * grows by the same factor each time, and anything else goes on as it did last.
 */
const carriedOn = (one: bigint, two: bigint, three: bigint, end: bigint): bigint => {
  const [step, next] = [two - one, three - two]
  if (step > 0n && next > step) return grown(three, step, next, end)
  return three + (next < step ? (next * next) / (step - next) : next * (payableRounds - 3n))
}

const grown = (from: bigint, step: bigint, next: bigint, end: bigint): bigint => {
  // What doubles outgrows every type.
  if (next >= 2n * step) return end
  let [sum, last] = [from, next]
  for (let round = 3n; round < payableRounds && sum < end; round++) {
    last = (last * next) / step
    sum += last
  }
  return sum
}

/** What is made inside of a loop of the number that a round starts with. */
const carriedFrom = (flow: Flow, start: Op): ReadonlySet<Op> => flow.answerAbout(start, followCarried)

const followCarried = (flow: Flow, start: Op): ReadonlySet<Op> => {
  const last = Math.max(...flow.blocks[start.block]!.preds)
  const found = new Set<Op>([start])
  for (const value of found)
    for (const user of flow.usersOf(value))
      if (user.block >= start.block && user.block <= last && isMadeOf(user, value)) found.add(user)
  return found
}

const isMadeOf = ({ kind, args }: Op, value: Op): boolean => {
  if (kind === 'select') return args[1] === value || args[2] === value
  return kind === 'phi' || kind === 'cast' || kind === 'bin'
}
