import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeZip } from '../../server/src/testing/archives.ts'
import { fixed, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { pause } from './service.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

const projectCount = 300
const fileCount = 300
const decided = 100

describe.skipIf(!browserPath)('hundreds of projects and files in a browser', () => {
  let walk: Walk
  let page: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro' })
    page = walk.page
    await page.setViewportSize({ width: 1440, height: 900 })
  })
  afterAll(() => walk?.stop())

  async function scanProject(name: string, source: string): Promise<void> {
    const send = () =>
      page.request.post(`${walk.service.url}/api/v1/scan`, {
        multipart: { file: { name: 'Bank.sol', mimeType: 'text/plain', buffer: Buffer.from(source) }, project: name },
        headers: { origin: walk.service.url, 'sec-fetch-site': 'same-origin' },
      })
    let answer = await send()
    // A busy service says when to come back.
    for (let tries = 0; answer.status() === 503 && tries < 60; tries++) {
      await pause(500)
      answer = await send()
    }
    expect(answer.status(), name).toBe(200)
  }

  const list = () => page.getByRole('list', { name: 'Your projects' })
  const rows = () => list().getByRole('listitem')

  test('three hundred projects are searched, sorted and filtered by tag, all in the address', async () => {
    await scanProject('team-0', vulnerable)
    const others = Array.from({ length: projectCount - 1 }, (_, n) => n + 1)
    const send = async () => {
      for (let n = others.shift(); n !== undefined; n = others.shift())
        await scanProject(`team-${n}`, n % 30 === 0 ? vulnerable : fixed)
    }
    await Promise.all([send(), send(), send(), send()])
    await walk.open('/projects')
    await page.getByText('50 of 300 projects').waitFor()
    await page.getByRole('button', { name: 'Show more projects' }).click()
    await page.getByText('100 of 300 projects').waitFor()
    expect(await rows().count()).toBe(100)
    await page.getByLabel('Search by project name').pressSequentially('TEAM-27')
    await page.getByText('11 of 11 projects').waitFor()
    await page.getByLabel('Order').selectOption('Lowest score first')
    await expect.poll(() => rows().first().getByRole('link').textContent()).toBe('team-270')
    expect(page.url()).toMatch(/\?q=TEAM-27&sort=score$/)
    await page.reload()
    await page.getByText('11 of 11 projects').waitFor()
    expect(await page.getByLabel('Search by project name').inputValue()).toBe('TEAM-27')
    await list().getByRole('link', { name: 'team-270' }).click()
    await page.getByLabel('Tags of this project').fill('bridge')
    await page.getByRole('button', { name: 'Save tags' }).click()
    await page.getByRole('button', { name: 'Save tags', disabled: true }).waitFor()
    await walk.open('/projects?sort=oldest')
    await expect.poll(() => rows().first().getByRole('link').textContent()).toBe('team-0')
    await page.getByLabel('Search by project name').fill('team-270')
    await page.getByRole('button', { name: 'Only projects tagged bridge' }).click()
    await page.getByLabel('Search by project name').fill('')
    await page.getByText('1 of 1 projects').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove the filter bridge' }).click()
    await page.getByText('50 of 300 projects').waitFor()
  })

  test('the overview, its filter and the palette know all of them', async () => {
    await walk.open('/findings')
    const overview = page.getByRole('region', { name: 'Overview' })
    await overview.getByText('300 of 300').waitFor()
    await overview
      .getByText(/^oldest /)
      .first()
      .waitFor()
    await page.getByLabel('Project').selectOption('team-30')
    await page.getByRole('table', { name: 'Findings' }).getByText('critical').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search pages' }).fill('team-123')
    await page.getByRole('option', { name: /^Project\s*team-123/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'team-123' }).waitFor()
  })

  test('an auditor decides a hundred findings of a project of 300 files by keys alone, and reports them', async () => {
    await walk.open('/scan')
    const files = Object.fromEntries(
      Array.from({ length: fileCount }, (_, n) => [
        `app/src/part${n % 10}/Bank${n}.sol`,
        (n < decided ? vulnerable : fixed).replace('contract Bank', `contract Bank${n}`),
      ]),
    )
    const buffer = makeZip({ 'app/foundry.toml': '[profile.default]', ...files })
    await page
      .getByLabel('Choose a Solidity file')
      .setInputFiles({ name: 'audit.zip', mimeType: 'application/zip', buffer })
    await page.getByText(/^Foundry project: 300 files, \d/).waitFor()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    const findings = page.getByRole('tree', { name: 'Findings' })
    await findings.locator('[aria-selected=true]').waitFor()
    const open = page.getByText(/^\d+ open findings?$/)
    const countOpen = async () => Number.parseInt((await open.textContent()) ?? '', 10)
    const before = await countOpen()
    expect(before).toBeGreaterThanOrEqual(decided)

    const began = Date.now()
    for (let n = 1; n <= decided; n++) {
      await page.keyboard.press('s')
      // Two of three are accepted, the third is a false positive.
      if (n % 3 !== 0) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.keyboard.type(`Reviewed ${n}`)
      await page.keyboard.press('Enter')
      await expect.poll(countOpen, { interval: 20 }).toBe(before - n)
    }
    const minutes = (Date.now() - began) / 60_000
    expect(minutes).toBeLessThan(10)
    const selected = await findings.locator('[aria-selected=true]').boundingBox()
    expect(selected && selected.y > 0 && selected.y + selected.height <= 900).toBe(true)
    await page.reload()
    await expect.poll(countOpen).toBe(before - decided)
    await page.getByRole('button', { name: /^dismissed 100$/i }).waitFor()

    await page.getByRole('button', { name: 'Export' }).click()
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'HTML', exact: true }).click()
    const report = readFileSync(await (await waiting).path(), 'utf8')
    expect(report).toContain('300 files')
    expect(report).toContain(
      '</span> Reentrancy: state updated after external call (SWC-107), line 13: Accepted: Reviewed 100',
    )
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this result' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = (await dialog.locator('code', { hasText: '/shared#' }).textContent()) ?? ''
    const client = await (await walk.browser.newContext()).newPage()
    await client.goto(url)
    await client.getByRole('button', { name: /^dismissed 100$/i }).waitFor()
    // The client of an audit reads what was decided, not the notes.
    expect(await client.getByText(/Reviewed \d/).count()).toBe(0)
    expect(await seriousProblems(client)).toEqual([])
    console.info(`100 findings decided by keys in ${(minutes * 60).toFixed(0)} s`)
  }, 300_000)

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
