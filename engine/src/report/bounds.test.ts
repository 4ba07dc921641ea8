import { expect, test } from 'vitest'
import { scan } from '../index.ts'
import { resultBounds, withinBounds } from './bounds.ts'
import { toScanResult } from './scan-result.ts'
import { utf8Length } from './utf8-length.ts'
import type { ScanResult, WireVulnerability } from './wire.ts'

const options = { scanId: 'scn_1', file: 'uploads/scn_1.sol' }
const bytesOf = (result: ScanResult): number => {
  const json = JSON.stringify(result)
  return utf8Length(json, 0, json.length)
}
const long = 'x'.repeat(40_000)
/** Each statement ignores the result of a call. */
const calls = (n: number, name: string): string =>
  `contract ${name} { function f(address a) public { ${'a.send(1);'.repeat(n)} } }`

test('a reason of forty thousand letters over thousands of findings stays small', () => {
  const source = `pragma solidity 0.8.26;\n// assay-ignore-file SWC-104: ${long}\n${calls(2_880, 'A')}`
  const report = scan(source)
  expect(report.suppressed.length).toBeGreaterThan(2_800)
  const result = toScanResult(report, options)
  expect(result.suppressed).toHaveLength(resultBounds.findings)
  expect(result.suppressed[0]?.suppression.reason).toHaveLength(resultBounds.wordLength + 1)
  expect(result.completeness).toBe('partial')
  expect(result.message).toMatch(/The result is partial: its lists were cut, see diagnostics\.$/)
  expect(result.diagnostics).toContainEqual({
    code: 'result-bounded',
    line: null,
    message: `${report.suppressed.length - 1_000} further suppressed findings were left out; the counts include them.`,
  })
  expect(bytesOf(result)).toBeLessThan(resultBounds.bytes)
})

test('a name of forty thousand letters is cut wherever it stands', () => {
  const report = scan(`pragma solidity 0.8.26;\n${calls(2_880, long)}`)
  const result = toScanResult(report, options)
  expect(JSON.stringify(result)).not.toMatch(/x{201}/)
  expect(result.vulnerabilitiesCount).toBe(report.findings.length)
  expect(result.securityScore.summary.total).toBe(report.findings.length)
  expect(result.dataVulnerabilities.length + result.advisories.length).toBe(resultBounds.findings)
})

const finding = (more: Partial<WireVulnerability>): WireVulnerability => ({
  vulnerabilityId: 'SWC-104',
  name: 'n',
  title: 't',
  severity: 'low',
  confidence: 'high',
  detector: 'd',
  contract: null,
  function: null,
  snippet: '',
  message: '',
  recommendation: '',
  references: [],
  cwe: [],
  fingerprint: 'same',
  trace: [],
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
  ...more,
})
const resultOf = (dataVulnerabilities: WireVulnerability[]): ScanResult => ({
  ...toScanResult(scan('contract A {}'), options),
  dataVulnerabilities,
})

test('the most severe stay, in the order of the file', () => {
  const many = Array.from({ length: 1_500 }, (_, i) =>
    finding({ line: i + 1, severity: i % 3 === 0 ? 'critical' : 'low' }),
  )
  const { dataVulnerabilities } = withinBounds(resultOf(many))
  expect(dataVulnerabilities).toHaveLength(1_000)
  expect(dataVulnerabilities.filter(({ severity }) => severity === 'critical')).toHaveLength(500)
  const lines = dataVulnerabilities.map(({ line }) => line)
  expect(lines).toEqual([...lines].sort((a, b) => a - b))
})

test('texts that JSON writes with six letters each stay within the bytes', () => {
  const step = { line: 1, column: 1, endLine: 1, endColumn: 1, message: '\u0001'.repeat(5_000) }
  const heavy = finding({ message: '\u0001'.repeat(5_000), trace: Array.from({ length: 90 }, () => step) })
  const result = withinBounds(resultOf(Array.from({ length: 900 }, () => ({ ...heavy }))))
  expect(bytesOf(result)).toBeLessThan(resultBounds.bytes)
  expect(result.dataVulnerabilities.length).toBeGreaterThan(0)
  expect(result.dataVulnerabilities[0]?.trace).toHaveLength(resultBounds.traceSteps)
})

test('parse errors are as many as findings may be', () => {
  const errors = toScanResult(scan(`contract A {}\n${'%\n'.repeat(3_000)}`), options)
  expect(errors.parseErrors.length).toBeLessThanOrEqual(resultBounds.findings)
})

test('an ordinary result is not touched', () => {
  const report = scan('pragma solidity ^0.8.0;\ncontract A { function f(address a) public { a.call(""); } }')
  const result = toScanResult(report, options)
  expect(result.dataVulnerabilities.map(({ message }) => message)).toEqual(
    report.findings.map(({ message }) => message),
  )
  expect(result.completeness).toBe('full')
})
