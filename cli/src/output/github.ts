import type { Severity } from '@assay/engine'
import { severityWords, splitWords, tally, unreadIn } from '@assay/engine/results'
import { byGravity, findCauses, type Located, locate } from '../scan/causes.ts'
import { isNew, isScanned, type ProjectScan } from '../scan/outcome.ts'
import { printable } from './printable.ts'
import { scanNotes } from './scan-notes.ts'

type Level = 'error' | 'warning' | 'notice'

const levels: Record<Severity, Level> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'notice',
  info: 'notice',
}

/** GitHub shows so many of each level per step. */
const maxPerLevel = 10

/** Annotations as workflow commands: the most severe of each level, at their lines. `folder`: where the paths begin, from the root of the checkout. */
export function toGithub(scan: ProjectScan, folder = ''): string {
  const counts: Record<Level, number> = { error: 0, warning: 0, notice: 0 }
  const failures = scan.outcomes.flatMap((outcome) =>
    isScanned(outcome) ? [] : [command('error', { file: folder + outcome.path, title: 'Not scanned' }, outcome.error)],
  )
  const lines = findCauses(locate(scan.outcomes).filter(({ finding }) => isNew(finding)))
    .map(({ first }) => first)
    .sort(byGravity)
    .flatMap((located) => {
      const level = levelOf(located)
      return counts[level]++ < maxPerLevel ? [annotation(level, located, folder)] : []
    })
  const notes = scanNotes(scan)
  const settings = notes.length === 0 ? [] : [command('notice', { title: 'Settings applied' }, notes.join('\n'))]
  return [...failures, ...lines, ...settings, ...summaryOf(scan)].map((line) => `${line}\n`).join('')
}

/** The counts of all findings: annotations are cut off, and a reader must know by how much. */
function summaryOf({ outcomes }: ProjectScan): string[] {
  const results = outcomes.filter(isScanned).map(({ result }) => result)
  const counts = tally(results)
  const unread = unreadIn(results, outcomes.length - results.length)
  const words = [
    ...(unread === null ? [] : [unread.headline]),
    `${[...(counts.findings === 0 ? ['no findings'] : severityWords(counts)), ...splitWords(counts)].join(', ')}.`,
  ]
  return [command('notice', { title: 'Assay' }, words.join(' '))]
}

/** What needs review is a notice, whatever it would be if it were true. */
const levelOf = ({ finding }: Located): Level => (finding.kind === 'review' ? 'notice' : levels[finding.severity])

function annotation(level: Level, { path, finding }: Located, folder: string): string {
  const { line, column, endLine, endColumn } = finding
  return command(
    level,
    {
      file: folder + path,
      line: String(line),
      endLine: String(endLine),
      // Columns mean something only on one line.
      ...(line === endLine ? { col: String(column), endColumn: String(endColumn) } : {}),
      title: `${finding.kind === 'review' ? 'Needs review: ' : ''}${finding.title} (${finding.vulnerabilityId ?? finding.detector})`,
    },
    `${finding.message}\n\n${finding.recommendation}`,
  )
}

const command = (level: Level, properties: Readonly<Record<string, string>>, message: string): string =>
  `::${level} ${Object.entries(properties)
    .map(([name, value]) => `${name}=${escapeProperty(value)}`)
    .join(',')}::${escapeData(message)}`

// A log is shown by a terminal as often as by a page.
const escapeData = (text: string): string =>
  printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('##[', '#%23[')
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
