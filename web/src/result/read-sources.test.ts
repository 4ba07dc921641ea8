import { expect, test } from 'vitest'
import { filePaths, readSources } from './read-sources.ts'
import type { ListedFinding } from './scan-view.ts'

test('a single file is its text, a project its sources by path', () => {
  expect(readSources('contract A {}', { fileName: 'A.sol' })).toEqual([{ path: 'A.sol', text: 'contract A {}' }])
  const stored = JSON.stringify({ sources: { 'src/A.sol': { content: 'a' }, 'src/B.sol': { content: 'b' } } })
  expect(readSources(stored, { files: [] })).toEqual([
    { path: 'src/A.sol', text: 'a' },
    { path: 'src/B.sol', text: 'b' },
  ])
})

test('files with findings lead', () => {
  const found = (file: string) => ({ finding: { file } }) as ListedFinding
  const sources = ['a.sol', 'b.sol', 'c.sol'].map((path) => ({ path, text: '' }))
  expect(filePaths([found('c.sol'), found('c.sol'), found('b.sol')], sources)).toEqual([
    { path: 'c.sol', count: 2 },
    { path: 'b.sol', count: 1 },
    { path: 'a.sol', count: 0 },
  ])
})
