import { expect, test } from 'vitest'
import { formatAgo } from '../components/format.ts'
import { daysToQuery, isSearching, readHistorySearch } from './history-search.ts'

test('reads what it knows and leaves out the rest', () => {
  expect(
    readHistorySearch({ name: 'Vault', kind: 'ai', rating: 'Poor', severity: 'high', via: 'key', page: 3 }),
  ).toEqual({
    name: 'Vault',
    kind: 'ai',
    rating: 'Poor',
    severity: 'high',
    via: 'key',
  })
  expect(readHistorySearch({ name: '', kind: 'other', rating: 'Bad', severity: 'info', via: 'mail' })).toEqual({})
  expect(isSearching({})).toBe(false)
})

test('times are reported from now', () => {
  const now = Date.parse('2026-01-10T12:00:00Z')
  expect(formatAgo('2026-01-10T11:59:40Z', now)).toBe('just now')
  expect(formatAgo('2026-01-10T09:00:00Z', now)).toBe('3 hours ago')
  expect(formatAgo('2026-01-09T11:00:00Z', now)).toBe('yesterday')
})

test('days are kept as days, and the last one is included', () => {
  const days = { from: '2026-02-27', to: '2026-02-28' }
  expect(readHistorySearch({ ...days, via: 'key' })).toEqual({ ...days, via: 'key' })
  expect(readHistorySearch({ from: 'yesterday', to: '2026-13-01' })).toEqual({})
  expect(daysToQuery(days)).toEqual({ from: '2026-02-27', to: '2026-03-01' })
  expect(daysToQuery({})).toEqual({})
})
