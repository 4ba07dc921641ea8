import { expect, test } from 'vitest'
import { findDetectors, searchDetectors } from './find-detectors.ts'
import { detectors } from './index.ts'

const idsOf = (query: string): string[] => findDetectors(query).map(({ id }) => id)

const accessControl = [
  'unauthorized-debit',
  'unbacked-mint',
  'unprotected-payout',
  'unprotected-role-change',
  'unprotected-setting',
  'untrusted-authorization',
]

test.each([
  ['reentrancy', ['reentrancy']],
  ['SWC-107', ['reentrancy', 'token-hook-reentrancy']],
  ['107', ['reentrancy', 'token-hook-reentrancy']],
  ['reentrancy-eth', ['reentrancy']],
  ['first depositor', ['vault-share-inflation']],
  ['donation attack', ['vault-share-inflation']],
  ['unchecked-transfer', ['ignored-try-result', 'unchecked-token-transfer']],
  ['tx.origin phishing', ['tx-origin-authorization']],
  ['sandwich attack', ['sandwiched-trade']],
  ['access-control', accessControl],
  ['missing access control', accessControl],
  ['suicidal', ['unprotected-selfdestruct']],
  ['SCWE-060', ['floating-pragma']],
])('%s means %j', (query, ids) => {
  expect(idsOf(query)).toEqual(expect.arrayContaining(ids))
})

test('a search also takes the beginning of a word, a filter does not', () => {
  expect(searchDetectors('random').map(({ id }) => id)).toContain('weak-randomness')
  expect(idsOf('random')).toEqual([])
  expect(searchDetectors('reentrncy')).toEqual([])
  expect(searchDetectors('')).toEqual([])
})

test('an OWASP category names all its detectors', () => {
  expect(idsOf('SC05:2025')).toEqual(idsOf('SC05'))
  expect(idsOf('SC05').length).toBeGreaterThan(3)
})

test('what is no name of a vulnerability finds nothing', () => {
  expect(idsOf('reentrncy')).toEqual([])
  expect(idsOf('')).toEqual([])
})

test.each(detectors.map((detector) => [detector.id, detector] as const))('%s has aliases', (_, { aliases }) => {
  expect(aliases?.words.length).toBeGreaterThan(0)
  for (const id of [...(aliases?.slither ?? []), ...(aliases?.aderyn ?? [])])
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  for (const id of aliases?.owasp ?? []) expect(id).toMatch(/^SC(0[1-9]|10):2025$/)
  for (const id of aliases?.scwe ?? []) expect(id).toMatch(/^SCWE-\d{3}$/)
})
