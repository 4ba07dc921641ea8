import { expect, test } from 'vitest'
import { Context } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { type Trend, trendOf } from './trends.ts'

/** Of what `f` returns, as `a` grows. */
const trendIn = (body: string, type = 'uint'): Trend => {
  const text = `contract A { uint x; function f(uint a, uint b) public view returns (${type}) { ${body} } }`
  const flow = new Context(buildModel([{ path: 'sample.sol', text }])).functions.find((each) => each.name === 'f')!
  return trendOf(flow.ops('return')[0]!.args[0]!, (op) => op === flow.params[0])
}

test.each<[string, Trend]>([
  ['return a + b;', 1],
  ['return b - a;', -1],
  ['return x * a / b;', 1],
  ['return b / (a + 1);', -1],
  ['return a == 0 ? x : b / a;', -1],
  ['if (a == 0) return b; return b / a;', -1],
  ['return uint128(a);', 1],
  ['return b;', 0],
  ['return a - b / a;', 1],
  ['return a - a / b;', null],
  ['return a % b;', null],
])('a number: %s', (body, trend) => {
  expect(trendIn(body)).toBe(trend)
})

test.each<[string, Trend]>([
  ['return b >= a;', -1],
  ['return a > b;', 1],
  ['return !(b < a);', -1],
  ['return b / a >= x && x > 0;', -1],
  ['return x == 0 || b - a > 0;', -1],
  ['return a < b && a > x;', null],
  ['return a == b;', null],
  ['return x > b;', 0],
])('a condition: %s', (body, trend) => {
  expect(trendIn(body, 'bool')).toBe(trend)
})
