import { expect, test } from 'vitest'
import { sharesOfTime } from './shares-of-time.ts'

test('time is the axis: a long pause is a long way', () => {
  expect(sharesOfTime([0, 10, 100])).toEqual([0, 0.1, 1])
})

test('one moment is in the middle, and equal ones stand apart', () => {
  expect(sharesOfTime([7])).toEqual([0.5])
  expect(sharesOfTime([7, 7, 7])).toEqual([0, 0.5, 1])
  expect(sharesOfTime([])).toEqual([])
})
