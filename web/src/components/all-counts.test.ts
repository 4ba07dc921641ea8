import { expect, test } from 'vitest'
import { allCounts, severeIn } from './all-counts.ts'

const counts = { critical: 0, high: 1, medium: 0, low: 0, info: 0, advisories: 2 }
const tally = { bySeverity: { critical: 1, high: 1, medium: 1, low: 0, info: 0 } }

test('findings outside the SWC list count by their severity, like any other', () => {
  expect(allCounts({ tally, counts })).toEqual({ critical: 1, high: 1, medium: 1, low: 0, info: 0, advisories: 0 })
  expect(severeIn({ tally, counts })).toBe(2)
})

test('an older scan kept the severities of the SWC list only; a scan without a result has none', () => {
  expect(allCounts({ tally: null, counts })).toBe(counts)
  expect(severeIn({ tally: null, counts })).toBe(1)
  expect(allCounts({ tally: null, counts: null })).toBeNull()
  expect(severeIn({})).toBe(0)
})
