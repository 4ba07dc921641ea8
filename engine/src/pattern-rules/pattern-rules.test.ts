import { describe, expect, test } from 'vitest'
import { scan } from '../index.ts'
import { patternDetector } from './index.ts'
import { matchesWildcard } from './match.ts'

const base = { id: 'own', message: 'found $X', severity: 'low' }
const contract = (body: string): string =>
  `pragma solidity 0.8.28;\nabstract contract Base { address owner = msg.sender; modifier only() { require(msg.sender == owner); _; } }\ncontract C is Base {\n uint256 total; address to; mapping(address => uint256) balances;\n${body}\n}`
const linesOf = (rule: object, text: string): number[] => {
  const { advisories, diagnostics } = scan(text, { rules: [patternDetector({ ...base, ...rule })] })
  expect(diagnostics.filter(({ code }) => code === 'detector-failed')).toEqual([])
  return advisories.filter(({ detector }) => detector === 'own').map(({ line }) => line)
}
const matches = (pattern: string, statement: string): boolean =>
  linesOf({ pattern }, contract(`function f(address a, bytes memory d) external {\n${statement}\n}`)).includes(6)

describe('patterns', () => {
  test.each([
    ['$A.call($D)', 'a.call(d);', true],
    ['$A.call($D)', 'a.call{value: 1}(d);', true],
    ['$A.call{value: $V}($D)', 'a.call(d);', false],
    ['$A.call{value: $V}(...)', 'a.call{value: 1}(d);', true],
    ['$X + $X', 'total = total + total;', true],
    ['$X + $X', 'total = total + 1;', false],
    ['total = $X;', 'total = 5;', true],
    ['type(uint256).max', 'total = type(uint).max;', true],
    ['1000', 'total = 1_000;', true],
    ['require(..., "...")', 'require(total > 0, "no");', true],
    ['require(..., "...")', 'require(total > 0);', false],
    ['keccak256(abi.encodePacked(..., $X, ...))', 'keccak256(abi.encodePacked(a, d, total));', true],
    ['if ($X > 0) { ... }', 'if (total > 0) { total = 1; total = 2; }', true],
    ['$A.delegatecall(...)', 'a.call(d);', false],
  ])('%s and %s: %s', (pattern, statement, expected) => {
    expect(matches(pattern, statement)).toBe(expected)
  })

  test('functions: what is not written is free, modifiers stand among others', () => {
    const text = contract(
      'function a(uint256 x) external only { total = x; }\nfunction b() public payable { total = 1; }',
    )
    expect(linesOf({ pattern: 'function $F(...) { ... }' }, text)).toEqual([5, 6])
    expect(linesOf({ pattern: 'function $F(...) external only { ... }' }, text)).toEqual([5])
    expect(linesOf({ pattern: 'function $F() payable { ... }' }, text)).toEqual([6])
  })

  test('the message says what a metavariable means', () => {
    const { advisories } = scan(contract('function f() external { total = 7; }'), {
      rules: [patternDetector({ ...base, pattern: 'total = $X' })],
    })
    expect(advisories).toContainEqual(expect.objectContaining({ message: 'found `7`' }))
  })

  test('not, inside and not inside', () => {
    const text = contract(
      'function a() external {\ntotal = 1;\ntotal = 2;\n}\nfunction b() external {\nfor (uint256 i; i < 3; i++) { total = 1; }\n}',
    )
    expect(linesOf({ patterns: [{ pattern: 'total = $X' }, { 'pattern-not': 'total = 2' }] }, text)).toEqual([6, 10])
    const inLoop = { pattern: 'total = $X' }
    expect(linesOf({ patterns: [inLoop, { 'pattern-inside': 'for ($I; $C; $U) { ... }' }] }, text)).toEqual([10])
    expect(linesOf({ patterns: [inLoop, { 'pattern-inside': 'function b() { ... }' }] }, text)).toEqual([10])
    expect(linesOf({ patterns: [inLoop, { 'pattern-not-inside': 'function b() { ... }' }] }, text)).toEqual([6, 7])
  })
})

describe('facts', () => {
  test('who may call, also through an internal function', () => {
    const text = contract(
      'function open() external { _set(1); }\nfunction closed() external only { _reset(); }\nfunction _set(uint256 n) internal {\ntotal = n;\n}\nfunction _reset() internal {\ntotal = 0;\n}',
    )
    expect(linesOf({ pattern: 'total = $X', 'callable-by': 'anyone' }, text)).toEqual([8])
    expect(linesOf({ pattern: 'total = $X', 'callable-by': 'role' }, text)).toEqual([11])
  })

  test.each([
    ['parameter', 6],
    ['state', 9],
    ['sender', 12],
    ['$X.balanceOf(...)', 15],
  ])('taint from %s', (source, line) => {
    const text = `interface T { function balanceOf(address a) external view returns (uint256); }\ninterface S { function pay(uint256 n) external; }\ncontract C { S s; T t; uint256 fee;\nfunction a(uint256 n) external {\nuint256 m = n * 2;\ns.pay(m);\n}\nfunction b() external {\ns.pay(fee);\n}\nfunction c() external {\ns.pay(uint256(uint160(msg.sender)));\n}\nfunction d() external { uint256 held = t.balanceOf(address(this));\ns.pay(held);\n}\n}`
    expect(linesOf({ taint: { source, sink: '$S.pay($N)', into: '$N' } }, text)).toEqual([line])
  })
})

describe('what is refused', () => {
  test.each([
    [{}, 'a rule has one of pattern'],
    [{ pattern: 'a', patterns: [] }, 'a rule has one of pattern'],
    [{ pattern: 'foo((' }, 'this is not Solidity: foo(('],
    [{ pattern: '$X' }, 'matches everything'],
    [{ pattern: 'x'.repeat(5000) }, 'characters'],
    [{ pattern: 'a', regex: 'b' }, 'has no key "regex"'],
    [{ pattern: 'a', severity: 'huge' }, 'severity must be one of'],
    [{ pattern: 'a', id: 'Not Kebab' }, 'kebab-case'],
    [{ pattern: 'a', 'callable-by': 'nobody' }, 'callable-by must be one of'],
    [{ patterns: [{ 'pattern-not': 'a' }] }, 'says what to report'],
    [{ patterns: [{ patern: 'a' }] }, 'has no key "patern"'],
    [{ taint: { source: 'parameter', sink: 'f($A, $B)' } }, 'taint needs `into`'],
    [{ pattern: 'f($A)', where: { A: 'x' } }, 'is no metavariable'],
    [
      { patterns: [1, 2, 3].map(() => ({ 'pattern-either': Array.from({ length: 20 }, () => 'f()') })) },
      'at most 50 patterns',
    ],
  ])('%j', (rule, reason) => {
    expect(() => patternDetector({ ...base, ...rule })).toThrow(reason)
  })

  test.each([5, null, [], 'text'])('%j is no rule', (data) => {
    expect(() => patternDetector(data)).toThrow('must be a table')
  })
})

describe('work is bounded', () => {
  test('a pattern that would try every way ends with a diagnostic, and the scan goes on', () => {
    const rule = patternDetector({ ...base, pattern: `f(${Array.from({ length: 12 }, () => '..., 1').join(', ')}, 2)` })
    const text = contract(`function g() external { f(${Array.from({ length: 60 }, () => '1').join(', ')}); }`)
    const { diagnostics, findings, advisories } = scan(text, { rules: [rule] })
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'detector-failed' }))
    expect([findings, advisories]).toBeDefined()
  })

  test('names with stars take no more than one length times the other', () => {
    expect(matchesWildcard(`${'*a'.repeat(500)}b`, 'a'.repeat(5000))).toBe(false)
    expect(matchesWildcard('set*Fee', 'setProtocolFee')).toBe(true)
    expect(matchesWildcard('set*', 'reset')).toBe(false)
  })

  test('a deep expression is no deeper than the pattern', () => {
    const text = contract(`function f() external { total = ${'1 + '.repeat(5000)}1; }`)
    expect(linesOf({ pattern: 'total = $X' }, text)).toEqual([5])
  })
})
