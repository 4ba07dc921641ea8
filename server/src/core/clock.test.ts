import { expect, test } from 'vitest'
import { addDuration, addMonths, parseDuration, secondsUntil, systemClock, testClock } from './clock.ts'

const shift = (from: string, duration: string): string =>
  addDuration(new Date(from), parseDuration(duration)!).toISOString()

test.each([
  ['P1D', '2026-01-02T00:00:00.000Z'],
  ['P1W', '2026-01-08T00:00:00.000Z'],
  ['PT90M', '2026-01-01T01:30:00.000Z'],
  ['P1Y2M3DT4H5M6.5S', '2027-03-04T04:05:06.500Z'],
  ['-PT1S', '2025-12-31T23:59:59.000Z'],
])('%s after New Year is %s', (duration, expected) => {
  expect(shift('2026-01-01T00:00:00Z', duration)).toBe(expected)
})

test.each(['', 'P', 'PT', '1D', 'P1H', 'PT1D', 'P1DT', 'P-1D', 'tomorrow'])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test('a month from the 31st ends on the last day of a shorter one', () => {
  expect(addMonths(new Date('2027-01-31T08:00:00Z'), 1).toISOString()).toBe('2027-02-28T08:00:00.000Z')
  expect(addMonths(new Date('2028-01-31T08:00:00Z'), 1).toISOString()).toBe('2028-02-29T08:00:00.000Z')
  expect(addMonths(new Date('2026-03-31T08:00:00Z'), -1).toISOString()).toBe('2026-02-28T08:00:00.000Z')
})

test('an offset moves the system clock', () => {
  const before = Date.now()
  const today = systemClock(parseDuration('P1D')).now().getTime() - 86_400_000
  expect(today).toBeGreaterThanOrEqual(before)
  expect(today).toBeLessThanOrEqual(Date.now())
})

test('a test clock stands still until it travels', () => {
  const clock = testClock('2026-03-10T12:00:00Z')
  expect(clock.now()).toEqual(clock.now())
  clock.travel('PT10M')
  expect(clock.now().toISOString()).toBe('2026-03-10T12:10:00.000Z')
  clock.now().setFullYear(1999)
  expect(clock.now().getUTCFullYear()).toBe(2026)
})

test('waiting time is whole seconds, rounded up, never zero', () => {
  const now = new Date(1000)
  expect([
    secondsUntil(now, new Date(2001)),
    secondsUntil(now, new Date(1000)),
    secondsUntil(now, new Date(0)),
  ]).toEqual([2, 1, 1])
})
