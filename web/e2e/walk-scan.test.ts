import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowded, fixed, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

const upload = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

describe.skipIf(!browserPath)('the scan form in a browser', () => {
  let walk: Walk
  let page: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'free' })
    page = walk.page
  })
  afterAll(() => walk?.stop())

  test('fixes the contract, scans again and sees it as fixed in the comparison', async () => {
    for (const source of [vulnerable, crowded, fixed]) await walk.scan(source)
    await page.getByText('2 of 5 scans left').waitFor()
    await walk.open('/scans')
    // Newest first: the fixed contract, the crowded one, the vulnerable one.
    await page.getByRole('checkbox').nth(0).check()
    await page.getByRole('checkbox').nth(2).check()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('heading', { name: 'Fixed (1)' }).waitFor()
    await page.getByRole('heading', { name: 'New (0)' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    const sources = page.getByLabel('The two sources side by side')
    await sources.getByText('balances[msg.sender] = 0;').nth(1).waitFor()
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expect
        .poll(() => sources.evaluate((box) => box.scrollWidth - box.clientWidth), { message: `${width}` })
        .toBe(0)
    }
  })

  test('a session that ends while a page is open is renewed over it, and nothing typed is lost', async () => {
    await walk.open('/scan')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(fixed)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Session expired' })
    await dialog.getByLabel('Password').fill('a long enough passphrase')
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByLabel('Source code').waitFor()
  })

  test('a file above the plan is refused before the upload, with two ways on', async () => {
    await walk.open('/scan')
    const uploads: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') uploads.push(request.url())
    })
    await page.getByRole('textbox', { name: 'Contract source' }).fill(`${vulnerable}\n// ${'x'.repeat(110_000)}`)
    await page.getByText('The free plan allows 100 KB').waitFor()
    await page.getByRole('link', { name: 'Upgrade' }).waitFor()
    await page.getByRole('button', { name: 'Scan locally in the browser' }).click()
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    expect(uploads).toEqual([])
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await expect.poll(() => page.getByText('The free plan allows').count()).toBe(0)
  })

  test('what was to be scanned is there again after a look at the plans', async () => {
    const large = `${vulnerable}\n// ${'x'.repeat(110_000)}`
    await walk.open('/scan')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(large)
    await page.getByRole('link', { name: 'Upgrade' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plan' }).waitFor()
    await walk.open('/scan')
    expect(await page.getByRole('textbox', { name: 'Contract source' }).inputValue()).toBe(large)
    // The project was suggested for that contract, not for what comes in its place.
    const belongsTo = page.getByLabel('Project (optional)')
    expect(await belongsTo.inputValue()).toBe('Bank')
    await page.getByLabel('Choose a Solidity file').setInputFiles(upload('Vault.sol', fixed))
    await expect.poll(() => belongsTo.inputValue()).toBe('Vault')
  })

  test('files that are dropped become a project', async () => {
    await walk.open('/scan')
    const files = await page.evaluateHandle(`(() => {
      const given = new DataTransfer()
      given.items.add(new File(['contract Base {}'], 'Base.sol'))
      given.items.add(new File(['import "./Base.sol"; contract Branch is Base {}'], 'Branch.sol'))
      return given
    })()`)
    await page.getByRole('textbox', { name: 'Contract source' }).dispatchEvent('drop', { dataTransfer: files })
    const chosen = page.getByRole('region', { name: 'Project files' })
    await chosen.getByText('Base.sol').first().waitFor()
    await chosen.getByText('Branch.sol').first().waitFor()
  })

  test('several files above the plan can be scanned in the browser too', async () => {
    await walk.open('/scan')
    await page
      .getByLabel('Choose a Solidity file')
      .setInputFiles([
        upload('Bank.sol', vulnerable),
        upload('Branch.sol', `import "./Bank.sol"; contract Branch is Bank {} // ${'x'.repeat(110_000)}`),
      ])
    await page.getByText('The free plan allows 100 KB').waitFor()
    await page.getByRole('button', { name: 'Scan locally in the browser' }).click()
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    await page
      .getByRole('navigation', { name: 'Files' })
      .getByRole('button', { name: /^Bank.sol/ })
      .waitFor()
  })

  test('a busy service is asked again by itself, and the page says so', async () => {
    let refused = 0
    await page.route('**/api/v1/scans?**', (route) =>
      refused++ === 0
        ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { error: 'Busy.' } })
        : route.continue(),
    )
    await page.goto(`${walk.service.url}/scans`)
    await page.getByText(/The service is busy\. Retrying in \d+ s\./).waitFor()
    await page.getByRole('list', { name: 'Your scans' }).getByRole('listitem').first().waitFor()
    expect(await page.getByText('The service is busy.').count()).toBe(0)
    await page.unrouteAll()
  })

  test('too many requests in an hour are reported with the plan and with when to come back', async () => {
    await page.route('**/api/v1/scan', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: { error: 'Rate limit exceeded.' } }),
    )
    await walk.open('/scan')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    const refusal = page.getByRole('alert')
    await refusal.getByText(/Hourly request limit of the free plan reached. Try again in 10 minutes/).waitFor()
    await refusal.getByRole('link', { name: 'Upgrade' }).waitFor()
    await refusal.getByRole('button', { name: 'Scan locally in the browser' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    // What was said of the old text says nothing of the new one.
    await page.getByRole('textbox', { name: 'Contract source' }).fill(fixed)
    await expect.poll(() => refusal.count()).toBe(0)
    await page.unrouteAll()
  })

  test('without a network a scan says so at once, a page that is not loaded keeps the application, and nothing is lost', async () => {
    await walk.open('/scan')
    const source = page.getByRole('textbox', { name: 'Contract source' })
    await source.fill(vulnerable)
    await page.context().setOffline(true)
    await page.getByText('You are offline. What is open stays').waitFor()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.getByText('You are offline. Nothing was sent.').waitFor()
    expect(await source.inputValue()).toBe(vulnerable)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).getByText('This part could not be loaded.').waitFor()
    await page.keyboard.press('Escape')
    expect(await source.inputValue()).toBe(vulnerable)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('This page has not been loaded yet.').waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).waitFor()
    await page.context().setOffline(false)
    await expect.poll(() => page.getByText('You are offline. What is open stays').count()).toBe(0)
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Scan', exact: true }).click()
    await expect.poll(() => source.inputValue()).toBe(vulnerable)
    walk.complaints.splice(
      0,
      Number.POSITIVE_INFINITY,
      ...walk.complaints.filter((words) => !/ERR_INTERNET_DISCONNECTED|This page has not been loaded yet/.test(words)),
    )
  })

  test('when the scans of the day are used, that is reported before the upload', async () => {
    await walk.scan(vulnerable)
    await walk.open('/scan')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await page.getByText('Daily limit reached (5 of 5 scans on the free plan).').waitFor()
    expect(await page.getByRole('button', { name: 'Scan', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Scan locally in the browser' }).click()
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
