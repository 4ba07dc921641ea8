import { limitsOfAScan, severityWords, shownRating, splitWords, unreadIn } from '@assay/engine/results'
import { githubSummary as texts } from '../messages/output.ts'
import { findCauses, groupByKindAndSeverity, type Located, locate } from '../scan/causes.ts'
import { isNew, isScanned, type ProjectScan } from '../scan/outcome.ts'
import { totalsOf } from '../scan/totals.ts'
import { plural } from './plural.ts'
import { printable } from './printable.ts'
import { scanNotes } from './scan-notes.ts'

/** The mark by which a comment on a pull request is found again and replaced. */
export const commentMark = '<!-- assay-report -->'

const maxListed = 20

/** A page for the job's summary or a comment on the pull request: what is new first, all of it as a table. */
export function toGithubSummary(scan: ProjectScan): string {
  const totals = totalsOf(scan)
  const located = locate(scan.outcomes)
  const isCompared = located.some(({ finding }) => 'baselineState' in finding)
  const fresh = findCauses(located.filter(({ finding }) => isNew(finding)))
  const fixed = scan.outcomes
    .filter(isScanned)
    .reduce((sum, { result }) => sum + ('baseline' in result ? result.baseline.fixedCount : 0), 0)
  const results = scan.outcomes.filter(isScanned).map(({ result }) => result)
  const unread = unreadIn(results, totals.notScanned)
  const figures = [
    `${plural(totals.files, 'file')}, ${plural(totals.lines, 'line')}`,
    `**${severityWords(totals).join(', ') || 'no findings'}**`,
    ...splitWords({ ...totals, outsideSwc: totals.advisories }),
    ...(isCompared ? [`**${fresh.length} new**, ${fixed} fixed`] : []),
    unread === null
      ? [`score ${totals.score}/100`, shownRating(totals.rating, totals.bySeverity) ?? []].flat().join(' ')
      : texts.scoreWhatWasAnalyzed(totals.score),
  ]
  return [
    commentMark,
    '## Assay',
    '',
    ...(unread === null ? [] : [`**${unread.headline}** ${unread.advice.join(' ')}`, '']),
    figures.join(' · '),
    '',
    ...notScanned(scan),
    ...list(
      isCompared ? 'New' : 'Most severe',
      fresh.slice(0, maxListed).map(({ first }) => first),
    ),
    ...(fresh.length > maxListed ? [`… and ${fresh.length - maxListed} more.`, ''] : []),
    ...(totals.findings === 0 ? [limitsOfAScan, ''] : []),
    ...table(located),
    ...settingsList(scan),
  ].join('\n')
}

function notScanned({ outcomes }: ProjectScan): string[] {
  const failed = outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome]))
  if (failed.length === 0) return []
  return [
    ...failed.slice(0, maxListed).map(({ path, error }) => `- **not scanned** ${code(path)}: ${escapeText(error)}`),
    '',
  ]
}

function list(title: string, items: readonly Located[]): string[] {
  if (items.length === 0) return [texts.nothingReport, '']
  return [
    `### ${title}`,
    '',
    '| severity | finding | location |',
    '|---|---|---|',
    ...items.map(
      ({ path, finding }) =>
        `| ${finding.severity} | ${escapeText(finding.title)}: ${escapeText(finding.message)} | ${code(`${path}:${finding.line}`)} |`,
    ),
    '',
  ]
}

function table(located: readonly Located[]): string[] {
  const kinds = groupByKindAndSeverity(findCauses(located))
  if (kinds.length === 0) return []
  return [
    `<details><summary>${texts.allByDetector}</summary>`,
    '',
    '| severity | | finding | locations |',
    '|---|---|---|---|',
    ...kinds.map(
      ({ finding, causes }) =>
        `| ${finding.severity} | ${finding.kind === 'review' ? 'needs review' : (finding.vulnerabilityId ?? '')} | ${escapeText(finding.title)} | ${causes.flatMap(({ places }) => places).length} |`,
    ),
    '',
    '</details>',
    '',
  ]
}

function settingsList(scan: ProjectScan): string[] {
  const notes = scanNotes(scan)
  if (notes.length === 0) return []
  return ['### Settings applied', '', ...notes.map((note) => `- ${code(note)}`), '']
}

const oneLine = (text: string): string => printable(text.replace(/[\r\n\t]+/g, ' '))
/** Text from the source may hold markup, mentions and references to issues: none of it may take effect. */
const escapeText = (text: string): string =>
  oneLine(text)
    .replace(/[\\*_[\]<>#|~&]/g, (character) => `\\${character}`)
    .replaceAll('@', '@\u200b')
    .replace(/(https?):/gi, '$1\\:')
const code = (text: string): string => `\`${oneLine(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``
