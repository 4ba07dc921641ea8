/** Which of several equal hits is reported: the first step of its trace names a user who can come, and a way that they can take. */
import { expect, test } from 'vitest'
import { detectors } from '../detectors/index.ts'
import { type Report, scan } from '../index.ts'
import { isYieldingTo } from './merge-findings.ts'

const reportOf = (text: string): Report => scan(`// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n${text}`)

const firstStep = (detector: string, text: string): string | undefined => {
  const { findings, advisories } = reportOf(text)
  return [...findings, ...advisories].find((finding) => finding.detector === detector)?.trace[0]?.message
}

const token = `interface IToken {
  function transfer(address to, uint256 value) external returns (bool);
  function transferFrom(address from, address to, uint256 value) external returns (bool);
}`

const lottery = (rest: string): string => `contract Lottery {
  address private immutable keeper = msg.sender;
  mapping(uint256 => address) private winners;
  mapping(uint256 => bool) private isDrawn;
  ${rest}
  function draw(address to) private {
    uint256 number = uint256(keccak256(abi.encodePacked(block.timestamp, to))) % 10;
    winners[number] = to;
    if (number == 7) payable(to).transfer(address(this).balance);
  }
  receive() external payable {}
}`

const byKeeper = 'function give(address to) external { require(msg.sender == keeper); draw(to); }'

test('a way that is open to all is reported rather than one of the keepers', () => {
  const step = firstStep(
    'weak-randomness',
    lottery(`${byKeeper} function play() external payable { draw(msg.sender); }`),
  )
  expect(step).toContain('An attacker calls `play()`')
})

test('where there is no other way it is given who can come', () => {
  expect(firstStep('weak-randomness', lottery(byKeeper))).toContain('The `keeper` account calls `give()`')
})

test('a way on which two conditions exclude each other is not reported', () => {
  const step = firstStep(
    'unchecked-token-transfer',
    `${token}
contract Purse {
  mapping(address => uint256) private owed;
  function pay(address of_, uint256 amount) external {
    if (of_ == address(0)) move(of_, amount);
  }
  function payAny(address of_, uint256 amount) external { move(of_, amount); }
  function move(address of_, uint256 amount) private {
    owed[msg.sender] += amount;
    if (of_ != address(0)) IToken(of_).transferFrom(msg.sender, address(this), amount);
  }
  function take(address of_, uint256 amount) external {
    owed[msg.sender] -= amount;
    require(IToken(of_).transfer(msg.sender, amount));
  }
}`,
  )
  expect(step).toContain('A user calls `payAny()`')
})

test('anyone who brings a signature of the keeper holds no role', () => {
  const signed = `function give(address to, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(keccak256(abi.encode(address(this), block.chainid, to)), v, r, s) == keeper);
    draw(to);
  }`
  expect(firstStep('weak-randomness', lottery(signed))).toContain('A signature holder calls `give()`')
})

test('no two detectors give way to each other: both would be dropped', () => {
  const pairs = detectors.flatMap((detector) =>
    detectors
      .filter((other) => isYieldingTo(detector, other) && isYieldingTo(other, detector))
      .map((other) => `${detector.id} and ${other.id}`),
  )
  expect(pairs).toEqual([])
})

test('what writes where the other functions require a role is reported once', () => {
  const { findings, advisories } = reportOf(`contract Governor {
  address public admin;
  uint256 public delay;
  uint256 public period;
  mapping(address => uint256) private until;
  constructor() { admin = msg.sender; }
  function setAdmin(address next) external { require(msg.sender == admin); require(next != address(0)); admin = next; }
  function setDelay(uint256 next) external { require(msg.sender == admin); delay = next; }
  function setPeriod(uint256 next) external { require(msg.sender == admin); period = next; }
  function setUntil(address account, uint256 time) external { until[account] = time; }
  function isAllowed(address account) external view returns (bool) { return until[account] > block.timestamp; }
}`)
  const written = [...findings, ...advisories].filter(({ function: name }) => name === 'setUntil')
  expect(written.map(({ detector }) => detector)).toEqual(['inconsistent-access-control'])
})
