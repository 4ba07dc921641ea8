/** Findings of one detector that differ in the harm they do differ in severity. */
import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const severityOf = (detector: string, body: string): string =>
  scan(`// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract A {
${body}
}`).advisories.find((finding) => finding.detector === detector)?.severity ?? 'none'

const scaled = (type: string, below: string): string => `
    ${type} public kept;
    ${type} public rate;
    function set(${type} kept_, ${type} rate_) external { kept = kept_; rate = rate_; }
    function worth() external view returns (${type}) { return kept * rate / ${below}; }`

test.each([
  ['uint128', '1e8', 'info'],
  ['uint128', '100', 'info'],
  ['uint96', '100', 'low'],
  ['uint128', '1e18', 'medium'],
  ['uint96', '1e8', 'medium'],
  ['uint128', '(rate + 1)', 'medium'],
])('a product as %s over %s is of severity %s', (type, below, severity) => {
  expect(severityOf('checked-arithmetic-dos', scaled(type, below))).toBe(severity)
})

const withdrawal = (check: string): string => `
    IToken private immutable token;
    uint256 public total;
    uint256 public assets;
    mapping(address => uint256) public shares;
    constructor(IToken token_) { token = token_; }
    function withdraw(uint256 amount) external {
        uint256 burnt = amount * total / assets;
        ${check}
        shares[msg.sender] -= burnt;
        total -= burnt;
        assets -= amount;
        require(token.transfer(msg.sender, amount));
    }`

test.each([
  ['require(burnt > 0);', 'low'],
  ['require(burnt != 0);', 'low'],
  ['if (burnt < 1) revert();', 'low'],
  ['require(amount > 0);', 'medium'],
])('a cut-off price after `%s` is of severity %s', (check, severity) => {
  expect(severityOf('rounding-for-caller', withdrawal(check))).toBe(severity)
})
