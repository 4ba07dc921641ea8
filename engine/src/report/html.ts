/** A report as one page: no script, no outside resource, every text escaped; light, dark and paper. */
import type { Severity } from '../detectors/define-detector.ts'
import type { BaselineState, ComparedScanResult } from './compare-scans.ts'
import { amountOf, balanceChanges, type Evidence, evidenceLine, evidenceTitle, hasSteps } from './evidence.ts'
import {
  countWords,
  findingsOf,
  kindsOf,
  type NotScanned,
  projectScore,
  reviewsOf,
  withoutDismissed,
} from './project-summary.ts'
import { type SecurityScore, shownRating } from './security-score.ts'
import { splitWords, tally } from './tally.ts'
import { limitsOfAScan, type Unread, unreadIn } from './unread.ts'
import { visible, visibleLine } from './visible.ts'
import type { ScanResult, WireFinding, WireSuppressed } from './wire.ts'

export interface HtmlOptions {
  readonly title?: string
  /** ISO time of the scan, shown as given. */
  readonly scannedAt?: string
  /** Commit and branch of what was scanned, shown as given. */
  readonly revision?: string
  /** The score of the scan, where findings were dismissed after it: the report lists the others. */
  readonly whole?: SecurityScore
  /** Files that were requested and have no result. */
  readonly notScanned?: readonly NotScanned[]
  /** What files of the project set, one line each: they travel with the source, so the reader must see them. */
  readonly settings?: readonly string[]
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeEntities = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)

const escapeLine = (text: string): string => escapeEntities(visibleLine(text))

/** Our own words with `names` in backticks shown as code. */
const prose = (text: string): string => {
  const parts = visibleLine(text).split('`')
  if (parts.length % 2 === 0) return escapeLine(text)
  return parts.map((part, i) => (i % 2 === 1 ? `<code>${escapeEntities(part)}</code>` : escapeEntities(part))).join('')
}

const link = (url: string): string =>
  /^https:\/\/[^\s"'<>]+$/.test(url)
    ? `<a href="${escapeLine(url)}" rel="noreferrer noopener">${escapeLine(url)}</a>`
    : escapeLine(url)

const styles = `
:root{color-scheme:light dark;--bg:#fff;--fg:#16181d;--dim:#5b6270;--line:#dfe3ea;--card:#f7f8fa;--accent:#2f5bd7;
--critical:#a3123a;--high:#c2410c;--medium:#9a6700;--low:#0b6e5f;--info:#475569}
@media (prefers-color-scheme:dark){:root{--bg:#101216;--fg:#e7e9ee;--dim:#9aa3b2;--line:#2b303a;--card:#171a20;--accent:#8fb0ff;
--critical:#ff7a9c;--high:#ff9d5c;--medium:#f2c14e;--low:#5fd3bd;--info:#a9b4c6}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.2rem;margin:2.5rem 0 .75rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
h3{font-size:1rem;margin:0}p{margin:.5rem 0}a{color:var(--accent);overflow-wrap:anywhere}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow-x:auto;margin:.75rem 0;tab-size:4}
.meta{color:var(--dim);overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
h2{overflow-wrap:anywhere}.kinds td:nth-child(2){white-space:nowrap}
.score{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:center;margin:1.5rem 0;padding:1rem 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:10px}
.score strong{font-size:1.6rem;line-height:1}
.unread{margin:1.5rem 0;padding:.5rem 1.25rem;border:1px solid var(--line);border-left:4px solid var(--dim);border-radius:8px}
.counts{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;margin:0;padding:0;list-style:none}
.finding{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--info);border-radius:8px;padding:1rem 1.25rem;margin:1rem 0;break-inside:avoid}
.critical{border-left-color:var(--critical)}.high{border-left-color:var(--high)}.medium{border-left-color:var(--medium)}.low{border-left-color:var(--low)}
.evidence{border-left:3px solid var(--critical);padding-left:.8rem}.balances{max-width:38rem;font-size:13px;fill:currentColor}.balances .gain{fill:var(--critical)}.balances .loss{fill:var(--info)}
.tag{font-weight:600}.tag.critical{color:var(--critical)}.tag.high{color:var(--high)}.tag.medium{color:var(--medium)}.tag.low{color:var(--low)}.tag.info{color:var(--info)}
ul,ol{padding-left:1.4rem}.checklist{list-style:none;padding-left:0}.checklist li::before{content:"☐ "}.checklist li.done::before{content:"☑ "}
/* A phone: the columns that matter fit without a thumb. */
@media (max-width:30rem){main{padding:1.25rem .9rem 3rem}th,td{padding:.3rem .5rem .3rem 0;font-size:.875rem}.kinds :is(th,td):nth-child(5){display:none}.finding{padding:.8rem .9rem}}
${['critical', 'high', 'medium', 'low', 'info'].map((severity) => `main:has(#show-${severity}:not(:checked)) .finding.${severity}{display:none}`).join('')}
.no{color:var(--dim);user-select:none}.filter{border:1px solid var(--line);border-radius:8px;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
@media print{.filter{display:none}body{font-size:11pt}main{max-width:none;padding:0}pre{white-space:pre-wrap}a{color:inherit}.finding{break-inside:avoid}}
`.trim()

const stateOf = (finding: WireFinding): string => {
  const state = (finding as { baselineState?: BaselineState }).baselineState
  return state ? ` · ${escapeLine(state)}` : ''
}

const severityClass = ({ severity }: WireFinding): string =>
  ['critical', 'high', 'medium', 'low', 'info'].includes(severity) ? severity : 'info'

const traceList = (finding: WireFinding): string =>
  finding.trace.length === 0
    ? ''
    : `<p>Trace:</p><ol>${finding.trace.map((step) => `<li>${step.file ? `<code>${escapeLine(step.file)}</code>, line` : 'Line'} ${Number(step.line)}: ${prose(step.message)}</li>`).join('')}</ol>`

const furtherPlaces = ({ places }: WireFinding): string =>
  places === undefined
    ? ''
    : `<p>Also at ${places.map(({ file, line }) => `${file ? `<code>${escapeLine(file)}</code>, ` : ''}line ${Number(line)}`).join(', ')}.</p>`

/** One bar for each account whose ether or tokens changed; gains to the right, losses to the left. */
const balanceChart = (evidence: Evidence): string => {
  const changes = balanceChanges(evidence).slice(0, 6)
  const bars = changes.map(({ holder, token, change, share }, index) => {
    const width = 125 * share
    const [x, kind] = change < 0n ? [330 - width, 'loss'] : [330, 'gain']
    const y = 6 + index * 24
    return `<text x="0" y="${y + 12}">${escapeLine(holder)}</text><rect class="${kind}" x="${x}" y="${y}" width="${width}" height="16"/><text x="470" y="${y + 12}">${escapeLine(amountOf(String(change), token))}</text>`
  })
  if (bars.length === 0) return ''
  return `<svg class="balances" viewBox="0 0 620 ${12 + bars.length * 24}" role="img" aria-label="Change of balances">${bars.join('')}</svg>`
}

const evidenceSection = (evidence: Evidence | undefined): string => {
  if (!evidence) return ''
  const title = escapeLine(evidenceTitle(evidence))
  if (!hasSteps(evidence.status)) return `<p class="meta">${title}</p>`
  const { steps, control } = evidence
  const list = steps.map((step) => `<li>${escapeLine(evidenceLine(step))}</li>`).join('')
  const checked = control
    ? `<p class="meta">Control: ${escapeLine(control.change)}: ${escapeLine(control.result)}.</p>`
    : ''
  return `<div class="evidence"><p><strong>${title}</strong></p><ol>${list}</ol>${balanceChart(evidence)}${checked}</div>`
}

/** The lines of the place with their numbers. */
const numbered = ({ snippet, line }: WireFinding): string => {
  const lines = visible(snippet).split('\n')
  const width = String(line + lines.length - 1).length
  return lines
    .map((text, i) => `<span class="no">${String(line + i).padStart(width)}</span> ${escapeEntities(text)}`)
    .join('\n')
}

const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info']

/** Hides findings of a severity or of a detector by styles alone: the page has no script. */
const filterBlock = (results: readonly ScanResult[]): string => {
  const found = [...findingsOf(results), ...reviewsOf(results)]
  const present = severities.filter((severity) => found.some((finding) => finding.severity === severity))
  const bySeverity = present.map(
    (severity) =>
      `<label><input type="checkbox" id="show-${severity}" checked> <span class="tag ${severity}">${severity}</span></label>`,
  )
  const byDetector = detectorsIn(results).map(
    (id, index) =>
      `<label><input type="checkbox" id="detector-${index}" checked> <code>${escapeLine(id)}</code></label>`,
  )
  return [filterOf('Show', bySeverity), filterOf('Detectors', byDetector)].join('\n')
}

const filterOf = (legend: string, boxes: readonly string[]): string =>
  boxes.length < 2 ? '' : `<fieldset class="filter"><legend>${legend}</legend>${boxes.join(' ')}</fieldset>`

/** Ids of one's own rules may be anything; what cannot stand in a style is not filtered by. */
const isPlainId = (id: string): boolean => /^[\w-]+$/.test(id)

const detectorsIn = (results: readonly ScanResult[]): string[] =>
  [...new Set([...findingsOf(results), ...reviewsOf(results)].map(({ detector }) => detector))].filter(isPlainId).sort()

const detectorStyles = (results: readonly ScanResult[]): string =>
  detectorsIn(results)
    .map((id, index) => `main:has(#detector-${index}:not(:checked)) .finding[data-detector="${id}"]{display:none}`)
    .join('')

const findingCard = (finding: WireFinding & { readonly vulnerabilityId?: string }): string => {
  const heading = finding.vulnerabilityId ? `${finding.vulnerabilityId} ${finding.title}` : finding.title
  const scope = [finding.contract, finding.function].filter(Boolean).join('.')
  return `<article class="finding ${severityClass(finding)}"${isPlainId(finding.detector) ? ` data-detector="${finding.detector}"` : ''}>
<h3>${escapeLine(heading)}</h3>
<p class="meta"><span class="tag ${severityClass(finding)}">${escapeLine(finding.severity)}</span> ${finding.kind === 'review' ? ' · needs review' : ''} · confidence ${escapeLine(finding.confidence)} · line ${Number(finding.line)}, column ${Number(finding.column)}${scope ? ` in <code>${escapeLine(scope)}</code>` : ''} · <code>${escapeLine(finding.detector)}</code>${finding.vulnerabilityId ? '' : ' · outside the SWC list'}${stateOf(finding)}</p>
<p>${prose(finding.message)}</p>
<pre><code>${numbered(finding)}</code></pre>
${traceList(finding)}
${furtherPlaces(finding)}
${evidenceSection(finding.evidence)}
<p><strong>What to do:</strong> ${prose(finding.recommendation)}</p>
<p class="meta">${[...finding.cwe.map(escapeLine), ...finding.references.map(link)].join(' · ')}</p>
</article>`
}

const suppressedItem = (finding: WireSuppressed): string =>
  `<li><span class="tag ${severityClass(finding)}">${escapeLine(finding.severity)}</span> ${escapeLine(finding.title)} (${escapeLine(finding.vulnerabilityId ?? finding.detector)}), line ${Number(finding.line)}: ${escapeLine(finding.suppression.reason ?? finding.suppression.comment)}</li>`

const section = (title: string, body: string): string =>
  body === '' ? '' : `<section><h2>${title}</h2>\n${body}\n</section>`

const list = (items: readonly string[], kind = ''): string =>
  items.length === 0 ? '' : `<ul${kind ? ` class="${kind}"` : ''}>${items.join('')}</ul>`

const baselineBlock = (result: ScanResult): string => {
  const baseline = (result as Partial<ComparedScanResult>).baseline
  if (!baseline) return ''
  const fixed = baseline.fixed.map(
    (each) => `<li>fixed: ${escapeLine(each.vulnerabilityId)} (was line ${Number(each.line)})</li>`,
  )
  return `<p>Compared with <code>${escapeLine(baseline.baselineScanId)}</code>: ${Number(baseline.newCount)} new, ${Number(baseline.unchangedCount)} unchanged, ${Number(baseline.fixedCount)} fixed.</p>${list(fixed)}`
}

/** What was not read, first: without the color of a rating. */
const unreadBlock = (unread: Unread | null): string => {
  if (unread === null) return ''
  const places = unread.places
    .slice(0, maxUnread)
    .map(
      ({ file, line, reason }) =>
        `<li>${file ? `<code>${escapeLine(file)}</code>` : ''}${line === null ? '' : `, line ${Number(line)}`}: ${prose(reason)}</li>`,
    )
  const rest = unread.places.length - places.length
  const all = list([...places, ...(rest > 0 ? [`<li>… and ${rest} more</li>`] : [])])
  const where = places.length > 3 ? `<details><summary>Where</summary>${all}</details>` : all
  return `<div class="unread"><p><strong>${escapeLine(unread.headline)}</strong></p>${where}<p>${escapeLine(unread.advice.join(' '))}</p></div>`
}

const maxUnread = 20

/** What was found by severity, all findings alike, the split beside it, then the score; its word only where everything was read and no severe finding contradicts it. */
const scoreBlock = (results: readonly ScanResult[], unread: Unread | null, whole?: SecurityScore): string => {
  const counts = tally(results)
  const listed = projectScore(results)
  const { score, rating } = whole ?? listed
  const shown = (Object.entries(counts.bySeverity) as [Severity, number][]).map(
    ([severity, count]) => `<li><span class="tag ${severity}">${Number(count)}</span> ${severity}</li>`,
  )
  const split = splitWords(counts).map((words) => `<li>${escapeLine(words)}</li>`)
  // The word of a rating stands beside the findings that it judges.
  const own = score === listed.score ? shownRating(rating, counts.bySeverity) : null
  const word = unread === null ? escapeLine(own ?? '') : 'of what was analyzed'
  return `<div class="score"><ul class="counts">${shown.join('')}<li><span class="tag">${counts.findings}</span> in total</li>${split.join('')}</ul><div>Score <strong>${Number(score)}</strong> of 100${word && `<br>${word}`}${score === listed.score ? '' : `<br>${escapeLine(withoutDismissed(listed.score))}`}</div></div>${counts.findings === 0 ? `<p>${escapeLine(limitsOfAScan)}</p>` : ''}`
}

const checklist = (result: ScanResult): string =>
  result.bestPractices.checklist
    .map(
      ({ category, items }) =>
        `<h3>${escapeLine(category)}</h3>${list(
          items.map((item) => `<li${item.startsWith('Done:') ? ' class="done"' : ''}>${prose(item)}</li>`),
          'checklist',
        )}`,
    )
    .join('\n')

const settingsSection = ({ settings = [] }: HtmlOptions): string =>
  section('Settings applied', list(settings.map((text) => `<li><code>${escapeLine(text)}</code></li>`)))

const fileReport = (result: ScanResult, options: HtmlOptions): string =>
  [
    `<h1>${escapeLine(options.title ?? 'Security report')}</h1>`,
    `<p class="meta">File <code>${escapeLine(result.file)}</code>, scan <code>${escapeLine(result.scanId)}</code>${[options.revision, options.scannedAt].flatMap((part) => (part === undefined ? [] : [`, ${escapeLine(part)}`])).join('')}</p>`,
    unreadBlock(unreadIn([result])),
    scoreBlock([result], unreadIn([result]), options.whole),
    filterBlock([result]),
    // The message counts what was found, not what is left.
    options.whole ? '' : `<p>${prose(result.message)}</p>`,
    baselineBlock(result),
    section('Findings', findingsOf([result]).map(findingCard).join('\n')),
    section('Needs review', reviewsOf([result]).map(findingCard).join('\n')),
    section('Suppressed', list(result.suppressed.map(suppressedItem))),
    section(
      'Not scanned',
      list(result.parseErrors.map((error) => `<li>Line ${Number(error.line)}: ${escapeLine(error.message)}</li>`)),
    ),
    section(
      'Notes on the analysis',
      list(
        result.diagnostics.map(
          ({ line, message }) => `<li>${line ? `Line ${Number(line)}: ` : ''}${prose(message)}</li>`,
        ),
      ),
    ),
    section('Recommendations', list(result.bestPractices.recommendations.map((text) => `<li>${prose(text)}</li>`))),
    section('Checklist', checklist(result)),
    settingsSection(options),
  ]
    .filter((part) => part !== '')
    .join('\n')

/** Files with something to say have a place of their own on the page; clean ones are only counted. */
const isWorthShowing = (result: ScanResult): boolean =>
  result.dataVulnerabilities.length + result.advisories.length + result.suppressed.length + result.parseErrors.length >
  0

const anchorOf = (index: number): string => `file-${index + 1}`

const kindRows = (results: readonly ScanResult[]): string =>
  kindsOf(results)
    .map(
      ({ severity, id, title, places, files }) =>
        `<tr><td><span class="tag ${severity}">${severity}</span></td><td>${escapeLine(id)}</td><td>${escapeLine(title)}</td><td>${places}</td><td>${files}</td></tr>`,
    )
    .join('')

const contentsItem = (result: ScanResult, index: number): string =>
  `<li><a href="#${anchorOf(index)}">${escapeLine(result.file)}</a> <span class="meta">${countWords(result)}</span></li>`

const fileSection = (result: ScanResult, index: number): string =>
  [
    `<section id="${anchorOf(index)}"><h2>${escapeLine(result.file)}</h2>`,
    `<p class="meta">${countWords(result)} · <a href="#contents">contents</a></p>`,
    baselineBlock(result),
    ...[...findingsOf([result]), ...reviewsOf([result])].map(findingCard),
    list(result.suppressed.map(suppressedItem)),
    list(
      result.parseErrors.map(
        (error) => `<li>Not scanned: line ${Number(error.line)}: ${escapeLine(error.message)}</li>`,
      ),
    ),
    '</section>',
  ]
    .filter((part) => part !== '')
    .join('\n')

/** One report for all files: the sum, the kinds, where to find what, then file by file. */
const projectReport = (results: readonly ScanResult[], options: HtmlOptions): string => {
  const shown = results.filter(isWorthShowing)
  const notScanned = options.notScanned ?? []
  const unread = unreadIn(results, notScanned.length)
  return [
    `<h1>${escapeLine(options.title ?? 'Security report')}</h1>`,
    `<p class="meta">${[`${results.length} files`, options.revision, options.scannedAt]
      .filter((part) => part !== undefined)
      .map(escapeLine)
      .join(', ')}</p>`,
    unreadBlock(unread),
    scoreBlock(results, unread, options.whole),
    filterBlock(results),
    section(
      'Not scanned',
      list(notScanned.map(({ path, error }) => `<li><code>${escapeLine(path)}</code>: ${escapeLine(error)}</li>`)),
    ),
    section(
      'By rule',
      shown.length === 0
        ? '<p>No findings.</p>'
        : `<div class="wide"><table class="kinds"><thead><tr><th>severity</th><th></th><th>finding</th><th>places</th><th>files</th></tr></thead><tbody>${kindRows(results)}</tbody></table></div>`,
    ),
    shown.length === 0 ? '' : `<nav id="contents"><h2>Contents</h2><ol>${shown.map(contentsItem).join('')}</ol></nav>`,
    ...shown.map(fileSection),
    settingsSection(options),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

export const toHtml = (results: readonly ScanResult[], options: HtmlOptions = {}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeLine(options.title ?? 'Security report')}</title>
<style>${styles}${detectorStyles(results)}</style>
</head>
<body>
<main>
${results.length === 1 && !options.notScanned?.length ? results.map((result) => fileReport(result, options)).join('') : projectReport(results, options)}
</main>
</body>
</html>
`
