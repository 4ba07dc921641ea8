import { expect, test } from 'vitest'
import type { Severity } from '../detectors/define-detector.ts'
import { rate, scoreFindings, shownRating } from './security-score.ts'

const findings = (...severities: Severity[]) => severities.map((severity) => ({ severity }))

test('no findings score 100', () => {
  expect(scoreFindings([])).toEqual({
    score: 100,
    rating: 'Excellent',
    summary: { total: 0, critical: 0, high: 0, medium: 0, low: 0 },
  })
})

test.each([
  ['critical', 80],
  ['high', 90],
  ['medium', 95],
  ['low', 98],
  ['info', 99],
] as const)('one %s finding scores %i', (severity, score) => {
  expect(scoreFindings(findings(severity)).score).toBe(score)
})

test('info deducts and counts in the total alone', () => {
  const { score, summary } = scoreFindings(findings('info', 'low'))
  expect(score).toBe(97)
  expect(summary).toEqual({ total: 2, critical: 0, high: 0, medium: 0, low: 1 })
})

test('the score never leaves 0 to 100', () => {
  expect(scoreFindings(findings(...Array<Severity>(6).fill('critical')))).toMatchObject({
    score: 0,
    rating: 'Critical',
  })
})

test.each([
  [100, 'Excellent'],
  [90, 'Excellent'],
  [89, 'Good'],
  [75, 'Good'],
  [74, 'Fair'],
  [60, 'Fair'],
  [59, 'Poor'],
  [40, 'Poor'],
  [39, 'Critical'],
  [0, 'Critical'],
])('a score of %i is rated %s', (score, rating) => {
  expect(rate(score)).toBe(rating)
})

test.each([
  ['Excellent', { critical: 0, high: 0, medium: 0 }, 'Excellent'],
  ['Excellent', { critical: 0, high: 1, medium: 0 }, null],
  ['Excellent', { critical: 0, high: 0, medium: 1 }, null],
  ['Good', { critical: 1, high: 0, medium: 0 }, null],
  ['Good', { critical: 0, high: 0, medium: 4 }, 'Good'],
  ['Critical', { critical: 5, high: 0, medium: 9 }, 'Critical'],
] as const)('people read %s beside %o as %s', (rating, severe, shown) => {
  expect(shownRating(rating, severe)).toBe(shown)
})
