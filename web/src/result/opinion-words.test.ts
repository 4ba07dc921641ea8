import { describe, expect, test } from 'vitest'
import { secondsOf, verdictCounts } from './opinion-words.ts'
import { listFindings, type OpinionEntry, type ViewFinding, type ViewScan } from './scan-view.ts'

const entry = (given: Partial<OpinionEntry>): OpinionEntry => ({
  vulnerabilityId: 'SWC-107',
  title: 'Reentrancy',
  severity: 'critical',
  confidence: 'high',
  line: 1,
  endLine: 1,
  description: 'words',
  recommendation: 'words',
  agreement: 'static',
  aiVerdict: null,
  aiReason: null,
  ...given,
})

const finding = (fingerprint: string): ViewFinding => ({
  name: 'n',
  title: 't',
  severity: 'high',
  confidence: 'high',
  detector: 'd',
  contract: null,
  function: null,
  line: 1,
  endLine: 1,
  message: 'm',
  recommendation: 'r',
  references: [],
  cwe: [],
  fingerprint,
  trace: [],
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

test('a time in words is reported in seconds', () => {
  expect(secondsOf('8123.417 milliseconds')).toBe('8.1 s')
  expect(secondsOf('a while')).toBe('a while')
})

test('the votes are counted, the silent ones left out', () => {
  const vulnerabilities = [
    entry({ aiVerdict: 'confirmed' }),
    entry({ aiVerdict: 'doubted' }),
    entry({ aiVerdict: 'confirmed' }),
    entry({ agreement: 'ai' }),
  ]
  expect(verdictCounts({ vulnerabilities, suppressed: [entry({ aiVerdict: 'confirmed' })] })).toBe(
    '3 confirmed, 1 doubted, 1 found by AI only.',
  )
  expect(verdictCounts({ vulnerabilities: [], suppressed: [] })).toBe('No findings were reviewed or added.')
})

describe('findings with an opinion', () => {
  const items = listFindings(
    scan({
      dataVulnerabilities: [finding('aa'), finding('bb')],
      suppressed: [finding('cc')],
      aiAnalysis: {
        summary: '',
        timeTaken: '',
        outputFile: '',
        vulnerabilities: [
          entry({ aiVerdict: 'doubted', aiReason: 'guarded' }),
          entry({}),
          entry({ agreement: 'ai', title: 'Oracle can be moved', line: 9 }),
          entry({ title: 'Prompt injection text in source', severity: 'info' }),
        ],
        suppressed: [entry({ aiVerdict: 'confirmed', aiReason: 'it holds' })],
      },
    }),
  )

  test('each has its own, and what the model found alone is listed apart', () => {
    expect(items.map(({ key, listed, opinion }) => [key, listed, opinion?.verdict, opinion?.reason])).toEqual([
      ['aa', 'weakness', 'doubted', 'guarded'],
      ['bb', 'weakness', undefined, undefined],
      ['cc', 'suppressed', 'confirmed', 'it holds'],
      ['model-9-oracle-can-be-moved', 'model', undefined, undefined],
      ['model-1-prompt-injection-text-in-source', 'advisory', undefined, undefined],
    ])
  })
})
