import { basename } from 'node:path'
import type { Severity } from '@assay/engine'
import { isHousekeeping, limitsOfAScan, shownRating, splitWords, unreadIn } from '@assay/engine/results'
import { leftOutInWords } from '../input/collect-files.ts'
import { summary as texts } from '../messages/output.ts'
import { toolsOf } from '../project/project.ts'
import { type Cause, findCauses, groupByKind, type Kind, locate } from '../scan/causes.ts'
import { isNew, isScanned, type ProjectScan } from '../scan/outcome.ts'
import type { Totals } from '../scan/totals.ts'
import { plural } from './plural.ts'
import { printable, printableName } from './printable.ts'
import { ratingStyles, severityStyles } from './severity-styles.ts'
import type { TextOptions } from './text-options.ts'
import { wrap } from './wrap.ts'

/** The first lines: what was scanned, what was not read, how much of each severity, then the score. */
export function headline(scan: ProjectScan, totals: Totals, options: TextOptions): string[] {
  const { paint } = options
  const { project, importedCount } = scan
  const vendoredCount = scan.leftOut.get('vendored') ?? 0
  const tools = project ? toolsOf(project) : []
  const kind = tools.length > 0 ? ` (${tools.join(' and ')})` : ''
  const name = project && kind !== '' ? `${printableName(basename(project.root))}${kind} · ` : ''
  const read = [
    plural(totals.files, 'file'),
    plural(totals.lines, 'line'),
    ...(importedCount > 0 ? [`${plural(importedCount, 'imported file')} read`] : []),
    ...(vendoredCount > 0 ? [texts.leftOut(plural(vendoredCount, texts.vendoredFile))] : []),
  ]
  const unread = unreadLines(scan, options)
  return [
    paint('bold', `${name}${read.join(', ')}`),
    '',
    ...unread,
    `  ${[foundWords(totals, unread.length > 0, paint), ...tidiness(scan).map((words) => paint('dim', words))].join('  ·  ')}`,
    ...comparedWords(scan, paint),
    ...projectWide(scan).flatMap((words) => wrap(words, options.columns - 2, '  ')),
    `  ${[scoreWords(totals, unread.length > 0, paint), ...splitWords({ ...totals, outsideSwc: totals.advisories }).map((words) => paint('dim', words))].join('  ·  ')}`,
    ...(totals.findings === 0 ? wrap(limitsOfAScan, options.columns - 2, '  ').map((line) => paint('dim', line)) : []),
    '',
  ]
}

/** With a baseline: how many findings are new, and how many were known. */
function comparedWords({ outcomes }: ProjectScan, paint: TextOptions['paint']): string[] {
  if (!outcomes.filter(isScanned).some(({ result }) => 'baseline' in result)) return []
  const all = locate(outcomes)
  const fresh = all.filter(({ finding }) => isNew(finding)).length
  return [`  ${paint(fresh > 0 ? 'yellow' : 'green', `${fresh} new, ${all.length - fresh} known`)}`]
}

function foundWords(totals: Totals, isIncomplete: boolean, paint: TextOptions['paint']): string {
  const counts = (Object.entries(totals.bySeverity) as [Severity, number][])
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => paint(severityStyles[severity], `${count} ${severity}`))
  if (counts.length > 0) return counts.join('  ')
  return isIncomplete ? texts.noFindingsWhatWas : 'no findings'
}

/** `project-wide: Floating pragma in 254 files` */
const projectWide = ({ outcomes }: ProjectScan): string[] => {
  const wide = findCauses(locate(outcomes)).filter(({ isProjectWide }) => isProjectWide)
  const named = wide.map(({ first, places }) => `${first.finding.title} in ${plural(filesOf(places), 'file')}`)
  return named.length === 0 ? [] : [`project-wide: ${named.join(', ')}`]
}

const maxTidied = 3

/** `housekeeping: floating pragma, 4 × unused variable`: what the counts include and nobody attacks. */
function tidiness({ outcomes }: ProjectScan): string[] {
  const causes = findCauses(locate(outcomes)).filter(
    ({ first, isProjectWide }) => !isProjectWide && isHousekeeping(first.finding),
  )
  const named = groupByKind(causes).map(({ finding, causes: { length } }) => {
    const title = `${finding.title.slice(0, 1).toLowerCase()}${finding.title.slice(1)}`
    return length === 1 ? title : `${length} × ${title}`
  })
  return named.length === 0 ? [] : [texts.housekeeping(named.slice(0, maxTidied), named.length - maxTidied)]
}

/** The word of a rating, and its color, only beside a scan that read everything and found nothing that contradicts it. */
function scoreWords({ score, rating, bySeverity }: Totals, isIncomplete: boolean, paint: TextOptions['paint']): string {
  if (isIncomplete) return texts.scoreWhatWasAnalyzed(score)
  const word = shownRating(rating, bySeverity)
  return word === null ? `score ${score}/100` : paint([ratingStyles[word], 'bold'], `score ${score}/100 ${word}`)
}

const maxUnread = 5

/** What was not read, where, and what to do: before everything else. */
function unreadLines({ outcomes }: ProjectScan, { paint, columns, isDetailed }: TextOptions): string[] {
  const results = outcomes.filter(isScanned).map(({ result }) => result)
  const unread = unreadIn(results, outcomes.length - results.length)
  if (unread === null) return []
  const places = isDetailed ? unread.places : unread.places.slice(0, maxUnread)
  const rest = unread.places.length - places.length
  return [
    ...wrap(unread.headline, columns - 2, '  ').map((line) => paint(['yellow', 'bold'], line)),
    ...places.flatMap(({ file, line, reason }) =>
      wrap(`${printable(file ?? '')}${line === null ? '' : `:${line}`}  ${printable(reason)}`, columns - 4, '    '),
    ),
    ...(rest > 0 ? [`    … and ${rest} more: --details`] : []),
    ...unread.advice.flatMap((advice) => wrap(advice, columns - 2, '  ')),
    '',
  ]
}

const filesOf = (places: Cause['places']): number => new Set(places.map(({ path }) => path)).size

/** One line per kind: how severe, what, how often, in how many files. */
export function kindTable(kinds: readonly Kind[], options: TextOptions): string[] {
  if (kinds.length < 2) return []
  const { paint } = options
  const rows = kinds.map(({ finding, causes }) => {
    const places = causes.flatMap((cause) => cause.places)
    return {
      severity: finding.severity,
      id: finding.kind === 'review' ? 'needs review' : (finding.vulnerabilityId ?? '–'),
      name: finding.title,
      places: String(places.length),
      files: String(filesOf(places)),
    }
  })
  const width = (key: 'id' | 'name' | 'places' | 'files', least: number) =>
    Math.max(least, ...rows.map((row) => row[key].length))
  const [id, name, places, files] = [width('id', 0), width('name', 8), width('places', 6), width('files', 5)]
  const head = `  ${'severity'.padEnd(8)}  ${''.padEnd(id)}  ${'finding'.padEnd(name)}  ${'places'.padStart(places)}  ${'files'.padStart(files)}`
  return [
    paint('dim', head),
    ...rows.map(
      (row) =>
        `  ${paint(severityStyles[row.severity], row.severity.padEnd(8))}  ${paint('dim', row.id.padEnd(id))}  ${row.name.padEnd(name)}  ${row.places.padStart(places)}  ${row.files.padStart(files)}`,
    ),
    '',
  ]
}

/** The most severe, each of another kind: severity, place, and what happens there in one sentence. */
export function mostSevere(causes: readonly Cause[], options: TextOptions): string[] {
  const { paint, link, limit, columns } = options
  const top = groupByKind(causes.filter(({ first }) => !isHousekeeping(first.finding)))
    .map(({ causes: own }) => ({ ...own[0]!, more: own.length - 1 }))
    .slice(0, limit)
  if (top.length === 0) return []
  const lines = top.map(({ first: { path, finding }, places, more: others }, index) => {
    const number = String(index + 1).padStart(String(top.length).length)
    const place = `${printableName(path)}:${finding.line}`
    const more = `${places.length > 1 ? ` (+${plural(places.length - 1, 'place')})` : ''}${others > 0 ? texts.moreKind(others) : ''}`
    const review = finding.kind === 'review' ? ` ${paint('dim', 'needs review')}` : ''
    const head = `  ${number}  ${paint(severityStyles[finding.severity], finding.severity.padEnd(8))}  ${paint('bold', finding.title)}${review}  ${paint('dim', link(place, path))}${paint('dim', more)}`
    const indent = ' '.repeat(4 + number.length)
    return [head, ...cutTo(wrap(printable(finding.message), columns - 2, indent), 2)]
  })
  return [paint('green', top.length === 1 ? 'Most severe' : texts.mostSevereOneEach(top.length)), ...lines.flat(), '']
}

const cutTo = (lines: readonly string[], most: number): string[] =>
  lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), `${lines[most - 1]} …`]

/** Matters of the project as a whole, one line each: what many files share, what was not found, what was not read. */
export function projectMatters(scan: ProjectScan, causes: readonly Cause[], options: TextOptions): string[] {
  const { paint } = options
  const lines = [
    ...causes.filter(({ isProjectWide }) => isProjectWide).flatMap((cause) => sharedLines(cause, scan, options)),
    ...missingLine(scan, options),
    ...refusedLine(scan, options),
    ...notRead(scan, options),
    ...leftOutLine(scan, options),
  ]
  return lines.length === 0 ? [] : [paint('green', 'Project-wide'), ...lines, '']
}

/** What many files share, with its commonest forms. */
function sharedLines(
  { first: { finding }, places }: Cause,
  scan: ProjectScan,
  { paint, columns }: TextOptions,
): string[] {
  const forms = formsOf(places, scan)
  const shown = [
    ...forms.slice(0, maxForms),
    ...(forms.length > maxForms ? [`${forms.length - maxForms} other forms`] : []),
  ]
  const rank = paint(severityStyles[finding.severity], finding.severity.padEnd(8))
  return [
    `  ${rank}  ${paint('bold', `${finding.title} in ${plural(filesOf(places), 'file')}`)}  ${paint('dim', idOf(finding))}`,
    ...wrap(shown.join(', '), columns - 2, ' '.repeat(12)).map((line) => paint('dim', line)),
    ...wrap(finding.recommendation, columns - 2, ' '.repeat(12)),
  ]
}

/** `pragma solidity ^0.8.0; (12)`, the commonest first. */
function formsOf(places: Cause['places'], { outcomes }: ProjectScan): string[] {
  const textOf = new Map(outcomes.filter(isScanned).map(({ path, text }) => [path, text.split(/\r\n|[\n\r]/)]))
  const forms = new Map<string, number>()
  for (const { path, line, column } of places) {
    const form = printable((textOf.get(path)?.[line - 1] ?? '').slice(column - 1).trim()).slice(0, 40)
    forms.set(form, (forms.get(form) ?? 0) + 1)
  }
  return [...forms].sort((a, b) => b[1] - a[1]).map(([form, count]) => `${form} (${count})`)
}

const maxForms = 4

const idOf = (finding: { readonly vulnerabilityId?: string; readonly detector: string }): string =>
  finding.vulnerabilityId ?? finding.detector

/** Which packages are missing, and the command that brings them. */
function missingLine({ missingImports, project }: ProjectScan, { paint, columns }: TextOptions): string[] {
  if (missingImports.length === 0) return []
  const packages = [...new Set(missingImports.map(({ wanted }) => packageOf(wanted)))]
  const shown = packages.slice(0, 4).map(printableName).join(', ')
  const rest = packages.length > 4 ? ` and ${packages.length - 4} more` : ''
  const remedies = [...new Set((project ? toolsOf(project) : []).map((tool) => texts.installCommands[tool]))]
  const remedy = remedies.length > 0 ? remedies.join(' and ') : texts.remappingsInstallThem
  // No number: those that a built-in model replaces are not missing to the analysis, which counts the others.
  const text = texts.notFoundSoSome(shown, rest, remedy)
  return wrap(text, columns - 2, '  ').map((line) => paint('yellow', line))
}

/** What links, imports and settings named outside of the project. */
function refusedLine({ refused }: ProjectScan, { paint, columns }: TextOptions): string[] {
  if (refused.length === 0) return []
  const shown = refused.slice(0, 4).map(printableName).join(', ')
  const rest = refused.length > 4 ? ` and ${refused.length - 4} more` : ''
  const text = texts.notReadOutsideProject(shown, rest)
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
  return failed.length > maxNotRead ? [...lines, texts.moreNotScanned(failed.length - maxNotRead)] : lines
}

function leftOutLine({ leftOut }: ProjectScan, { paint }: TextOptions): string[] {
  const own = new Map([...leftOut].filter(([role]) => role !== 'dependency'))
  if (own.size === 0) return []
  const hint = own.size === 1 && own.has('excluded') ? '' : texts.scopeProjectShowsThem
  return [paint('dim', `  not reported: ${leftOutInWords(own)}${hint}`)]
}
