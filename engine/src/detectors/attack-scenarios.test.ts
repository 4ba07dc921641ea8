import { expect, test } from 'vitest'
import { attackScenarios } from './attack-scenarios.ts'
import { detectors } from './index.ts'

/** The classes of the written interface. */
const fifteen = [101, 103, 104, 105, 106, 107, 112, 113, 114, 115, 116, 118, 120, 123, 132]

test('every scenario is that of a detector, and has steps', () => {
  const ids = new Set(detectors.map(({ id }) => id))
  for (const [id, steps] of Object.entries(attackScenarios)) {
    expect(ids, id).toContain(id)
    expect(steps.length, id).toBeGreaterThan(1)
  }
})

test('each class of the written interface tells how it is attacked', () => {
  for (const number of fifteen) {
    const own = detectors.filter(({ swc }) => swc === `SWC-${number}`)
    expect(
      own.some(({ id }) => id in attackScenarios),
      `SWC-${number}: ${own.map(({ id }) => id)}`,
    ).toBe(true)
  }
})
