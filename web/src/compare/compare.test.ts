import { describe, expect, test } from 'vitest'
import type { ViewFinding, ViewScan } from '../result/scan-view.ts'
import { compareFindings, comparisonWords, previousScan } from './compare-findings.ts'
import { diffLines } from './diff-lines.ts'
import { isOneContract } from './is-one-contract.ts'
import { foldUnchanged } from './source-diff.tsx'

const scan = (found: readonly string[], suppressed: readonly string[] = []): ViewScan =>
  ({
    dataVulnerabilities: found.map((fingerprint) => ({ fingerprint }) as ViewFinding),
    advisories: [],
    suppressed: suppressed.map((fingerprint) => ({ fingerprint }) as ViewFinding),
  }) as unknown as ViewScan

describe('what changed between two scans', () => {
  const names = (findings: readonly ViewFinding[]) => findings.map(({ fingerprint }) => fingerprint)

  test('new, fixed and unchanged by fingerprint; what a comment set aside is not fixed', () => {
    const { fresh, fixed, suppressed, same } = compareFindings(scan(['a', 'b', 'c']), scan(['a', 'd'], ['b']))
    expect([fresh, fixed, suppressed, same].map(names)).toEqual([['d'], ['c'], ['b'], ['a']])
  })

  test('what someone decided not to work on is neither new nor unchanged', () => {
    const isDecided = ({ fingerprint }: ViewFinding) => fingerprint === 'b' || fingerprint === 'd'
    const { fresh, fixed, decided, same } = compareFindings(
      scan(['a', 'b', 'c']),
      scan(['a', 'b', 'd', 'e']),
      isDecided,
    )
    expect([fresh, fixed, decided, same].map(names)).toEqual([['e'], ['c'], ['b', 'd'], ['a']])
  })

  test('the scan before is the next older one of the same file', () => {
    const scans = ['3 A', '2 B', '1 A', '0 A'].map((words) => ({
      scanId: words[0] ?? '',
      fileName: words.slice(2),
      status: 'completed',
    }))
    expect(previousScan(scans, '3')?.scanId).toBe('1')
    expect(previousScan(scans, '2')).toBeUndefined()
    expect(previousScan(scans, '9')).toBeUndefined()
    // Two projects may have a file of one name.
    const moved = scans.map((one) => ({ ...one, project: one.scanId === '3' ? 'vault' : null }))
    expect(previousScan(moved, '3')).toBeUndefined()
    const failed = scans.map((one) => (one.scanId === '1' ? { ...one, status: 'failed' } : one))
    expect(previousScan(failed, '3')?.scanId).toBe('0')
  })

  test('the most severe first, then as the scan has them', () => {
    const found = ['low', 'critical', 'info', 'critical'].map(
      (severity, index) => ({ fingerprint: `${severity} ${index}`, severity }) as ViewFinding,
    )
    const { fresh } = compareFindings(scan([]), { ...scan([]), dataVulnerabilities: found })
    expect(names(fresh)).toEqual(['critical 1', 'critical 3', 'low 0', 'info 2'])
  })

  test('in one line, and only what there is', () => {
    expect(comparisonWords(compareFindings(scan(['a', 'b']), scan(['a', 'c'])))).toBe('1 new, 1 fixed, 1 unchanged')
    const isDecided = ({ fingerprint }: ViewFinding) => fingerprint === 'a'
    expect(comparisonWords(compareFindings(scan(['a', 'b']), scan(['a'], ['b']), isDecided))).toBe(
      '0 new, 0 fixed, 1 suppressed by a comment, 1 dismissed, 0 unchanged',
    )
  })
})

describe('the difference of two texts', () => {
  const letters = (text: string) => text.split('')
  const words = (before: string, after: string) =>
    diffLines(letters(before), letters(after)).map(
      ({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`,
    )

  test('equal texts are all the same', () => {
    expect(words('abc', 'abc')).toEqual([' a', ' b', ' c'])
    expect(words('', '')).toEqual([])
  })

  test('a line put in, taken out, replaced', () => {
    expect(words('ac', 'abc')).toEqual([' a', '+b', ' c'])
    expect(words('abc', 'ac')).toEqual([' a', '-b', ' c'])
    expect(words('abc', 'axc')).toEqual([' a', '-b', '+x', ' c'])
  })

  test.each([
    ['abcabba', 'cbabac'],
    ['the quick brown fox', 'a quick red foxes'],
    ['xaxbxcx', 'aybycy'],
    ['aaaa', 'bbbbbb'],
  ])('both texts can be read back from %s to %s, with the right numbers', (before, after) => {
    const rows = diffLines(letters(before), letters(after))
    const old = rows.filter((row) => row.kind !== 'new')
    const now = rows.filter((row) => row.kind !== 'gone')
    expect(old.map(({ text }) => text).join('')).toBe(before)
    expect(now.map(({ text }) => text).join('')).toBe(after)
    expect(old.map((row) => ('before' in row ? row.before : 0))).toEqual(letters(before).map((_, index) => index + 1))
    expect(now.map((row) => ('after' in row ? row.after : 0))).toEqual(letters(after).map((_, index) => index + 1))
  })

  test('texts with nothing in common end quickly as replaced', () => {
    const before = Array.from({ length: 5000 }, (_, index) => `a${index}`)
    const after = Array.from({ length: 5000 }, (_, index) => `b${index}`)
    expect(diffLines(before, after)).toHaveLength(10_000)
  })
})

test('unchanged lines are folded but for some around a change, and can be opened', () => {
  const row = (n: number) => ({ kind: 'same', before: n, after: n, text: '' }) as const
  const same = (n: number) => ({ left: row(n), right: row(n) })
  const pairs = Array.from({ length: 40 }, (_, n) => {
    const { left } = same(n)
    return { left, right: n === 20 ? null : left }
  })
  const folded = foldUnchanged(pairs, new Set())
  expect(folded[0]).toEqual({ folded: 16, from: 0 })
  expect(folded.filter((one) => !('folded' in one))).toHaveLength(9)
  expect(folded.at(-1)).toMatchObject({ folded: 15 })
  expect(foldUnchanged(pairs, new Set([0, 25]))).toHaveLength(40)
})

test('one contract before and after a change differs from two contracts', () => {
  const lines = ['contract A {', 'a', 'b', 'c', 'd', '}']
  expect(isOneContract(lines.join('\n'), lines.with(2, 'x').join('\n'))).toBe(true)
  expect(isOneContract(lines.join('\n'), 'contract B {\n1\n2\n3\n4\n5\n6\n}')).toBe(false)
})
