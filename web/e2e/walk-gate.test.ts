import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeZip } from '../../server/src/testing/archives.ts'
import { crowded, fixed, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('a gate in a browser', () => {
  let walk: Walk
  let page: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro' })
    page = walk.page
  })
  afterAll(() => walk?.stop())

  const openProject = async () => {
    await walk.open('/projects')
    await page.getByRole('link', { name: 'vault', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'vault' }).waitFor()
  }
  const failed = 'Gate failed'
  const passed = 'Gate passed'

  test('is set on the page of a project, whose newest run fails at once and says why', async () => {
    await walk.scan(vulnerable, { project: 'vault' })
    expect(await page.getByText(failed).count()).toBe(0)
    await openProject()
    const save = page.getByRole('button', { name: 'Save gate' })
    expect(await save.isDisabled()).toBe(true)
    await page.getByLabel('Fail a run on').selectOption('High findings and above')
    await save.click()
    const head = page.getByRole('main').locator('header')
    await head.getByText(failed).waitFor()
    await head.getByText(/^[1-9]\d* open findings? at or above high: 1 critical/).waitFor()
    await page.getByRole('list', { name: 'Scans of this project' }).getByText(failed).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.reload()
    await expect.poll(() => page.getByLabel('Fail a run on').inputValue()).toBe('high')
    await walk.open('/projects')
    await page.getByRole('list', { name: 'Your projects' }).getByText(failed).waitFor()
  })

  test('the run says it too, and passes once its findings are dismissed', async () => {
    await openProject()
    await page.getByRole('link', { name: 'Open last scan' }).click()
    await page.getByText(/open findings? at or above high/).waitFor()
    await page.getByRole('tree', { name: 'Findings' }).locator('[data-finding]').first().click()
    const status = page.getByRole('region', { name: 'Status', exact: true })
    await status.getByRole('button', { name: /Change status$/ }).click()
    await status.getByRole('button', { name: 'False positive…' }).click()
    await status.getByLabel('Reason').fill('a test contract')
    // The reader goes on while the gate is judged again.
    let judge = () => {}
    const isJudged = new Promise<void>((resolve) => {
      judge = resolve
    })
    await page.route(/\/api\/v1\/projects\?search=/, async (route) => {
      await isJudged
      await route.continue()
    })
    await status.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Status changed to false positive.').waitFor()
    expect(await page.getByText(passed).count()).toBe(0)
    judge()
    await page.getByText(passed).waitFor()
    await page.unrouteAll()
    await page.getByText('No open findings at or above high.').waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('only new findings: what was there passes, what is added fails', async () => {
    await walk.scan(fixed, { project: 'other' })
    await walk.open('/projects')
    await page.getByRole('link', { name: 'other', exact: true }).click()
    await page.getByLabel('Fail a run on').selectOption('High findings and above')
    await page.getByLabel('Only new findings').check()
    await page.getByRole('button', { name: 'Save gate' }).click()
    await page.getByText('No new findings at or above high.').first().waitFor()
    await page.getByText(/New since /).waitFor()
    await walk.scan(vulnerable, { project: 'other' })
    await page.getByText(/^[1-9]\d* new findings? at or above high/).waitFor()
    await walk.scan(fixed, { project: 'other' })
    await page.getByText(passed).waitFor()
  })

  test('a file is left out of what is reported, from the next scan on', async () => {
    const part = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    const files = [part('Bank.sol', vulnerable), part('Old.sol', crowded)]
    const findings = page.getByRole('tree', { name: 'Findings' })
    const countOld = async () => {
      await walk.open('/scan')
      await page.getByLabel('Choose a Solidity file').setInputFiles(files)
      await page.getByLabel('Project (optional)').fill('ledger')
      await page.getByRole('button', { name: 'Scan', exact: true }).click()
      await page.waitForURL(/\/scans\/./)
      await findings.getByText('Bank.sol:13').waitFor()
      return findings.getByText(/^Old\.sol:/).count()
    }
    expect(await countOld()).toBeGreaterThan(0)
    await page.getByRole('main').getByRole('link', { name: 'ledger' }).click()
    const save = page.getByRole('button', { name: 'Save scope' })
    const excluded = page.getByLabel('Do not report')
    await excluded.fill('Old.sol/')
    await page.getByLabel('Remappings').fill('no remapping')
    await save.click()
    await page.getByRole('alert').getByText('must be written as in remappings.txt').waitFor()
    await page.getByLabel('Remappings').fill('@vendor/=lib/vendor/')
    await save.click()
    await page.getByText('Saved. Applies to the next scan').waitFor()
    expect(await excluded.inputValue()).toBe('Old.sol')
    expect(await save.isDisabled()).toBe(true)
    expect(await seriousProblems(page)).toEqual([])
    expect(await countOld()).toBe(0)
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})

describe.skipIf(!browserPath)('a scan without time in a browser', () => {
  let walk: Walk
  let page: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro', env: { SCAN_TIMEOUT_MS: '1' } })
    page = walk.page
  })
  afterAll(() => walk?.stop())

  test('says after how long it was stopped and what to leave out, and takes the files along to send fewer', async () => {
    await walk.open('/scan')
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `app/src/${n % 3 ? 'vaults' : 'tokens'}/Bank${n}.sol`,
        vulnerable.replace('contract Bank', `contract Bank${n}`),
      ]),
    )
    await page.getByLabel('Choose a Solidity file').setInputFiles({
      name: 'app.zip',
      mimeType: 'application/zip',
      buffer: makeZip(files),
    })
    await page.getByRole('region', { name: 'Project files' }).waitFor()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByText('The scan timed out after 0.004 s of CPU time. It was not charged.').waitFor()
    await page.getByText('Leave out tests, scripts and libraries').waitFor()
    await page.getByText('Largest folders: src/vaults (8 files), src/tokens (4 files).').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Change files and scan again' }).click()
    await page.getByRole('region', { name: 'Project files' }).getByText('src/vaults/Bank1.sol').waitFor()
  })
})
