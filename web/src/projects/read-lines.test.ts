import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

test('each line once, without blanks and empty ones', () => {
  expect(readLines(' src/legacy\r\n\n@a/=lib/a/\nsrc/legacy ')).toEqual(['src/legacy', '@a/=lib/a/'])
  expect(readLines('  \n')).toEqual([])
})
