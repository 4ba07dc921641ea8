import { expect, test } from 'vitest'
import { shownRating } from './rating-color.ts'

const scan = (rating: string, completeness = 'full') => ({ completeness, securityScore: { rating } })

test('no word that reassures stands beside an open critical or high finding', () => {
  expect(shownRating(scan('Excellent'), 0)).toBe('Excellent')
  expect(shownRating(scan('Excellent'), 1)).toBeNull()
  expect(shownRating(scan('Fair'), 1)).toBeNull()
  expect(shownRating(scan('Poor'), 2)).toBe('Poor')
})

test('what was read in part has no rating', () => {
  expect(shownRating(scan('Excellent', 'partial'), 0)).toBe('Incomplete')
  expect(shownRating({ ...scan('Good'), message: 'Incomplete: 2 imports are missing.' }, 1)).toBe('Incomplete')
})
