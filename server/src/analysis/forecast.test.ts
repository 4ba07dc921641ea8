import { expect, test } from 'vitest'
import { createForecast } from './forecast.ts'

const after = (places: number, ...ran: number[]) => {
  const forecast = createForecast(places)
  for (const ms of ran) forecast.note(ms)
  return forecast
}
const twenty = (ms: number): number[] => Array.from({ length: 20 }, () => ms)

test('the wait is what those ahead took of late, shared by the places', () => {
  expect(after(2, ...twenty(100)).waitMs(10)).toBeCloseTo(500, -1)
  expect(after(4, ...twenty(100)).waitMs(10)).toBeCloseTo(250, -1)
  expect(after(2).waitMs(0)).toBe(0)
})

test('when the machine becomes slower the same line means a longer wait, and a shorter one when it is fast again', () => {
  const slower = after(1, ...twenty(50), ...twenty(500))
  expect(slower.waitMs(10)).toBeGreaterThan(4_900)
  for (const ms of twenty(50)) slower.note(ms)
  expect(slower.waitMs(10)).toBeLessThan(600)
})
