import { expect, test } from 'vitest'
import { planOffers } from '../generated/plan-offers.ts'
import { scanExample } from '../playground/example-result.ts'
import { ids } from './ids.ts'
import { numbersOf } from './line-numbers.ts'
import { landingPage } from './page.ts'
import { panelHtml } from './panel-html.ts'
import { headline } from './words.ts'

const example = scanExample()
const page = landingPage([{ measure: 'found', assay: '98 %', slither: '<70 %', other: '80 %' }], planOffers, example, {
  count: 1,
  all: 2,
  first: [{ id: 'unsettled-rate', title: 'Rate <not> updated' }],
})

test('the page says what it is, leads on, and holds the example, the figures and the prices', () => {
  expect(page).toContain(headline)
  expect(page).toContain('href="/register"')
  expect(page).toContain('mapping(address => uint256)')
  expect(page).toContain('98 %')
  expect(page).toContain('&lt;70 %')
  for (const { name } of planOffers) expect(page).toContain(`>${name}</h3>`)
  expect(page).not.toContain('<script')
})

test('the footer has a place for the pages of the operator', () => {
  expect(page.split('<!--site-links-->')).toHaveLength(2)
})

test('every part that the script knows is there once', () => {
  for (const id of Object.values(ids)) expect(page.split(`id="${id}"`), id).toHaveLength(2)
})

test('lines are numbered, an empty text has one', () => {
  expect(numbersOf('a\nb\n')).toBe('1\n2\n3')
  expect(numbersOf('')).toBe('1')
})

test('the result of the example is there before any script, its findings marked in the code', () => {
  const { line } = example.dataVulnerabilities[0] ?? { line: 0 }
  expect(page).toContain(`data-line="${line}"`)
  expect(page).toContain(`data-marked-line="${line}"`)
  expect(page).toContain('Reentrancy: state updated after external call')
})

test('the executed exploit of the example is in the page, and so is what other tools do not look for', () => {
  expect(page).toContain('The attacker re-entered takeOut() once and gained 1 ether.')
  expect(page).toContain('1 of 2 detectors have no counterpart')
  expect(page).toContain('<a href="/detectors/unsettled-rate" class="text-accent underline">Rate &lt;not> updated</a>')
})

test('housekeeping closes the list, whatever its severity', () => {
  const shown = [...panelHtml(example, 'Keep').matchAll(/flex-1">([^<]*)</g)].map(([, title]) => title)
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.indexOf('Floating pragma')).toBe(shown.length - 1)
})

test('what needs review is named at its line and beside the counts, so that they add up', () => {
  const [first, ...others] = example.dataVulnerabilities
  if (!first) throw new Error('The example has findings.')
  const panel = panelHtml(
    { ...example, dataVulnerabilities: others, advisories: [{ ...first, kind: 'review' }] },
    'Keep',
  )
  expect(panel).toContain(`${first.title} <span class="text-xs text-soft">needs review</span>`)
  expect(panel).toContain('1 more needs review.')
  expect(panelHtml(example, 'Keep')).not.toContain('review')
})

test('a title is text, whatever it holds', () => {
  const [first] = example.dataVulnerabilities
  const scanned = { ...example, dataVulnerabilities: first ? [{ ...first, title: '<img src=x>' }] : [] }
  expect(panelHtml(scanned, 'keep "it"')).toContain('&lt;img src=x>')
  expect(panelHtml(scanned, 'keep "it"')).not.toContain('<img')
})
