import { expect, test } from 'vitest'
import { timeLeft } from './time-left.ts'

const start = '2026-03-10T12:00:00.000Z'
const after = (seconds: number) => Date.parse(start) + seconds * 1000

test('the rest takes as long as what is done did', () => {
  expect(timeLeft(start, { filesDone: 10, files: 40 }, after(5))).toBe('15 s')
  expect(timeLeft(start, { filesDone: 10, files: 110 }, after(60))).toBe('10 min')
})

test('nothing is estimated before a file is done, or after the last', () => {
  expect(timeLeft(null, null, after(5))).toBeUndefined()
  expect(timeLeft(start, { filesDone: 0, files: 4 }, after(5))).toBeUndefined()
  expect(timeLeft(start, { filesDone: 4, files: 4 }, after(5))).toBeUndefined()
})
