/** Libraries of arithmetic are lowered once, not once for every call. */
import { expect, test } from 'vitest'
import { dependsOn } from '../facts/index.ts'
import { scan } from '../index.ts'
import { buildModel } from '../model/index.ts'
import { Context } from './context.ts'
import type { Flow } from './flow.ts'
import { sameValue } from './values.ts'

const steps = (count: number): string =>
  'if (x & 0x8000 > 0) r = r * 0x16A09E667F3BCC908B2FB1366EA957D3E >> 128;'.repeat(count)

/** `exp` repeats a step so many times. */
const source = (count: number, body: string, { version = '^0.8.0', mutability = 'pure' } = {}): string =>
  `pragma solidity ${version};
   library Power {
     function exp(uint x) internal ${mutability} returns (uint r) { require(x < 64); r = 1 << 127; ${steps(count)} }
   }
   contract A { uint s; function f(uint a, uint b) public { ${body} } }`

const flowsOf = (text: string): readonly Flow[] => new Context(buildModel([{ path: 'sample.sol', text }])).functions

const flowOf = (text: string, name: string): Flow => flowsOf(text).find((each) => each.name === name)!

test('a large pure function is one operation on the arguments where it is called, and a flow by itself', () => {
  const text = source(20, 's = Power.exp(a);')
  const caller = flowOf(text, 'f')
  const [result] = caller.ops('compute')
  expect(result!.args).toEqual([caller.params[0]])
  expect(caller.stateStores()[0]!.args[0]).toBe(result)
  expect(dependsOn(caller, caller.stateStores()[0]!.args[0], (op) => op === caller.params[0])).toBe(true)
  expect(caller.ops('assume')).toEqual([])
  expect(flowOf(text, 'exp').ops('assume')).toHaveLength(1)
})

test('of equal arguments it makes the same value', () => {
  const flow = flowOf(source(20, 's = Power.exp(a); s = Power.exp(a); s = Power.exp(b);'), 'f')
  const [one, same, other] = flow.ops('compute')
  expect([sameValue(one!, same!), sameValue(one!, other!)]).toEqual([true, false])
})

test('a small one is inlined, and so is one that reads state or that wraps around', () => {
  const body = 's = Power.exp(a);'
  const texts = [source(1, body), source(20, body, { mutability: 'view' }), source(20, body, { version: '^0.7.0' })]
  for (const text of texts) {
    const flow = flowOf(text, 'f')
    expect(flow.has('compute')).toBe(false)
    expect(flow.ops('assume')).toHaveLength(1)
  }
})

/** Before 0.8, so that arithmetic is not checked. */
const isOneOperation = (body: string): boolean =>
  flowOf(
    `pragma solidity 0.7.6; library Power { function exp(uint x, uint y) internal pure returns (uint r) { ${body} } }
     contract A { uint s; function f(uint a, uint b) public { s = Power.exp(a, b); } }`,
    'f',
  ).has('compute')

const repeated = (step: string): string => step.repeat(20)

test.each([
  ['r = 1;', 'if (x & 0x8000 > 0) r = r * 0xFFFFFFFFFFFFFFFF >> 64;'],
  ['r = x >> 128;', 'r = (r * 0xFFFF) / 0x10000;'],
  ['r = x & 0xFF;', 'r += y % 1000;'],
  ['r = uint128(x);', 'r = y > 0 ? r + 1 : r;'],
  ['r = y;', 'r = r ^ (x >> 3) ^ (y & 0xFF);'],
  ['int128 i = int128(x); r = y;', 'r = r >> uint(63 - (i >> 64));'],
])('before 0.8 it is one operation if its arithmetic cannot wrap around: %s %s', (first, step) => {
  expect(isOneOperation(first + repeated(step))).toBe(true)
})

test.each([
  ['r = x;', 'r = r * 0xFFFFFFFFFFFFFFFF >> 64;'],
  ['r = 1;', 'r += y;'],
  ['r = 1000;', 'r -= x % 1000;'],
  ['r = 2;', 'r = r * r;'],
  ['int128 i = int128(x);', 'i = -i;'],
  ['int128 i = int128(x); r = y;', 'r = r & uint(-1 - (i >> 1) * 3);'],
])('before 0.8 it is inlined if its arithmetic can wrap around: %s %s', (first, step) => {
  expect(isOneOperation(first + repeated(step))).toBe(false)
})

test('before 0.8 it is inlined if a loop can take a number out of its range', () => {
  expect(isOneOperation(`for (r = 1; r < x; ) { ${repeated('r = r * 2;')} }`)).toBe(false)
})

test('a function that calls a large one again and again is analyzed to its end', () => {
  const text = source(60, `${'s += Power.exp(a);'.repeat(12)} selfdestruct(payable(msg.sender));`)
  const report = scan(text)
  expect(report.completeness).toBe('full')
  expect(report.diagnostics).toEqual([])
})

test('a long chain of functions that call the next one is measured to its end', () => {
  const call = (i: number): string => `return f${i + 1}(x) ^ f${i + 1}(x) ^ f${i + 1}(x);`
  const chain = Array.from({ length: 800 }, (_, i) => `function f${i}(uint x) pure returns (uint) { ${call(i)} }`)
  const report =
    scan(`pragma solidity 0.8.28; ${chain.join(' ')} function f800(uint x) pure returns (uint) { return x; }
    contract A { uint s; function f(uint a) public { s = f0(a); selfdestruct(payable(msg.sender)); } }`)
  expect(report.diagnostics.filter(({ code }) => code === 'detector-failed')).toEqual([])
  expect(report.findings.map(({ detector }) => detector)).toContain('unprotected-selfdestruct')
})
