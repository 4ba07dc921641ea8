import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createIo, type Situation } from '../testing/captured-io.ts'
import { createProgress } from './progress.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const open = (situation: Situation, isWanted = true) => {
  const captured = { out: '', err: '' }
  return { captured, progress: createProgress(isWanted, createIo('/', situation, captured)) }
}

test('on a terminal a bar tells how much is done, and it is gone in the end', () => {
  const { captured, progress } = open({ isTerminal: true })
  progress.show(0, 8)
  vi.advanceTimersByTime(1000)
  progress.show(4, 8)
  expect(captured.err.split('\r\x1b[K').at(-1)).toBe(
    `${'█'.repeat(12)}${'░'.repeat(12)} 4/8 files, 1 s, about 1 s left`,
  )
  progress.end()
  expect(captured.err.endsWith('\r\x1b[K')).toBe(true)
  expect(captured.out).toBe('')
})

test('it names the stage, also before the files are counted', () => {
  const { captured, progress } = open({ isTerminal: true })
  progress.show(0, 0, 'reading')
  vi.advanceTimersByTime(1000)
  expect(captured.err).toContain(' reading files, 1 s')
  progress.show(0, 8, 'parsing')
  expect(captured.err).toContain(' parsing 0/8 files, 1 s')
  progress.show(4, 8, 'analyzing')
  expect(captured.err).toContain(' analyzing 4/8 files, 1 s, about 1 s left')
  progress.end()
})

test('it moves on by itself while one file takes long, and no more once it has ended', () => {
  const { captured, progress } = open({ isTerminal: true })
  progress.show(1, 2)
  vi.advanceTimersByTime(3000)
  expect(captured.err).toContain('1/2 files, 3 s')
  progress.end()
  const written = captured.err
  vi.advanceTimersByTime(3000)
  expect(captured.err).toBe(written)
})

test('a scan that is over at once shows none', () => {
  const { captured, progress } = open({ isTerminal: true })
  progress.show(0, 8)
  vi.advanceTimersByTime(200)
  progress.show(8, 8)
  progress.end()
  expect(captured.err).toBe('')
})

test.each([
  ['in a pipe', { isTerminal: false }, true],
  ['in a pipeline', { isTerminal: true, environment: { CI: 'true' } }, true],
  ['on a terminal that knows no cursor', { isTerminal: true, environment: { TERM: 'dumb' } }, true],
  ['where machines read, or with --quiet', { isTerminal: true }, false],
] as const)('quiet %s', (_where, situation, isWanted) => {
  const { captured, progress } = open(situation, isWanted)
  progress.show(0, 8)
  vi.advanceTimersByTime(5000)
  progress.show(8, 8)
  progress.end()
  expect(captured.err).toBe('')
})
