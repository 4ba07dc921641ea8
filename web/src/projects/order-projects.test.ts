import { expect, test } from 'vitest'
import { branchesOf, orderProjects } from './order-projects.ts'

const projects = [
  { name: 'vault', score: 84, trend: [{ at: '2026-03-02' }] },
  { name: 'Bridge', score: 40, trend: [{ at: '2026-03-09' }] },
  { name: 'amm', score: 84, trend: [] },
]
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)

test('projects by last scan, by name and by score, the lowest first', () => {
  expect(names(orderProjects(projects, '', 'latest'))).toEqual(['Bridge', 'vault', 'amm'])
  expect(names(orderProjects(projects, '', 'name'))).toEqual(['amm', 'Bridge', 'vault'])
  expect(names(orderProjects(projects, '', 'score'))).toEqual(['Bridge', 'amm', 'vault'])
})

test('those whose name contains the words, whatever their case', () => {
  expect(names(orderProjects(projects, ' bri', 'latest'))).toEqual(['Bridge'])
  expect(orderProjects(projects, 'nothing', 'latest')).toEqual([])
})

test('each branch once, with its newest scan', () => {
  const trend = [
    { ref: 'main', scanId: '4' },
    { ref: 'fee', scanId: '3' },
    { ref: 'main', scanId: '2' },
    { ref: null, scanId: '1' },
  ]
  expect(branchesOf(trend).map(({ scanId }) => scanId)).toEqual(['4', '3', '1'])
})
