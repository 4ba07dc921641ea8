import { formatUsd } from '../components/format.ts'
import { exampleExploit } from '../messages/example-exploit.ts'
import { page as texts } from '../messages/landing.ts'
import { exampleName, exampleSource } from '../playground/example.ts'
import type { OwnDetectors } from '../playground/own-detectors.ts'
import { callParts } from '../result/call-parts.ts'
import type { ViewScan } from '../result/scan-view.ts'
import type { AccuracyRow } from './accuracy-rows.ts'
import { escapeHtml } from './escape-html.ts'
import { ids } from './ids.ts'
import { numbersOf } from './line-numbers.ts'
import { looks } from './looks.ts'
import { marksHtml, panelHtml } from './panel-html.ts'
import { headline, lead, promise } from './words.ts'

interface Offer {
  readonly name: string
  readonly monthlyUsd: number
  readonly lines: readonly string[]
}

/** As in `favicon.svg`: in the page it costs no request. */
const logo =
  '<svg width="26" height="26" viewBox="0 0 32 32" fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0f766e"/><path d="M9 24 16 7l7 17M12 18h8" stroke="#fff"/></svg>'
/** As Lucide draws them. */
const icon = (when: string, paths: string): string =>
  `<svg class="${when}" width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`
const moon = icon(
  'dark:hidden',
  '<path d="M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401"/>',
)
const sun = icon(
  'hidden dark:block',
  '<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M6.3 17.7l-1.4 1.4M19.1 4.9l-1.4 1.4"/>',
)

/**
 * The first page as plain HTML: on a slow line it can be read, left by its links and typed into at once, and a small script makes it mark
 * lines as one types; what needs it cannot be pressed before. The application is not part of it.
 */
export const landingPage = (
  accuracy: readonly AccuracyRow[],
  offers: readonly Offer[],
  example: ViewScan,
  own: OwnDetectors,
): string => `
    <a href="#main" class="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:bg-panel focus:p-3">${texts.skipToContent}</a>
    <header class="sticky top-0 z-10 border-b border-line bg-panel">
      <div class="mx-auto flex h-13 max-w-6xl items-center gap-1 px-4 sm:gap-2 sm:px-6">
        <a href="/" class="mr-auto flex items-center gap-2 font-semibold">${logo}Assay</a>
        <nav aria-label="Main" class="flex max-sm:hidden">
          <a href="/detectors" class="rounded px-2 py-1.5 text-sm text-soft hover:text-ink">Detectors</a>
          <a href="/docs" class="rounded px-2 py-1.5 text-sm text-soft hover:text-ink">API</a>
        </nav>
        <button type="button" disabled id="${ids.theme}" class="${looks.quiet}" aria-label="Switch theme">${moon}${sun}</button>
        <span id="${ids.entrance}" class="flex items-center gap-2">
          <a href="/login" class="px-1 text-sm font-medium">Log in</a>
          <a href="/register" class="${looks.primary}">Sign up</a>
        </span>
      </div>
    </header>
    <main id="main" tabindex="-1" class="mx-auto w-full max-w-6xl px-4 py-10 outline-none sm:px-6">
      <header class="max-w-3xl">
        <h1 class="text-3xl font-semibold sm:text-4xl">${escapeHtml(headline)}</h1>
        <p class="mt-3 text-lg text-soft">${escapeHtml(lead)}</p>
        <div class="mt-5 flex flex-wrap gap-2">
          <a href="/register" class="${looks.primary}">Sign up</a>
          <a href="/detectors" class="${looks.plain}">Detectors</a>
        </div>
      </header>
      ${playground(example)}
      ${accuracyTable(accuracy, own)}
      ${commands}
      ${prices(offers)}
    </main>
    ${footer}
  `

const playground = (example: ViewScan): string => `<section aria-labelledby="playground" class="mt-10 space-y-4">
        <div>
          <h2 id="playground" class="text-xl font-semibold">${texts.tryItNow}</h2>
          <p class="text-sm text-soft">${escapeHtml(promise)}</p>
        </div>
        <div class="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div class="rounded-lg border border-line bg-panel">
            <div class="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
              <label for="${ids.source}" class="text-sm font-medium">Contract source</label>
              <input id="${ids.name}" aria-label="File name" value="${exampleName}" autocomplete="off" class="max-w-60 min-w-24 flex-1 rounded border border-line bg-panel px-2 py-1 font-mono text-xs text-soft hover:border-field focus:border-field" />
              <span class="flex-1 max-sm:hidden"></span>
              <input id="${ids.picker}" type="file" accept=".sol" class="sr-only" tabindex="-1" aria-label="${texts.chooseFile}" />
              <button type="button" disabled id="${ids.choose}" class="${looks.plain}">${texts.chooseAFile}</button>
            </div>
            <div class="relative h-[464px] overflow-hidden font-mono text-xs leading-5 outline-accent has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-2">
              <div id="${ids.layer}" aria-hidden="true" class="pointer-events-none absolute inset-x-0 top-3">
                ${marksHtml(example)}
                <pre id="${ids.numbers}" class="absolute left-0 w-10 text-right text-soft select-none">${numbersOf(exampleSource)}</pre>
              </div>
              <textarea id="${ids.source}" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off" placeholder="Paste a Solidity contract,&#10;or drop a .sol file here" class="relative ml-11 block h-full w-[calc(100%-2.75rem)] resize-none overflow-auto bg-transparent py-3 pr-3 pl-2 whitespace-pre outline-none">
${escapeHtml(exampleSource)}</textarea>
            </div>
            <p id="${ids.problem}" role="alert" class="border-t border-line px-3 py-2 text-sm text-critical empty:hidden"></p>
          </div>
          <div class="flex flex-col gap-4">
            <section id="${ids.result}" aria-label="${texts.resultAsYouType}" class="flex min-h-56 flex-1 flex-col rounded-lg border border-line bg-panel p-4">
              ${panelHtml(example, texts.signUpKeepResult)}
            </section>
            ${exploit()}
          </div>
        </div>
        <div class="flex flex-wrap gap-2">
          <button type="button" disabled id="${ids.scan}" class="${looks.primary}">${texts.scanHere}</button>
          <button type="button" disabled id="${ids.example}" class="${looks.plain}">Reset example</button>
        </div>
      </section>`

/** What was done to the example, below its result. */
const exploit =
  (): string => `<section id="${ids.exploit}" aria-labelledby="exploit" class="rounded-lg border border-critical/50 bg-panel p-4 text-sm">
              <h3 id="exploit" class="font-semibold text-critical">${texts.exploitVerified}</h3>
              <p class="mt-1">${escapeHtml(sentence(exampleExploit.summary))}</p>
              <ol class="mt-2 list-decimal space-y-1 pl-5 text-xs">${exampleExploit.steps
                .map(
                  ({ actor, call, value, effect }) =>
                    `<li>${escapeHtml(actor)} ${callHtml(call)}${value === '0' ? '' : ` with ${Number(value) / 1e18} ether`}<span class="block text-soft">${escapeHtml(effect)}</span></li>`,
                )
                .join('')}</ol>
              <p class="mt-2 text-xs text-soft">${escapeHtml(texts.control(exampleExploit.control.change, exampleExploit.control.result))}</p>
            </section>`

function callHtml(step: string): string {
  const { before, call, after } = callParts(step)
  return `${escapeHtml(before)}<code class="font-mono">${escapeHtml(call)}</code>${escapeHtml(after)}`
}

function sentence(words: string): string {
  return `${words[0]?.toUpperCase()}${words.slice(1)}.`
}

const section = (id: string, title: string, content: string): string => `<section aria-labelledby="${id}" class="mt-16">
        <h2 id="${id}" class="text-xl font-semibold">${escapeHtml(title)}</h2>
        ${content}
      </section>`

function accuracyTable(rows: readonly AccuracyRow[], own: OwnDetectors): string {
  const cell = (text: string, look: string): string => `<td class="px-4 py-2.5 ${look}">${escapeHtml(text)}</td>`
  const lines = rows.map(
    ({ measure, assay, slither, other }) =>
      `<tr>${cell(measure, 'min-w-48')}${cell(assay, 'font-semibold whitespace-nowrap tabular-nums')}${cell(slither, 'text-soft tabular-nums')}${cell(other, 'text-soft tabular-nums')}</tr>`,
  )
  const head = ['Measure', 'Assay', 'Slither', texts.bestOtherTool]
    .map((name) => `<th scope="col" class="px-4 py-2 font-medium whitespace-nowrap">${name}</th>`)
    .join('')
  return section(
    'accuracy',
    'Benchmarks',
    `<p class="mt-1 mb-4 max-w-3xl text-sm text-soft">${texts.benchmarksLead}</p>
        <div role="region" aria-label="Accuracy" tabindex="0" class="overflow-x-auto rounded-lg border border-line bg-panel">
          <table class="w-full text-left text-sm">
            <caption class="sr-only">${texts.benchmarksCaption}</caption>
            <thead><tr class="border-b border-line text-xs text-soft">${head}</tr></thead>
            <tbody class="divide-y divide-line">${lines.join('')}</tbody>
          </table>
        </div>
        <p class="mt-4 max-w-3xl text-sm">${texts.ownDetectors(own.count, own.all)} ${own.first
          .map(({ id, title }) => `<a href="/detectors/${id}" class="text-accent underline">${escapeHtml(title)}</a>`)
          .join(' · ')}</p>`,
  )
}

/** The script puts the address of this service for `$ASSAY_URL`. */
const snippets = [
  [texts.commandLine, 'npm install --global $ASSAY_URL/downloads/assay-cli.tgz\nassay scan'],
  [texts.inAPipeline, texts.assayScanFailMedium],
  ['Over HTTP', 'curl -H "X-API-Key: $ASSAY_KEY" -F file=@Vault.sol \\\n  $ASSAY_URL/api/v1/scan'],
] as const

const commands = section(
  'snippets',
  'Integrations',
  `<div class="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3">${snippets
    .map(
      ([title, text]) => `
          <div class="rounded-lg border border-line bg-panel p-4">
            <div class="mb-2 flex items-center justify-between gap-2">
              <h3 class="text-sm font-semibold">${title}</h3>
              <button type="button" data-copy="${escapeHtml(text)}" class="${looks.plain}" aria-label="${texts.copySnippet(title)}"><span aria-live="polite">Copy</span></button>
            </div>
            <code class="block rounded bg-sunken px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap">${escapeHtml(text)}</code>
          </div>`,
    )
    .join('')}
        </div>`,
)

const prices = (offers: readonly Offer[]): string =>
  section(
    'prices',
    'Prices',
    `<div class="mt-4 grid gap-4 md:grid-cols-3">${offers
      .map(
        ({ name, monthlyUsd, lines }) => `
          <div class="flex flex-col rounded-lg border border-line bg-panel p-4">
            <h3 class="font-semibold capitalize">${name}</h3>
            <p class="mt-1 text-2xl font-semibold">${monthlyUsd === 0 ? 'Free' : `${formatUsd(monthlyUsd)}<span class="text-sm font-normal text-soft"> a month</span>`}</p>
            <ul class="mt-3 mb-4 flex-1 list-disc space-y-1 pl-5 text-sm text-soft">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
            <a href="/register" class="${looks[monthlyUsd === 0 ? 'primary' : 'plain']}">${monthlyUsd === 0 ? texts.startFree : `Choose ${name}`}</a>
          </div>`,
      )
      .join('')}
        </div>`,
  )

const footerLinks = [
  ['/detectors', 'Detectors'],
  ['/docs', 'API reference'],
  ['/openapi.json', 'OpenAPI'],
  ['/status', 'Status'],
] as const

const footer = `<footer class="mt-10 border-t border-line py-6 text-xs text-soft">
      <div class="mx-auto flex max-w-6xl flex-wrap justify-between gap-x-8 gap-y-3 px-4 sm:px-6">
        <p>${texts.license}</p>
        <nav aria-label="More" class="flex flex-wrap gap-x-4 gap-y-2">${footerLinks
          .map(([href, label]) => `<a href="${href}" class="underline">${label}</a>`)
          .join('')}<!--site-links--></nav>
      </div>
    </footer>`
