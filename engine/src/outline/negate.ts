/** The opposite of a condition as someone would write it: `a != b && !c` becomes `a == b || c`. */
export const negate = (text: string): string => {
  const whole = text.trim()
  const inner = insideParentheses(whole)
  if (inner !== null) return negate(inner)
  const either = splitAt(whole, '||')
  if (either.length > 1) return either.map((part) => besideAnd(negate(part))).join(' && ')
  const both = splitAt(whole, '&&')
  if (both.length > 1) return both.map(negate).join(' || ')
  for (const [operator, opposite] of opposites) {
    const sides = splitAt(whole, operator)
    if (sides.length === 2) return `${sides[0]} ${opposite} ${sides[1]}`
  }
  if (whole.startsWith('!')) return insideParentheses(whole.slice(1).trim()) ?? whole.slice(1).trim()
  const zero = /^iszero\((.*)\)$/.exec(whole)
  return zero ? zero[1]! : `!${/^[\w.]+(\(.*\)|\[.*\])*$/.test(whole) ? whole : `(${whole})`}`
}

/** Longer ones first: `<=` begins like `<`. */
const opposites = [
  ['==', '!='],
  ['!=', '=='],
  ['<=', '>'],
  ['>=', '<'],
  ['<', '>='],
  ['>', '<='],
] as const

const besideAnd = (text: string): string => (splitAt(text, '||').length > 1 ? `(${text})` : text)

/** null: the first parenthesis is not closed by the last one. */
const insideParentheses = (text: string): string | null => {
  if (!text.startsWith('(')) return null
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    depth += depthOf(text[at]!)
    if (depth === 0) return at === text.length - 1 ? text.slice(1, -1).trim() : null
  }
  return null
}

const depthOf = (character: string): number => ('([{'.includes(character) ? 1 : ')]}'.includes(character) ? -1 : 0)

/** Where the operator stands outside of parentheses. */
const splitAt = (text: string, operator: string): string[] => {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    depth += depthOf(text[at]!)
    if (depth !== 0 || !text.startsWith(operator, at)) continue
    parts.push(text.slice(start, at).trim())
    at += operator.length - 1
    start = at + 1
  }
  return [...parts, text.slice(start).trim()]
}
