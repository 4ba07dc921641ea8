import { ratingColor, shownRating } from '../components/rating-color.ts'
import { type Severity, severities, severityTone } from '../components/severities.ts'
import type { LiveAnswer } from '../playground/live-scanner.ts'
import type { ViewScan } from '../result/scan-view.ts'
import { looks } from './page.ts'

const mostShown = 12

/** What the engine says of the text beside it, short: each line leads to its place. */
export interface LivePanel {
  say(words: string): void
  show(answer: LiveAnswer): void
  /** A newer text waits to be scanned. */
  isOutdated(outdated: boolean): void
}

export function createLivePanel(
  place: HTMLElement,
  { onLine, onKeep, keepWords }: { onLine: (line: number) => void; onKeep: () => void; keepWords: () => string },
): LivePanel {
  const say = (words: string): void =>
    place.replaceChildren(make('p', 'm-auto max-w-72 text-center text-sm text-soft', words))
  return {
    say,
    show(answer) {
      if (answer.kind === 'unreadable') return say(answer.problem)
      const keep = make('button', `${looks.primary} mt-3 w-full`, keepWords())
      keep.addEventListener('click', onKeep)
      place.replaceChildren(score(answer.result), findings(answer.result, onLine), keep)
    },
    isOutdated: (outdated) => place.classList.toggle('grayscale', outdated),
  }
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  look: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.className = look
  element.append(...content)
  if (element instanceof HTMLButtonElement) element.type = 'button'
  return element
}

function score(scan: ViewScan): HTMLElement {
  const { securityScore, message } = scan
  const rating = shownRating(scan)
  const number = make('span', 'text-4xl font-semibold tabular-nums', String(securityScore.score))
  number.style.color = ratingColor(rating)
  const figure = make('p', 'text-sm text-soft', number, ` of 100 · ${rating}`)
  return make('div', 'flex flex-wrap items-center gap-4', figure, make('p', 'min-w-40 flex-1 text-sm', message))
}

/** The gravest first, and as they stand in the source. */
function findings(scan: ViewScan, onLine: (line: number) => void): HTMLElement {
  const all = [...scan.dataVulnerabilities, ...scan.advisories].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.line - b.line,
  )
  const list = make('ul', 'mt-3 min-h-0 flex-1 divide-y divide-line overflow-y-auto text-sm lg:max-h-72')
  list.setAttribute('aria-label', 'Findings')
  for (const { severity, title, line } of all.slice(0, mostShown)) {
    const row = make(
      'button',
      'flex w-full cursor-pointer items-center gap-2 py-1.5 text-left hover:bg-sunken',
      badge(severity),
      make('span', 'min-w-0 flex-1 truncate', title),
      make('span', 'text-xs text-soft tabular-nums', `line ${line}`),
    )
    row.addEventListener('click', () => onLine(line))
    list.append(make('li', '', row))
  }
  if (all.length > mostShown) list.append(make('li', 'py-1.5 text-xs text-soft', `and ${all.length - mostShown} more`))
  return list
}

const badge = (severity: Severity): HTMLElement =>
  make(
    'span',
    `inline-block rounded border px-1.5 text-xs font-semibold capitalize ${severityTone[severity]}`,
    severity,
  )
