/** Small inputs that once took minutes: what a flow may cost is counted in steps, whatever they are spent on. */
import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const budgetNotes = (text: string): string[] =>
  scan(text)
    .diagnostics.filter(({ code }) => code === 'budget-exhausted')
    .map(({ message }) => message)

const repeat = (count: number, write: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => write(i)).join(' ')

test('placeholders that multiply are cut, also where they leave no operation behind', () => {
  const modifier = 'modifier m(){_;_;_;_;_;_;}'
  const uses = 'm() '.repeat(14)
  expect(budgetNotes(`contract C{${modifier}constructor() ${uses}{}}`)).toEqual(['the function is too large'])
  expect(budgetNotes(`contract C{uint s;${modifier}function f() public ${uses}{s++;}}`)).toEqual([
    'too much to inline at the modifier m',
  ])
})

test('functions of assembly that multiply are cut', () => {
  const functions = repeat(10, (i) => `function f${i}(){${`f${i + 1}() `.repeat(10)}}`)
  const text = `contract C{function f()public{assembly{${functions} function f10(){sstore(0,1)} f0()}}}`
  expect(budgetNotes(text)).toContain('the function is too large')
})

test('internal calls that multiply are cut', () => {
  const functions = repeat(40, (i) => `function f${i}() internal { f${i + 1}(); f${i + 1}(); }`)
  const text = `contract C { uint s; ${functions} function f40() internal { s++; } function g() public { f0(); } }`
  expect(budgetNotes(text).length).toBeGreaterThan(0)
})

test('hundreds of loops one after another are followed to the end', () => {
  const loops = 'for (uint i = 0; i < a; i++) s += i;'.repeat(300)
  const report = scan(`pragma solidity ^0.8.0; contract C { uint s; function f(uint a) public { ${loops} } }`)
  expect(report.completeness).toBe('full')
})

test('contracts that inherit all before them are ordered as the compiler does', () => {
  const names = (count: number): string => Array.from({ length: count }, (_, i) => `A${i}`).join(', ')
  const contracts = repeat(60, (i) => `contract A${i}${i === 0 ? '' : ` is ${names(i)}`} {}`)
  const report = scan(`pragma solidity ^0.8.0; ${contracts}`)
  expect(report.completeness).toBe('full')
  expect(report.diagnostics).toEqual([])
})

test.each(['L.S', 'L.E', 'C', 'Inner.S[]'])('a type by its qualified name is no nesting without end: %s', (type) => {
  const types = 'library L { struct S { uint a; } enum E { A, B } } contract Inner { struct S { uint a; } }'
  const report = scan(
    `pragma solidity 0.8.28; ${types} contract C { function f(bytes calldata data) public pure returns (bytes memory) { return abi.encode(abi.decode(data, (${type}))); } }`,
  )
  expect(report.diagnostics).toEqual([])
  expect(report.completeness).toBe('full')
})
