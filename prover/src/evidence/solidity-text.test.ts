import { expect, test } from 'vitest'
import { commentText, stringText } from './solidity-text.ts'

test('a name in a comment begins no line', () => {
  const name = 'A\ncontract Injected { constructor() { revert(); } }\r\u2028\u2029\u0085\u202e.sol'
  expect(commentText(name)).not.toMatch(/[\n\r\u0085\u2028\u2029\u202e]/)
  expect(commentText('src/Vault.sol: 1 ether')).toBe('src/Vault.sol: 1 ether')
})

test('a name in an import does not end it', () => {
  expect(stringText('B"; import "evil.sol.sol')).toBe('B\\"; import \\"evil.sol.sol')
  expect(stringText('a\\b\nü.sol')).toBe('a\\\\b\\u000a\\u00fc.sol')
  expect(stringText('Vault.sol')).toBe('Vault.sol')
})
