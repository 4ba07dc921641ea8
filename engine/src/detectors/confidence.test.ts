import { expect, test } from 'vitest'
import { type Confidence, confidenceOf, type Grounds } from './confidence.ts'

const cases: readonly [why: string, claim: Confidence, grounds: Grounds, isResolved: boolean, level: Confidence][] = [
  ['nothing in particular was seen', 'medium', {}, true, 'medium'],
  ['a witness makes a claim surer', 'medium', { hasWitness: true }, true, 'high'],
  ['there is nothing above high', 'high', { hasWitness: true }, true, 'high'],
  ['a file is missing', 'high', {}, false, 'medium'],
  ['a file is missing, which is no reason to say nothing', 'medium', {}, false, 'medium'],
  ['a witness does not replace a missing file', 'medium', { hasWitness: true }, false, 'medium'],
  ['the text is the weakness, whatever is missing', 'high', { isInText: true }, false, 'high'],
  ['nobody knows who runs', 'high', { decidedBy: 'unknown' }, true, 'medium'],
  ['the keepers decide what runs', 'high', { decidedBy: 'governed' }, true, 'low'],
  ['an outsider decides', 'high', { decidedBy: 'outsider' }, true, 'high'],
  ['nothing is at stake', 'medium', { stake: 'none' }, true, 'low'],
  ['accounting is at stake', 'high', { stake: 'accounting' }, true, 'high'],
  ['one doubt', 'high', { doubts: ['gas is limited'] }, true, 'medium'],
  ['a witness against a doubt', 'medium', { hasWitness: true, doubts: ['a role'] }, true, 'medium'],
  ['nothing is below low', 'low', { decidedBy: 'governed', stake: 'none', doubts: ['a', 'b'] }, true, 'low'],
]

for (const [why, claim, grounds, isResolved, level] of cases)
  test(`${claim} becomes ${level}: ${why}`, () =>
    expect(confidenceOf(claim, grounds, { isResolved, isReached: true })).toBe(level))

test('without an entry point a finding is for review, unless the text itself is the vulnerability', () => {
  const unreached = { isResolved: true, isReached: false }
  expect(confidenceOf('high', { hasWitness: true }, unreached)).toBe('low')
  expect(confidenceOf('high', { isInText: true }, unreached)).toBe('high')
})
