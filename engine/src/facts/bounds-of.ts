/**
 * Of what was compared, that about one value, found without a look at all the rest: where a function compares hundreds of times, asking each
 * comparison about each value would grow with the square.
 *
 * Values are numbered so that what `sameValue` takes for the same has one number (value numbering); it has the last word about two values of one number,
 * because it looks no deeper than some levels and the numbers look to the ground.
 */
import { type Flow, type Location, type Op, sameValue, stripCasts } from '../ir/index.ts'
import type { Relation } from './relations.ts'

/** Each is numbered after what it is made of, which stands before it in the program. */
const valueNumbers = (flow: Flow): readonly number[] => {
  const numbers: number[] = []
  const expressions = new Map<string | Location, number>()
  for (const op of flow.ir.ops) {
    const key = stripCasts(op) === op ? keyOf(numbers, op) : null
    if (key === null) numbers.push(numbers[stripCasts(op).id] ?? op.id)
    else {
      const known = expressions.get(key)
      if (known === undefined) expressions.set(key, op.id)
      numbers.push(known ?? op.id)
    }
  }
  return numbers
}

/** What other operations of the same number have as well; null where there is none. */
const keyOf = (numbers: readonly number[], { kind, operator, args, location }: Op): string | Location | null => {
  if (kind === 'load') return location.space === 'memory' ? location : null
  if (kind !== 'bin' && kind !== 'un' && !(kind === 'builtin' && operator === 'balance')) return null
  const parts = args.map((arg) => numbers[arg.id] ?? arg.id)
  // Either order is the same sum or product.
  if (operator === '+' || operator === '*') parts.sort((a, b) => a - b)
  return `${kind} ${operator} ${parts.join(' ')}`
}

class BoundsByValue {
  readonly #numbers: readonly number[]
  readonly #upper = new Map<number, Relation[]>()
  readonly #lower = new Map<number, Relation[]>()

  constructor(numbers: readonly number[], relations: readonly Relation[]) {
    this.#numbers = numbers
    for (const relation of relations) {
      this.#add(this.#upper, relation.smaller, relation)
      this.#add(this.#lower, relation.greater, relation)
    }
  }

  #add(bounds: Map<number, Relation[]>, value: Op, relation: Relation): void {
    const number = this.#numbers[value.id]!
    const known = bounds.get(number)
    if (known === undefined) bounds.set(number, [relation])
    else known.push(relation)
  }

  upper(value: Op): readonly Relation[] {
    return this.#upper.get(this.#numbers[value.id]!) ?? none
  }

  lower(value: Op): readonly Relation[] {
    return this.#lower.get(this.#numbers[value.id]!) ?? none
  }
}

const none: readonly Relation[] = []
/** Fewer are looked through as quickly. */
const fewRelations = 8
/** Questions about one point come one after another: the lists of points that were left are made again if need be, and take no room. */
const keptLists = 16

const createBounds = (): Map<readonly Relation[], BoundsByValue> => new Map()

const boundsIn = (flow: Flow, relations: readonly Relation[]): BoundsByValue => {
  const known = flow.answer(createBounds)
  let bounds = known.get(relations)
  if (bounds === undefined) {
    bounds = new BoundsByValue(flow.answer(valueNumbers), relations)
    for (const oldest of known.keys()) if (known.size >= keptLists) known.delete(oldest)
    known.set(relations, bounds)
  }
  return bounds
}

/** Among relations those that say what a value is at most. */
export const upperBoundsOf = (flow: Flow, relations: readonly Relation[], value: Op): readonly Relation[] =>
  (relations.length < fewRelations ? relations : boundsIn(flow, relations).upper(value)).filter(({ smaller }) =>
    sameValue(smaller, value),
  )

/** Among relations those that say what a value is at least. */
export const lowerBoundsOf = (flow: Flow, relations: readonly Relation[], value: Op): readonly Relation[] =>
  (relations.length < fewRelations ? relations : boundsIn(flow, relations).lower(value)).filter(({ greater }) =>
    sameValue(greater, value),
  )
