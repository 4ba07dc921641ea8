/** `divide-before-multiply` stands on the division, not on the product around it: that is what a reader has to move. */
import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const library = `library Arithmetic {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) { return a * b; }
    function div(uint256 a, uint256 b) internal pure returns (uint256) { return a / b; }
}
`
const shown = (body: string): string[] => {
  const text = `pragma solidity 0.8.28;\n${library}contract Fees {\n    using Arithmetic for uint256;\n    uint256 public rate = 25;\n${body}\n}\n`
  const { findings, advisories } = scan(text)
  const lines = text.split('\n')
  return [...findings, ...advisories]
    .filter(({ detector }) => detector === 'divide-before-multiply')
    .map(({ line, column, endLine, endColumn }) =>
      line === endLine ? lines[line - 1]!.slice(column - 1, endColumn - 1) : `lines ${line} to ${endLine}`,
    )
}

const fee = (statements: string): string =>
  `    function feeOf(uint256 amount) external view returns (uint256) { ${statements} }`

test.each([
  ['before the factor', fee('return (amount / 1000) * rate;'), 'amount / 1000'],
  ['behind the factor', fee('return rate * (amount / 1000);'), 'amount / 1000'],
  ['in a longer sum', fee('return 7 + rate * (amount / 1000) - 3;'), 'amount / 1000'],
  ['on a line of its own', fee('return rate *\n        (amount / 1000);'), 'amount / 1000'],
  ['by a library', fee('return amount.div(1000).mul(rate);'), 'amount.div(1000)'],
  ['in the argument of a library', fee('return rate.mul(amount / 1000);'), 'amount / 1000'],
])('the division %s', (_name, body, division) => {
  expect(shown(body).map((text) => text.replace(/^\(|\)$/g, (mark) => (mark === '(' ? '' : mark)))).toEqual([division])
})
