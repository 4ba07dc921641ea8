import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const advise = (source: string) => scan(source).bestPractices

const items = (source: string): string[] => advise(source).checklist.flatMap(({ items: each }) => [...each])

const wallet = (body: string, head = 'contract W', before = '') =>
  `// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n${before}${head} {\n${body}\n}\n`

test('different files get different advice', () => {
  const counter = advise(wallet('uint n; function up() public { n += 1; }'))
  const bank = advise(
    wallet(
      'mapping(address => uint) b; function out() public { payable(msg.sender).call{value: b[msg.sender]}(""); b[msg.sender] = 0; }',
    ),
  )
  expect(counter.checklist).not.toEqual(bank.checklist)
  expect(bank.recommendations.join('\n')).toMatch(/bookkeeping before the call.*`out`/)
  expect(counter.recommendations.join('\n')).not.toMatch(/reentrancy/)
})

test('the same file gets the same advice', () => {
  const source = wallet('uint n; function up() public { n += 1; }')
  expect(advise(source)).toEqual(advise(source))
})

test('a pinned pragma is done, a floating one is to do', () => {
  expect(items(wallet('uint x;'))).toContain('Done: The compiler version is pinned.')
  expect(items('pragma solidity ^0.8.0;\ncontract A {}').join('\n')).toMatch(/To do: Pin the pragma/)
})

test('a lock by shape counts as a lock, whatever it is called', () => {
  const lock = 'uint l; modifier m() { require(l == 0, "x"); l = 1; _; l = 0; }'
  const out = (head: string) =>
    `uint n; function out() public ${head} { n = 1; payable(msg.sender).call{value: 1}(""); }`
  expect(items(wallet(`${lock} ${out('m')}`)).join('\n')).toMatch(/Done: Functions that send ether/)
  expect(items(wallet(`${lock} ${out('')}`)).join('\n')).toMatch(/To do: Use the reentrancy lock in `out` too/)
})

test('an address that is stored unseen is named with its function', () => {
  const seen = 'address o; function set(address a) public { require(a != address(0), "zero"); o = a; }'
  const unseen = 'address o; function set(address a) public { o = a; }'
  expect(items(wallet(unseen)).join('\n')).toMatch(/Refuse the zero address where one is stored: `set`/)
  expect(items(wallet(seen)).join('\n')).not.toMatch(/zero address/)
})

test('ownership handed over at once is advised against, two steps are not', () => {
  const once = 'address owner; function give(address a) public { require(msg.sender == owner, "no"); owner = a; }'
  const twice = `address owner; address next; function offer(address a) public { require(msg.sender == owner, "no"); next = a; }
    function accept() public { require(msg.sender == next, "no"); owner = next; }`
  expect(advise(wallet(once)).recommendations.join('\n')).toMatch(/two steps.*`give`/)
  expect(items(wallet('uint x;', 'contract W is Ownable2Step')).join('\n')).toMatch(
    /Done: Ownership moves in two steps/,
  )
  expect(advise(wallet(twice)).recommendations.join('\n')).not.toMatch(/`accept` does it at once/)
})

test('privileged changes without an event are named', () => {
  const silent = 'address o; uint fee; function setFee(uint f) public { require(msg.sender == o, "no"); fee = f; }'
  expect(advise(wallet(silent)).recommendations.join('\n')).toMatch(/Emit an event in `setFee`/)
})

test('plain token transfers ask for a safe wrapper, wrapped ones do not', () => {
  const plain = 'function pay(IERC20 t) public { t.transfer(msg.sender, 1); }'
  expect(advise(wallet(plain)).recommendations.join('\n')).toMatch(/SafeERC20/)
  expect(items(wallet(`using SafeERC20 for IERC20; ${plain}`)).join('\n')).toMatch(/Done: Token calls/)
})

test('documentation is counted', () => {
  const source = wallet(
    '/// @notice one\nfunction a() public {}\n/** two */\nfunction b() public {}\n// three\nfunction c() public {}',
  )
  expect(items(source).join('\n')).toMatch(/Document `c` in NatSpec \(2 of 3/)
})

test('a file that does nothing gets next to no advice', () => {
  expect(
    advise('// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ninterface I { function f() external; }')
      .recommendations,
  ).toEqual([])
})

test('deep expressions do not overflow the stack', () => {
  const source = wallet(`function f() public { uint x = ${Array(20_000).fill('1').join('+')}; }`)
  expect(() => advise(source)).not.toThrow()
})
