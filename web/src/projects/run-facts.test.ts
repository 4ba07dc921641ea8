import { expect, test } from 'vitest'
import { type Run, runFacts, startingPoints } from './run-facts.ts'

const run: Run = {
  ref: 'main',
  commit: '3f9c1ab2d4e5',
  engineVersion: '0.1.0',
  fileCount: 293,
  completeness: 'partial',
  startedAt: '2026-03-10T12:00:00.000Z',
  finishedAt: '2026-03-10T12:00:02.340Z',
}

test('a run says the state of the code, what was read, how long it took and which engine read it', () => {
  expect(runFacts(run)).toEqual(['main@3f9c1ab', '293 files', 'partly read', '2.3 s', 'engine 0.1.0'])
})

test('files that were read for others alone are listed apart', () => {
  const of = (judged: number) => runFacts({ ...run, files: Array(judged).fill({}) }).slice(1, 3)
  expect(of(2)).toEqual(['2 files', '291 read only (dependencies, tests)'])
  expect(of(293)).toEqual(['293 files', 'partly read'])
})

test('what is not known is left out', () => {
  const bare = { ref: null, commit: null, engineVersion: null, completeness: 'full', startedAt: null, finishedAt: null }
  expect(runFacts({ ...bare, fileCount: 1 })).toEqual(['1 file'])
  expect(runFacts({ ...run, startedAt: run.finishedAt })).not.toContain('0 ms')
})

test('counts from the scan before the last, or from the newest of another branch or tag', () => {
  const at = (scanId: string, ref: string | null) => ({ scanId, ref, commit: null, at: '' })
  const trend = [at('5', 'main'), at('4', 'v1.1'), at('3', 'main'), at('2', 'v1.0'), at('1', 'v1.1')]
  expect(startingPoints(trend, 'main').map(({ scanId }) => scanId)).toEqual(['3', '4', '2'])
  expect(startingPoints([at('1', null)], null)).toEqual([])
})
