/** Whether a number, or the truth of a condition, grows or falls as some of its parts grow. */
import { alternativesOf, type Op } from '../ir/index.ts'

/** 1: grows, -1: falls, 0: does not depend on them, null: cannot be said. Of a condition: it holds more, or less, easily. */
export type Trend = 1 | -1 | 0 | null

const turned = (trend: Trend): Trend => (trend === null || trend === 0 ? trend : trend === 1 ? -1 : 1)

const both = (a: Trend, b: Trend): Trend => (a === 0 ? b : b === 0 || a === b ? a : null)

/** How a value, or how easily a condition holds, changes as its meant parts grow. */
export const trendOf = (value: Op, isPart: (op: Op) => boolean): Trend => {
  // A value that is being worked out is that of a loop, which says nothing new.
  const known = new Map<Op, Trend>()
  const of = (op: Op): Trend => {
    let trend = known.get(op)
    if (trend === undefined) {
      known.set(op, 0)
      trend = isPart(op) ? 1 : ofParts(op, of)
      known.set(op, trend)
    }
    return trend
  }
  return of(value)
}

const ofParts = (value: Op, of: (op: Op) => Trend): Trend => {
  switch (value.kind) {
    case 'cast':
      return of(value.args[0])
    case 'un':
      return value.operator === '!' || value.operator === '-' ? turned(of(value.args[0])) : none(value, of)
    case 'phi':
    case 'select':
      return alternativesOf(value).map(of).reduce(both, 0)
    case 'bin':
      return ofOperator(value.operator, of(value.args[0]), of(value.args[1]))
    case 'compute':
      return none(value, of)
    default:
      return 0
  }
}

const none = ({ args }: Op, of: (op: Op) => Trend): Trend => (args.every((arg) => of(arg) === 0) ? 0 : null)

const ofOperator = (operator: string, a: Trend, b: Trend): Trend => {
  switch (operator) {
    case '+':
    case '*':
    case '&&':
    case '||':
      return both(a, b)
    case '-':
    case '/':
    case '>':
    case '>=':
      return both(a, turned(b))
    case '<':
    case '<=':
      return both(turned(a), b)
    default:
      return a === 0 && b === 0 ? 0 : null
  }
}
