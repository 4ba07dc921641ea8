/**
 * A value that is used twice, in a value that is used twice, and so on: a few hundred bytes of which there are more ways from the end to the
 * beginning than anyone can walk. Anyone who asks about each operand anew never comes back; anyone who asks about each value once does.
 */
import { afterAll, expect, test } from 'vitest'
import { loadCounted } from '../../tools/count-steps.ts'

const counted = loadCounted<typeof import('./index.ts')>(new URL('./index.ts', import.meta.url))
afterAll(counted.stop)

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')
const chain = (count: number, type: string, first: string, next: (x: string) => string): string =>
  `${type} x0 = ${first}; ${times(count, (i) => `${type} x${i + 1} = ${next(`x${i}`)};`)}`
const contract = (body: string, members = ''): string =>
  `contract A { ${members} function f(uint a, address payable p) public returns (uint) { ${body} return a; } }`

const shapes: Readonly<Record<string, (n: number) => string>> = {
  'a sum': (n) => contract(`${chain(n, 'uint', 'a', (x) => `${x} + ${x}`)} p.transfer(x${n});`),
  'a product': (n) => contract(`${chain(n, 'uint', 'a', (x) => `${x} * ${x}`)} p.transfer(x${n});`),
  'a share': (n) => contract(`${chain(n, 'uint', 'a', (x) => `${x} * ${x} / (${x} + 1)`)} p.transfer(x${n});`),
  'a power': (n) => contract(`${chain(n, 'uint', 'a', (x) => `${x} ** ${x}`)} p.transfer(x${n});`),
  'the time': (n) => contract(`${chain(n, 'uint', 'block.timestamp', (x) => `${x} + ${x}`)} require(x${n} > a);`),
  'a hash': (n) =>
    contract(
      `${chain(n, 'uint', 'now', (x) => `uint(keccak256(abi.encode(${x}, ${x})))`)} if (x${n} % 2 == 0) p.transfer(1);`,
    ),
  'a condition': (n) =>
    contract(`${chain(n, 'bool', 'msg.sender == p', (x) => `(${x} || ${x})`)} require(x${n}); selfdestruct(p);`),
  'a state variable': (n) => contract(`${times(n, () => 's = s + s; t = t - s;')} p.transfer(s);`, 'uint s; uint t;'),
  balances: (n) =>
    contract(
      `${times(n, () => 'b[p] = b[p] + b[msg.sender]; b[msg.sender] = b[p] - b[msg.sender];')} p.call.value(b[p])("");`,
      'mapping(address => uint) b;',
    ),
  'what marks a member of a list': (n) =>
    contract(
      `require(b[msg.sender] > 0); ${chain(n, 'uint', 'b[p]', (x) => `${x} + ${x}`)} b[p] = x${n}; selfdestruct(p);`,
      'mapping(address => uint) b;',
    ),
  'limits of limits': (n) =>
    `pragma solidity ^0.7.0; contract A { mapping(address => uint) b; function f(uint a, uint c, uint d, uint e) public {
      ${times(n, () => 'require(a <= c); require(c <= d); require(d <= e);')} b[msg.sender] -= a; } }`,
  'a pair': (n) => contract(`uint x = a; uint y = a; ${times(n, () => '(x, y) = (x + y, y + x);')} p.transfer(x);`),
  'an inner function': (n) =>
    contract(
      `${chain(n, 'uint', 'a', (x) => `g(${x}, ${x})`)} p.transfer(x${n});`,
      'uint s; function g(uint a, uint b) internal returns (uint) { s += a; return s + b; }',
    ),
  'branches that meet again': (n) =>
    contract(`uint x = a; ${times(n, () => 'if (x > a) { x = x + a; } else { x = x - a; }')} p.transfer(x);`),
  'a struct': (n) =>
    contract(
      `${chain(n, 'S memory', 'S(a, a)', (x) => `S(${x}.a + ${x}.b, ${x}.b + ${x}.a)`)} p.transfer(x${n}.a);`,
      'struct S { uint a; uint b; }',
    ),
  'an address': (n) =>
    contract(
      `${chain(n, 'address', 'p', (x) => `a > 1 ? ${x} : o[${x}]`)} x${n}.delegatecall(abi.encode(x${n}));`,
      'mapping(address => address) o;',
    ),
  'the bound of a loop': (n) =>
    contract(
      `${chain(n, 'uint', 'list.length', (x) => `a > 1 ? ${x} + ${x} : ${x} * ${x}`)} for (uint i = 0; i < x${n}; i++) list[i] = a;`,
      'uint[] list;',
    ),
  'what is demanded of the caller before a payment': (n) =>
    contract(
      `uint x0 = a; uint y0 = a; ${times(n, (i) => `uint x${i + 1} = x${i} + y${i}; uint y${i + 1} = x${i} ^ y${i};`)} require(x${n} > 5); bool ok = p.send(1); s = ok ? 1 : 2;`,
      'uint s;',
    ),
  'what is demanded of a payment': (n) =>
    contract(`bool x0 = p.send(1); ${times(n, (i) => `bool x${i + 1} = (x${i} == x${i}) && x${i};`)} require(x${n});`),
  'a slot in assembly': (n) =>
    contract(`assembly { let x := a ${times(n, () => 'x := add(x, mul(x, x))')} sstore(x, x) }`),
}

test.each(Object.entries(shapes))('%s: twice as many uses are no more than a few times the steps', (_, make) => {
  const stepsFor = (n: number): number => counted.countSteps((engine) => engine.scan(make(n)))
  // Walking every way takes a thousand times as many.
  expect(stepsFor(22)).toBeLessThan(stepsFor(11) * 6)
})
