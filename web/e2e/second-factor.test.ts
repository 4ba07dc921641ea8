import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOfStep, stepAt } from '../../server/src/services/totp.ts'
import { fromBase32 } from './base32.ts'
import { seriousProblems } from './serious-problems.ts'
import { launchBrowser, mailedCode, type Service, startService } from './service.ts'

const browserPath = process.env.TEST_BROWSER

describe.skipIf(!browserPath)('the second factor in a browser', () => {
  let service: Service
  let browser: Browser
  let page: Page
  let secret: Uint8Array = new Uint8Array()
  let recoveryCodes: string[] = []
  const email = 'ada@example.com'
  const password = 'a long enough passphrase'
  const complaints: string[] = []

  beforeAll(async () => {
    // Passkeys belong to a name, not to an address.
    service = await startService({}, 'localhost')
    browser = await launchBrowser(browserPath ?? '')
    page = await (await browser.newContext()).newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
    await register()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const post = (path: string, body: object) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const register = async () => {
    await post('/api/register', { email, password, name: 'Ada' })
    await post('/api/verify-email', { email, otp: await mailedCode(service, email) })
  }
  const open = async (path: string) => {
    await page.goto(service.url + path)
    await page.waitForLoadState('networkidle')
  }
  const givePassword = async () => {
    await page.context().clearCookies()
    await open('/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  }
  const isIn = () => page.getByText('5 of 5 scans left').waitFor()
  const dialog = () => page.getByRole('dialog')
  const keepCodes = async (): Promise<string[]> => {
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const codes = (await dialog().locator('code').textContent()) ?? ''
    await page.getByRole('button', { name: 'I saved my recovery codes' }).click()
    return codes.split('\n')
  }

  test('an app is added by its QR code and a code of it, and brings recovery codes', async () => {
    await givePassword()
    await isIn()
    await open('/account')
    await page.getByRole('button', { name: 'Add an app' }).click()
    await dialog().getByLabel('Password').fill('not the password')
    await dialog().getByRole('button', { name: 'Continue' }).click()
    await dialog().getByText('The password is wrong.').waitFor()
    await dialog().getByLabel('Password').fill(password)
    await dialog().getByRole('button', { name: 'Continue' }).click()
    await dialog().getByRole('img', { name: 'The secret as a QR code' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    expect(await page.evaluate('document.activeElement.name')).toBe('code')
    secret = fromBase32((await dialog().locator('code').textContent()) ?? '')
    // Of the step before, so that the one of now is left for the log-in.
    await dialog()
      .getByLabel('Current code')
      .fill(codeOfStep(secret, stepAt(new Date()) - 1))
    await dialog().getByRole('button', { name: 'Confirm' }).click()
    recoveryCodes = await keepCodes()
    expect(recoveryCodes).toHaveLength(10)
    await page.getByRole('table', { name: 'Your two-factor methods' }).getByText('Authenticator app').waitFor()
    await page.getByText('10 recovery codes are left').waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('a log-in asks for the code, says when it is wrong, and lets in with the right one', async () => {
    await givePassword()
    await page.getByLabel('Code from your authenticator app').fill('000000')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('The second factor was not accepted.').waitFor()
    await page.getByLabel('Code from your authenticator app').fill(codeOfStep(secret, stepAt(new Date())))
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await isIn()
  })

  test('a recovery code lets in once', async () => {
    await givePassword()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await isIn()
    await open('/account')
    await page.getByText('9 recovery codes are left').waitFor()
  })

  test('a passkey is added, and logs in beside the password and without it', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog().getByLabel('Password').fill(password)
    await dialog().getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('table', { name: 'Your two-factor methods' }).getByText('Passkey', { exact: true }).waitFor()
    await givePassword()
    await page.getByRole('button', { name: 'Use the passkey' }).click()
    await isIn()
    await page.context().clearCookies()
    await open('/login')
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await isIn()
  })

  test('a session that ended over an open page asks for both, and the page goes on', async () => {
    await open('/account')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await dialog().getByLabel('Password').fill(password)
    await dialog().getByRole('button', { name: 'Create new codes' }).click()
    const again = page.getByRole('dialog', { name: 'Session expired' })
    await again.getByLabel('Password').fill(password)
    await again.getByRole('button', { name: 'Log in', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Two-factor authentication' })
      .getByRole('button', { name: 'Use the passkey' })
      .click()
    const codes = await keepCodes()
    expect(codes).toHaveLength(10)
    expect(codes).not.toContain(recoveryCodes[1])
  })

  test('without factors the password alone is enough again', async () => {
    for (const name of ['Authenticator app', 'Passkey']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click()
      await dialog().getByLabel('Password').fill(password)
      await dialog().getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor({ state: 'detached' })
    }
    await givePassword()
    await isIn()
    expect(complaints).toEqual([])
  })
})
