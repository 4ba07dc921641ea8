import { expect, test } from 'vitest'
import { openAndFixed } from './open-and-fixed.ts'

const counts = (high: number, low = 0) => ({ critical: 0, high, medium: 0, low, info: 0, advisories: 2 })
const scan = (scanId: string, day: number, high: number, more = {}) => ({
  scanId,
  createdAt: `2026-03-0${day}T00:00:00Z`,
  status: 'completed',
  ref: null,
  counts: counts(high, 1),
  ...more,
})

test('scans of the branch come oldest first, with what was fixed before each', () => {
  const scans = [scan('c', 5, 1), scan('b', 3, 2), scan('a', 1, 3)]
  const fixed = [{ lastSeenAt: '2026-03-01T00:00:01Z' }, { lastSeenAt: '2026-03-03T00:00:00Z' }]
  expect(openAndFixed(scans, null, fixed).map(({ scanId, total, fixed }) => [scanId, total, fixed])).toEqual([
    ['a', 6, 0],
    ['b', 5, 1],
    ['c', 4, 2],
  ])
})

test('other branches, failures and scans without counts are left out', () => {
  const scans = [
    scan('a', 1, 1, { ref: 'dev' }),
    scan('b', 2, 1, { status: 'failed' }),
    scan('c', 3, 1, { counts: null }),
  ]
  expect(openAndFixed(scans, null, [])).toEqual([])
})
