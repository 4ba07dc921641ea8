import { expect, test } from 'vitest'
import { openCounts, shownRating } from './rating-color.ts'

const open = (critical: number, high: number, medium = 0) => openCounts({ critical, high, medium })
const scan = (rating: string, completeness = 'full') => ({ completeness, securityScore: { rating } })

test('no word that reassures stands beside an open critical or high finding', () => {
  expect(shownRating(scan('Excellent'), open(0, 0))).toBe('Excellent')
  expect(shownRating(scan('Excellent'), open(0, 1))).toBeNull()
  expect(shownRating(scan('Fair'), open(0, 1))).toBeNull()
  expect(shownRating(scan('Poor'), open(0, 2))).toBe('Poor')
  expect(shownRating(scan('Excellent'), open(0, 0, 1))).toBeNull()
  expect(shownRating(scan('Good'), open(0, 0, 1))).toBe('Good')
})

test('`Critical` stands beside an open critical finding only', () => {
  expect(shownRating(scan('Critical'), open(1, 0))).toBe('Critical')
  expect(shownRating(scan('Critical'), open(0, 3))).toBeNull()
  expect(shownRating(scan('Critical'), open(0, 0, 100))).toBeNull()
})

test('what was read in part has no rating', () => {
  expect(shownRating(scan('Excellent', 'partial'), open(0, 0))).toBe('Incomplete')
  expect(shownRating({ ...scan('Good'), message: 'Incomplete: 2 imports are missing.' }, open(0, 1))).toBe('Incomplete')
})
