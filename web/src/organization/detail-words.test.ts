import { expect, test } from 'vitest'
import { detailWords } from './detail-words.ts'

const emails = new Map([
  ['mem_1', 'ada@example.com'],
  ['mem_2', 'bob@example.com'],
])

test('a member is named once, by the address', () => {
  const joined = { member: 'mem_2', email: 'bob@example.com', role: 'member', by: 'mem_2' }
  expect(detailWords(joined, emails)).toBe('member: bob@example.com · role: member · by: bob@example.com')
})

test('the address that was invited stays, and who left keeps the id', () => {
  expect(detailWords({ email: 'eve@example.com', by: 'mem_1' }, emails)).toBe(
    'email: eve@example.com · by: ada@example.com',
  )
  expect(detailWords({ member: 'mem_9', by: 'mem_1' }, emails)).toBe('member: mem_9 · by: ada@example.com')
})

test('a project is named, by its id only where the log has no name', () => {
  expect(detailWords({ projectId: 'prj_1', project: 'vault', gate: 'high' }, emails)).toBe(
    'project: vault · gate: high',
  )
  expect(detailWords({ projectId: 'prj_1', gate: 'off' }, emails)).toBe('projectId: prj_1 · gate: off')
})
