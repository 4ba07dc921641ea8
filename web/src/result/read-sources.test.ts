import { expect, test } from 'vitest'
import { readSources } from './read-sources.ts'

test('a single file is its text, a project its sources by path', () => {
  expect(readSources('contract A {}', { fileName: 'A.sol' })).toEqual([{ path: 'A.sol', text: 'contract A {}' }])
  const stored = JSON.stringify({ sources: { 'src/A.sol': { content: 'a' }, 'src/B.sol': { content: 'b' } } })
  expect(readSources(stored, { files: [] })).toEqual([
    { path: 'src/A.sol', text: 'a' },
    { path: 'src/B.sol', text: 'b' },
  ])
})
