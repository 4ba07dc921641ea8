/** Low where nothing shows that someone goes by a missing answer, or that a fallback is there to be paid. */
import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const severityOf = (detector: string, text: string): string[] => {
  const { findings, advisories } = scan(`pragma solidity 0.8.28;\n${text}`)
  return [...findings, ...advisories].filter((each) => each.detector === detector).map(({ severity }) => severity)
}

const caller = (use: string) => `interface IA { function f(uint256 id) external returns (uint256 left); }
  contract B { IA a; uint256 sum; constructor(IA a_) { a = a_; } function g() external { ${use} } }`

test.each([
  ['nobody calls it', 'returns (uint256 left)', '', 'low'],
  ['a call drops the answer', 'returns (uint256 left)', caller('a.f(1);'), 'low'],
  ['a call stores the answer', 'returns (uint256 left)', caller('sum = a.f(1);'), 'medium'],
  ['a call compares the answer', 'returns (uint256 left)', caller('require(a.f(1) > 0);'), 'medium'],
  ['it says whether it succeeded', 'returns (bool)', '', 'medium'],
  ['it says so beside other answers', 'returns (bool done, bytes memory data)', '', 'medium'],
])('a missing answer: %s', (_name, returns, others, severity) => {
  const text = `contract A { mapping(uint256 => uint256) m; function f(uint256 id) external ${returns} { m[id] = 1; } } ${others}`
  expect(severityOf('missing-return', text)).toEqual([severity])
})

test.each([
  ['copies the call', 'assembly { calldatacopy(0, 0, 32) sstore(0, mload(0)) }', 'low'],
  ['reads a word of the call', 'uint256 n; assembly { n := calldataload(0) } last = n;', 'low'],
  ['reads the data of the call', 'last = msg.data.length > 4 ? uint256(bytes32(msg.data[:32])) : 0;', 'low'],
  ['only counts', 'last += 1;', 'medium'],
  ['looks at the payment too', 'last = msg.value; emit Paid(msg.data);', 'medium'],
])('ether in a fallback that %s', (_name, body, severity) => {
  const text = `contract A { uint256 last; event Paid(bytes data); fallback() external payable { ${body} } }`
  expect(severityOf('locked-ether', text)).toEqual([severity])
})
