import { expect, test } from 'vitest'
import { badgeMarkdown, endOf, readToken } from './link-words.ts'

test('a link of a year ends before the service would call it too long', () => {
  expect(endOf(365, new Date('2026-03-10T12:00:00.000Z'))).toBe('2027-03-10T11:59:00.000Z')
})

test('a badge leads to the service that drew it', () => {
  expect(badgeMarkdown('https://assay.example.com/api/v1/shared/abc/badge.svg')).toBe(
    '[![Assay score](https://assay.example.com/api/v1/shared/abc/badge.svg)](https://assay.example.com/)',
  )
})

test.each([
  ['#J4k7wPz2mQ9rT5vX8bN1cL3dF6gH0sY4aE7uI2oR5pK', 'J4k7wPz2mQ9rT5vX8bN1cL3dF6gH0sY4aE7uI2oR5pK'],
  ['', ''],
  ['#main', ''],
  ['#../../me', ''],
])('the token of %j is %j', (hash, token) => {
  expect(readToken(hash)).toBe(token)
})
