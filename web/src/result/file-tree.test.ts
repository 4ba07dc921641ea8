import { expect, test } from 'vitest'
import type { Severity } from '../components/severities.ts'
import { type FileNode, fileTree } from './file-tree.ts'
import type { ListedFinding } from './scan-view.ts'

const found = (file: string, severity: Severity): ListedFinding =>
  ({ finding: { file, severity }, listed: 'weakness', key: `${file} ${severity}` }) as ListedFinding

const drawn = (nodes: readonly FileNode[], indent = ''): string[] =>
  nodes.flatMap(({ name, count, worst, children }) => [
    `${indent}${name}${children ? '/' : ''} ${count}${worst ? ` ${worst}` : ''}`,
    ...drawn(children ?? [], `${indent}  `),
  ])

const paths = (...names: string[]) => names.map((path) => ({ path, text: '' }))

test('folders count what is under them, and the worst of it gives the colour', () => {
  const all = [found('src/Bank.sol', 'low'), found('src/lib/Math.sol', 'critical'), found('src/lib/Math.sol', 'info')]
  expect(drawn(fileTree(all, paths('test/T.sol', 'src/Bank.sol', 'src/lib/Math.sol', 'Root.sol')))).toEqual([
    'src/ 3 critical',
    '  lib/ 2 critical',
    '    Math.sol 2 critical',
    '  Bank.sol 1 low',
    'test/ 0',
    '  T.sol 0',
    'Root.sol 0',
  ])
})

test('a folder with nothing but one folder in it is named with it', () => {
  expect(drawn(fileTree([], paths('contracts/token/A.sol', 'contracts/token/B.sol')))).toEqual([
    'contracts/token/ 0',
    '  A.sol 0',
    '  B.sol 0',
  ])
})

test('every file keeps its whole path', () => {
  const [folder] = fileTree([], paths('a/b/C.sol'))
  expect(folder?.path).toBe('a/b')
  expect(folder?.children?.[0]?.path).toBe('a/b/C.sol')
})
