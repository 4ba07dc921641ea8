import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixed, lessOverflowing, overflowing } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('the history in a browser', () => {
  let walk: Walk
  let page: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro' })
    page = walk.page
  })
  afterAll(() => walk?.stop())

  test('three hundred findings: the worst first, two set aside, a link sent, and what a fixed scan changes', async () => {
    await walk.scan(overflowing, { project: 'ledger' })
    const findings = page.getByRole('tree', { name: 'Findings' })
    const shown = page.getByText(/^\d+ of \d+ shown/)
    expect(Number(/of (\d+)/.exec((await shown.textContent()) ?? '')?.[1])).toBeGreaterThanOrEqual(300)
    // Nothing left of the score: the whole ring is drawn, not none of it.
    const ring = page.getByRole('figure', { name: 'Security score 0 of 100, Critical' }).locator('circle')
    const [track, drawn] = await ring.evaluateAll((circles) =>
      circles.map((one) => one.getAttribute('stroke-dasharray')),
    )
    expect(drawn).toBe(track)
    const chosen = findings.locator('[aria-selected=true]')
    await chosen.getByText('SWC-107').waitFor()
    await page.getByRole('article').getByText('How to fix it').waitFor()
    await page.getByLabel('Source code').getByText('msg.sender.call').first().waitFor()
    await page.getByRole('button', { name: /^high/ }).click()
    await expect.poll(() => page.url()).toContain('sev=high')
    await findings.locator('[data-finding]').first().click()
    // What can be decided about can be selected: the records come after the result.
    await findings.getByTitle('Select this finding').first().waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const together = page.getByRole('region', { name: 'Selected findings' })
    await together.getByRole('button', { name: 'Change status' }).click()
    await together.getByRole('button', { name: 'False positive…' }).click()
    await together.getByLabel('Reason').fill('Dust: nobody minds')
    await together.getByRole('button', { name: 'Save for 2' }).click()
    await page.getByRole('button', { name: /^dismissed 2$/i }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this result' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = (await dialog.locator('code', { hasText: '/shared#' }).textContent()) ?? ''
    const colleague = await walk.browser.newContext()
    const tab = await colleague.newPage()
    await tab.goto(url)
    await tab.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    await colleague.close()
    await dialog.getByRole('button', { name: 'Close' }).click()

    await walk.scan(lessOverflowing, { project: 'ledger' })
    await page
      .getByRole('link', {
        name: /^[1-9]\d* new, [1-9]\d* fixed, 2 dismissed, [1-9]\d* unchanged$/,
      })
      .waitFor()
    await page.getByRole('link', { name: 'Compare' }).first().click()
    await page.getByRole('heading', { name: /^New \([1-9]/ }).waitFor()
    await page.getByRole('heading', { name: /^Fixed \([1-9]/ }).waitFor()
    await page.getByRole('heading', { name: 'Dismissed (2)' }).waitFor()
    // Both scans are in the address, unchanged lines are folded, and findings are at their lines.
    await expect.poll(() => page.url()).toMatch(/before=scn_\w+&after=scn_\w+/)
    const diff = page.getByLabel('The two sources side by side')
    const folded = diff.getByRole('button', { name: /unchanged lines$/ })
    await folded.first().waitFor()
    const count = await folded.count()
    expect(count).toBeGreaterThan(0)
    await folded.first().click()
    await expect.poll(() => folded.count()).toBe(count - 1)
    await diff.getByText(/^● /).first().waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('home shows the projects, what is open in them and the way on', async () => {
    await walk.open('/home')
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.getByText('Add Assay to CI').waitFor()
    expect(await page.getByRole('link', { name: 'Scan your first contract' }).count()).toBe(0)
    expect(await seriousProblems(page)).toEqual([])
  })

  test('a project has its page: open findings by severity, what is new, its scans; found in the list by its name', async () => {
    await walk.open('/projects')
    const list = page.getByRole('list', { name: 'Your projects' })
    await page.getByLabel('Search by project name').fill('no such name')
    await page.getByText('No project matches.').waitFor()
    await page.getByLabel('Search by project name').fill('LEDG')
    await page.getByLabel('Order').selectOption({ label: 'Lowest score first' })
    await list.getByRole('link', { name: 'ledger' }).click()
    await page.getByRole('heading', { name: 'ledger', level: 1 }).waitFor()
    const findings = page.getByRole('list', { name: 'Open findings' }).getByRole('listitem')
    await findings.first().getByText('critical').waitFor()
    // On a phone the place stands below the title, which keeps its width.
    await page.setViewportSize({ width: 390, height: 844 })
    await expect
      .poll(async () => (await findings.first().getByRole('link').boundingBox())?.width)
      .toBeGreaterThanOrEqual(192)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByText(/^[1-9]\d* new open findings?$/).waitFor()
    const runs = page.getByRole('list', { name: 'Scans of this project' }).getByRole('listitem')
    expect(await runs.count()).toBe(2)
    expect(await runs.first().textContent()).toMatch(/ · 1 file · (?:.* · )?engine \d/)
    await page.getByLabel('Tags of this project').fill('defi, audited')
    await page.getByRole('button', { name: 'Save tags' }).click()
    await page.getByRole('button', { name: 'Save tags', disabled: true }).waitFor()
    await page.getByRole('button', { name: 'Create badge' }).click()
    await page.getByRole('img', { name: 'The badge' }).waitFor()
    await page.getByRole('list', { name: 'Shared links' }).getByText('ledger').waitFor()
    await page.getByRole('link', { name: 'Webhooks (Slack, Teams, Discord)' }).waitFor()
    await page.getByRole('figure', { name: 'Score of ledger over time' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await findings.first().getByRole('link').click()
    await page.waitForURL(/\/scans\/./)
    await page.getByRole('tree', { name: 'Findings' }).waitFor()
    await page.getByRole('button', { name: 'Assignee: Unassigned. Change assignee' }).click()
    await page.getByRole('button', { name: `Assign to ${walk.email}` }).click()
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByLabel('Comment', { exact: true }).fill('jk: look at the lock first')
    await page.getByRole('button', { name: 'Save comment' }).click()
    await page.getByText('jk: look at the lock first').waitFor()
    await walk.open('/projects/prj_unknown')
    await page.getByRole('alert').waitFor()
    await walk.open('/scans/scn_unknown')
    await page.getByRole('heading', { level: 1, name: 'Scan not found' }).waitFor()
  })

  test('all findings of all projects: the worst first, filtered in the address, taken along with their decisions', async () => {
    await walk.open('/findings')
    const rows = page.getByRole('table', { name: 'Findings' }).getByRole('row')
    await rows.nth(1).getByText('critical').waitFor()
    await page.getByRole('region', { name: 'Overview' }).getByText('New this week').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByLabel('Status').selectOption('False positive')
    await expect.poll(() => page.url()).toContain('state=false-positive')
    await rows.nth(1).getByText('Dust: nobody minds').waitFor()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const csv = readFileSync(await (await waiting).path(), 'utf8')
    expect(csv.trim().split('\r\n')).toHaveLength(3)
    expect(csv).toContain('ledger,')
    expect(csv).toContain('Dust: nobody minds')
    await rows.nth(1).getByRole('link').click()
    await page.getByRole('region', { name: 'Status', exact: true }).getByText('Dust: nobody minds').waitFor()
  })

  test('each point of the trend tells its score and opens its scan', async () => {
    await walk.open('/scans')
    const points = page
      .getByRole('figure', { name: /^Score of/ })
      .first()
      .getByRole('link')
    await expect.poll(() => points.count()).toBeGreaterThanOrEqual(2)
    await points.last().hover()
    await page
      .getByRole('tooltip')
      .getByText(/Critical · /)
      .waitFor()
    await points.last().click()
    await page.waitForURL(/\/scans\/./)
  })

  test('the history is searched by severity, by where a scan came from and by name, all in the address', async () => {
    await walk.scan(fixed)
    await walk.open('/scans')
    const rows = page.getByRole('list', { name: 'Your scans' }).getByRole('listitem')
    await rows.first().waitFor()
    const before = await rows.count()
    // Letters typed into the middle stay together.
    const search = page.getByLabel('Search by file name')
    await search.fill('abcdef')
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('XYZ')
    await expect.poll(() => page.url()).toContain('name=abcXYZdef')
    expect(await search.inputValue()).toBe('abcXYZdef')
    await search.fill('')
    await expect.poll(() => page.url()).not.toContain('name=')
    await page.getByLabel('Severity').selectOption({ label: 'with high findings' })
    await expect.poll(() => page.url()).toContain('severity=high')
    await expect.poll(() => rows.count()).toBeLessThan(before)
    expect(await rows.count()).toBeGreaterThan(0)
    expect(await rows.first().textContent()).toContain('high')
    await page.getByLabel('Source').selectOption('With an API key')
    await page.getByText('No scans match.').waitFor()
    expect(page.url()).toContain('via=key')
    await page.getByLabel('Source').selectOption('From the browser')
    await rows.first().waitFor()
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('From', { exact: true }).fill(day(2))
    await page.getByText('No scans match.').waitFor()
    expect(page.url()).toContain(`from=${day(2)}`)
    await page.getByLabel('From', { exact: true }).fill(day(-1))
    await page.getByLabel('To', { exact: true }).fill(day(0))
    await rows
      .first()
      .getByText(/ago|just now/)
      .waitFor()
    await rows
      .first()
      .getByRole('button', { name: /^More for the scan/ })
      .click()
    await rows.first().getByRole('link', { name: 'Compare' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('home counts what the last scan found anew, whatever was read before it', async () => {
    const scan = async (source: string) => {
      await page.getByRole('textbox', { name: 'Contract source' }).fill(source)
      await page.getByLabel('Project (optional)').fill('pair')
      await page.getByRole('button', { name: 'Scan', exact: true }).click()
      await page.waitForURL(/\/scans\/./)
      await page.getByLabel('Source code').waitFor()
    }
    await walk.open('/scan')
    await scan(lessOverflowing)
    // Without loading the page anew: lists of projects that were read earlier are still known.
    await page.getByRole('link', { name: 'Scan again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Scan a contract' }).waitFor()
    await scan(`${lessOverflowing}\n`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'pair', exact: true }) })
    await card.getByText('2 scans').waitFor()
    await card.getByText(/open/).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await card.getByText(/new since last scan/).count()).toBe(0)
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
