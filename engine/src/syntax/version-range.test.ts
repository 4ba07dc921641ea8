import { expect, test } from 'vitest'
import { sharedRange, versionRange } from './version-range.ts'

const admitted = (expression: string, versions: string): string =>
  versions
    .split(' ')
    .filter((version) => versionRange(expression).admits(version))
    .join(' ')

test('operators of npm ranges', () => {
  const all = '0.3.9 0.4.0 0.4.17 0.4.18 0.4.26 0.5.0 0.7.6 0.8.0 0.8.19 0.9.0 1.0.0'
  expect(admitted('^0.4.18', all)).toBe('0.4.18 0.4.26')
  expect(admitted('~0.4.18', all)).toBe('0.4.18 0.4.26')
  expect(admitted('^0.0.3', '0.0.2 0.0.3 0.0.4')).toBe('0.0.3')
  expect(admitted('^1.2.3', '1.2.2 1.2.3 1.9.0 2.0.0')).toBe('1.2.3 1.9.0')
  expect(admitted('0.4.18', all)).toBe('0.4.18')
  expect(admitted('=0.4.18', all)).toBe('0.4.18')
  expect(admitted('>=0.4.18 <0.8.0', all)).toBe('0.4.18 0.4.26 0.5.0 0.7.6')
  expect(admitted('>0.4.18', all)).toBe('0.4.26 0.5.0 0.7.6 0.8.0 0.8.19 0.9.0 1.0.0')
  expect(admitted('<=0.4.18', all)).toBe('0.3.9 0.4.0 0.4.17 0.4.18')
  expect(admitted('0.4.17 - 0.5.0', all)).toBe('0.4.17 0.4.18 0.4.26 0.5.0')
  expect(admitted('0.4.x', all)).toBe('0.4.0 0.4.17 0.4.18 0.4.26')
  expect(admitted('0.4', all)).toBe('0.4.0 0.4.17 0.4.18 0.4.26')
  expect(admitted('*', all)).toBe(all)
  expect(admitted('^0.4.0 || ^0.8.0', all)).toBe('0.4.0 0.4.17 0.4.18 0.4.26 0.8.0 0.8.19')
  expect(admitted('>0.4', all)).toBe('0.5.0 0.7.6 0.8.0 0.8.19 0.9.0 1.0.0')
})

test('odd spelling', () => {
  expect(versionRange(' >= 0.4.22<0.6.0 ').admits('0.5.17')).toBe(true)
  expect(versionRange('^ 0.8.0').admits('0.8.5')).toBe(true)
  expect(versionRange('"^0.8.0"').min()).toBe('0.8.0')
  expect(versionRange('v0.8.4').isPinned).toBe(true)
  expect(versionRange('0.8.4 /* why */').isPinned).toBe(true)
  expect(versionRange('>=0.8.4 <=0.8.4').isPinned).toBe(true)
})

test('questions about the whole set', () => {
  const range = versionRange('^0.7.3')
  expect(range.isPinned).toBe(false)
  expect(range.min()).toBe('0.7.3')
  expect(range.max()).toBe('0.7.6')
  expect(range.releases()).toEqual(['0.7.3', '0.7.4', '0.7.5', '0.7.6'])
  expect(range.overlaps('0.7.5', '0.8.0')).toBe(true)
  expect(range.overlaps('0.8.0', null)).toBe(false)
  expect(range.overlaps(null, '0.7.3')).toBe(false)
  expect(versionRange('>=0.9.0').max()).toBeNull()
})

test('several pragmas must all be met', () => {
  expect(sharedRange(['^0.8.0', '>=0.8.10'].map(versionRange)).min()).toBe('0.8.10')
  expect(sharedRange(['^0.7.0', '^0.8.0'].map(versionRange)).isEmpty).toBe(true)
  expect(sharedRange(['^0.7.0', '^0.8.0'].map(versionRange)).min()).toBeNull()
  expect(sharedRange([]).admits('0.4.0')).toBe(true)
})

test('unreadable text admits everything and says so', () => {
  for (const text of ['', 'banana', '>=', '^0.8.0 ||', '- 1', `${'^0.8.0 || '.repeat(500)}^0.8.0`]) {
    expect(versionRange(text).isReadable, text).toBe(false)
    expect(versionRange(text).admits('0.4.11'), text).toBe(true)
  }
})
