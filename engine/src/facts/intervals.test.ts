import { expect, test } from 'vitest'
import { Context, type Flow } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { canOverflow, intervalOf } from './arithmetic.ts'

const flowOf = (text: string, name = 'f'): Flow =>
  new Context(buildModel([{ path: 'sample.sol', text }])).functions.find((each) => each.name === name)!

/** Whether the last arithmetic operation written in `f` can leave its range. */
const canWrap = (body: string, state = ''): boolean => {
  const flow = flowOf(`pragma solidity 0.7.6; contract A { uint x; mapping(address => uint) m; address owner; ${state}
    function f(uint a, uint b, uint8 s) public payable returns (uint) { ${body} } }`)
  const ops = flow.ops('bin').filter((op) => ['+', '-', '*', '**'].includes(op.operator))
  return canOverflow(flow, ops[ops.length - 1]!)
}

test.each([
  'return a + b;',
  'return a - b;',
  'return a * b;',
  'return s ** 3;',
  'require(a > b); return b - a;',
  'require(a >= 1); return a - 2;',
  'if (a < b) { x = 1; } return a - b;',
  'require(m[msg.sender] >= a); m[msg.sender] = 0; return m[msg.sender] - a;',
  'uint c = a + b; x = c; return c;',
  'uint c = a * b; require(c >= a); return c;',
  'return uint8(a) + s;',
])('can wrap: %s', (body) => {
  expect(canWrap(body)).toBe(true)
})

test.each([
  'require(a >= b); return a - b;',
  'require(b <= a); return a - b;',
  'if (a < b) revert(); return a - b;',
  'if (a > b) { return a - b; } return 0;',
  'return a > b ? a - b : 0;',
  'require(m[msg.sender] >= a); m[msg.sender] -= a;',
  'uint c = a + b; require(c >= a); return c;',
  'uint c = a + b; assert(!(c < b)); return c;',
  'require(a + b >= a); return a + b;',
  'require(a + b > b); return b + a;',
  'if (a == 0) { return 0; } uint c = a * b; require(c / a == b); return c;',
  'uint c = a * b; assert(a == 0 || c / a == b); return c;',
  'require(b <= type(uint).max - a); return a + b;',
  'require(a < 1000 && b < 1000); return a * b;',
  'return uint(s) + 1;',
  'return a - a / 10;',
  'return a - a % b;',
  'uint fee = a * 3 / 100; require(a < 1e20); return a - fee;',
  'return block.timestamp + 5 days;',
  'return msg.value * 1000;',
  'uint n = a < b ? a : b; return a - n;',
  'uint n = a; if (b < n) { n = b; } return a - n;',
  'for (uint i = 0; i < a; i++) { x = i; }',
  'require(a >= b && b >= 10); return a - 10;',
])('cannot wrap: %s', (body) => {
  expect(canWrap(body)).toBe(false)
})

test('state bounds hold over the whole contract', () => {
  const onlyConstants = 'uint off; function g() public { off = 0; }'
  expect(canWrap('require(off > 0); return a - b;', onlyConstants)).toBe(false)
  const counter = 'uint n; function g() public payable { n += msg.value; }'
  expect(canWrap('return n + msg.value;', counter)).toBe(false)
  const open = 'uint n; function g(uint v) public { n = v; }'
  expect(canWrap('return n + msg.value;', open)).toBe(true)
  const ruled = 'uint n; function g(uint v) public { require(msg.sender == owner); n = v; }'
  expect(canWrap('return msg.value * n;', ruled)).toBe(false)
  const last = 'uint last; function g() public { last = block.timestamp; }'
  expect(canWrap('return block.timestamp - last;', last)).toBe(false)
})

test('checked arithmetic never wraps, whatever the operands', () => {
  const flow = flowOf(
    'pragma solidity 0.8.28; contract A { function f(uint a, uint b) public pure returns (uint) { return a - b; } }',
  )
  expect(flow.ops('bin').some((op) => canOverflow(flow, op))).toBe(false)
})

test('bounds come from types, constants and conditions', () => {
  const flow = flowOf(
    'contract A { uint x; function f(uint8 s, uint a) public { require(a > 5 && a <= 10); x = a; x = s; x = a % 7; } }',
  )
  const [first, second, third] = flow.stateStores()
  expect(intervalOf(flow, first!.args[0]!, first!)).toEqual({ min: 6n, max: 10n })
  expect(intervalOf(flow, second!.args[0]!)).toEqual({ min: 0n, max: 255n })
  expect(intervalOf(flow, third!.args[0]!).max).toBe(6n)
})

test('what was compared last counts also behind more conditions than are kept', () => {
  const many = Array.from({ length: 330 }, (_, i) => `require(m[address(${i + 1})] != ${i + 7});`).join(' ')
  expect(canWrap(`${many} require(a >= b); return a - b;`)).toBe(false)
  expect(canWrap(`${many} require(a >= 1); return a - b;`)).toBe(true)
})
