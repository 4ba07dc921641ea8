import { expect, test } from 'vitest'
import { asPassed, failedFilesIn, failedIn, ranNothing, skippedIn, summary } from './test-results.mjs'

const results = (passed: number, failed: number, skipped: number, testResults: object[] = []) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  numTodoTests: 0,
  testResults,
})

test('a filter that matches no test is a mistake', () => {
  expect(ranNothing(results(0, 0, 540))).toBe(true)
  expect(ranNothing(undefined)).toBe(true)
  expect(ranNothing(results(1, 0, 540))).toBe(false)
  expect(ranNothing(results(0, 1, 0))).toBe(false)
})

test('a file that could not be loaded counts as a failure', () => {
  const unloaded = results(2, 0, 0, [{ status: 'failed', assertionResults: [] }])
  expect(summary(unloaded)).toBe('tests: 2 passed, 1 failed, 0 skipped')
  expect(ranNothing(results(0, 0, 0, [{ status: 'failed', assertionResults: [] }]))).toBe(false)
  expect(summary(undefined)).toBe('tests: 0 passed, 1 failed, 0 skipped')
})

test('names what was skipped', () => {
  const tests = [
    { status: 'passed', fullName: 'a' },
    { status: 'skipped', fullName: 'b' },
    { status: 'todo', fullName: 'c' },
  ]
  expect(skippedIn(results(1, 0, 1, [{ status: 'passed', assertionResults: tests }]))).toEqual(['b', 'c'])
})

test('names what failed, and the files to run once more', () => {
  const walk = {
    status: 'failed',
    name: '/web/walk.test.ts',
    assertionResults: [{ status: 'failed', fullName: 'logs in' }],
  }
  const unloaded = { status: 'failed', name: '/web/broken.test.ts', assertionResults: [] }
  const whole = results(1, 1, 0, [
    { status: 'passed', name: '/web/fine.test.ts', assertionResults: [] },
    walk,
    unloaded,
  ])
  expect(failedIn(whole)).toEqual(['logs in'])
  expect(failedFilesIn(whole)).toEqual(['/web/walk.test.ts', '/web/broken.test.ts'])
  expect(failedFilesIn(undefined)).toEqual([])
  expect(summary(asPassed(whole))).toBe('tests: 3 passed, 0 failed, 0 skipped')
})
