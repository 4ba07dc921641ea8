import { expect, test } from 'vitest'
import { scanFiles } from '../../index.ts'

const base = `pragma solidity 0.8.28;
abstract contract Book {
    mapping(uint256 => uint256) public sums;
    mapping(uint256 => bool) internal ended;
    function end(uint256 id) external { ended[id] = true; }
    function check(uint256 id) internal view { require(!ended[id], "ended"); }
    function one(uint256 id, uint256 n) external { check(id); sums[id] = n; }
    function two(uint256 id, uint256 n) external { check(id); sums[id] = n + 1; }
}`

const derived = (step: string): string => `pragma solidity 0.8.28;
import './Book.sol';
contract Shelf is Book {
    function three(uint256 id, uint256 n) external { check(id); sums[id] = n + 2; }
    function four(uint256 id, uint256 n) external { ${step} sums[id] = n + 3; }
}`

const messagesOf = (step: string): readonly string[] =>
  scanFiles([
    { path: 'Book.sol', text: base },
    { path: 'Shelf.sol', text: derived(step) },
  ])
    .flatMap(({ advisories }) => advisories)
    .filter(({ detector }) => detector === 'inconsistent-checks')
    .map(({ message }) => message)

test('a rule that functions of another file keep is found', () => {
  expect(messagesOf('')).toEqual([
    '`four()` does not check `!ended[id]`, although `three()`, `one()` and `two()`, which also write `sums`, do, so it still runs where those revert. Needs review because the pause or flag may be meant for the other functions only.',
  ])
})

test('a function that keeps the rule of another file is not reported', () => {
  expect(messagesOf('check(id);')).toEqual([])
})

const guarded = (check: string): string => `pragma solidity 0.8.28;
contract Desk {
    address private immutable keeper = msg.sender;
    address private token;
    mapping(address => uint256) public sums;
    function set(address t) external { require(msg.sender == keeper); token = t; }
    function add(uint256 n) external { sums[msg.sender] += n; }
    function one(uint256 n) external { ${check} sums[msg.sender] -= n; }
    function two(uint256 n) external { ${check} sums[msg.sender] -= n * 2; }
    function three(uint256 n) external { ${check} sums[msg.sender] -= n * 3; }
    function four(address to, uint256 n) external { move(to, n); }
    function five(address to, uint256 n) external { move(to, n); }
    function move(address to, uint256 n) private { sums[msg.sender] -= n; sums[to] += n; }
}`

test.each([
  'require(token != address(0));',
  'if (token == address(0)) revert();',
  'if (!(token != address(0))) revert();',
  'require(!(token == address(0)));',
])('the check is named as what must hold: %s', (check) => {
  const reports = scanFiles([{ path: 'Desk.sol', text: guarded(check) }])
  const found = reports
    .flatMap(({ advisories }) => advisories)
    .filter(({ detector }) => detector === 'inconsistent-checks')
  expect(found.map(({ message }) => message)).toEqual([
    '`four()` does not check `token != address(0)`, although `one()`, `two()` and `three()`, which also lower `sums`, do, so it still runs where those revert.',
  ])
  // Both functions share the body that lacks it.
  expect(found[0]!.places).toHaveLength(1)
})
