import { expect, test } from 'vitest'
import { findRoles, sortByRole } from './file-roles.ts'

test('libraries lie beside the sources, wherever the project begins', () => {
  const paths = ['app/src/Bank.sol', 'app/lib/dep/src/Dep.sol', 'app/src/lib/Sums.sol', 'app/test/Bank.t.sol']
  expect(paths.map(findRoles(paths))).toEqual(['product', 'dependency', 'product', 'test'])
  const plain = ['contracts/Bank.sol', 'lib/dep/Dep.sol', 'node_modules/dep/Dep.sol', '@dep/token/Token.sol']
  expect(plain.map(findRoles(plain))).toEqual(['product', 'dependency', 'dependency', 'dependency'])
})

test('mocks and tests are known by their names too', () => {
  const paths = ['src/Bank.sol', 'src/MockBank.sol', 'src/BankTest.sol', 'src/Latest.sol']
  expect(paths.map(findRoles(paths))).toEqual(['product', 'test', 'test', 'product'])
})

test('tests of a library belong to the library', () => {
  const paths = ['src/Bank.sol', 'lib/dep/test/Dep.t.sol']
  expect(paths.map(findRoles(paths))).toEqual(['product', 'dependency'])
})

test('contracts come before dependencies, and tests last', () => {
  const paths = ['lib/dep/Dep.sol', 'src/Bank.sol', 'test/Bank.t.sol', 'src/Branch.sol']
  expect(sortByRole(paths.map((path) => ({ path }))).map(({ path }) => path)).toEqual([
    'src/Bank.sol',
    'src/Branch.sol',
    'lib/dep/Dep.sol',
    'test/Bank.t.sol',
  ])
})
