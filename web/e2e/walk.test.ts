import { existsSync, readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenRouterStandIn,
  standInKey,
  startOpenRouterStandIn,
} from '../../server/src/gateways/stand-ins/open-router.ts'
import { crowded, fixed, lessOverflowing, overflowing, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import {
  launchBrowser,
  mailedCode,
  mailedInvitation,
  pause,
  type Receiver,
  type Service,
  startReceiver,
  startService,
} from './service.ts'

const browserPath = process.env.TEST_BROWSER
const hasProver = existsSync(new URL('../../prover/packages/node_modules/@ethereumjs/evm', import.meta.url))
if (!browserPath) {
  if (process.env.TEST_REQUIRE_ALL === '1')
    throw new Error('TEST_REQUIRE_ALL is set, but TEST_BROWSER names no browser.')
  console.warn('skipped: the dashboard in a browser. Install Chromium, or set TEST_BROWSER to its path, to turn it on.')
}

describe.skipIf(!browserPath)('the dashboard in a browser', () => {
  let service: Service
  let receiver: Receiver
  let gateway: OpenRouterStandIn
  let browser: Browser
  let page: Page
  const complaints: string[] = []
  const email = 'ada@example.com'

  beforeAll(async () => {
    gateway = await startOpenRouterStandIn()
    service = await startService({ AI_GATEWAY_URL: gateway.url })
    receiver = await startReceiver()
    browser = await launchBrowser(browserPath ?? '')
    // Colours that are still changing are no colours to be judged.
    const permissions = ['clipboard-read', 'clipboard-write']
    const context = await browser.newContext({ permissions, reducedMotion: 'reduce' })
    page = await context.newPage()
    page.setDefaultTimeout(15_000)
    // A Content-Security-Policy that the page breaks shows up as an error on the console.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
  })

  afterAll(async () => {
    await browser?.close()
    await receiver?.stop()
    await gateway?.close()
    await service?.stop()
  })

  const open = async (path: string) => {
    await page.goto(service.url + path)
    await page.waitForLoadState('networkidle')
  }

  test('a visitor scans the example in the browser itself, and nothing is uploaded', async () => {
    await open('/')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Scan in this browser' }).click()
    await page.getByRole('listbox', { name: 'Findings' }).getByText('SWC-107').waitFor()
    expect(sent).toEqual([])
    expect(await seriousProblems(page)).toEqual([])
  })

  test('lines are marked as one types, with the result beside them, and the result is kept by signing up', async () => {
    await open('/')
    const editor = page.getByRole('textbox', { name: 'Contract source' })
    const beside = page.getByRole('region', { name: 'Result as you type' })
    await beside.getByText('Click into the code').waitFor()
    await editor.fill(vulnerable)
    const line = vulnerable.split('\n').findIndex((text) => text.includes('.call{value')) + 1
    await page.locator(`[data-marked-line="${line}"]`).waitFor({ state: 'attached' })
    await beside
      .getByRole('button', { name: new RegExp(`line ${line}$`) })
      .first()
      .click()
    const chosen =
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)'
    expect(await page.evaluate(chosen)).toContain('.call{value')
    await editor.fill(fixed)
    await expect.poll(() => page.locator(`[data-marked-line="${line}"]`).count()).toBe(0)
    for (const name of ['Measured, not promised', 'Where you work', 'Prices'])
      await page.getByRole('heading', { name }).waitFor()
    expect(await page.getByRole('table', { name: 'Accuracy beside other tools' }).getByRole('row').count()).toBe(9)
    expect(await seriousProblems(page)).toEqual([])
    await beside.getByRole('button', { name: 'Sign up to keep this result' }).click()
    await page.waitForURL(/\/register$/)
    const kept = await page.evaluate('JSON.stringify({ ...sessionStorage })')
    expect(kept).toContain('PiggyBank.sol')
    await page.evaluate('sessionStorage.clear()')
  })

  test('signs up with the mailed code and logs in', async () => {
    await open('/register')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('a long enough passphrase')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByLabel('Code').fill(await mailedCode(service, email))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('a long enough passphrase')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('5 of 5 scans left').waitFor()
  })

  test('joins an organisation by the link of the invitation, logging in on the way', async () => {
    const asked = async (path: string, body: object, token = '') => {
      const answer = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
      expect(answer.ok, path).toBe(true)
      return (await answer.json()) as { token: string; data: { id: string } }
    }
    const owner = { email: 'owner@example.com', password: 'another long passphrase' }
    await asked('/api/register', { ...owner, name: 'Olive' })
    await asked('/api/verify-email', { email: owner.email, otp: await mailedCode(service, owner.email) })
    const { token } = await asked('/api/login', owner)
    const { id } = (await asked('/api/v1/organisations', { name: 'Acme' }, token)).data
    await asked(`/api/v1/organisations/${id}/invitations`, { email, role: 'member' }, token)
    const link = `/join#token=${await mailedInvitation(service, email)}`

    const context = await browser.newContext()
    const tab = await context.newPage()
    await tab.goto(service.url + link)
    await tab.getByRole('link', { name: 'Log in' }).last().click()
    expect(tab.url()).not.toContain('token')
    await tab.getByLabel('E-mail').fill(email)
    await tab.getByLabel('Password').fill('a long enough passphrase')
    await tab.getByRole('button', { name: 'Log in', exact: true }).click()
    await tab.getByText(`You are logged in as ${email}`).waitFor()
    expect(await seriousProblems(tab)).toEqual([])
    await tab.getByRole('button', { name: 'Join' }).click()
    await tab.getByRole('heading', { name: 'You joined Acme' }).waitFor()
    expect(await seriousProblems(tab)).toEqual([])
    await context.close()
  })

  test('what was scanned before logging in becomes a scan of the account', async () => {
    const context = await browser.newContext()
    const tab = await context.newPage()
    await tab.goto(service.url)
    await tab.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await tab.getByRole('button', { name: 'Sign up to keep this result' }).click()
    await tab.waitForURL(/\/register$/)
    await tab.getByRole('link', { name: 'Log in' }).first().click()
    await tab.getByLabel('E-mail').fill('owner@example.com')
    await tab.getByLabel('Password').fill('another long passphrase')
    await tab.getByRole('button', { name: 'Log in', exact: true }).click()
    await tab.waitForURL(/\/scans\/./)
    await tab.getByLabel('Source code').waitFor()
    await context.close()
  })

  test('creates a key, sees it once in full and masked in the list', async () => {
    await open('/keys')
    await page.getByLabel('Name').fill('pipeline')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Your new key.').waitFor()
    const key = await page
      .locator('code', { hasText: /^assay_live_[A-Za-z0-9]{38}$/ })
      .first()
      .textContent()
    expect(key).toMatch(/^assay_live_[A-Za-z0-9]{38}$/)
    const table = page.getByRole('list', { name: 'Your API keys' })
    await table.getByText('pipeline').waitFor()
    expect(await table.textContent()).not.toContain(key)
    await table.getByRole('button', { name: 'Show key pipeline' }).click()
    expect(await table.textContent()).toContain(key)
    expect(await seriousProblems(page)).toEqual([])
  })

  test('chooses what a key may do and for how long, and changes it later', async () => {
    await open('/keys')
    await page.getByLabel('Name').fill('nightly')
    await page.getByText('What it may do, and for how long').click()
    await page.getByRole('checkbox', { name: 'Change findings, webhooks and the plan' }).uncheck()
    await page.getByLabel('Scans a day').fill('2')
    await page.getByLabel('Ends after days').fill('30')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const row = page.getByRole('listitem', { name: 'Key nightly' })
    await row.getByText('scan, read · 2 scans a day').waitFor()
    await row.getByRole('button', { name: 'Change nightly' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change nightly' })
    expect(await dialog.getByRole('checkbox', { name: 'Scan' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Read results' }).uncheck()
    await dialog.getByLabel('Scans a day').fill('')
    await dialog.getByLabel('Requests an hour').fill('1000000')
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    // What is wrong with it is told where it was asked for.
    await dialog.getByText(/requestsPerHour must/).waitFor()
    await dialog.getByLabel('Requests an hour').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('scan · 3 requests an hour').waitFor()
  })

  test('rotates a key only when asked twice, and says which one was replaced', async () => {
    await open('/keys')
    const keys = page.getByRole('list', { name: 'Your API keys' })
    await keys.getByRole('button', { name: 'Rotate nightly' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate nightly?' })
    await dialog.getByText(/^assay_live_/).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    expect(await keys.getByRole('listitem').count()).toBe(2)
    await keys.getByRole('button', { name: 'Rotate nightly' }).click()
    await dialog.getByLabel('The old key works for').selectOption('another hour')
    await dialog.getByRole('button', { name: 'Rotate it' }).click()
    await page.getByText(/It replaces nightly \(assay_live_.*which works until/).waitFor()
    await expect.poll(() => keys.getByRole('listitem').count()).toBe(3)
  })

  test('no action of a key is cut off, however narrow the screen', async () => {
    for (const width of [320, 360, 768, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      for (const button of await page.getByRole('button', { name: /^(Change|Rotate|Revoke) / }).all()) {
        const box = await button.boundingBox()
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width, `${width}`).toBe(true)
      }
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).toBeLessThanOrEqual(width)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  /** Everything that can be seen in the header, by the height of its middle. */
  const headerRow = async (width: number, tab = page) => {
    await tab.setViewportSize({ width, height: 800 })
    return (await tab.evaluate(`(() => {
      const header = document.querySelector('header')
      const { height } = header.getBoundingClientRect()
      const shown = [...header.querySelectorAll('a, button')].filter((one) => one.checkVisibility())
      const boxes = shown.map((one) => one.getBoundingClientRect())
      return {
        height,
        rows: new Set(boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))).size,
        right: Math.max(...boxes.map((box) => box.right)),
        lines: Math.max(...shown.map((one) => one.getClientRects().length)),
      }
    })()`)) as { height: number; rows: number; right: number; lines: number }
  }

  test.each([320, 360, 768, 1024, 1280])(
    'the header is one row at %i pixels, with an account and without',
    async (width) => {
      await open('/keys')
      const visitor = await browser.newContext()
      const tab = await visitor.newPage()
      for (const path of ['/', '/login']) {
        await tab.goto(service.url + path)
        await tab.getByRole('link', { name: 'Sign up' }).first().waitFor()
        const { height, rows, right, lines } = await headerRow(width, tab)
        expect([path, rows, lines, height <= 60, right <= width]).toEqual([path, 1, 1, true, true])
      }
      await visitor.close()
      const { height, rows, right, lines } = await headerRow(width)
      expect([rows, lines, height <= 60, right <= width]).toEqual([1, 1, true, true])
      if (width < 1024) {
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('link', { name: 'Webhooks' }).waitFor()
        expect(await seriousProblems(page)).toEqual([])
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    },
  )

  const scan = async (source: string, isAttacked = false) => {
    await open('/scan')
    if (isAttacked) await page.getByLabel('Attack what is found').check()
    await page.getByRole('textbox', { name: 'Contract source' }).fill(source)
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    // Compilers are slow to start: the test's own limit ends what hangs.
    await page.waitForURL(/\/scans\/./, isAttacked ? { timeout: 0 } : {})
    await page.getByLabel('Source code').waitFor()
  }

  test('scans a vulnerable contract and reads the finding at its line', async () => {
    await scan(vulnerable)
    await page.getByRole('listbox', { name: 'Findings' }).getByText('SWC-107').first().click()
    const panel = page.getByRole('article')
    await panel.getByText('How to fix it').waitFor()
    const line = vulnerable.split('\n').findIndex((text) => text.includes('.call{value')) + 1
    await panel
      .getByRole('button', { name: `line ${line}` })
      .first()
      .waitFor()
    await page.getByRole('button', { name: new RegExp(`^Line ${line}: .*SWC-107`) }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('opens the gravest finding first, and a link to another one opens that one', async () => {
    const findings = page.getByRole('listbox', { name: 'Findings' })
    const chosen = findings.locator('[aria-selected=true]')
    await scan(crowded)
    await chosen.getByText('critical').waitFor()
    expect(await page.getByText(/^\d+ of \d+ shown/).textContent()).toMatch(/^(\d+) of \1 shown/)
    const first = await chosen.textContent()
    await page.keyboard.press('j')
    await expect.poll(() => chosen.textContent()).not.toBe(first)
    const second = await chosen.textContent()
    expect(page.url()).toContain('?f=')
    await page.reload()
    await expect.poll(() => chosen.textContent()).toBe(second)
    await page.goBack()
    await expect.poll(() => chosen.textContent()).toBe(first)
  })

  test('filters by severity and by words, all in the address', async () => {
    const findings = page.getByRole('listbox', { name: 'Findings' })
    await page.getByRole('button', { name: /^critical/ }).click()
    await expect.poll(() => page.url()).toContain('sev=critical')
    await page.keyboard.press('/')
    await page.keyboard.type('nothing has these words')
    await page.getByText('No finding matches the filter.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await findings.getByRole('option').first().waitFor()
    expect(page.url()).not.toContain('sev=')
  })

  test('sets two findings aside at once with a reason, and the list keeps them apart', async () => {
    const findings = page.getByRole('listbox', { name: 'Findings' })
    await findings.getByRole('option').first().click()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const together = page.getByRole('region', { name: 'Marked findings' })
    await together.getByText('2 marked').waitFor()
    await together.getByRole('button', { name: 'Decide together' }).click()
    await together.getByRole('button', { name: 'Save for 2' }).click()
    await together.getByText('Say why: the next reader will ask.').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await together.getByLabel('Reason').fill('The pool is trusted')
    await together.getByRole('button', { name: 'Save for 2' }).click()
    await page.getByRole('button', { name: /^set aside 2$/i }).click()
    await findings.getByRole('option').first().click()
    const decision = page.getByRole('region', { name: 'Decision' })
    await decision.getByText('The pool is trusted').waitFor()
    await decision.getByText(`by ${email}`).waitFor()
    await decision.getByRole('button', { name: 'Decide' }).click()
    await decision.getByLabel('State').selectOption('open')
    await decision.getByRole('button', { name: 'Save the decision' }).click()
    await page.getByRole('button', { name: /^set aside 1$/i }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
  })

  test('passes the list with one Tab and shows the keys', async () => {
    const findings = page.getByRole('listbox', { name: 'Findings' })
    await findings.focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('[role=listbox]')`)).toBeNull()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys on this page' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('on a phone a tapped finding opens a sheet with its lines', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('listbox', { name: 'Findings' }).getByRole('option').first().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('The lines around the finding').waitFor()
    expect(await sheet.locator('[data-line]').count()).toBe(10)
    expect(await seriousProblems(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Close' }).click()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('downloads the result in every format', async () => {
    for (const name of ['SARIF', 'Markdown', 'HTML', 'JSON', 'CSV']) {
      await page.getByRole('button', { name: 'Export' }).click()
      const waiting = page.waitForEvent('download')
      await page
        .getByRole('link', { name, exact: true })
        .or(page.getByRole('button', { name, exact: true }))
        .click()
      const text = readFileSync(await (await waiting).path(), 'utf8')
      expect(text).toContain('SWC-107')
    }
  })

  test('shares the result by a link that a stranger opens, and takes it back', async () => {
    const result = page.url()
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this result' })
    await dialog.getByLabel('What it shows').selectOption('source')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const url = await dialog.locator('code', { hasText: '/shared#' }).textContent()
    expect(await seriousProblems(page)).toEqual([])

    const context = await browser.newContext()
    const tab = await context.newPage()
    const asked: string[] = []
    tab.on('request', (request) => asked.push(request.url()))
    const answer = await tab.goto(url ?? '')
    expect(answer?.headers()['x-robots-tag']).toContain('noindex')
    await tab.getByText('shared with you until').waitFor()
    const findings = tab.getByRole('listbox', { name: 'Findings' })
    await findings.getByRole('option').nth(1).click()
    await tab.getByLabel('Source code').getByText('selfdestruct').first().waitFor()
    expect(await tab.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
    expect(await tab.getByRole('button', { name: 'Share' }).count()).toBe(0)
    expect(await seriousProblems(tab)).toEqual([])
    // Choosing a finding changes the address, and the rest of the link stays in it.
    expect(tab.url()).toMatch(/\/shared\?f=.*#\w{43}$/)
    await tab.reload()
    await tab.getByText('shared with you until').waitFor()

    await dialog.getByLabel('What it shows').selectOption('findings')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    await expect.poll(() => dialog.locator('code', { hasText: '/shared#' }).textContent()).not.toBe(url)
    const bare = await dialog.locator('code', { hasText: '/shared#' }).textContent()
    await tab.goto('about:blank')
    await tab.goto(bare ?? '')
    await tab.getByText('without the source').waitFor()
    await tab.getByRole('listbox', { name: 'Findings' }).getByRole('option').first().waitFor()
    expect(await tab.getByText('selfdestruct(payable').count()).toBe(0)
    expect(await tab.getByLabel('Source code').count()).toBe(0)
    expect(await seriousProblems(tab)).toEqual([])

    await dialog
      .getByRole('button', { name: /^Revoke the link/ })
      .first()
      .click()
    await expect.poll(() => dialog.getByRole('button', { name: /^Revoke the link/ }).count()).toBe(1)
    await tab.reload()
    await tab.getByText('This link does not exist, has expired or was revoked.').waitFor()
    await context.close()

    await dialog.getByLabel('What it shows').selectOption('badge')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    await dialog.getByRole('img', { name: 'The badge' }).waitFor()
    const isDrawn = `document.querySelector('img[alt="The badge"]').naturalWidth > 0`
    await expect.poll(() => page.evaluate(isDrawn)).toBe(true)
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(page.url()).toBe(result)
  })

  test('fixes the contract, scans again and sees it as fixed in the comparison', async () => {
    await scan(fixed)
    await page.getByText('2 of 5 scans left').waitFor()
    await open('/scans')
    // Newest first: the mended contract, the crowded one, the vulnerable one.
    await page.getByRole('checkbox').nth(0).check()
    await page.getByRole('checkbox').nth(2).check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await page.getByRole('heading', { name: 'Fixed (1)' }).waitFor()
    await page.getByRole('heading', { name: 'New (0)' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('home shows the projects, what is open in them and the way on', async () => {
    await open('/home')
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.getByText('Scan from your pipeline with it').waitFor()
    expect(await page.getByRole('link', { name: 'Scan your first contract' }).count()).toBe(0)
    expect(await seriousProblems(page)).toEqual([])
  })

  test('a detector has a page of its own', async () => {
    await open('/detectors/reentrancy')
    await page.getByRole('heading', { name: 'How it is attacked' }).waitFor()
    await page.getByRole('heading', { name: 'Safe' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await open('/detectors/no-such-detector')
    await page.getByText('There is no such detector.').waitFor()
  })

  test('a session that ends while a page is open is renewed over it, and nothing typed is lost', async () => {
    await open('/scan')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(fixed)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill('a long enough passphrase')
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByLabel('Source code').waitFor()
  })

  test('a file above the plan is refused before the upload, with two ways on', async () => {
    await open('/scan')
    const uploads: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') uploads.push(request.url())
    })
    await page.getByRole('textbox', { name: 'Contract source' }).fill(`${vulnerable}\n// ${'x'.repeat(110_000)}`)
    await page.getByText('the free plan takes up to 100 KB').waitFor()
    await page.getByRole('link', { name: 'Upgrade' }).waitFor()
    await page.getByRole('button', { name: 'Scan it in this browser' }).click()
    await page.getByRole('listbox', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    expect(uploads).toEqual([])
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await expect.poll(() => page.getByText('the free plan takes').count()).toBe(0)
  })

  test('a part of the page that is lost is loaded once more', async () => {
    await open('/login')
    let lost = 0
    await page.route(/assets\/detectors-.*\.js/, (route) => (lost++ === 0 ? route.abort() : route.continue()))
    await page.getByRole('link', { name: 'Detectors' }).click()
    await page.getByRole('heading', { level: 1, name: /detect/i }).waitFor()
    expect(lost).toBeGreaterThan(1)
    await page.unroute(/assets\/detectors-.*\.js/)
    complaints.splice(
      0,
      complaints.length,
      ...complaints.filter((text) => !/ERR_FAILED|dynamically imported module/.test(text)),
    )
  })

  const upgrade = async (plan: string) => {
    await open('/plan')
    await page.getByRole('button', { name: `Upgrade to ${plan}` }).click()
    await page.getByText('To pay now').waitFor()
  }

  test('upgrades to pro through the sandbox checkout', async () => {
    await upgrade('pro')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Go to checkout' }).click()
    await page.waitForURL(/\/sandbox\/checkout\//)
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: /pay/i }).first().click()
    await expect
      .poll(
        async () => {
          await open('/plan')
          return page.getByText('You are on the pro plan.').count()
        },
        { timeout: 10_000, interval: 300 },
      )
      .toBe(1)
  })

  test('three hundred findings: the worst first, two set aside, a link sent, and what a mended scan changes', async () => {
    await scan(overflowing)
    const findings = page.getByRole('listbox', { name: 'Findings' })
    const shown = page.getByText(/^\d+ of \d+ shown/)
    expect(Number(/of (\d+)/.exec((await shown.textContent()) ?? '')?.[1])).toBeGreaterThanOrEqual(300)
    const chosen = findings.locator('[aria-selected=true]')
    await chosen.getByText('SWC-107').waitFor()
    await page.getByRole('article').getByText('How to fix it').waitFor()
    await page.getByLabel('Source code').getByText('msg.sender.call').first().waitFor()
    await page.getByRole('button', { name: /^high/ }).click()
    await expect.poll(() => page.url()).toContain('sev=high')
    await findings.getByRole('option').first().click()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const together = page.getByRole('region', { name: 'Marked findings' })
    await together.getByRole('button', { name: 'Decide together' }).click()
    await together.getByLabel('Reason').fill('Dust: nobody minds')
    await together.getByRole('button', { name: 'Save for 2' }).click()
    await page.getByRole('button', { name: /^set aside 2$/i }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this result' })
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const url = (await dialog.locator('code', { hasText: '/shared#' }).textContent()) ?? ''
    const colleague = await browser.newContext()
    const tab = await colleague.newPage()
    await tab.goto(url)
    await tab.getByRole('listbox', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    await colleague.close()
    await dialog.getByRole('button', { name: 'Close' }).click()

    await scan(lessOverflowing)
    await page.getByRole('link', { name: 'Compare' }).first().click()
    await page.getByRole('heading', { name: /^New \([1-9]/ }).waitFor()
    await page.getByRole('heading', { name: /^Fixed \([1-9]/ }).waitFor()
    await page.getByRole('heading', { name: 'Accepted or called false positives (2)' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('the history is searched by severity, by where a scan came from and by name, all in the address', async () => {
    await open('/scans')
    const rows = page.getByRole('list', { name: 'Your scans' }).getByRole('listitem')
    const before = await rows.count()
    await page.getByLabel('Severity').selectOption({ label: 'with high findings' })
    await expect.poll(() => page.url()).toContain('severity=high')
    await expect.poll(() => rows.count()).toBeLessThan(before)
    expect(await rows.count()).toBeGreaterThan(0)
    expect(await rows.first().textContent()).toContain('high')
    await page.getByLabel('Where it came from').selectOption('With an API key')
    await page.getByText('No scan matches.').waitFor()
    expect(page.url()).toContain('via=key')
    await page.getByLabel('Where it came from').selectOption('From the browser')
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

  test('receives a signed webhook when a scan completes', async () => {
    await open('/webhooks')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('The signing secret.').waitFor()
    const secret =
      (await page
        .locator('code', { hasText: /^whsec_/ })
        .first()
        .textContent()) ?? ''
    await scan(vulnerable)
    for (let tries = 0; receiver.received.length === 0 && tries < 100; tries++) await pause(100)
    const [delivery] = receiver.received
    const event = new Webhook(secret).verify(
      delivery?.body ?? '',
      delivery?.headers as Record<string, string>,
    ) as Record<string, unknown>
    expect(event).toMatchObject({ type: 'scan.completed', status: 'completed' })
    await open('/webhooks')
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('scan.completed').first().waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('scans with AI, and the gateway key is kept nowhere in the page', async () => {
    gateway.reply = () =>
      JSON.stringify({
        summary: 'The bank can be drained.',
        verdicts: [{ candidate: 1, verdict: 'confirmed', reason: 'The balance is cleared after the call.' }],
        vulnerabilities: [
          {
            title: 'Deposits cannot be limited',
            severity: 'low',
            confidence: 'medium',
            line: 7,
            quote: 'function deposit() external payable {',
            description: 'Anybody can deposit any amount.',
            recommendation: 'Set a limit.',
          },
        ],
        recommendations: [],
      })
    await open('/scan')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await page.getByLabel('Your OpenRouter key').fill(standInKey)
    await page.getByLabel('Model').fill('acme/auditor-1')
    await page.getByRole('button', { name: 'Scan with AI' }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByRole('heading', { name: 'What acme/auditor-1 says' }).waitFor()
    await page.getByRole('link', { name: 'Download the report' }).waitFor()
    await page.getByText('State changes after an external call').first().waitFor()
    expect(gateway.requests.at(-1)?.authorization).toBe(`Bearer ${standInKey}`)
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
    expect(kept).not.toContain(standInKey)
    expect(await seriousProblems(page)).toEqual([])
  })

  test('the opinion is found again from the history, and another result can be asked about', async () => {
    await open('/scans')
    await page.getByRole('listitem').filter({ hasText: 'AI' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'What acme/auditor-1 says' }).waitFor()
    const findings = page.getByRole('listbox', { name: 'Findings' })
    await findings.getByText('model agrees').first().waitFor()
    await page.getByRole('article').getByText('The model confirms it').waitFor()
    await page.getByText('1 confirmed, 1 found by the model alone.').waitFor()
    await findings.getByText('model alone', { exact: true }).click()
    await page.getByRole('article').getByText('Anybody can deposit any amount.').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await scan(vulnerable)
    expect(await page.getByRole('heading', { name: /^What .* says$/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Ask a model' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask a model' })
    await dialog.getByLabel('Your OpenRouter key').fill(standInKey)
    await dialog.getByLabel('Model').fill('acme/auditor-1')
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Scan with AI' }).click()
    await page.getByRole('heading', { name: 'What acme/auditor-1 says' }).waitFor()
  })

  test('scans several files as one project, and shows each with its findings', async () => {
    await open('/scan')
    const part = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page
      .getByLabel('Choose a Solidity file')
      .setInputFiles([
        part('Bank.sol', vulnerable),
        part('Branch.sol', 'pragma solidity 0.8.24; import "./Bank.sol"; contract Branch is Bank {}'),
      ])
    const files = page.getByRole('region', { name: 'Files of the project' })
    await files.getByText('Branch.sol', { exact: true }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByRole('listbox', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    const file = page.getByLabel('File', { exact: true })
    await expect.poll(() => file.inputValue()).toBe('Bank.sol')
    await file.selectOption('Branch.sol')
    await page.getByLabel('Source code').getByText('Branch').waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test.skipIf(!hasProver)(
    'has a contract attacked, reads the steps and downloads the test',
    async () => {
      await scan(vulnerable, true)
      await page.getByRole('listbox', { name: 'Findings' }).getByText('SWC-107').first().click()
      const attack = page.getByRole('article').getByRole('region', { name: 'The attack' })
      await attack.getByText('Bank.withdraw()').first().waitFor()
      await attack
        .getByRole('row', { name: /^attacker/ })
        .first()
        .waitFor()
      expect(await seriousProblems(page)).toEqual([])
      const waiting = page.waitForEvent('download')
      await attack.getByRole('link', { name: 'Download the Foundry test' }).click()
      const text = readFileSync(await (await waiting).path(), 'utf8')
      expect(text).toContain('function testAttack() public')
      expect(text).toContain('contract Bank {')
    },
    240_000,
  )

  test('cancels, sees the date, and resumes', async () => {
    await open('/plan')
    await page.getByRole('button', { name: 'Cancel the plan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the plan' }).click()
    await page.getByText(/Your plan ends on/).waitFor()
    await page.getByRole('button', { name: 'Resume the plan' }).click()
    await page.getByText(/Your plan renews on/).waitFor()
  })

  const pages = [
    '/',
    '/home',
    '/scan',
    '/scans',
    '/compare',
    '/keys',
    '/plan',
    '/webhooks',
    '/account',
    '/try',
    '/detectors',
    '/detectors/reentrancy',
    '/docs',
    '/docs/scans',
    '/shared',
    '/join',
    '/login',
    '/register',
    '/verify',
    '/forgot-password',
    '/reset-password',
    '/status',
  ]

  const hasTheme = (theme: string) => `document.documentElement.dataset.theme = '${theme}'`

  test.each(pages)(
    'shows %s on phone, tablet and desk, light and dark, to keyboard and screen reader alike',
    async (path) => {
      await open(path)
      if (path === '/') {
        await page.getByRole('textbox', { name: 'Contract source' }).click()
        await page.getByRole('list', { name: 'What was found' }).waitFor()
      }
      for (const width of [320, 360, 768, 1024]) {
        await page.setViewportSize({ width, height: 740 })
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).toBeLessThanOrEqual(width)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      for (const theme of ['light', 'dark']) {
        await page.evaluate(hasTheme(theme))
        expect(await seriousProblems(page), theme).toEqual([])
      }
    },
  )

  test('the reference shows each call beside its words, with the reader’s own key when asked', async () => {
    await open('/reference')
    await page.waitForURL(/\/docs$/)
    const contents = page.getByRole('navigation', { name: 'Reference' })
    await contents.getByRole('link', { name: 'Scans', exact: true }).click()
    const scanning = page.getByRole('region', { name: 'Scan a Solidity file or project' })
    await scanning.getByText('-F file=@Contract.sol').waitFor()
    await scanning.getByText('"securityScore"').waitFor()
    await scanning.getByText('suppressions', { exact: true }).waitFor()
    expect(await scanning.textContent()).not.toContain('assay_live_')
    await page.getByLabel('Put my own key into the lines').check()
    await scanning.getByText(/X-API-Key: assay_live_/).waitFor()
    await page.getByLabel('Language').selectOption('Python')
    await scanning.getByText('requests.request("POST"').waitFor()
    await page.goto(`${service.url}/docs/api-keys#postUserApiKeysByIdRotate`)
    const rotating = page.getByRole('region', { name: 'Replace an API key' })
    await rotating.getByText('overlapSeconds', { exact: true }).first().waitFor()
    await expect.poll(async () => (await rotating.boundingBox())?.y ?? 1000).toBeLessThan(200)
  })

  test('a 5 MB source keeps only the lines in sight in the page', async () => {
    await open('/')
    const line = '    // filler so that the file is long, nothing to see here\n'
    const source = `pragma solidity 0.8.24;\ncontract Long {\n${line.repeat(80_000)}}\n`
    await page
      .getByLabel('Choose a Solidity file')
      .setInputFiles({ name: 'Long.sol', mimeType: 'text/plain', buffer: Buffer.from(source) })
    // Too long for the first page: the application takes it over, and scans it at once.
    await page.waitForURL(/\/try$/)
    await page.getByLabel('Chosen source').waitFor()
    await page.getByLabel('Source code').waitFor({ timeout: 30_000 })
    expect(await page.locator('[data-line]').count()).toBeLessThan(400)
  })

  test('changes name, password and address, and takes everything away', async () => {
    await open('/account')
    const name = page.getByRole('form', { name: 'Name' })
    await name.getByLabel('Your name').fill('Ada L.')
    await name.getByRole('button', { name: 'Save the name' }).click()
    await page.getByText(`Ada L., ${email}`).waitFor()
    const password = page.getByRole('form', { name: 'Password' })
    await password.getByLabel('Present password').fill('not this one')
    await password.getByLabel('New password').fill('another long passphrase')
    await password.getByRole('button', { name: 'Change the password' }).click()
    await password.getByText('The password is wrong.').waitFor()
    await password.getByLabel('Present password').fill('a long enough passphrase')
    await password.getByRole('button', { name: 'Change the password' }).click()
    await password.getByText('Every other session was ended.').waitFor()
    const address = page.getByRole('form', { name: 'E-mail address' })
    await address.getByLabel('New address').fill('lovelace@example.com')
    await address.getByLabel('Your password, to be sure').fill('another long passphrase')
    await address.getByRole('button', { name: 'Send a code' }).click()
    await address.getByLabel('Code from the mail').fill(await mailedCode(service, 'lovelace@example.com'))
    expect(await seriousProblems(page)).toEqual([])
    await address.getByRole('button', { name: 'Confirm the address' }).click()
    await address.getByText('Your address is now lovelace@example.com.').waitFor()
    await page.getByRole('list', { name: 'Where you are logged in' }).getByText('Chrome on Linux').first().waitFor()

    await page.getByRole('button', { name: 'Export everything' }).click()
    const taking = page.getByRole('dialog', { name: 'Export everything' })
    await taking.getByLabel('Your password').fill('another long passphrase')
    const waiting = page.waitForEvent('download')
    await taking.getByRole('button', { name: 'Export', exact: true }).click()
    const lines = readFileSync(await (await waiting).path(), 'utf8')
      .trim()
      .split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'account', name: 'Ada L.', email: 'lovelace@example.com' })
  })

  test('logs out everywhere, and deletes the account by typing its address', async () => {
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    const asking = page.getByRole('dialog', { name: 'Log out everywhere?' })
    expect(await seriousProblems(page)).toEqual([])
    await asking.getByRole('button', { name: 'Log out everywhere' }).click()
    await page.waitForURL(`${service.url}/`)
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
    await open('/login?next=/account')
    await page.getByLabel('E-mail').fill('lovelace@example.com')
    await page.getByLabel('Password').fill('another long passphrase')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Delete the account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the account' })
    const confirm = dialog.getByRole('button', { name: 'Delete for good' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel('Type lovelace@example.com to confirm').fill('lovelace@example.com')
    await dialog.getByLabel('Your password').fill('another long passphrase')
    expect(await seriousProblems(page)).toEqual([])
    await confirm.click()
    await page.waitForURL(`${service.url}/`)
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
  })

  test('nothing broke the Content-Security-Policy or threw on the way', () => {
    expect(complaints).toEqual([])
  })
})
