import { expect, test } from 'vitest'
import { allCounts, openIn } from './all-counts.ts'

const counts = { critical: 0, high: 1, medium: 0, low: 0, info: 0, advisories: 2 }
const tally = { bySeverity: { critical: 1, high: 1, medium: 1, low: 0, info: 0 } }

test('findings outside the SWC list count by their severity, like any other', () => {
  expect(allCounts({ tally, counts })).toEqual({ critical: 1, high: 1, medium: 1, low: 0, info: 0, advisories: 0 })
  expect(openIn({ tally, counts })).toEqual({ critical: 1, severe: 2, medium: 1 })
})

test('an older scan kept the severities of the SWC list only; a scan without a result has none', () => {
  expect(allCounts({ tally: null, counts })).toBe(counts)
  expect(openIn({ tally: null, counts })).toEqual({ critical: 0, severe: 1, medium: 0 })
  expect(allCounts({ tally: null, counts: null })).toBeNull()
  expect(openIn({})).toEqual({ critical: 0, severe: 0, medium: 0 })
})
