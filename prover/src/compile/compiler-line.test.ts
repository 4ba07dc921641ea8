import { expect, test } from 'vitest'
import type { CompilerVersion } from '../packages.ts'
import { chooseCompilers, withoutChecker } from './compiler-line.ts'

const installed: CompilerVersion[] = [
  { line: 8, patch: 30 },
  { line: 8, patch: 24 },
  { line: 7, patch: 6 },
  { line: 4, patch: 26 },
]

const chosen = (...pragmas: string[]): string[] =>
  chooseCompilers(
    pragmas.map((range) => `pragma solidity ${range};\ncontract C {}`),
    installed,
  ).map(({ version, pragma }) => `0.${version.line}.${version.patch}${pragma ? ` instead of ${pragma}` : ''}`)

test('the newest installed patch that every pragma admits comes first', () => {
  expect(chosen('^0.8.0')[0]).toBe('0.8.30')
  expect(chosen('^0.8.0', '<0.8.26')[0]).toBe('0.8.24')
  expect(chosen('0.8.24')[0]).toBe('0.8.24')
  expect(chosen('>=0.7.0 <0.9.0')[0]).toBe('0.8.30')
})

test('where no installed compiler is admitted, the newest of the line serves, and what was asked for is named', () => {
  expect(chosen('0.8.13')).toEqual(['0.8.30 instead of 0.8.13'])
  expect(chosen('0.6.12')).toEqual([])
})

test('what is compiled is the text as it is, but for the pragma that starts a solver', () => {
  const text = 'pragma solidity 0.7.6;\npragma experimental SMTChecker;\ncontract C {}'
  expect(withoutChecker(text)).toBe(`pragma solidity 0.7.6;\n${' '.repeat(31)}\ncontract C {}`)
})
