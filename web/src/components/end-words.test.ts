import { expect, test } from 'vitest'
import { endWords } from './end-words.ts'

const at = (day: number, time = '12:00:00') => `2026-11-${day}T${time}`

test('the ends of a time axis never have the same words, unless they are the same moment', () => {
  for (const [first, last] of [
    [at(10), at(12)],
    [at(10), at(10, '15:30:00')],
    [at(10), at(10, '12:00:40')],
  ] as const)
    expect(endWords(first, last)).not.toBe(endWords(last, first))
})

test('an axis of days names days, one point its own', () => {
  expect(endWords(at(10), at(12))).toContain('10')
  expect(endWords(at(10), at(12))).not.toContain(':')
  expect(endWords(at(10), undefined)).not.toContain(':')
})
