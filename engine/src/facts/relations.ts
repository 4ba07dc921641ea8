/** Comparisons between two values, used as they stand: `a >= b` makes `a - b` safe, no matter who says it. */

import { budget, type Op, sameValue } from '../ir/index.ts'
import type { Fact } from './conditions.ts'

export interface Relation {
  readonly greater: Op
  readonly smaller: Op
  readonly strict: boolean
}

const noRelations: readonly Relation[] = []

/** The comparisons among facts. */
export const relationsIn = (facts: readonly Fact[]): readonly Relation[] => {
  if (facts.length === 0) return noRelations
  const relations: Relation[] = []
  for (let i = 0; i < facts.length; i++) {
    const { condition, polarity } = facts[i]!
    if (condition.kind !== 'bin') continue
    if (condition.operator === (polarity ? '||' : '&&')) addEither(relations, condition, polarity)
    else addRelation(relations, condition, polarity)
  }
  return relations
}

/** Of several ways to pass, what every one of them says: `a == 0 || (a >= 3 && a <= 9)` keeps `a` below 10. */
const addEither = (out: Relation[], { args }: Op, polarity: boolean): void => {
  const [left, right] = args.map((side) => relationsOfSide(side, polarity, 0)) as [Relation[], Relation[]]
  for (const one of left)
    for (const other of right) {
      const wider = widerOf(one, other)
      if (wider !== null) out.push(wider)
    }
}

const relationsOfSide = (side: Op, polarity: boolean, depth: number): Relation[] => {
  const relations: Relation[] = []
  if (side.kind !== 'bin' || depth > budget.depth.relations) return relations
  if (side.operator === (polarity ? '||' : '&&')) addEither(relations, side, polarity)
  else if (side.operator === (polarity ? '&&' : '||'))
    for (const part of side.args) relations.push(...relationsOfSide(part, polarity, depth + 1))
  else addRelation(relations, side, polarity)
  return relations
}

/** Two bounds of the same value by constants: the one that says less. */
const widerOf = (one: Relation, other: Relation): Relation | null => {
  const [a, b] = [one.greater, other.greater]
  if (isNumber(a) && isNumber(b) && sameValue(one.smaller, other.smaller))
    return a.constant! >= b.constant! ? one : other
  const [c, d] = [one.smaller, other.smaller]
  if (isNumber(c) && isNumber(d) && sameValue(one.greater, other.greater))
    return c.constant! <= d.constant! ? one : other
  return null
}

const isNumber = ({ kind, constant }: Op): boolean => kind === 'const' && constant !== null

/** Adds what a comparison says about its two sides, if it comes out this way. */
export const addRelation = (out: Relation[], op: Op, holds: boolean): void => {
  const [a, b] = op.args as [Op, Op]
  switch (op.operator) {
    case '>':
      out.push(holds ? { greater: a, smaller: b, strict: true } : { greater: b, smaller: a, strict: false })
      return
    case '>=':
      out.push(holds ? { greater: a, smaller: b, strict: false } : { greater: b, smaller: a, strict: true })
      return
    case '<':
      out.push(holds ? { greater: b, smaller: a, strict: true } : { greater: a, smaller: b, strict: false })
      return
    case '<=':
      out.push(holds ? { greater: b, smaller: a, strict: false } : { greater: a, smaller: b, strict: true })
      return
    case '==':
    case '!=':
      if ((op.operator === '==') === holds) {
        out.push({ greater: a, smaller: b, strict: false }, { greater: b, smaller: a, strict: false })
      } else if (b.kind === 'const' && b.constant === 0n) out.push({ greater: a, smaller: b, strict: true })
      else if (a.kind === 'const' && a.constant === 0n) out.push({ greater: b, smaller: a, strict: true })
  }
}

/** What a comparison says about its two sides, if it comes out this way; nothing of anything else. */
export const relationsOf = (condition: Op, holds: boolean): readonly Relation[] => {
  const relations: Relation[] = []
  if (condition.kind === 'bin') addRelation(relations, condition, holds)
  return relations
}
