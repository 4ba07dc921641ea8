import { expect, test } from 'vitest'
import { linesOfCode } from './lines-of-code.ts'

const text = '// SPDX\npragma solidity 0.8.28;\n\n/**\n * A bank.\n */\ncontract Bank {\n  uint256 x; // kept\n}\n'

test('counts neither empty lines nor comments', () => {
  expect(linesOfCode([{ path: 'Bank.sol', text }], {})).toBe(4)
})

test('leaves out the files of a project that were only read', () => {
  const sources = [
    { path: 'src/Bank.sol', text },
    { path: 'lib/Token.sol', text },
  ]
  expect(linesOfCode(sources, { files: [{ path: 'src/Bank.sol' }] })).toBe(4)
})
