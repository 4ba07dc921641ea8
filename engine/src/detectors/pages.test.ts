import { describe, expect, test } from 'vitest'
import { silencesOf } from '../report/index.ts'
import { loadDetectorExamples } from './examples.ts'
import { attackScenarios } from './generated/attack-scenarios.ts'
import { detectors } from './index.ts'

const examples = await loadDetectorExamples()
const isSentence = expect.stringMatching(/^[A-Z`].{20,}[.!?]$/s)

describe.each(detectors.map((detector) => [detector.id, detector] as const))('%s', (id, detector) => {
  test('tells how it is attacked, step by step', () => {
    const steps = attackScenarios[id] ?? []
    expect(steps.length, 'steps in page.md').toBeGreaterThan(1)
    for (const step of steps) expect(step, 'a step is a sentence with a full stop').toEqual(isSentence)
    expect(steps, 'the words of the template').not.toContain('Who does what first, with which call.')
  })

  test('shows the code, and the fixed code', () => {
    const { vulnerable, safe } = examples[id] ?? { vulnerable: '', safe: '' }
    expect([vulnerable, safe]).toEqual([expect.stringContaining('{'), expect.stringContaining('{')])
    expect(safe).not.toBe(vulnerable)
  })

  test('names incidents with their date', () => {
    for (const incident of examples[id]?.incidents ?? [])
      expect(incident, 'written as: Name (May 2021, $3M): what went wrong.').toMatch(
        /^[^(]+ \((?:[A-Z][a-z]+ )?20\d\d(?:, [^)]+)?\): .+\.$/,
      )
  })

  test('says when it stays silent, and what it cannot see', () => {
    expect(silencesOf(detector, examples[id]), 'excuses, or "# Stays silent when" in page.md').not.toEqual([])
    const limits = examples[id]?.limits ?? []
    expect(limits, 'limits in page.md').not.toEqual([])
    expect(limits, 'the words of the template').not.toContain('What it cannot see, and what it takes for granted.')
  })
})

test('every page is of one detector: no step is reported twice', () => {
  const steps = Object.values(attackScenarios).flat()
  expect(steps.filter((step, index) => steps.indexOf(step) !== index)).toEqual([])
})

test('what another page is said to be about is a detector', () => {
  const ids = new Set(detectors.map(({ id }) => id))
  for (const [id, { limits }] of Object.entries(examples))
    for (const [, named = ''] of limits.join(' ').matchAll(/`([a-z]+(?:-[a-z]+)+)`/g))
      expect(ids.has(named), `${id} speaks of ${named}`).toBe(true)
})
