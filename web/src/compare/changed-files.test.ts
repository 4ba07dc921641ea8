import { expect, test } from 'vitest'
import { changedFiles } from './changed-files.ts'

const files = (given: Record<string, string>) => Object.entries(given).map(([path, text]) => ({ path, text }))

test('of two projects only what differs is shown, also what came and what went', () => {
  const before = files({ 'src/A.sol': 'a', 'src/B.sol': 'b', 'src/Old.sol': 'o' })
  const after = files({ 'src/B.sol': 'b2', 'src/A.sol': 'a', 'src/New.sol': 'n' })
  expect(changedFiles(before, after)).toEqual([
    { path: 'src/B.sol', before: 'b', after: 'b2' },
    { path: 'src/New.sol', before: '', after: 'n' },
    { path: 'src/Old.sol', before: 'o', after: '' },
  ])
})

test('one file is compared with one file under any name', () => {
  expect(changedFiles(files({ 'A.sol': 'a' }), files({ 'B.sol': 'b' }))).toEqual([
    { path: 'B.sol', before: 'a', after: 'b' },
  ])
  expect(changedFiles(files({ 'A.sol': 'a' }), files({ 'B.sol': 'a' }))).toEqual([])
})
