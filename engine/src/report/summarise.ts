import type { Severity } from '../detectors/define-detector.ts'
import type { Diagnostic, ParseError } from './report.ts'
import { type Extent, unreadOf } from './unread.ts'

interface Summarised {
  readonly findings: readonly unknown[]
  readonly advisories: readonly { readonly title: string; readonly severity: Severity; readonly kind?: string }[]
  readonly suppressed: readonly unknown[]
  readonly completeness: 'full' | 'partial'
  readonly parseErrors: readonly ParseError[]
  readonly diagnostics: readonly Diagnostic[]
}

const maxTitles = 3

const isSevere = ({ severity }: { readonly severity: Severity }): boolean =>
  severity === 'critical' || severity === 'high'

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

/** ` (1 critical, 2 high: …)`: a file with such findings is not clean. */
const severeAdvisories = (advisories: Summarised['advisories']): string => {
  const named = (['critical', 'high'] as const)
    .map((level) => ({ level, many: advisories.filter(({ severity }) => severity === level).length }))
    .filter(({ many }) => many > 0)
    .map(({ level, many }) => `${many} ${level}`)
  if (named.length === 0) return ''
  const titles = [...new Set(advisories.filter(isSevere).map(({ title }) => title))].slice(0, maxTitles)
  return ` (${named.join(', ')}: ${titles.join('; ')})`
}

const foundWords = (found: number, hasSevere: boolean): string => {
  if (found > 0) return `${count(found, 'vulnerability', 'vulnerabilities')} found`
  return hasSevere ? 'findings outside the SWC list only' : 'no vulnerabilities found'
}

/** The sentence a person reads first: what was not read, what was found. */
export const summarise = (
  report: Summarised,
  extent: Extent = { files: 1, inPart: report.completeness === 'partial' ? 1 : 0, notScanned: 0 },
): string => {
  const outside = report.advisories.filter(({ kind }) => kind !== 'review')
  const reviews = report.advisories.length - outside.length
  const severe = severeAdvisories(outside)
  const unread = unreadOf([report], extent)
  const found = foundWords(report.findings.length, severe !== '')
  return [
    ...(unread === null ? [`Scan completed: ${found}.`] : [unread.headline, `In what was analyzed: ${found}.`]),
    ...(outside.length > 0 ? [`${count(outside.length, 'finding', 'findings')} outside the SWC list${severe}.`] : []),
    ...(reviews > 0 ? [`${reviews} ${reviews === 1 ? 'needs' : 'need'} review.`] : []),
    ...(report.suppressed.length > 0
      ? [`${count(report.suppressed.length, 'finding', 'findings')} suppressed by comments.`]
      : []),
    ...(unread === null ? [] : [...unread.advice, 'See parseErrors and diagnostics.']),
  ].join(' ')
}
