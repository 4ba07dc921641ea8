import { expect, test } from 'vitest'
import { type Confidence, type ConfidenceFactors, confidenceOf, reasonForReview } from './confidence.ts'

const cases: readonly [
  why: string,
  claim: Confidence,
  factors: ConfidenceFactors,
  isResolved: boolean,
  level: Confidence,
][] = [
  ['nothing in particular was seen', 'medium', {}, true, 'medium'],
  ['a witness makes a claim surer', 'medium', { hasWitness: true }, true, 'high'],
  ['there is nothing above high', 'high', { hasWitness: true }, true, 'high'],
  ['a file is missing', 'high', {}, false, 'medium'],
  ['a file is missing, which is no reason to say nothing', 'medium', {}, false, 'medium'],
  ['a witness does not replace a missing file', 'medium', { hasWitness: true }, false, 'medium'],
  ['the text is the weakness, whatever is missing', 'high', { isInText: true }, false, 'high'],
  ['nobody knows who runs', 'high', { controlledBy: 'unknown' }, true, 'medium'],
  ['the keepers decide what runs', 'high', { controlledBy: 'governed' }, true, 'low'],
  ['an outsider decides', 'high', { controlledBy: 'outsider' }, true, 'high'],
  ['nothing is at stake', 'medium', { impact: 'none' }, true, 'low'],
  ['accounting is at stake', 'high', { impact: 'accounting' }, true, 'high'],
  ['one doubt', 'high', { counterEvidence: ['gas is limited'] }, true, 'medium'],
  ['a witness against a doubt', 'medium', { hasWitness: true, counterEvidence: ['a role'] }, true, 'medium'],
  [
    'nothing is below low',
    'low',
    { controlledBy: 'governed', impact: 'none', counterEvidence: ['a', 'b'] },
    true,
    'low',
  ],
]

for (const [why, claim, factors, isResolved, level] of cases)
  test(`${claim} becomes ${level}: ${why}`, () =>
    expect(confidenceOf(claim, factors, { isResolved, isReached: true })).toBe(level))

test('without an entry point a finding is for review, unless the text itself is the vulnerability', () => {
  const unreached = { isResolved: true, isReached: false }
  expect(confidenceOf('high', { hasWitness: true }, unreached)).toBe('low')
  expect(confidenceOf('high', { isInText: true }, unreached)).toBe('high')
})

test('a severe claim is of high confidence only with an open entry point and a named loss', () => {
  const severe = { isResolved: true, isReached: true, isSevere: true }
  const loss = 'ETH that users pay in through `deposit()`'
  expect(confidenceOf('high', { loss }, { ...severe, isOpen: true })).toBe('high')
  expect(confidenceOf('high', {}, { ...severe, isOpen: true })).toBe('medium')
  expect(confidenceOf('medium', { hasWitness: true }, { ...severe, isOpen: true })).toBe('medium')
  expect(confidenceOf('high', { loss }, { ...severe, isOpen: false })).toBe('medium')
  expect(confidenceOf('high', { loss }, { ...severe, isOpen: true, isResolved: false })).toBe('medium')
  expect(confidenceOf('high', { isInText: true }, severe)).toBe('high')
  expect(confidenceOf('high', { controlledBy: 'governed' }, severe)).toBe('low')
})

test('a critical claim with neither an open path nor an asset behind it needs review', () => {
  const unbacked = { isResolved: true, isReached: true, isSevere: true, isOpen: true, isBacked: false }
  expect(confidenceOf('high', { hasWitness: true }, unbacked)).toBe('low')
  expect(confidenceOf('high', { loss: 'control of the contract' }, unbacked)).toBe('high')
  expect(confidenceOf('high', { isInText: true }, unbacked)).toBe('high')
})

test('a severe claim whose path asks for a proof needs review, whatever could be lost', () => {
  const closed = { isResolved: true, isReached: true, isSevere: true, isOpen: true, hasOpenPath: false }
  expect(confidenceOf('high', { hasWitness: true }, closed)).toBe('low')
  expect(confidenceOf('high', { loss: 'control of the contract' }, closed)).toBe('low')
  expect(confidenceOf('high', { isInText: true }, closed)).toBe('high')
  expect(confidenceOf('medium', {}, { ...closed, isSevere: false })).toBe('medium')
})

test('what needs review says what it lacks, counter-evidence first', () => {
  const reached = { isResolved: true, isReached: true }
  const only = 'only privileged accounts can call it'
  expect(reasonForReview({ counterEvidence: [only], controlledBy: 'unknown' }, reached)).toBe(only)
  expect(reasonForReview({}, { ...reached, isReached: false })).toBe('no entry point that reaches it was found')
  expect(reasonForReview({ controlledBy: 'governed' }, reached)).toBe('only a privileged role can cause it')
  expect(reasonForReview({ impact: 'none' }, reached)).toBe('nothing of value depends on it')
  expect(reasonForReview({}, { ...reached, isBacked: false })).toBe('no assets of users were found here')
  expect(reasonForReview({}, { ...reached, hasOpenPath: false })).toBe('a check on the path may refuse the attacker')
  expect(reasonForReview({}, reached)).toBe('no loss for another account was shown')
})
