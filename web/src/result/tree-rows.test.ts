import { expect, test } from 'vitest'
import type { Group } from './group.ts'
import type { ListedFinding } from './scan-view.ts'
import { rowsOf, targetOf } from './tree-rows.ts'

const item = (key: string) => ({ key, finding: { title: 'Reentrancy' } }) as ListedFinding
const group = (key: string, ...items: ListedFinding[]): Group => ({ key, title: key, severity: 'high', items })
const groups = [group('one', item('a')), group('two', item('b'), item('c'))]

test('a group of one has no head, the others do', () => {
  expect(rowsOf(groups, new Set()).map((row) => row.item?.key ?? `head of ${row.group.key}`)).toEqual([
    'a',
    'head of two',
    'b',
    'c',
  ])
  expect(rowsOf(groups, new Set(['two']))).toHaveLength(2)
})

test('arrows walk over heads, and lead from a finding to its head', () => {
  const rows = rowsOf(groups, new Set())
  expect(targetOf('ArrowDown', 0, rows)).toBe(1)
  expect(targetOf('ArrowRight', 1, rows)).toBe(2)
  expect(targetOf('ArrowLeft', 3, rows)).toBe(1)
  expect(targetOf('ArrowLeft', 0, rows)).toBeNull()
  expect(targetOf('End', 0, rows)).toBe(3)
  expect(targetOf('x', 0, rows)).toBeNull()
})
