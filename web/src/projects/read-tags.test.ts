import { expect, test } from 'vitest'
import { readTags } from './read-tags.ts'

test('tags are the words between commas, each once', () => {
  expect(readTags(' defi, audited ,, defi,two words')).toEqual(['defi', 'audited', 'two words'])
  expect(readTags(' ')).toEqual([])
})
