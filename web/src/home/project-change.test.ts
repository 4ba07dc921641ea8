import { describe, expect, test } from 'vitest'
import { changeOf, firstSteps, sparkline } from './project-change.ts'

const point = (scanId: string, score: number) => ({ scanId, at: '2026-01-01T00:00:00.000Z', score })

describe('the change of a project', () => {
  test('is the newest score against the one before', () => {
    expect(changeOf([point('c', 70), point('b', 95), point('a', 10)])).toEqual({
      score: 70,
      change: -25,
      before: 'b',
      newest: 'c',
    })
  })

  test('is unknown after a single scan, and there is none without scans', () => {
    expect(changeOf([point('a', 70)])).toEqual({ score: 70, change: null, before: null, newest: 'a' })
    expect(changeOf([])).toBeUndefined()
  })

  test('is drawn from the oldest at the left, a full score at the top', () => {
    expect(sparkline([point('b', 100), point('a', 0)], 80, 20)).toBe('M0.0 20.0 L80.0 0.0')
    expect(sparkline([point('a', 50)], 80, 20)).toBe('M0.0 10.0')
  })
})

test('the first steps tick off one by one', () => {
  const ticks = (done: Parameters<typeof firstSteps>[0]) => firstSteps(done).map(({ isDone }) => isDone)
  expect(ticks({ scans: 0, keys: 0, usedKeys: 0 })).toEqual([false, false, false])
  expect(ticks({ scans: 2, keys: 1, usedKeys: 0 })).toEqual([true, true, false])
  expect(ticks({ scans: 2, keys: 1, usedKeys: 1 })).toEqual([true, true, true])
})
