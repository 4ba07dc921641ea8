import { expect, test } from 'vitest'
import { proofDeadline } from './proof-deadline.ts'

const freeBudgetMs = 10_000
const freeAnswerMs = 15_000
/** What comes on top of the proof: the scan, the start of a process, the stored result. */
const restPart = 0.2

test('a prover that keeps to its budget is not ended from outside, and one that does not leaves time for the rest of the request', () => {
  const { cpuMs, wallMs } = proofDeadline(freeBudgetMs)
  expect(cpuMs).toBeGreaterThan(freeBudgetMs)
  expect(wallMs).toBeGreaterThan(cpuMs)
  expect(wallMs).toBeLessThanOrEqual((1 - restPart) * freeAnswerMs)
})
