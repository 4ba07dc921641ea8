import { expect, test } from 'vitest'
import { exportedNames, generateQuestions, questionsOf, readQuestion } from './generate-questions.ts'

test('an index hands on values; types are no questions', () => {
  const index = "export { guardsAt, type Fact } from './guards.ts'\nexport type { Lock } from './locks.ts'\n"
  expect(exportedNames(index)).toEqual([{ name: 'guardsAt', file: 'guards.ts' }])
})

test('a question shows its parameters, its answer and what its comment says', () => {
  const source = `/** Conditions that hold
 * at an operation. */
export const guardsAt = (flow: Flow, at: Op, how: (op: Op) => boolean = always): Fact[] => []
export const keys = new Set()
/** Of a call. */
export function resultUse({ call }: Call, depth?: number) {}
`
  expect(readQuestion(source, 'guardsAt')).toEqual({
    name: 'guardsAt',
    signature: 'guardsAt(flow: Flow, at: Op, how?: (op: Op) => boolean): Fact[]',
    sentence: 'Conditions that hold at an operation.',
  })
  expect(readQuestion(source, 'keys')).toEqual({ name: 'keys', signature: 'keys', sentence: '' })
  expect(readQuestion(source, 'resultUse').signature).toBe('resultUse(call: Call, depth?: number)')
  expect(() => readQuestion(source, 'gone')).toThrow('gone')
})

test('the page lists what detectors ask most', () => {
  const [page] = generateQuestions()
  for (const name of ['guardsAt(flow', 'senderGuardsAt(flow', 'dependsOn(flow', 'tokenCalls(flow', 'tradeOf(flow'])
    expect(page?.content).toContain(`| \`${name}`)
})

test.each(['facts', 'idioms'] as const)('every question of %s has a sentence that says what it answers', (room) => {
  const silent = questionsOf(room).filter(({ sentence }) => sentence === '')
  expect(
    silent.map(({ name }) => name),
    'write a comment on these exports',
  ).toEqual([])
})
