import { basename } from 'node:path'
import type { Severity } from '@assay/engine'
import { leftOutInWords } from '../input/collect-files.ts'
import { type Cause, groupByKind, type Kind, locate } from '../scan/causes.ts'
import { isScanned, type ProjectScan } from '../scan/outcome.ts'
import type { Totals } from '../scan/totals.ts'
import { plural } from './plural.ts'
import { printable, printableName } from './printable.ts'
import { ratingStyles, severityStyles } from './severity-styles.ts'
import type { TextOptions } from './text-options.ts'
import { wrap } from './wrap.ts'

/** The first lines: what was scanned, how it stands, how much of each severity. */
export function headline(scan: ProjectScan, totals: Totals, { paint }: TextOptions): string[] {
  const { project, importedCount } = scan
  const kind = project && project.kind !== 'folder' ? ` (${project.kind})` : ''
  const name = project ? `${printableName(basename(project.root))}${kind} · ` : ''
  const read = [
    plural(totals.files, 'file'),
    plural(totals.lines, 'line'),
    ...(importedCount > 0 ? [`${plural(importedCount, 'imported file')} read`] : []),
  ]
  const score = paint([ratingStyles[totals.rating], 'bold'], `${totals.score}/100 ${totals.rating}`)
  const counts = severityCounts(totals, paint)
  const { advisories, suppressed } = totals
  const grave = graveAdvisories(scan, paint)
  const clean = grave.length > 0 ? [] : [paint(['green', 'bold'], 'no findings')]
  const found = [
    ...(counts.length > 0 ? [counts.join('  ')] : clean),
    ...(advisories > 0 ? [`${paint('dim', plural(advisories, 'advisory', 'advisories'))}${inBrackets(grave)}`] : []),
    ...(suppressed > 0 ? [paint('dim', `${suppressed} suppressed`)] : []),
  ]
  return [`${paint('bold', `${name}${read.join(', ')}`)}`, '', `  ${score}   ${found.join('  ·  ')}`, '']
}

const inBrackets = (words: readonly string[]): string => (words.length === 0 ? '' : ` (${words.join(', ')})`)

/** Advisories do not lower the score; one that is critical or high is told all the same where the score is. */
function graveAdvisories({ outcomes }: ProjectScan, paint: TextOptions['paint']): string[] {
  const advisories = locate(outcomes).filter(({ isAdvisory }) => isAdvisory)
  return (['critical', 'high'] as const).flatMap((severity) => {
    const count = advisories.filter(({ finding }) => finding.severity === severity).length
    return count === 0 ? [] : [paint(severityStyles[severity], `${count} ${severity}`)]
  })
}

function severityCounts({ bySeverity }: Totals, paint: TextOptions['paint']): string[] {
  return (Object.entries(bySeverity) as [Severity, number][])
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => paint(severityStyles[severity], `${count} ${severity}`))
}

/** One line per kind: how grave, what, how often, in how many files. */
export function kindTable(kinds: readonly Kind[], options: TextOptions): string[] {
  if (kinds.length < 2) return []
  const { paint } = options
  const rows = kinds.map(({ finding, isAdvisory, causes }) => {
    const places = causes.flatMap((cause) => cause.places)
    return {
      severity: finding.severity,
      id: finding.kind === 'review' ? 'review' : (finding.vulnerabilityId ?? (isAdvisory ? 'advisory' : '')),
      name: finding.title,
      places: String(places.length),
      files: String(new Set(places.map(({ path }) => path)).size),
    }
  })
  const width = (key: 'id' | 'name' | 'places' | 'files', least: number) =>
    Math.max(least, ...rows.map((row) => row[key].length))
  const [id, name, places, files] = [width('id', 0), width('name', 8), width('places', 6), width('files', 5)]
  const head = `  ${'severity'.padEnd(8)}  ${''.padEnd(id)}  ${'weakness'.padEnd(name)}  ${'places'.padStart(places)}  ${'files'.padStart(files)}`
  return [
    paint('dim', head),
    ...rows.map(
      (row) =>
        `  ${paint(severityStyles[row.severity], row.severity.padEnd(8))}  ${paint('dim', row.id.padEnd(id))}  ${row.name.padEnd(name)}  ${row.places.padStart(places)}  ${row.files.padStart(files)}`,
    ),
    '',
  ]
}

/** The gravest causes, one line each: severity, place, and what happens there in one sentence. */
export function gravest(causes: readonly Cause[], options: TextOptions): string[] {
  const { paint, link, limit, columns } = options
  const top = causes.slice(0, limit)
  if (top.length === 0) return []
  const lines = top.map(({ first: { path, finding }, places }, index) => {
    const number = String(index + 1).padStart(String(top.length).length)
    const place = `${printableName(path)}:${finding.line}`
    const more = places.length > 1 ? ` (+${places.length - 1})` : ''
    const review = finding.kind === 'review' ? ` ${paint('dim', 'needs review')}` : ''
    const head = `  ${number}  ${paint(severityStyles[finding.severity], finding.severity.padEnd(8))}  ${paint('bold', finding.title)}${review}  ${paint('dim', link(place, path))}${paint('dim', more)}`
    const indent = ' '.repeat(4 + number.length)
    return [head, ...cutTo(wrap(printable(finding.message), columns - 2, indent), 2)]
  })
  return [paint('green', top.length === 1 ? 'Most severe' : `${top.length} most severe`), ...lines.flat(), '']
}

const cutTo = (lines: readonly string[], most: number): string[] =>
  lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), `${lines[most - 1]} …`]

/** Matters of the project as a whole, one line each: what many files share, what was not found, what was not read. */
export function projectMatters(scan: ProjectScan, causes: readonly Cause[], options: TextOptions): string[] {
  const { paint } = options
  const lines = [
    ...groupByKind(causes.filter(({ isProjectWide }) => isProjectWide)).flatMap((kind) => sharedLines(kind, options)),
    ...missingLine(scan, options),
    ...refusedLine(scan, options),
    ...notRead(scan, options),
    ...leftOutLine(scan, options),
  ]
  return lines.length === 0 ? [] : [paint('green', 'Project-wide'), ...lines, '']
}

/** One matter that many files share, with its commonest forms. */
function sharedLines({ finding, causes }: Kind, { paint, columns }: TextOptions): string[] {
  const files = new Set(causes.flatMap(({ places }) => places.map(({ path }) => path))).size
  const forms = [...causes]
    .sort((a, b) => b.places.length - a.places.length)
    .map(({ first, places }) => `${snippetOf(first.finding)} (${places.length})`)
  const shown = [
    ...forms.slice(0, maxForms),
    ...(forms.length > maxForms ? [`${forms.length - maxForms} other forms`] : []),
  ]
  const rank = paint(severityStyles[finding.severity], finding.severity.padEnd(8))
  return [
    `  ${rank}  ${paint('bold', `${finding.title} in ${plural(files, 'file')}`)}  ${paint('dim', idOf(finding))}`,
    ...wrap(shown.join(', '), columns - 2, ' '.repeat(12)).map((line) => paint('dim', line)),
    ...wrap(finding.recommendation, columns - 2, ' '.repeat(12)),
  ]
}

const maxForms = 4

const snippetOf = ({ snippet }: { readonly snippet: string }): string =>
  printable(snippet.trim().split('\n')[0] ?? '').slice(0, 40)

const idOf = (finding: { readonly vulnerabilityId?: string; readonly detector: string }): string =>
  finding.vulnerabilityId ?? finding.detector

/** Which packages are missing, and the command that brings them. */
function missingLine({ missingImports, project }: ProjectScan, { paint, columns }: TextOptions): string[] {
  if (missingImports.length === 0) return []
  const packages = [...new Set(missingImports.map(({ wanted }) => packageOf(wanted)))]
  const shown = packages.slice(0, 4).map(printableName).join(', ')
  const rest = packages.length > 4 ? ` and ${packages.length - 4} more` : ''
  const remedy =
    project?.kind === 'Foundry'
      ? '`forge install` (or `forge soldeer install`)'
      : project?.kind === 'folder' || !project
        ? '--remappings, or install them'
        : '`npm install`'
  const text = `${plural(missingImports.length, 'import was', 'imports were')} not found (${shown}${rest}), so some findings have lower confidence. Fix: ${remedy}.`
  return wrap(text, columns - 2, '  ').map((line) => paint('yellow', line))
}

/** What links, imports and settings named outside of the project. */
function refusedLine({ refused }: ProjectScan, { paint, columns }: TextOptions): string[] {
  if (refused.length === 0) return []
  const shown = refused.slice(0, 4).map(printableName).join(', ')
  const rest = refused.length > 4 ? ` and ${refused.length - 4} more` : ''
  const text = `Not read, outside of the project: ${shown}${rest}; --root names a wider one.`
  return wrap(text, columns - 2, '  ').map((line) => paint('yellow', line))
}

const packageOf = (wanted: string): string =>
  wanted.startsWith('.') ? wanted : (/^(@[^/]+\/[^/]+|[^/]+)/.exec(wanted)?.[0] ?? wanted)

const maxNotRead = 10

function notRead({ outcomes }: ProjectScan, { paint }: TextOptions): string[] {
  const failed = outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome]))
  const lines = failed
    .slice(0, maxNotRead)
    .map(
      ({ path, error }) =>
        `  ${paint(['red', 'bold'], 'not scanned')}  ${paint('bold', printableName(path))}  ${printable(error)}`,
    )
  return failed.length > maxNotRead ? [...lines, `  … and ${failed.length - maxNotRead} more not scanned`] : lines
}

function leftOutLine({ leftOut }: ProjectScan, { paint }: TextOptions): string[] {
  const own = new Map([...leftOut].filter(([role]) => role !== 'dependency'))
  if (own.size === 0) return []
  const hint = own.size === 1 && own.has('excluded') ? '' : '; --scope project shows them'
  return [paint('dim', `  not reported: ${leftOutInWords(own)}${hint}`)]
}
