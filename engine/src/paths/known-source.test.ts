import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { digestOf, isKnownSource, withoutCopies } from './known-source.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
const context = `pragma solidity ^0.8.0;
abstract contract Context {
    function _msgSender() internal view virtual returns (address) { return msg.sender; }
    function _msgData() internal view virtual returns (bytes calldata) { return msg.data; }
}`

describe('a copy of a known library', () => {
  test('is known whatever its comments, pragma, imports and blanks', () => {
    expect(isKnownSource(context, sha256)).toBe(true)
    const copy = `// SPDX-License-Identifier: MIT\n/* copied */ import "./A.sol";\n${context.replace('^0.8.0', '0.8.17').replaceAll('    ', '\t')}`
    expect(isKnownSource(copy, sha256)).toBe(true)
  })

  test('is none once its code differs, or where there is too little code', () => {
    expect(isKnownSource(context.replace('msg.sender', 'tx.origin'), sha256)).toBe(false)
    expect(digestOf('contract A {}', sha256)).toBeUndefined()
  })

  test.each(['/*', 'pragma ', 'import ', '//', '/* ', ';'])('is looked for in any text: %s, often', (part) => {
    expect(isKnownSource(part.repeat(500_000), sha256)).toBe(false)
  })
})

test('copies count as the project where most files are copies', () => {
  const isCopy = (file: string): boolean => file.startsWith('copy')
  expect(withoutCopies(['a', 'b', 'copy'], isCopy)).toEqual(['a', 'b'])
  expect(withoutCopies(['a', 'copy'], isCopy)).toEqual(['a', 'copy'])
  expect(withoutCopies(['copy'], isCopy)).toEqual(['copy'])
})
