import { expect, test } from 'vitest'
import { exportedNames, generateQuestions, readQuestion } from './generate-questions.ts'

test('an index hands on values; types are no questions', () => {
  const index = "export { guardsAt, type Fact } from './guards.ts'\nexport type { Lock } from './locks.ts'\n"
  expect(exportedNames(index)).toEqual([{ name: 'guardsAt', file: 'guards.ts' }])
})

test('a question shows its parameters and what its comment says', () => {
  const source = `/** Conditions that hold
 * at an operation. */
export const guardsAt = (flow: Flow, at: Op, how: (op: Op) => boolean = always): Fact[] => []
export const keys = new Set()
/** Of a call. */
export function resultUse({ call }: Call, depth?: number) {}
`
  expect(readQuestion(source, 'guardsAt')).toEqual({
    name: 'guardsAt',
    call: 'guardsAt(flow, at, how)',
    sentence: 'Conditions that hold at an operation.',
  })
  expect(readQuestion(source, 'keys')).toEqual({ name: 'keys', call: 'keys', sentence: '' })
  expect(readQuestion(source, 'resultUse').call).toBe('resultUse(call, depth)')
})

test('the page lists what detectors ask most', () => {
  const [page] = generateQuestions()
  for (const name of ['guardsAt(flow', 'senderGuardsAt(flow', 'dependsOn(flow', 'tokenCalls(flow', 'tradeOf(flow'])
    expect(page?.content).toContain(`| \`${name}`)
})
