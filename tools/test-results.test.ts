import { expect, test } from 'vitest'
import { ranNothing, skippedIn, summary } from './test-results.mjs'

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
