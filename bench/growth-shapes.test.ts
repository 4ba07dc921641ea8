/** Every input that once held a worker for seconds or minutes, small as it is, is answered in bounded work. */
import type { Report } from '@assay/engine'
import { afterAll, expect, test } from 'vitest'
import { loadCounted } from '../tools/count-steps.ts'
import { hostileInputs } from './growth-shapes.ts'

/** Less than a second of one processor. */
const mostSteps = 43_000_000

const counted = loadCounted<{ scan: (text: string) => Report }>(new URL('../engine/src/index.ts', import.meta.url))

afterAll(() => counted.stop())

test.each(Object.entries(hostileInputs))('%s', (_, text) => {
  let report: Report | undefined
  const steps = counted.countSteps(({ scan }) => {
    report = scan(text)
  })
  expect(report!.diagnostics.filter(({ code }) => code === 'detector-failed')).toEqual([])
  expect(steps).toBeLessThan(mostSteps)
})
