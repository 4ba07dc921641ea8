import { expect, test } from 'vitest'
import { matchEntries } from './palette-entries.ts'

const entry = (kind: string, label: string, detail?: string) => ({ kind, label, detail, run: () => undefined })
const entries = [
  entry('Detector', 'Withdrawal without check'),
  entry('Page', 'Scan'),
  entry('Project', 'vault-scanner'),
  entry('Function', 'withdraw', 'Vault · src/Vault.sol:12'),
  entry('Detector', 'Reentrancy', 'reentrancy, SWC-107, re-entrancy'),
]
const found = (query: string) => matchEntries(entries, query).map(({ label }) => label)

test('names that begin with the word come first, then names and details that have it', () => {
  expect(found('scan')).toEqual(['Scan', 'vault-scanner'])
  expect(found('vault')).toEqual(['vault-scanner', 'withdraw'])
  expect(found('swc-107')).toEqual(['Reentrancy'])
  expect(found('withdraw')).toEqual(['withdraw', 'Withdrawal without check'])
})

test('every word must be there, in any order', () => {
  expect(found('vault.sol with')).toEqual(['withdraw'])
  expect(found('vault nothing')).toEqual([])
})

test('without a word all are shown in their order', () => {
  expect(found(' ')).toEqual(['Withdrawal without check', 'Scan', 'vault-scanner', 'withdraw', 'Reentrancy'])
})
