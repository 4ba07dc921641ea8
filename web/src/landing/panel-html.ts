import { openCounts, shownRating } from '../components/rating-color.ts'
import { type Severity, severities, severityColor, severityTone } from '../components/severities.ts'
import { panelHtml as texts } from '../messages/landing.ts'
import { marksOf } from '../playground/marks.ts'
import { comparePriority } from '../result/priority.ts'
import type { ViewScan } from '../result/scan-view.ts'
import { escapeHtml } from './escape-html.ts'
import { looks } from './looks.ts'

const mostShown = 12
const LINE_PX = 20

/** A scan in short: how many findings of each severity, which decides, then the score, and each finding as a button that names its line. The same in the page as it is built and as one types. */
export const panelHtml = (scan: ViewScan, keepWords: string): string =>
  `${scoreHtml(scan)}${findingsHtml(scan)}<button type="button" data-keep class="${looks.primary} mt-3 w-full">${escapeHtml(keepWords)}</button>`

function scoreHtml(scan: ViewScan): string {
  const { securityScore, message } = scan
  const all = [...scan.dataVulnerabilities, ...scan.advisories]
  const found = all.filter(({ kind }) => kind !== 'review')
  const counts = severities.flatMap((severity) => {
    const count = found.filter((finding) => finding.severity === severity).length
    return count > 0 ? [`<span style="color: ${severityColor[severity]}">${count} ${severity}</span>`] : []
  })
  const countOf = (name: string): number => found.filter(({ severity }) => severity === name).length
  const rating = shownRating(
    scan,
    openCounts({ critical: countOf('critical'), high: countOf('high'), medium: countOf('medium') }),
  )
  // The message of a scan that is not complete counts them itself.
  const state =
    scan.completeness === 'full'
      ? `${texts.score(securityScore.score, rating)}${texts.review(all.length - found.length)}`
      : message
  return `<p class="text-2xl font-semibold">${counts.join(', ') || texts.noFindings}</p>
    <p class="text-sm text-soft">${escapeHtml(state)}</p>`
}

/** In the order of the result's own page: the most severe first, housekeeping last. */
function findingsHtml(scan: ViewScan): string {
  const all = [...scan.dataVulnerabilities, ...scan.advisories].sort((a, b) => comparePriority(a, b) || a.line - b.line)
  const rows = all
    .slice(0, mostShown)
    .map(
      ({ severity, title, line, kind }) =>
        `<li><button type="button" data-line="${line}" class="flex w-full cursor-pointer items-center gap-2 py-1.5 text-left hover:bg-sunken">${badgeHtml(severity)}<span class="min-w-0 flex-1">${escapeHtml(title)}${kind === 'review' ? ` <span class="text-xs text-soft">${texts.needsReview}</span>` : ''}</span> <span class="text-xs whitespace-nowrap text-soft tabular-nums">line ${line}</span></button></li>`,
    )
  if (all.length > mostShown) rows.push(`<li class="py-1.5 text-xs text-soft">and ${all.length - mostShown} more</li>`)
  return `<ul aria-label="Findings" class="mt-3 min-h-0 flex-1 divide-y divide-line overflow-y-auto text-sm lg:max-h-72">${rows.join('')}</ul>`
}

const badgeHtml = (severity: Severity): string =>
  `<span class="inline-block rounded border px-1.5 text-xs font-semibold capitalize ${severityTone[severity]}">${severity}</span>`

/** A coloured bar behind each line with a finding. */
export const marksHtml = (scan: ViewScan): string =>
  marksOf(scan)
    .map(
      ({ line, label, severity }) =>
        `<div data-marked-line="${line}" title="${escapeHtml(label)}" class="absolute inset-x-0 h-5 border-l-4" style="top: ${(line - 1) * LINE_PX}px; border-color: ${severityColor[severity]}; background: color-mix(in srgb, ${severityColor[severity]} 12%, transparent)"></div>`,
    )
    .join('')
