import { expect, test } from 'vitest'
import { modelOf } from './testing/model-probe.ts'

const orderOf = (source: string, name: string) => {
  const { model } = modelOf(source)
  const contract = model.contracts.find((candidate) => candidate.name === name)
  return { order: contract?.linearization.map((base) => base.name), codes: model.diagnostics.map(({ code }) => code) }
}

test('C3: most derived first, bases from right to left, shared ones once', () => {
  const source =
    'contract O {} contract A is O {} contract B is O {} contract C is O {} contract K1 is A, B {} contract K2 is B, C {} contract Z is K1, K2 {}'
  expect(orderOf(source, 'Z')).toEqual({ order: ['Z', 'K2', 'C', 'K1', 'B', 'A', 'O'], codes: [] })
})

test('an order that cannot be is said and still holds every base once', () => {
  const { order, codes } = orderOf('contract A {} contract B is A {} contract C is B, A {}', 'C')
  expect(codes).toEqual(['impossible-linearization'])
  expect([...(order ?? [])].sort()).toEqual(['A', 'B', 'C'])
})

test('a base that the next one inherits too changes neither the order nor whether there is one', () => {
  const bases = 'contract O {} contract A is O {} contract B is A {} contract P {} '
  expect(orderOf(`${bases} contract Z is O, A, B {}`, 'Z')).toEqual({ order: ['Z', 'B', 'A', 'O'], codes: [] })
  expect(orderOf(`${bases} contract Z is O, P, A, B {}`, 'Z')).toEqual({ order: ['Z', 'B', 'A', 'P', 'O'], codes: [] })
  expect(orderOf(`${bases} contract Z is A, O, B {}`, 'Z').codes).toEqual(['impossible-linearization'])
})

test('a contract that inherits itself, directly or in a circle, is cut with a diagnostic', () => {
  expect(orderOf('contract A is A { uint x; }', 'A')).toEqual({ order: ['A'], codes: ['cyclic-inheritance'] })
  const circle = orderOf('contract A is B {} contract B is C {} contract C is A {}', 'A')
  expect(circle.order).toEqual(['A', 'B', 'C'])
  expect(circle.codes).toEqual(['cyclic-inheritance'])
})

test('in a circle someone is still most derived, so that it is analysed', () => {
  const { model } = modelOf('contract A is B {} contract B is A {}')
  expect(model.contracts.some((contract) => contract.isMostDerived)).toBe(true)
})

test('a chain of thousands of contracts is cut, not followed to the end of the stack', () => {
  const names = Array.from({ length: 5000 }, (_, i) => (i === 0 ? 'contract C0 {}' : `contract C${i} is C${i - 1} {}`))
  const { model } = modelOf(names.reverse().join('\n'))
  expect(model.contracts[0]?.linearization.length).toBeLessThan(300)
  expect(model.diagnostics.map(({ code }) => code)).toContain('budget')
})

test('an unknown base is left out and named', () => {
  const { model } = modelOf('import "./missing.sol"; contract A is Elsewhere { uint x; } contract B is A {}')
  expect(model.contracts.map((contract) => contract.hasUnresolvedBase)).toEqual([true, true])
  expect(model.diagnostics.map(({ code }) => code).sort()).toEqual(['base-not-found', 'import-not-found'])
})

test('state variables over the bases come in storage order', () => {
  const { model } = modelOf('contract A { uint a; } contract B { uint b1; uint b2; } contract C is A, B { uint c; }')
  expect(model.contracts[2]?.allStateVariables.map((variable) => variable.name)).toEqual(['a', 'b1', 'b2', 'c'])
})

test('what a visibility that is not written means depends on the version and the place', () => {
  const { model } =
    modelOf(`pragma solidity ^0.4.10; contract A { function A() {} function f() {} function () payable {} uint x; }
    interface I { function g(); } library L { function h() {} }`)
  const [a, i] = model.contracts
  expect(a?.functions.map((fn) => [fn.role, fn.visibility])).toEqual([
    ['constructor', 'public'],
    ['function', 'public'],
    ['fallback', 'external'],
  ])
  expect(a?.stateVariables[0]?.visibility).toBe('internal')
  expect(i?.functions[0]?.visibility).toBe('external')
})

test('a function named after its contract is a constructor before 0.5 and none since', () => {
  const roleWith = (pragma: string) =>
    modelOf(`${pragma} contract Owned { function Owned() public {} }`).model.contracts[0]?.functions[0]?.role
  expect(roleWith('pragma solidity ^0.4.20;')).toBe('constructor')
  expect(roleWith('pragma solidity >=0.4.22 <0.6.0;')).toBe('constructor')
  expect(roleWith('pragma solidity ^0.5.0;')).toBe('function')
  expect(roleWith('')).toBe('constructor')
})

test('structs that contain themselves are named, those that only refer to themselves are not', () => {
  const { model } = modelOf(
    'contract A { struct S { S inner; } struct T { B[2] pair; } struct B { T t; } struct N { N[] kids; mapping(uint => N) more; } }',
  )
  const named = model.diagnostics.filter(({ code }) => code === 'recursive-struct')
  expect(named.map(({ message }) => message)).toEqual([
    'S contains itself.',
    'T contains itself.',
    'B contains itself.',
  ])
})
