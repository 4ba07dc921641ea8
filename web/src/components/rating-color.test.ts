import { expect, test } from 'vitest'
import { shownRating } from './rating-color.ts'

const scan = (rating: string, completeness = 'full') => ({ completeness, securityScore: { rating } })

test('no word that reassures stands beside an open critical or high finding', () => {
  expect(shownRating(scan('Excellent'), { severe: 0, medium: 0 })).toBe('Excellent')
  expect(shownRating(scan('Excellent'), { severe: 1, medium: 0 })).toBeNull()
  expect(shownRating(scan('Fair'), { severe: 1, medium: 0 })).toBeNull()
  expect(shownRating(scan('Poor'), { severe: 2, medium: 0 })).toBe('Poor')
  expect(shownRating(scan('Excellent'), { severe: 0, medium: 1 })).toBeNull()
  expect(shownRating(scan('Good'), { severe: 0, medium: 1 })).toBe('Good')
})

test('what was read in part has no rating', () => {
  expect(shownRating(scan('Excellent', 'partial'), { severe: 0, medium: 0 })).toBe('Incomplete')
  expect(
    shownRating({ ...scan('Good'), message: 'Incomplete: 2 imports are missing.' }, { severe: 1, medium: 0 }),
  ).toBe('Incomplete')
})
