import { describe, expect, test } from 'vitest'
import { type Detector, type DetectorOf, defineDetector, type Hit } from '../detectors/define-detector.ts'
import { openScan, scan } from '../index.ts'
import { Behaviour, type FlowDiagnostic } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { parse } from '../syntax/index.ts'
import { buildReports, type ReportInput } from './build-reports.ts'
import { toScanResult } from './scan-result.ts'

/** One whose candidates are the hits themselves. */
const detector = (overrides: Partial<DetectorOf<Hit>> & { candidates: () => Iterable<Hit> }): Detector =>
  defineDetector<Hit>({
    id: 'probe',
    swc: 'SWC-107',
    title: 'Probe',
    severity: 'critical',
    confidence: 'high',
    description: '',
    recommendation: 'Do not.',
    references: [],
    cwe: [],
    finding: (hit) => hit,
    ...overrides,
  })

const at = (text: string, words: string): { start: number; end: number } => {
  const start = text.indexOf(words)
  return { start, end: start + words.length }
}

const measure = (text: string): number => openScan([{ path: 'a.sol', text }]).largestContractBytes()

const source = 'contract A {\n  function f(uint x) public {\n    x = 1;\n    y = 2;\n  }\n}\n'

const behaviourOf = (text: string): Behaviour => new Behaviour(buildModel([{ path: 'a.sol', text }]))

const build = (detectors: Detector[], more: Partial<ReportInput> = {}, text = source) => {
  const reports = buildReports({
    files: [{ path: 'a.sol', text, base: 0, ...parse(text, 0) }],
    behaviour: behaviourOf(text),
    detectors,
    ...more,
  })
  const [report] = reports
  if (!report) throw new Error('no report')
  return report
}

describe('a finding', () => {
  test('has its place in 1-based lines and columns, end exclusive, and its contract and function', () => {
    const report = build([
      detector({
        candidates: () => [{ at: at(source, 'x = 1'), message: 'm' }],
      }),
    ])
    expect(report.findings[0]).toMatchObject({
      line: 3,
      column: 5,
      endLine: 3,
      endColumn: 10,
      snippet: 'x = 1',
      contract: 'A',
      function: 'f',
      name: 'Reentrancy',
      title: 'Probe',
      cwe: ['CWE-841'],
      message: 'm',
      recommendation: 'Do not.',
    })
  })

  test('columns count UTF-16 units', () => {
    const text = 'contract A { string s = unicode"😀"; uint x; }'
    const report = build(
      [
        detector({
          candidates: () => [{ at: at(text, 'uint x'), message: '' }],
        }),
      ],
      {},
      text,
    )
    expect(report.findings[0]?.column).toBe(text.indexOf('uint x') + 1)
  })

  test('findings come in the order of their places', () => {
    const report = build([
      detector({
        candidates: () => [
          { at: at(source, 'y = 2'), message: '' },
          { at: at(source, 'x = 1'), message: '' },
        ],
      }),
    ])
    expect(report.findings.map(({ line }) => line)).toEqual([3, 4])
  })

  test('one place is one finding of a class, the surer one', () => {
    const report = build([
      detector({
        candidates: () => [
          { at: at(source, 'x = 1'), message: 'guess', confidence: 'low' },
          { at: at(source, 'x = 1'), message: 'sure' },
        ],
      }),
    ])
    expect(report.findings.map(({ message }) => message)).toEqual(['sure'])
  })

  test('a place never counts under both SWC-114 and SWC-115', () => {
    const report = build([
      detector({
        id: 'a',
        swc: 'SWC-114',
        yieldsTo: ['b'],
        candidates: () => [{ at: at(source, 'x = 1'), message: '' }],
      }),
      detector({
        id: 'b',
        swc: 'SWC-115',
        candidates: () => [{ at: at(source, 'x = 1;'), message: '' }],
      }),
    ])
    expect(report.findings.map(({ swc }) => swc)).toEqual(['SWC-115'])
  })

  test('loses confidence, never severity, where something could not be found', () => {
    const report = build(
      [
        detector({
          candidates: () => [{ at: at(source, 'x = 1'), message: '' }],
        }),
      ],
      { uncertain: () => true },
    )
    expect(report.findings[0]).toMatchObject({ confidence: 'medium', severity: 'critical' })
  })

  test('a trace step in another file names it', () => {
    const text = 'contract A { uint x; }'
    const other = 'contract B { uint y; }'
    const base = text.length + 1
    const [report] = buildReports({
      files: [
        { path: 'a.sol', text, base: 0, ...parse(text, 0) },
        { path: 'b.sol', text: other, base, ...parse(other, base) },
      ],
      behaviour: behaviourOf(text),
      detectors: [
        detector({
          candidates: () => [
            {
              at: at(text, 'uint x'),
              message: '',
              trace: [{ at: { start: base + 13, end: base + 19 }, message: 'there' }],
            },
          ],
        }),
      ],
    })
    expect(report?.findings[0]?.trace).toEqual([
      { line: 1, column: 14, endLine: 1, endColumn: 20, message: 'there', file: 'b.sol' },
    ])
  })
})

const withCut = (behaviour: Behaviour, cut: FlowDiagnostic): Behaviour =>
  Object.defineProperty(behaviour, 'diagnostics', { value: [cut] })

describe('a function that a budget cut short', () => {
  test('makes the result partial and lowers the confidence inside it', () => {
    const cut = { code: 'budget' as const, message: 'too many paths', ...at(source, source.trim()) }
    const report = build(
      [
        detector({
          candidates: () => [{ at: at(source, 'x = 1'), message: '' }],
        }),
      ],
      { behaviour: withCut(behaviourOf(source), cut) },
    )
    expect(report.completeness).toBe('partial')
    expect(report.diagnostics).toEqual([expect.objectContaining({ code: 'budget-exhausted', line: 1 })])
    expect(report.findings[0]?.confidence).toBe('medium')
  })
})

describe('a detector that throws', () => {
  test('costs its own findings alone, and the report says so', () => {
    const report = build([
      detector({
        id: 'bad',
        candidates() {
          throw new Error('secret detail')
        },
      }),
      detector({
        id: 'good',
        candidates: () => [{ at: at(source, 'x = 1'), message: '' }],
      }),
    ])
    expect(report.findings).toHaveLength(1)
    expect(report.completeness).toBe('partial')
    expect(report.diagnostics).toEqual([expect.objectContaining({ code: 'detector-failed' })])
    expect(JSON.stringify(report)).not.toContain('secret detail')
  })
})

describe('the wire shape', () => {
  test('keeps weaknesses and advisories apart; advisories neither count nor deduct', () => {
    const report = build([
      detector({
        candidates: () => [{ at: at(source, 'x = 1'), message: '' }],
      }),
      detector({
        id: 'extra',
        swc: null,
        candidates: () => [{ at: at(source, 'y = 2'), message: '' }],
      }),
    ])
    const result = toScanResult(report, { scanId: 's', file: 'uploads/s.sol' })
    expect(result).toMatchObject({
      success: true,
      scanId: 's',
      file: 'uploads/s.sol',
      vulnerabilitiesCount: 1,
      completeness: 'full',
      securityScore: { score: 80, rating: 'Good', summary: { total: 1, critical: 1, high: 0, medium: 0, low: 0 } },
    })
    expect(result.dataVulnerabilities[0]?.vulnerabilityId).toBe('SWC-107')
    expect(result.advisories[0]).toMatchObject({ detector: 'extra' })
    expect(result.advisories[0]).not.toHaveProperty('vulnerabilityId')
  })

  test('the message names the suppressed and says when the result is partial', () => {
    const text = 'contract A {\n  uint x; // assay-ignore SWC-107: fine\n  function f( { }\n}'
    const report = build(
      [
        detector({
          candidates: () => [{ at: at(text, 'uint x'), message: '' }],
        }),
      ],
      {},
      text,
    )
    const { message, suppressed, parseErrors, completeness } = toScanResult(report, { scanId: 's', file: 'f' })
    expect(suppressed).toHaveLength(1)
    expect(parseErrors[0]?.line).toBe(3)
    expect(completeness).toBe('partial')
    expect(message).toMatch(/1 finding suppressed by comments\./)
    expect(message).toMatch(/^Incomplete: the file was analyzed in part\./)
  })
})

describe('text that is no Solidity', () => {
  test.each([
    ['', 'empty'],
    ['   \n// only a comment\n', 'empty'],
  ])('%j is unreadable', (text, reason) => {
    expect(scan(text).unreadable?.reason).toContain(reason)
  })

  test.each(['\u0000\u0001\u0002\u0003', 'hello world this is prose', '}{}{}{', '<html><body></body></html>'])(
    '%j is unreadable, with a line',
    (text) => {
      const report = scan(text)
      expect(report.unreadable).toMatchObject({ line: 1, reason: expect.any(String) })
      expect(report.findings).toEqual([])
    },
  )

  test('a file with one readable contract is readable', () => {
    const report = scan('pragma solidity 0.8.1;\n%%%%\ncontract A {}\n')
    expect(report.unreadable).toBeNull()
    expect(report.completeness).toBe('partial')
  })
})

describe('the largest contract', () => {
  test('is measured in UTF-8 bytes', () => {
    const big = 'contract B { string s = unicode"é😀"; }'
    expect(measure(`contract A {}\n${big}`)).toBe(Buffer.byteLength(big))
  })

  test('is the whole file when there is none', () => {
    expect(measure('pragma solidity 0.8.1;')).toBe(22)
  })
})
