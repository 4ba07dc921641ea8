import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixed, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { mailedCode, mailedInvitation } from './service.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('a visitor in a browser', () => {
  let walk: Walk
  let page: Page
  const email = 'ada@example.com'

  beforeAll(async () => {
    walk = await startWalk()
    page = walk.page
  })
  afterAll(() => walk?.stop())

  test('a visitor scans the example in the browser itself, and nothing is uploaded', async () => {
    await walk.open('/')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Scan in this browser' }).click()
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').waitFor()
    expect(sent).toEqual([])
    expect(await seriousProblems(page)).toEqual([])
  })

  test('lines are marked as one types, with the result beside them, and the result is kept by signing up', async () => {
    await walk.open('/')
    const editor = page.getByRole('textbox', { name: 'Contract source' })
    const beside = page.getByRole('region', { name: 'Result as you type' })
    // The example's result is in the page as it is sent.
    await beside.getByRole('button', { name: /Reentrancy.* line \d+$/ }).waitFor()
    const exploit = page.getByRole('region', { name: 'Exploit verified on this example' })
    await exploit.waitFor()
    await editor.fill(vulnerable)
    // What was done to the example says nothing about another contract, which has a name of its own too.
    await exploit.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('File name').inputValue()).toBe('Bank.sol')
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
    for (const name of ['Benchmarks', 'Integrations', 'Prices']) await page.getByRole('heading', { name }).waitFor()
    expect(await page.getByRole('table', { name: 'Accuracy compared with other tools' }).getByRole('row').count()).toBe(
      9,
    )
    // Every command on the page works where it is shown.
    const address = /npm install --global (\S+)/.exec(await page.locator('#main').innerText())?.[1] ?? ''
    expect(address).toBe(`${walk.service.url}/downloads/assay-cli.tgz`)
    const sent = await page.request.get(address)
    expect([sent.status(), [...(await sent.body()).subarray(0, 2)]]).toEqual([200, [0x1f, 0x8b]])
    expect(await seriousProblems(page)).toEqual([])
    await beside.getByRole('button', { name: 'Sign up to keep this result' }).click()
    await page.waitForURL(/\/register$/)
    const kept = await page.evaluate('JSON.stringify({ ...sessionStorage })')
    expect(kept).toContain('\\"Bank.sol\\"')
    await page.evaluate('sessionStorage.clear()')
  })

  test('finds in the form what was typed before the sign-up in the header, and sends it nowhere', async () => {
    await walk.open('/')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await page.locator('[data-marked-line]').first().waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Sign up', exact: true }).first().click()
    await page.waitForURL(/\/register$/)
    const kept = await page.evaluate('JSON.stringify({ ...sessionStorage })')
    expect(kept).toContain('assay-typed-source')
    expect(kept).not.toContain('assay-kept-source')
    await page.evaluate('sessionStorage.clear()')
  })

  test('signs up with the mailed code, is logged in by it, and logs in after a reload as well', async () => {
    await walk.open('/register')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('password1')
    await page.getByRole('button', { name: 'Sign up' }).click()
    // The refusal stands at the field, which takes the next letter.
    const refused = page.getByLabel('Password')
    await page.getByText('Password is one of the most common breached passwords. Choose another one.').waitFor()
    expect(await refused.getAttribute('aria-invalid')).toBe('true')
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    expect(await page.getByRole('alert').count()).toBe(1)
    await refused.fill('a long enough passphrase')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByLabel('Code').fill(await mailedCode(walk.service, email))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('5 of 5 scans left').waitFor()
    await page.waitForURL(/\/home$/)
    // A user who reloads between the two pages types the password once more.
    const other = 'grace@example.com'
    await page.context().clearCookies()
    await walk.open('/register')
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('Email').fill(other)
    await page.getByLabel('Password').fill('a long enough passphrase')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByLabel('Code').waitFor()
    await page.reload()
    await page.getByLabel('Code').fill(await mailedCode(walk.service, other))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.getByText('Email verified.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(other)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('a long enough passphrase')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('5 of 5 scans left').waitFor()
  })

  test('the forms to log in and to sign up lead on anyone who is logged in', async () => {
    await walk.open('/login')
    await page.waitForURL(/\/home$/)
    await walk.open('/register')
    await page.waitForURL(/\/home$/)
    await walk.open('/login?next=%2Ffindings%3Fseverity%3Dhigh')
    await page.waitForURL(/\/findings\?severity=high$/)
    await page.getByRole('heading', { level: 1, name: 'Findings' }).waitFor()
  })

  test('joins an organisation by the link of the invitation, with a log-in in between', async () => {
    const post = async (path: string, body: object, token = '') => {
      const answer = await fetch(`${walk.service.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
      expect(answer.ok, path).toBe(true)
      return (await answer.json()) as { token: string; data: { id: string } }
    }
    const owner = { email: 'owner@example.com', password: 'another long passphrase' }
    await post('/api/register', { ...owner, name: 'Olive' })
    await post('/api/verify-email', { email: owner.email, otp: await mailedCode(walk.service, owner.email) })
    const { token } = await post('/api/login', owner)
    const { id } = (await post('/api/v1/organisations', { name: 'Acme' }, token)).data
    await post(`/api/v1/organisations/${id}/invitations`, { email, role: 'member' }, token)
    const link = `/join#token=${await mailedInvitation(walk.service, email)}`

    const context = await walk.browser.newContext()
    const tab = await context.newPage()
    await tab.goto(walk.service.url + link)
    // By the header, which knows nothing of the invitation.
    await tab.getByRole('banner').getByRole('link', { name: 'Log in' }).last().click()
    expect(tab.url()).not.toContain('token')
    await tab.getByLabel('Email').fill(email)
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
    const context = await walk.browser.newContext()
    const tab = await context.newPage()
    await tab.goto(walk.service.url)
    await tab.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await tab.getByRole('button', { name: 'Sign up to keep this result' }).click()
    await tab.waitForURL(/\/register$/)
    await tab.getByRole('link', { name: 'Log in' }).first().click()
    // The page that is left has fields of the same names.
    await tab.getByRole('heading', { name: 'Log in' }).waitFor()
    await tab.getByLabel('Email').fill('owner@example.com')
    await tab.getByLabel('Password').fill('another long passphrase')
    await tab.getByRole('button', { name: 'Log in', exact: true }).click()
    await tab.waitForURL(/\/scans\/./)
    await tab.getByLabel('Source code').waitFor()
    // It was counted.
    await tab.getByText('4 of 5 scans left').waitFor()
    await context.close()
  })

  test('a detector has a page of its own', async () => {
    await walk.open('/detectors/reentrancy')
    await page.getByRole('heading', { name: 'How it is attacked' }).waitFor()
    await page.getByRole('heading', { name: 'Vulnerable and fixed' }).waitFor()
    await page.getByRole('region', { name: 'Changes' }).getByText('removed').first().waitFor({ state: 'attached' })
    expect(await seriousProblems(page)).toEqual([])
    await walk.open('/detectors/no-such-detector')
    await page.getByText('Detector not found').waitFor()
  })

  test('a part of the page that is lost is loaded once more', async () => {
    await walk.open('/forgot-password')
    const part = /assets\/detectors-.*\.js/
    let lost = 0
    await page.route(part, (route) => (lost++ === 0 ? route.abort() : route.continue()))
    await page.getByLabel('Email').fill('typed@example.com')
    // Pointing at a link loads its page ahead. That it does not come must not cost what was typed.
    await page.getByRole('link', { name: 'Detectors' }).first().hover()
    await expect.poll(() => lost).toBeGreaterThan(0)
    expect(await page.getByLabel('Email').inputValue()).toBe('typed@example.com')
    await page.getByRole('link', { name: 'Detectors' }).first().click()
    await page.getByRole('heading', { level: 1, name: /detect/i }).waitFor()
    expect(lost).toBeGreaterThan(1)
    await page.unroute(part)
    // One that stays lost is reported in words after one reload, with the header and the menu still there.
    lost = 0
    await page.route(part, (route) => {
      lost++
      return route.abort()
    })
    await page.goto(`${walk.service.url}/detectors`)
    await page.getByText('A part of this page could not be loaded.').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API' }).waitFor()
    expect(lost).toBeGreaterThan(1)
    await page.unroute(part)
    walk.complaints.splice(
      0,
      walk.complaints.length,
      ...walk.complaints.filter((text) => !/ERR_FAILED|dynamically imported module/.test(text)),
    )
  })

  test('a 5 MB source keeps only the lines in sight in the page', async () => {
    await walk.open('/')
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

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
