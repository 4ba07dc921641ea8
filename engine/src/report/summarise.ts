import type { Severity } from '../detectors/define-detector.ts'

interface Summarised {
  readonly findings: readonly unknown[]
  readonly advisories: readonly { readonly title: string; readonly severity: Severity; readonly kind?: string }[]
  readonly suppressed: readonly unknown[]
  readonly completeness: 'full' | 'partial'
  readonly diagnostics: readonly { readonly code: string }[]
}

const maxTitles = 3

const isGrave = ({ severity }: { readonly severity: Severity }): boolean =>
  severity === 'critical' || severity === 'high'

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

/** ` (1 critical, 2 high)`: a file with such advisories is not clean. */
const graveAdvisories = ({ advisories }: Summarised): string => {
  const named = (['critical', 'high'] as const)
    .map((level) => ({ level, many: advisories.filter(({ severity }) => severity === level).length }))
    .filter(({ many }) => many > 0)
    .map(({ level, many }) => `${many} ${level}`)
  if (named.length === 0) return ''
  const titles = [...new Set(advisories.filter(isGrave).map(({ title }) => title))].slice(0, maxTitles)
  return ` (${named.join(', ')}: ${titles.join('; ')})`
}

/** `1 base and 2 imports were not found …`: silence about inherited code is no praise of it. */
const whatIsMissing = ({ diagnostics }: Summarised): string => {
  const many = (code: string): number => diagnostics.filter((diagnostic) => diagnostic.code === code).length
  const named = [
    { n: many('base-missing'), one: 'base', all: 'bases' },
    { n: many('import-missing'), one: 'import', all: 'imports' },
  ].filter(({ n }) => n > 0)
  if (named.length === 0) return ''
  const isOne = named.length === 1 && named[0]!.n === 1
  const list = named.map(({ n, one, all }) => count(n, one, all)).join(' and ')
  return `${list} ${isOne ? 'was' : 'were'} not found: what is inherited or called there was not analysed.`
}

/** The sentence a person reads first. */
export const summarise = (report: Summarised): string => {
  const found = report.findings.length
  const reviews = report.advisories.filter(({ kind }) => kind === 'review').length
  const advisories = report.advisories.length - reviews
  const grave = graveAdvisories(report)
  const parts = [
    found > 0
      ? `Scan completed: ${count(found, 'vulnerability', 'vulnerabilities')} found.`
      : grave === ''
        ? `Scan completed: no vulnerabilities found${report.completeness === 'full' ? '' : ' in what could be analysed'}.`
        : 'Scan completed: see the advisories.',
  ]
  if (advisories > 0) parts.push(`${count(advisories, 'advisory', 'advisories')}${grave}.`)
  if (reviews > 0) parts.push(`${count(reviews, 'place', 'places')} to review.`)
  if (report.suppressed.length > 0)
    parts.push(`${count(report.suppressed.length, 'finding', 'findings')} suppressed by comments.`)
  const missing = whatIsMissing(report)
  if (missing !== '') parts.push(missing)
  if (report.completeness === 'partial')
    parts.push('The result is partial: some of the source could not be analysed, see parseErrors and diagnostics.')
  return parts.join(' ')
}
