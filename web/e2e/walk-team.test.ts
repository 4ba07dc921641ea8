import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeZip } from '../../server/src/testing/archives.ts'
import { fixed, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { mailedCode, mailedInvitation, waitMs } from './service.ts'
import { browserPath, password, signUp, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('a team in a browser', () => {
  let walk: Walk
  let page: Page
  let bobs: BrowserContext
  let bob: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro' })
    page = walk.page
    bobs = await walk.browser.newContext({ reducedMotion: 'reduce' })
    bob = await bobs.newPage()
    bob.setDefaultTimeout(waitMs)
    await signUp(bob, walk.service, 'bob@example.com', 'free')
  })
  afterAll(() => walk?.stop())

  const account = (of: Page) => of.getByRole('button', { name: /^Account: .*\. Switch$/ })

  test('creates an organization, which is the account in force from then on', async () => {
    await walk.open('/home')
    await account(page).click()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Create organization' }).click()
    await page.getByText(/starts on the free plan \(5 scans a day, /).waitFor()
    await page.getByLabel('Name').fill('Acme')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
    expect(await account(page).textContent()).toContain('Acme')
    expect(await seriousProblems(page)).toEqual([])
  })

  test('invites a colleague, who joins by the link and works in it without naming a header', async () => {
    await page.getByLabel('Email').fill('bob@example.com')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('Invitation sent to bob@example.com.').waitFor()
    await page.getByRole('button', { name: 'Withdraw the invitation of bob@example.com' }).waitFor()
    await bob.goto(`${walk.service.url}/join#token=${await mailedInvitation(walk.service, 'bob@example.com')}`)
    await bob.getByRole('heading', { name: 'Join Acme' }).waitFor()
    await bob.getByText('You are invited to Acme as a member.').waitFor()
    await bob.getByRole('button', { name: 'Join' }).click()
    await bob.getByRole('heading', { name: 'You joined Acme' }).waitFor()
    expect(await bob.getByText('X-Organisation').count()).toBe(0)
    await bob.getByRole('button', { name: 'Open Acme' }).click()
    await bob.waitForURL(/\/home$/)
    await expect.poll(() => account(bob).textContent()).toContain('Acme')
  })

  test('an invited person without an account signs up and comes back to the invitation', async () => {
    const email = 'eve@example.com'
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText(`Invitation sent to ${email}.`).waitFor()
    const link = `${walk.service.url}/join#token=${await mailedInvitation(walk.service, email)}`
    await bob.goto('about:blank')
    await bob.goto(link)
    await bob.getByText(`but the invitation was sent to ${email}.`).waitFor()
    expect(await bob.getByRole('button', { name: 'Join' }).count()).toBe(0)
    await bob.goto(`${walk.service.url}/home`)
    const context = await walk.browser.newContext({ reducedMotion: 'reduce' })
    const eve = await context.newPage()
    eve.setDefaultTimeout(waitMs)
    await eve.goto(link)
    await eve.getByRole('heading', { name: 'Join Acme' }).waitFor()
    await eve.getByText(`Log in as ${email} to join.`).waitFor()
    await eve.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
    await eve.getByLabel('Name').fill('Eve')
    await eve.getByLabel('Email').fill(email)
    await eve.getByLabel('Password').fill(password)
    await eve.getByRole('button', { name: 'Sign up' }).click()
    await eve.getByLabel('Code').fill(await mailedCode(walk.service, email))
    await eve.getByRole('button', { name: 'Verify' }).click()
    await eve.waitForURL(/\/join$/)
    await eve.getByRole('button', { name: 'Join' }).click()
    await eve.getByRole('heading', { name: 'You joined Acme' }).waitFor()
    await context.close()
  })

  test('a scan of the organization is there for its members and not in the personal account', async () => {
    await walk.scan(vulnerable)
    await page.getByRole('button', { name: 'Export' }).click()
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'SARIF', exact: true }).click()
    const download = await waiting
    expect(download.suggestedFilename()).toMatch(/\.sarif$/)
    expect(readFileSync(await download.path(), 'utf8')).toContain('SWC-107')
    await bob.goto(page.url())
    await bob.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    await account(page).click()
    await page.getByRole('button', { name: /^Personal/ }).click()
    await page.waitForURL(/\/home$/)
    await walk.open('/scans')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('list', { name: 'Your scans' }).getByRole('listitem').count()).toBe(0)
    await account(page).click()
    await page.getByRole('button', { name: /^Acme/ }).click()
    await page.waitForURL(/\/home$/)
  })

  test('turns the weekly digest on; its links open the pages of the account they are about', async () => {
    await walk.open('/account')
    const digest = page.getByLabel(/^Weekly digest/)
    expect(await digest.isChecked()).toBe(false)
    await digest.click()
    await expect.poll(() => digest.isChecked()).toBe(true)
    await page.reload()
    await expect.poll(() => digest.isChecked()).toBe(true)
    const listed = await page.request.get(`${walk.service.url}/api/v1/organisations`)
    const [acme] = ((await listed.json()) as { data: { organisations: { id: string }[] } }).data.organisations
    await walk.open('/findings?account=personal&fresh=true')
    await page.waitForURL(/\/findings\?fresh=true$/)
    await expect.poll(() => account(page).textContent()).not.toContain('Acme')
    await page.getByText('No findings match.').waitFor()
    await walk.open(`/findings?account=${acme?.id}&fresh=true`)
    await page.waitForURL(/\/findings\?fresh=true$/)
    await expect.poll(() => account(page).textContent()).toContain('Acme')
    await page.getByRole('table', { name: 'Findings' }).getByRole('link').first().click()
    await page.waitForURL(/\/scans\/scn_\w+\?f=/)
  })

  test('changes a role and reads the audit log', async () => {
    await walk.open('/organization')
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: 'bob@example.com' })
    await row.getByRole('combobox').selectOption('auditor')
    await page.getByRole('table', { name: 'Audit log' }).getByText('The role of a member was changed').waitFor()
    await bob.goto(`${walk.service.url}/organization`)
    await bob.getByText('Your role: auditor').waitFor()
    expect(await bob.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    await row.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('button', { name: 'Transfer ownership' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('becomes an owner and you become a member').waitFor()
    // It stands in a cell whose words end at the right.
    expect(await page.evaluate("getComputedStyle(document.querySelector('dialog[open]')).textAlign")).toBe('left')
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await row.getByRole('combobox').inputValue()).toBe('auditor')
  })

  test('transfers the ownership, which is given back by the new owner', async () => {
    const members = (of: Page) => of.getByRole('table', { name: 'Members' }).getByRole('row')
    const transfer = async (from: Page, to: string) => {
      const row = members(from).filter({ hasText: to })
      await row.getByRole('button', { name: /^More for/ }).click()
      await from.getByRole('button', { name: 'Transfer ownership' }).click()
      await from.getByRole('dialog').getByRole('button', { name: 'Transfer ownership' }).click()
      await from.getByText('Your role: member').waitFor()
      await expect.poll(() => from.getByRole('dialog').count()).toBe(0)
      // A member reads who belongs to it, and manages nobody.
      await members(from).filter({ hasText: to }).getByText('owner', { exact: true }).waitFor()
      for (const name of [/^Invite$/, /^More for/, /^Delete organization$/])
        expect(await from.getByRole('button', { name }).count(), String(name)).toBe(0)
    }
    await walk.open('/organization')
    await transfer(page, 'bob@example.com')
    await bob.goto(`${walk.service.url}/organization`)
    await bob.getByText('Your role: owner').waitFor()
    await transfer(bob, walk.email)
    await walk.open('/organization')
    await page.getByText('Your role: owner').waitFor()
    expect(await members(page).filter({ hasText: 'bob@example.com' }).getByRole('combobox').inputValue()).toBe('member')
    expect(await seriousProblems(page)).toEqual([])
  })

  test('removes a member with what they made: the key and the link stop', async () => {
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: 'bob@example.com' })
    const dialog = page.getByRole('dialog')
    // Keys of an organization are made by its owners.
    const isSaved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
    await row.getByRole('combobox').selectOption('owner')
    await isSaved
    await bob.goto(`${walk.service.url}/keys`)
    await bob.getByLabel('Name').fill('pipeline of bob')
    await bob.getByRole('button', { name: 'Create', exact: true }).click()
    await bob.getByText('Save this key now.').waitFor()
    const key =
      (await bob
        .locator('code', { hasText: /^assay_live_\w+$/ })
        .first()
        .textContent()) ?? ''
    const scans = async () =>
      (await fetch(`${walk.service.url}/api/v1/scans`, { headers: { 'x-api-key': key } })).status
    expect(await scans()).toBe(200)
    await bob.goto(`${walk.service.url}/scans`)
    await bob.getByRole('list', { name: 'Your scans' }).getByRole('link').first().click()
    await bob.getByRole('button', { name: 'Share' }).click()
    await bob.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
    const url = (await bob.getByRole('dialog').locator('code', { hasText: '/shared#' }).textContent()) ?? ''
    const outsider = await (await walk.browser.newContext()).newPage()
    await outsider.goto(url)
    await outsider.getByText('shared with you until').waitFor()

    await walk.open('/organization')
    await row.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.getByLabel('API keys').selectOption('end-all')
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => row.count()).toBe(0)
    expect(await scans()).toBe(403)
    await outsider.reload()
    await outsider.getByText('This link does not exist, has expired or was revoked.').waitFor()
    await outsider.context().close()
    const log = page.getByRole('table', { name: 'Audit log' })
    for (const words of ['A member left or was removed', 'An API key was revoked'])
      await log.getByText(words).first().waitFor()
    // Who was removed is back in their own account.
    await bob.goto(`${walk.service.url}/home`)
    await expect.poll(() => account(bob).textContent()).toContain('Personal')
  })

  test('renames and deletes it', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Acme Labs')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme Labs' }).waitFor()
    await page.getByRole('button', { name: 'Delete organization' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type Acme Labs to confirm').fill('Acme Labs')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(/\/home$/)
    await expect.poll(() => account(page).textContent()).toContain('Personal')
  })

  test('queues a batch, each file a scan of its own', async () => {
    await walk.open('/scan')
    await page.getByRole('button', { name: 'Batch', exact: true }).click()
    const part = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page
      .locator('input[aria-label="Choose files for the batch"]')
      .setInputFiles([part('Bank.sol', vulnerable), part('Clean.sol', fixed.replace('Bank', 'Clean'))])
    await page.getByText('2 scans ready').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/batches\/./)
    await page.getByText('2 of 2 scans done').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Bank.sol' }).click()
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
  })

  test('scans by address and by repository have a form each', async () => {
    const refusal = { status: 422, json: { error: 'No verified source was found.' } }
    await page.route('**/api/v1/scan/*', (route) => route.fulfill(refusal))
    await walk.open('/scan?from=address')
    const address = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'
    await page.getByLabel('Contract address').fill(address)
    await page.getByLabel('Chain').selectOption('Base')
    const requested = page.waitForRequest('**/api/v1/scan/address?async=true')
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    expect((await requested).postDataJSON()).toEqual({ address, chain: 8453 })
    await page.getByRole('alert').getByText('No verified source was found.').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Repository', exact: true }).click()
    await page.getByLabel('Repository', { exact: true }).fill('acme/vault')
    await page.getByLabel('Branch, tag or commit (optional)').fill('v1.0.0')
    const wanted = page.waitForRequest('**/api/v1/scan/repository?async=true')
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    expect((await wanted).postDataJSON()).toEqual({ repository: 'acme/vault', ref: 'v1.0.0' })
    expect(await seriousProblems(page)).toEqual([])
    await page.unrouteAll()
  })

  test('opens an archive here, leaves tests out, and follows the queued scan through a reload', async () => {
    await walk.open('/scan')
    const buffer = makeZip({
      'app/foundry.toml': '[profile.default]',
      'app/report.pdf': 'x'.repeat(200_000),
      'app/src/Bank.sol': vulnerable,
      'app/lib/dep/src/Dep.sol': 'contract Dep {}',
      'app/test/Bank.t.sol': 'import "../src/Bank.sol"; contract BankTest {}',
    })
    await page
      .getByLabel('Choose a Solidity file')
      .setInputFiles({ name: 'vault.zip', mimeType: 'application/zip', buffer })
    const chosen = page.getByRole('region', { name: 'Project files' })
    await chosen.getByText(/^Foundry project: 2 of 3 files, \d/).waitFor()
    expect(await chosen.getByText('Bank.t.sol').count()).toBe(0)
    await chosen.getByLabel('Tests, mocks and scripts (1)').check()
    await chosen.getByText('test/Bank.t.sol').waitFor()
    await chosen.getByLabel('Tests, mocks and scripts (1)').uncheck()
    expect(await seriousProblems(page)).toEqual([])
    // The service is quick: what it would report while it works is shown in its place, until it is let through.
    let isRunning = true
    await page.route(/\/api\/v1\/scans\/scn_\w+$/, async (route) => {
      if (!isRunning) return route.continue()
      const answer = await route.fetch()
      const { data } = await answer.json()
      const startedAt = new Date(Date.now() - 10_000).toISOString()
      const progress = { filesDone: 1, files: 3 }
      const running = { ...data, status: 'running', position: null, progress, reason: null, startedAt }
      await route.fulfill({ json: { success: true, data: running } })
    })
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    const steps = page.getByRole('list', { name: 'Progress' })
    await steps.locator('[aria-current=step]').getByText('Analyzing').waitFor()
    await page.getByText('1 of 3 files').waitFor()
    await page.getByText(/about \d+ s left/).waitFor()
    await page.getByRole('button', { name: 'Cancel scan' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.reload()
    await steps.waitFor()
    isRunning = false
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    await page.getByRole('heading', { level: 1, name: 'vault' }).waitFor()
    await page.unrouteAll()
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
