import { expect, test } from 'vitest'
import { largestFolders } from './largest-folders.ts'

test('folders two levels deep, the one with the most files first', () => {
  const paths = ['a/b/A.sol', 'a/b/c/B.sol', 'a/d/C.sol', 'src/E.sol', 'Root.sol']
  expect(largestFolders(paths, 2)).toEqual([
    { folder: 'a/b', files: 2 },
    { folder: 'a/d', files: 1 },
  ])
})

test('none where all files are in one folder: leaving it out would leave nothing', () => {
  expect(largestFolders(['src/A.sol', 'src/B.sol'])).toEqual([])
})
