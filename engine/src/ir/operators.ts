/** Families of operators. Plain comparisons: evaluated for nearly every operation, and faster than a set. */

export const isEquality = (operator: string): boolean => operator === '==' || operator === '!='

export const isOrdering = (operator: string): boolean =>
  operator === '<' || operator === '>' || operator === '<=' || operator === '>='

export const isComparison = (operator: string): boolean => isEquality(operator) || isOrdering(operator)

/** What holds when a comparison does not. */
export const opposites: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
}

/** Its result is true or false. */
export const isLogical = (operator: string): boolean => isComparison(operator) || operator === '&&' || operator === '||'

/** It can leave the range of its type. */
export const isOverflowing = (operator: string): boolean =>
  operator === '+' || operator === '-' || operator === '*' || operator === '**'
