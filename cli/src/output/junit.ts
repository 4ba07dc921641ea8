import { locate } from '../scan/causes.ts'
import { isScanned, type Outcome, type ProjectScan, type Shown } from '../scan/outcome.ts'
import { printable } from './printable.ts'
import { scanNotes } from './scan-notes.ts'

/**
 * JUnit's XML: a suite per file, a failed case per finding, a skipped one for what needs review, one passed case where there is
 * none. What does not fail the run, by `--fail-on` or because it was known, passes with its words as output.
 */
export function toJunit(scan: ProjectScan, fails: (finding: Shown) => boolean = () => true): string {
  const { outcomes } = scan
  const suites = outcomes.map((outcome) => ({ path: outcome.path, cases: casesOf(outcome, fails) }))
  const failures = suites.flatMap(({ cases }) => cases).filter(({ kind }) => kind === 'failure').length
  const errors = suites.flatMap(({ cases }) => cases).filter(({ kind }) => kind === 'error').length
  const total = suites.reduce((sum, { cases }) => sum + cases.length, 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="assay" tests="${total}" failures="${failures}" errors="${errors}">`,
    ...propertyElements(scanNotes(scan)),
    ...suites.flatMap(({ path, cases }) => [
      `  <testsuite name="${escapeXml(path)}" tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" skipped="${count(cases, 'skipped')}">`,
      ...cases.map((each) => caseElement(path, each)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

/** Readers take properties of a suite, and ignore those of all. */
const propertyElements = (notes: readonly string[]): string[] =>
  notes.length === 0
    ? []
    : [
        '  <testsuite name="assay settings" tests="0" failures="0" errors="0">',
        '    <properties>',
        ...notes.map((note) => `      <property name="setting" value="${escapeXml(note)}"/>`),
        '    </properties>',
        '  </testsuite>',
      ]

interface Case {
  readonly name: string
  readonly kind: 'passed' | 'reported' | 'failure' | 'error' | 'skipped'
  readonly type: string
  readonly message: string
  readonly text: string
}

function casesOf(outcome: Outcome, fails: (finding: Shown) => boolean): Case[] {
  if (!isScanned(outcome))
    return [{ name: 'scan', kind: 'error', type: 'not-scanned', message: outcome.error, text: outcome.error }]
  const found = locate([outcome]).map(({ finding }): Case => {
    const failed = failedCase(outcome.path, finding)
    return fails(finding) || failed.kind === 'skipped' ? failed : { ...failed, kind: 'reported' }
  })
  return found.length > 0 ? found : [{ name: 'scan', kind: 'passed', type: '', message: '', text: '' }]
}

const failedCase = (path: string, finding: Shown): Case => ({
  name: `${finding.vulnerabilityId ?? finding.detector} ${finding.title} at line ${finding.line}`,
  kind: finding.kind === 'review' ? 'skipped' : 'failure',
  type: finding.severity,
  message: finding.kind === 'review' ? `needs review: ${finding.message}` : finding.message,
  text: [
    `${path}:${finding.line}:${finding.column}`,
    ...(finding.places ?? []).map(({ file, line, column }) => `also at ${file ?? path}:${line}:${column}`),
    finding.snippet,
    ...finding.trace.map((step) => `${step.file ?? path}:${step.line}: ${step.message}`),
    finding.recommendation,
  ].join('\n'),
})

const count = (cases: readonly Case[], kind: Case['kind']): number => cases.filter((each) => each.kind === kind).length

function caseElement(path: string, { name, kind, type, message, text }: Case): string {
  const head = `    <testcase classname="${escapeXml(path)}" name="${escapeXml(name)}"`
  if (kind === 'passed') return `${head}/>`
  if (kind === 'skipped') return `${head}><skipped message="${escapeXml(message)}"/></testcase>`
  if (kind === 'reported')
    return `${head}><system-out>${escapeXml(`${type}: ${message}\n${text}`)}</system-out></testcase>`
  return `${head}><${kind} type="${escapeXml(type)}" message="${escapeXml(message)}">${escapeXml(text)}</${kind}></testcase>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 has no place for control characters and lone surrogates, not even escaped. */
const escapeXml = (text: string): string =>
  printable(text)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
    .replaceAll('\n', '&#10;')
