import { expect, test } from 'vitest'
import { whatWasTried } from './tried-attacks.ts'

test('a confirmed finding needs no such line', () => {
  expect(whatWasTried({ status: 'confirmed', summary: 'the attacker takes all' }, 'weakness')).toBeUndefined()
})

test.each([
  [{ status: 'not-reproduced', summary: 'ran out of time after 12 calls; the finding stands as it is' }],
  [{ status: 'not-attempted', summary: 'not attempted: the prover ran out of time' }],
])('the prover is quoted: %o', (evidence) => {
  expect(whatWasTried(evidence, 'weakness')).toBe(`${evidence.summary}.`)
})

test.each([
  ['weakness', 'not verified: time limit reached.'],
  ['advisory', 'not verified: time limit reached.'],
  ['suppressed', 'not verified: suppressed in code.'],
  ['model', 'not verified: found by AI only.'],
] as const)('of a %s that has no evidence it is said why', (listed, words) => {
  expect(whatWasTried(undefined, listed)).toBe(words)
})
