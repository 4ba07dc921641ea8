/** SWC-116: what only a proposer could move by seconds is info and needs review; where one second decides, the interface's severity stands. */
import { describe, expect, test } from 'vitest'
import { scan } from '../index.ts'

const timesIn = (body: string) => {
  const { findings, advisories } = scan(`pragma solidity 0.8.28;
contract Fund {
    mapping(address => uint256) private shares;
    uint256 private ends;
    address private last;
    constructor() { ends = block.timestamp + 30 days; }
    function buy() external payable { shares[msg.sender] += msg.value; last = msg.sender; }
${body}
}`)
  const of = (list: typeof findings) =>
    list.filter(({ detector }) => detector === 'block-values-as-time').map(({ severity }) => severity)
  return { counted: of(findings), review: of(advisories) }
}

const payOwn = 'uint256 amount = shares[msg.sender]; shares[msg.sender] = 0; payable(msg.sender).transfer(amount);'

describe('an account that waits for its own loses nothing by seconds', () => {
  test.each([
    ['a require', `function take() external { require(block.timestamp >= ends); ${payOwn} }`],
    ['a revert', `function take() external { if (block.timestamp < ends) revert(); ${payOwn} }`],
    ['a branch', `function take() external { if (block.timestamp > ends) { ${payOwn} } }`],
    [
      'a modifier',
      `modifier over() { require(ends <= block.timestamp); _; } function take() external over { ${payOwn} }`,
    ],
    [
      'a helper',
      `function isOver() private view returns (bool) { return block.timestamp >= ends; } function take() external { require(isOver()); ${payOwn} }`,
    ],
    ['a local', `function take() external { uint256 time = block.timestamp; require(time >= ends); ${payOwn} }`],
  ])('%s', (_name, body) => {
    expect(timesIn(body)).toEqual({ counted: [], review: ['info'] })
  })
})

describe('one second decides', () => {
  const pot = 'address(this).balance'
  test.each([
    ['an exact moment', `function take() external { require(block.timestamp == ends); ${payOwn} }`],
    ['a moment in the code', `function take() external { require(block.timestamp >= 1800000000); ${payOwn} }`],
    [
      'who gets the pot',
      `function take() external { require(block.timestamp >= ends); payable(last).transfer(${pot}); }`,
    ],
    ['the last second', `function take() external { if (block.timestamp == ends) { ${payOwn} } }`],
  ])('%s', (_name, body) => {
    expect(timesIn(body)).toEqual({ counted: ['medium'], review: [] })
  })
})
