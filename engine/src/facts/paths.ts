/**
 * A condition in normal form. `!`, `&&`, `||`, `== true`, ternaries and answers that a helper returns from several branches are
 * taken apart here, so that a question is evaluated for comparisons, loads and calls alone. Of parts that hold together one answer
 * is enough; of alternatives each needs one.
 */
import { budget, type Flow, type Op, stripCasts } from '../ir/index.ts'
import { comparedWithBoolean, type Fact } from './conditions.ts'
import { factsOf, guardsAtEnd } from './guards.ts'

export interface Question<T> {
  /** The answer of a part that cannot be taken apart; null: none. */
  readonly evaluate: (flow: Flow, part: Fact) => T | null
  /** Two alternatives, each with its answer. */
  readonly join: (one: T, other: T) => T
  /** Two parts that hold together, each with its answer; the first where this is left out. */
  readonly prefer?: (one: T, other: T) => T
}

/** What every alternative of a condition answers that comes out as `fact` says; null where one of them answers nothing. */
export const answerOnEachPath = <T>(flow: Flow, fact: Fact, question: Question<T>, depth = 0): T | null =>
  new PathWalk(flow, question).of(fact, depth)

/** Every alternative of a condition that comes out as `fact` says meets `isMet`. */
export const isMetOnEachPath = (flow: Flow, fact: Fact, isMet: (flow: Flow, part: Fact) => boolean): boolean =>
  answerOnEachPath(flow, fact, { evaluate: (at, part) => isMet(at, part) || null, join: (one) => one }) === true

type Lazy<T> = () => T | null

class PathWalk<T> {
  readonly #flow: Flow
  readonly #question: Question<T>
  /** Choices that are being looked at: the next round of a loop adds no alternative. */
  readonly #open = new Set<Op>()

  constructor(flow: Flow, question: Question<T>) {
    this.#flow = flow
    this.#question = question
  }

  of({ condition, polarity, op }: Fact, depth: number): T | null {
    if (depth > budget.depth.paths) return null
    const value = stripCasts(condition)
    const part =
      (of: Op, holds = polarity): Lazy<T> =>
      () =>
        this.of({ condition: of, polarity: holds, op }, depth + 1)
    const isPossible = (each: Op): boolean => !isTruth(each, !polarity) && !this.#open.has(stripCasts(each))
    switch (value.kind) {
      case 'un':
        if (value.operator === '!') return part(value.args[0], !polarity)()
        break
      case 'bin': {
        if (value.operator === '&&' || value.operator === '||') {
          if ((value.operator === '&&') === polarity) return this.#any(value.args.map((side) => part(side)))
          return this.#all(value.args.filter(isPossible).map((side) => part(side)))
        }
        const flat = comparedWithBoolean(this.#flow, value)
        if (flat !== null) return part(flat.value, flat.same === polarity)()
        break
      }
      case 'select': {
        const [test, yes, no] = value.args
        const sides = [yes, no].filter(isPossible)
        return this.#all(sides.map((side) => () => this.#any([part(side), part(test, side === yes)])))
      }
      case 'phi':
        return this.#chosen(value, isPossible, (edge, arg) =>
          isTruth(arg, polarity)
            ? this.#any(this.#factsOn(value, edge, depth).map((fact) => () => this.of(fact, depth + 2)))
            : part(arg)(),
        )
    }
    return this.#question.evaluate(this.#flow, { condition: value, polarity, op })
  }

  #chosen(phi: Op, isPossible: (arg: Op) => boolean, answer: (edge: number, arg: Op) => T | null): T | null {
    if (this.#open.has(phi)) return null
    this.#open.add(phi)
    const found = this.#all(phi.args.flatMap((arg, edge) => (isPossible(arg) ? [() => answer(edge, arg)] : [])))
    this.#open.delete(phi)
    return found
  }

  #factsOn(phi: Op, edge: number, depth: number): readonly Fact[] {
    return depth > budget.depth.pathFacts ? [] : factsOnPath(this.#flow, phi, edge)
  }

  #any(parts: readonly Lazy<T>[]): T | null {
    const { prefer } = this.#question
    let found: T | null = null
    for (const part of parts) {
      const answer = part()
      if (answer === null) continue
      if (prefer === undefined) return answer
      found = found === null ? answer : prefer(found, answer)
    }
    return found
  }

  #all(parts: readonly Lazy<T>[]): T | null {
    let found: T | null = null
    for (const part of parts) {
      const answer = part()
      if (answer === null) return null
      found = found === null ? answer : this.#question.join(found, answer)
    }
    return found
  }
}

const fewFacts = 8

/** What was checked on the path to one of the values of a phi. */
export const factsOnPath = (flow: Flow, phi: Op, edge: number): readonly Fact[] => {
  const pred = flow.blocks[phi.block]!.preds[edge]
  return pred === undefined || pred >= phi.block ? [] : factsOnEdge(flow, pred, phi.block)
}

/** What was checked on the path from one block to the next. */
export const factsOnEdge = (flow: Flow, from: number, to: number): readonly Fact[] => {
  const { condition, succs } = flow.blocks[from]!
  const facts = guardsAtEnd(flow, from).slice(-fewFacts)
  if (condition === null || succs.length !== 2) return facts
  return [...facts, ...factsOf(flow, condition, succs[0] === to, condition)]
}

/** `true` or `false` as it is written. */
export const isTruth = (op: Op, value: boolean): boolean =>
  op.kind === 'const' && op.constant !== null && (op.constant !== 0n) === value
