/** What disables a check is as severe as what the check protects, and names those functions. */
import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const bank = (check: string, more = ''): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Bank {
    address public owner = msg.sender;
    address private immutable keeper = msg.sender;
    uint256 public fee;
    mapping(address => uint256) public balances;
    modifier onlyOwner() { ${check} _; }
    ${more.includes('onlyKeeper') ? 'modifier onlyKeeper() { require(msg.sender == keeper); _; }' : ''}
    function deposit() external payable { balances[msg.sender] += msg.value; }
    ${more}
}`

const sweep = 'function sweep(address payable to) external onlyOwner { to.transfer(address(this).balance); }'
const setOwner = 'function setOwner(address to) external onlyOwner { owner = to; }'
const setFee = 'function setFee(uint256 to) external onlyOwner { fee = to; }'
const guards = ['code-without-effect', 'always-true-condition']

const found = (text: string): string => {
  const { findings, advisories } = scan(text)
  const { severity, message } = [...findings, ...advisories].find(({ detector }) => guards.includes(detector))!
  return `${severity} ${/It leaves .*/.exec(message)?.[0] ?? ''}`.trim()
}

test.each([
  ['an empty comparison', 'msg.sender == owner;'],
  ['equal operands', 'require(owner == owner);'],
  ['a tautology', 'require(msg.sender != owner || msg.sender != address(0));'],
])('%s in a modifier is as severe as the functions that carry it', (_, check) => {
  expect(found(bank(check, sweep))).toBe('critical It leaves `sweep()` unprotected.')
  expect(found(bank(check, setOwner))).toBe('critical It leaves `setOwner()` unprotected.')
  expect(found(bank(check, setFee))).toBe('medium It leaves `setFee()` unprotected.')
  expect(found(bank(check, sweep + setOwner + setFee))).toBe(
    'critical It leaves `sweep()`, `setOwner()` and `setFee()` unprotected.',
  )
})

test('another check of the caller still protects the function', () => {
  const kept = sweep.replace('onlyOwner', 'onlyOwner onlyKeeper')
  expect(found(bank('msg.sender == owner;', kept))).toBe('low')
})

test('a check of something else than the caller, before assets leave', () => {
  const paid =
    'function pay(uint8 kind) external { require(kind != 1 || kind != 2); payable(msg.sender).transfer(1 ether); }'
  expect(found(bank('require(msg.sender == owner);', paid))).toBe('high It leaves `pay()` unprotected.')
})

test('a comparison that was meant as an assignment protects nothing', () => {
  const paid = 'function pay() external { balances[msg.sender] == 0; payable(msg.sender).transfer(1 ether); }'
  expect(found(bank('require(msg.sender == owner);', paid))).toBe('low')
})
