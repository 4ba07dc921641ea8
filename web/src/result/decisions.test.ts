import { describe, expect, test } from 'vitest'
import { isSetAside, nextAfter, recordFinder, toggleMarks, toRequest, whatIsMissing, withDraft } from './decisions.ts'
import type { FindingRecord, ListedFinding, ViewFinding } from './scan-view.ts'

const record = (given: Partial<FindingRecord>): FindingRecord => ({
  id: 'f1',
  file: 'Bank.sol',
  fingerprint: 'aa',
  state: 'open',
  reason: null,
  until: null,
  decidedBy: null,
  decidedAt: null,
  ...given,
})
const at = (given: Partial<ViewFinding>) => given as ViewFinding
const item = (key: string) => ({ key }) as ListedFinding

describe('the record of a finding', () => {
  test('is found by its file and fingerprint; one that names no file is in the scanned one', () => {
    const find = recordFinder([record({}), record({ id: 'f2', file: 'Other.sol' })], 'Bank.sol')
    expect(find(at({ fingerprint: 'aa' }))?.id).toBe('f1')
    expect(find(at({ fingerprint: 'aa', file: 'Other.sol' }))?.id).toBe('f2')
    expect(find(at({ fingerprint: 'bb' }))).toBeUndefined()
  })

  test('sets a finding aside by a reasoned decision alone', () => {
    expect(isSetAside({ state: 'accepted' })).toBe(true)
    expect(isSetAside({ state: 'false-positive' })).toBe(true)
    expect(isSetAside({ state: 'fixed' })).toBe(false)
    expect(isSetAside({})).toBe(false)
  })
})

describe('a decision', () => {
  test('to set aside needs a reason, and a day that is not over', () => {
    expect(whatIsMissing({ state: 'accepted', reason: ' ' }, '2026-05-01')).toMatch(/reason is required/)
    expect(whatIsMissing({ state: 'accepted', reason: 'ours', until: '2026-04-30' }, '2026-05-01')).toMatch(/future/)
    expect(whatIsMissing({ state: 'accepted', reason: 'ours', until: '2026-05-01' }, '2026-05-01')).toBeUndefined()
    expect(whatIsMissing({ state: 'open' }, '2026-05-01')).toBeUndefined()
  })

  test('holds to the end of its day, and has an end only where it sets aside', () => {
    expect(toRequest({ state: 'accepted', reason: ' ours ', until: '2026-05-01' })).toEqual({
      state: 'accepted',
      reason: 'ours',
      until: '2026-05-01T23:59:59Z',
    })
    expect(toRequest({ state: 'open', reason: '', until: '2026-05-01' })).toEqual({ state: 'open' })
  })
})

test('marking a group twice takes its marks away again', () => {
  const some = [item('a'), item('b')]
  const once = toggleMarks(new Set(['a', 'c']), some)
  expect([...once].sort()).toEqual(['a', 'b', 'c'])
  expect([...toggleMarks(once, some)]).toEqual(['c'])
})

test('a decision that was begun is kept with its finding until it is made or given up', () => {
  const begun = withDraft(new Map(), 'a', { state: 'accepted', reason: 'dust' })
  const two = withDraft(begun, 'b', { state: 'fixed' })
  expect(two.get('a')).toEqual({ state: 'accepted', reason: 'dust' })
  expect([...withDraft(two, 'a', undefined).keys()]).toEqual(['b'])
  expect(begun.size).toBe(1)
})

test('after a decision about several the reader goes on with the next one that was not meant', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(item) as [ListedFinding, ListedFinding, ListedFinding, ListedFinding]
  expect(nextAfter([a, b, c, d], b, new Set(['b', 'c']))).toBe(d)
  expect(nextAfter([a, b, c, d], c, new Set(['c', 'd']))).toBe(b)
  expect(nextAfter([a, b], a, new Set(['a', 'b']))).toBeUndefined()
})
