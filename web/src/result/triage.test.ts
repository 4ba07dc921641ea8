import { describe, expect, test } from 'vitest'
import { applyFilter, chips, countChips, noFilter } from './filter.ts'
import { type Group, groupFindings, groupLabel } from './group.ts'
import { compareFindings } from './order.ts'
import { type FindingState, isReadInFull, listFindings, type ViewFinding, type ViewScan } from './scan-view.ts'
import { scoreWithout } from './score-without.ts'
import { tallyOf } from './tally.ts'
import { filterOf, readResultSearch, withFilter } from './url-state.ts'

const lineAbove = (group: Group): string => `${groupLabel(group)} · ${group.items.length}`

const finding = (given: Partial<ViewFinding>): ViewFinding => ({
  vulnerabilityId: 'SWC-107',
  name: 'Reentrancy',
  title: 'Reentrancy: state updated after external call',
  severity: 'critical',
  confidence: 'high',
  detector: 'reentrancy',
  contract: 'Vault',
  function: 'withdraw',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 9,
  message: 'words',
  recommendation: 'words',
  references: [],
  cwe: [],
  fingerprint: 'aa',
  trace: [],
  ...given,
})

const scan = (given: Partial<ViewScan>): ViewScan => ({
  message: '',
  vulnerabilitiesCount: 0,
  dataVulnerabilities: [],
  advisories: [],
  suppressed: [],
  parseErrors: [],
  completeness: 'full',
  securityScore: { score: 0, rating: 'Critical', summary: { total: 0, critical: 0, high: 0, medium: 0, low: 0 } },
  bestPractices: { recommendations: [] },
  ...given,
})

describe('what was tried', () => {
  const tried = (first: Partial<ViewFinding>) =>
    listFindings(
      scan({
        dataVulnerabilities: [finding(first), finding({ fingerprint: 'b', evidence: { status: 'confirmed' } })],
        advisories: [finding({ fingerprint: 'c' })],
        suppressed: [finding({ fingerprint: 'd' })],
      }),
    ).map(({ tried }) => tried)

  test('stands with every finding of an attacked scan that no attack confirmed', () => {
    const evidence = { status: 'not-attempted', summary: 'not attempted: the files do not compile' }
    expect(tried({ evidence })).toEqual([
      'not attempted: the files do not compile.',
      undefined,
      'not verified: time limit reached.',
      'not verified: suppressed in code.',
    ])
    expect(tried({})[0]).toBe('not verified: time limit reached.')
  })

  test('is said of no finding where no attack was asked for', () => {
    const plain = scan({ dataVulnerabilities: [finding({})], advisories: [finding({ fingerprint: 'c' })] })
    expect(listFindings(plain).map(({ tried }) => tried)).toEqual([undefined, undefined])
  })
})

describe('the order of findings', () => {
  const keysInOrder = (given: Partial<ViewScan>) =>
    listFindings(scan(given))
      .sort(compareFindings)
      .map(({ key }) => key)

  test('what needs review follows the findings, and housekeeping closes the list', () => {
    expect(
      keysInOrder({
        dataVulnerabilities: [
          finding({ fingerprint: 'pragma', severity: 'high', detector: 'floating-pragma' }),
          finding({ fingerprint: 'low', severity: 'low' }),
        ],
        advisories: [finding({ fingerprint: 'review', severity: 'medium', kind: 'review' })],
      }),
    ).toEqual(['low', 'review', 'pragma'])
  })

  test('severity leads, then confirmed, then confidence, then line', () => {
    expect(
      keysInOrder({
        dataVulnerabilities: [
          finding({ fingerprint: 'low', severity: 'low' }),
          finding({ fingerprint: 'line 9', line: 9 }),
          finding({ fingerprint: 'unsure', confidence: 'low' }),
          finding({ fingerprint: 'line 3', line: 3 }),
          finding({ fingerprint: 'confirmed', confidence: 'medium', evidence: { status: 'confirmed' } }),
        ],
      }),
    ).toEqual(['confirmed', 'line 3', 'line 9', 'unsure', 'low'])
  })

  test('a critical advisory stands among the critical, a suppressed finding last', () => {
    expect(
      keysInOrder({
        dataVulnerabilities: [finding({ fingerprint: 'high', severity: 'high' })],
        advisories: [finding({ fingerprint: 'advisory' })],
        suppressed: [finding({ fingerprint: 'suppressed' })],
      }),
    ).toEqual(['advisory', 'high', 'suppressed'])
  })
})

test('a fingerprint that stands twice gives two keys, the first as it is', () => {
  const items = listFindings(scan({ dataVulnerabilities: [finding({}), finding({ line: 4 })] }))
  expect(items.map(({ key }) => key)).toEqual(['aa', 'aa~2'])
})

describe('the filter', () => {
  const items = listFindings(
    scan({
      dataVulnerabilities: [
        finding({ fingerprint: '1' }),
        finding({ fingerprint: '2', confidence: 'low' }),
        finding({ fingerprint: '3', severity: 'info', title: 'Floating pragma', detector: 'floating-pragma' }),
      ],
      advisories: [
        finding({ fingerprint: '4', severity: 'critical', title: 'Locked ether' }),
        finding({ fingerprint: '6', kind: 'review' }),
      ],
      suppressed: [finding({ fingerprint: '5' })],
    }),
  )

  test('every finding is under one chip: the counts add up', () => {
    const counts = countChips(items)
    expect(counts).toMatchObject({ critical: 3, info: 1, review: 1, suppressed: 1 })
    expect(chips.reduce((sum, chip) => sum + counts[chip], 0)).toBe(items.length)
  })

  test('no chip chosen shows all, chosen ones show theirs', () => {
    expect(applyFilter(items, noFilter).shown).toHaveLength(6)
    const { shown } = applyFilter(items, { ...noFilter, chips: ['info', 'review'] })
    expect(shown.map(({ key }) => key)).toEqual(['3', '6'])
  })

  test('the confidence filter tells how many of the others it hides', () => {
    const { shown, hiddenByConfidence } = applyFilter(items, { ...noFilter, chips: ['critical'], least: 'medium' })
    expect(shown.map(({ key }) => key)).toEqual(['1', '4'])
    expect(hiddenByConfidence).toBe(1)
  })

  test('all words of the query must be there, in any case', () => {
    const shown = (query: string) => applyFilter(items, { ...noFilter, query }).shown.map(({ key }) => key)
    expect(shown('floating PRAGMA')).toEqual(['3'])
    expect(shown('floating vault withdraw nothing')).toEqual([])
  })

  test('a finding is found by the other names of its detector', () => {
    const aliases = new Map([['floating-pragma', ['solc-version', 'unlocked compiler version']]])
    const shown = (query: string) => applyFilter(items, { ...noFilter, query }, aliases).shown.map(({ key }) => key)
    expect(shown('solc-version')).toEqual(['3'])
    expect(shown('Unlocked compiler')).toEqual(['3'])
    expect(shown('first depositor')).toEqual([])
  })
})

describe('groups', () => {
  const items = listFindings(
    scan({
      dataVulnerabilities: [
        finding({ fingerprint: '1', file: 'a.sol' }),
        finding({ fingerprint: '2', file: 'b.sol', contract: 'Other' }),
        finding({
          fingerprint: '3',
          severity: 'low',
          title: 'Pragma floats',
          detector: 'floating-pragma',
          contract: null,
          file: 'b.sol',
        }),
      ],
    }),
  ).sort(compareFindings)

  test('by kind, with counts', () => {
    expect(groupFindings(items, 'kind').map(lineAbove)).toEqual([
      'Critical · Reentrancy: state updated after external call · 2',
      'Low · Pragma floats · 1',
    ])
  })

  test('by contract and by file, with the worst severity in it', () => {
    expect(groupFindings(items, 'contract').map(lineAbove)).toEqual([
      'Critical · Vault · 1',
      'Critical · Other · 1',
      'Low · outside contracts · 1',
    ])
    expect(groupFindings(items, 'file').map(lineAbove)).toEqual(['Critical · a.sol · 1', 'Critical · b.sol · 2'])
  })
})

test('what was fixed stands apart and after what is open, under a chip of its own', () => {
  const found = scan({
    dataVulnerabilities: [finding({}), finding({ fingerprint: 'bb', severity: 'low', line: 9 })],
  })
  const items = listFindings(found, undefined, ({ fingerprint }) => (fingerprint === 'aa' ? 'fixed' : 'open'))
  items.sort(compareFindings)
  expect(items.map(({ state }) => state)).toEqual(['open', 'fixed'])
  expect(countChips(items)).toMatchObject({ low: 1, fixed: 1, critical: 0 })
  expect(groupFindings(items, 'kind').map(lineAbove)).toEqual([
    'Low · Reentrancy: state updated after external call · 1',
    'Critical · Reentrancy: state updated after external call (fixed) · 1',
  ])
})

describe('what the address says', () => {
  test('a filter survives the way into the address and back', () => {
    const filter = { chips: ['critical', 'review'], least: 'medium', query: 'vault' } as const
    const search = withFilter({ f: 'abc' }, filter)
    expect(search).toEqual({ f: 'abc', sev: 'critical.review', conf: 'medium', q: 'vault' })
    expect(filterOf(readResultSearch({ ...search }))).toEqual(filter)
  })

  test('what nobody knows is left out, defaults are not written', () => {
    expect(readResultSearch({ sev: 'grave.high', conf: 'low', by: 'kind', q: '', f: 12, other: 'x' })).toEqual({
      f: '12',
      sev: 'high',
    })
  })
})

describe('the score without what was dismissed', () => {
  const listed = (state: (one: ViewFinding) => FindingState) =>
    listFindings(
      scan({
        dataVulnerabilities: [finding({}), finding({ fingerprint: 'bb', severity: 'low' })],
        advisories: [finding({ fingerprint: 'cc', severity: 'high' })],
      }),
      undefined,
      state,
    )

  test('leaves out what was accepted or is a false positive, and is unsaid where nothing scored was', () => {
    expect(
      scoreWithout(
        listed(({ fingerprint }) => (fingerprint === 'aa' ? 'accepted' : 'open')),
        78,
      ),
    ).toBe(98)
    expect(
      scoreWithout(
        listed(() => 'false-positive'),
        78,
      ),
    ).toBe(100)
    expect(
      scoreWithout(
        listed(() => 'open'),
        78,
      ),
    ).toBeNull()
    expect(
      scoreWithout(
        listed(() => 'fixed'),
        78,
      ),
    ).toBeNull()
    expect(
      scoreWithout(
        listed(({ fingerprint }) => (fingerprint === 'cc' ? 'accepted' : 'open')),
        78,
      ),
    ).toBeNull()
  })
})

describe('a list that was cut', () => {
  const listed = listFindings(
    scan({
      dataVulnerabilities: [finding({}), finding({ fingerprint: 'bb' })],
      advisories: [finding({ fingerprint: 'cc', severity: 'high', kind: 'review' })],
    }),
    undefined,
    ({ fingerprint }) => (fingerprint === 'bb' ? 'accepted' : 'open'),
  )
  const found = { critical: 3, high: 4, medium: 0, low: 1, info: 0 }

  test('counts what was found, without what is dismissed', () => {
    const { open, bySeverity, needsReview, dismissed } = tallyOf(listed, found)
    expect([open, needsReview, dismissed]).toEqual([7, 1, 1])
    expect(bySeverity).toEqual([
      ['critical', 2],
      ['high', 4],
      ['low', 1],
    ])
    expect(tallyOf(listed).bySeverity).toEqual([['critical', 1]])
  })

  test('is no part of the code that was not read', () => {
    const bounded = { code: 'result-bounded', message: '8 further findings were left out; the counts include them.' }
    const unread = { code: 'import-not-found', message: '' }
    const partial = (diagnostics: ViewScan['diagnostics']) => isReadInFull({ completeness: 'partial', diagnostics })
    expect(partial([bounded])).toBe(true)
    expect(partial([bounded, unread])).toBe(false)
    expect(partial([])).toBe(false)
    expect(isReadInFull({ completeness: 'full', diagnostics: [unread] })).toBe(true)
  })
})
