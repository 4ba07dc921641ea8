/** Weaknesses that rest on something nobody can see in the source: places to review, and findings again once it can be seen. */
import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const levelOf = (id: string, text: string): string => {
  const { findings, advisories } = scan(`// SPDX-License-Identifier: MIT\n${text}`)
  if (findings.some(({ detector }) => detector === id)) return 'finding'
  return advisories.some(({ detector, kind }) => detector === id && kind === 'review') ? 'review' : 'nothing'
}

const purse = (token: string, parameter: string): string => `pragma solidity 0.8.28;
interface IToken { function transfer(address to, uint256 value) external returns (bool); }
contract Purse {
    ${token}
    mapping(address => uint256) private owed;
    function credit(address to) external payable { owed[to] += msg.value; }
    function take(${parameter}) external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        token.transfer(msg.sender, amount);
    }
}`

test.each([
  ['a token that whoever calls names', purse('', 'IToken token'), 'finding'],
  [
    'a token that anybody can set',
    purse('IToken private token; function set(IToken to) external { token = to; }', ''),
    'finding',
  ],
  [
    'the one token that the deployer chose, and knows',
    purse('IToken private immutable token; constructor(IToken of) { token = of; }', ''),
    'review',
  ],
])('the answer of %s is ignored', (_, text, level) => {
  expect(levelOf('unchecked-token-transfer', text)).toBe(level)
})

const reader = (body: string): string => `pragma solidity 0.7.6;
contract Reader {
    uint256 private immutable parts;
    uint256[] private kept;
    uint256 public total;
    mapping(address => uint256) public sums;
    constructor(uint256 n) { parts = n; }
    function add(uint256 a) external { kept.push(a); }
    ${body}
}`

test.each([
  [
    'where in given data something lies',
    'function last(bytes memory data) external { uint256 n = data.length - 8; for (uint256 i = 0; i < n; i++) sums[msg.sender] += uint8(data[i]); }',
    'review',
  ],
  ['how much is kept', 'function drop() external { sums[msg.sender] = kept.length - 1; }', 'finding'],
  ['a sum of what anybody names', 'function raise(uint256 by) external { total += by; }', 'finding'],
  [
    'a share, divided by what no outsider has a hand in',
    'function raise(uint128 by) external { total = uint128(total) + uint128(by / parts); }',
    'review',
  ],
])('a number that leaves its range says %s', (_, body, level) => {
  expect(levelOf('integer-overflow', reader(body))).toBe(level)
})

const desk = (limit: string, write: string): string => `pragma solidity 0.8.28;
interface IAgent { function serve() external; }
contract Desk {
    mapping(address => uint256) private kept;
    function pay() external payable { kept[msg.sender] += msg.value; }
    function take() external { uint256 n = kept[msg.sender]; kept[msg.sender] = 0; payable(msg.sender).transfer(n); }
    function ask(IAgent agent, uint256 cost) external {
        require(${limit}, 'limit');
        agent.serve();
        ${write}
    }
}`

test.each([
  ['while it is little enough, and then more', 'kept[msg.sender] < 3', 'kept[msg.sender] += 1;', 'finding'],
  ['while it is enough, and then more', 'kept[msg.sender] >= cost', 'kept[msg.sender] += 1;', 'review'],
  ['while it is enough, and then less', 'kept[msg.sender] >= cost', 'kept[msg.sender] -= cost;', 'finding'],
])('a record is asked for before a call %s', (_, limit, write, level) => {
  expect(levelOf('reentrancy', desk(limit, write))).toBe(level)
})

const coin = (spend: string): string => `pragma solidity 0.8.28;
contract Coin {
    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) private allowed;
    function approve(address spender, uint256 value) external { allowed[msg.sender][spender] = value; }
    function transferFrom(address from, address to, uint256 value) external {
        ${spend}
        balances[from] -= value;
        balances[to] += value;
    }
}`

test.each([
  ['always has an end', 'allowed[from][msg.sender] -= value;', 'finding'],
  [
    'may be without one',
    'if (allowed[from][msg.sender] != type(uint256).max) allowed[from][msg.sender] -= value;',
    'review',
  ],
  [
    'is compared with what is to be spent',
    'if (allowed[from][msg.sender] < value) revert(); allowed[from][msg.sender] -= value;',
    'finding',
  ],
])('an allowance that %s is replaced', (_, text, level) => {
  expect(levelOf('replaced-allowance', coin(text))).toBe(level)
})
