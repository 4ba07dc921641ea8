import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { mailedCode } from './service.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('an account in a browser', () => {
  let walk: Walk
  let page: Page
  const email = 'ada@example.com'

  beforeAll(async () => {
    walk = await startWalk({ plan: 'free' })
    page = walk.page
  })
  afterAll(() => walk?.stop())

  test('creates a key, sees it once in full and masked in the list', async () => {
    await walk.open('/keys')
    await page.getByLabel('Name').fill('pipeline')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Save this key now.').waitFor()
    const key = await page
      .locator('code', { hasText: /^assay_live_[A-Za-z0-9]{38}$/ })
      .first()
      .textContent()
    expect(key).toMatch(/^assay_live_[A-Za-z0-9]{38}$/)
    const table = page.getByRole('list', { name: 'Your API keys' })
    await table.getByText('pipeline').waitFor()
    expect(await table.textContent()).not.toContain(key)
    // The next key has another name.
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    await table.getByRole('button', { name: 'Show key pipeline' }).click()
    expect(await table.textContent()).toContain(key)
    expect(await seriousProblems(page)).toEqual([])
  })

  test('chooses what a key may do and for how long, and changes it later', async () => {
    await walk.open('/keys')
    await page.getByLabel('Name').fill('nightly')
    await page.getByText('Permissions and limits').click()
    await page.getByRole('checkbox', { name: 'Change findings, webhooks and the plan' }).uncheck()
    await page.getByLabel('Scans a day').fill('2')
    await page.getByLabel('Expires after (days)').fill('30')
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
    // Errors are shown at the field.
    await dialog.getByText(/Requests an hour must/).waitFor()
    await dialog.getByLabel('Requests an hour').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('scan · 3 requests an hour').waitFor()
  })

  test('rotates a key only when asked twice, and says which one was replaced', async () => {
    await walk.open('/keys')
    const keys = page.getByRole('list', { name: 'Your API keys' })
    await keys.getByRole('button', { name: 'Rotate nightly' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate nightly?' })
    await dialog.getByText(/^assay_live_/).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await keys.getByRole('listitem').count()).toBe(2)
    await keys.getByRole('button', { name: 'Rotate nightly' }).click()
    await dialog.getByLabel('Old key expires in').selectOption('1 hour')
    await dialog.getByRole('button', { name: 'Rotate key' }).click()
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

  test('the reference shows each call beside its words, with the reader’s own key when asked', async () => {
    await walk.open('/reference')
    await page.waitForURL(/\/docs$/)
    const contents = page.getByRole('navigation', { name: 'Reference' })
    await contents.getByRole('link', { name: 'Scans', exact: true }).click()
    const scanning = page.getByRole('region', { name: 'Scan a Solidity file or project' })
    await scanning.getByText('-F file=@Contract.sol').waitFor()
    await scanning.getByText('"securityScore"').waitFor()
    await scanning.getByText('suppressions', { exact: true }).waitFor()
    expect(await scanning.textContent()).not.toContain('assay_live_')
    await page.getByLabel('Use my API key in examples').check()
    await scanning.getByText(/X-API-Key: assay_live_/).waitFor()
    await page.getByLabel('Language').selectOption('Python')
    await scanning.getByText('requests.request("POST"').waitFor()
    await page.goto(`${walk.service.url}/docs/api-keys#keysRotate`)
    const rotating = page.getByRole('region', { name: 'Replace an API key' })
    await rotating.getByText('overlapSeconds', { exact: true }).first().waitFor()
    await expect.poll(async () => (await rotating.boundingBox())?.y ?? 1000).toBeLessThan(200)
  })

  const upgrade = async (plan: string) => {
    await walk.open('/plan')
    await page.getByRole('button', { name: `Upgrade to ${plan}` }).click()
    await page.getByText('Due today').waitFor()
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
          await walk.open('/plan')
          return page.getByText('You are on the pro plan.').count()
        },
        { interval: 300 },
      )
      .toBe(1)
  })

  test('receives a signed webhook when a scan completes', async () => {
    await walk.open('/webhooks')
    await page.getByLabel('Address').fill(walk.receiver.url)
    await page.getByLabel('New finding in a project').check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Signing secret.').waitFor()
    expect(await page.getByLabel('Address').inputValue()).toBe('')
    const secret =
      (await page
        .locator('code', { hasText: /^whsec_/ })
        .first()
        .textContent()) ?? ''
    await walk.scan(vulnerable)
    const typed = (type: string) => walk.receiver.received.find(({ body }) => body.includes(`"${type}"`))
    await expect.poll(() => typed('scan.completed')).toBeDefined()
    const delivery = typed('scan.completed')
    const event = new Webhook(secret).verify(
      delivery?.body ?? '',
      delivery?.headers as Record<string, string>,
    ) as Record<string, unknown>
    expect(event).toMatchObject({ type: 'scan.completed', status: 'completed' })
    await walk.open('/webhooks')
    await page.getByRole('table', { name: 'Your webhook endpoints' }).getByText('finding.new').waitFor()
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('scan.completed').first().waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('cancels, sees the date, and resumes', async () => {
    await walk.open('/plan')
    await page.getByRole('button', { name: 'Cancel plan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
    await page.getByText(/Your plan ends on/).waitFor()
    await page.getByRole('button', { name: 'Resume plan' }).click()
    await page.getByText(/Your plan renews on/).waitFor()
  })

  test('changes name, password and address, and takes everything away', async () => {
    await walk.open('/account')
    const name = page.getByRole('form', { name: 'Name' })
    await name.getByLabel('Your name').fill('Ada L.')
    await name.getByRole('button', { name: 'Save name' }).click()
    await page.getByText(`Ada L., ${email}`).waitFor()
    const password = page.getByRole('form', { name: 'Password' })
    await password.getByLabel('Current password').fill('not this one')
    await password.getByLabel('New password').fill('another long passphrase')
    await password.getByRole('button', { name: 'Change password' }).click()
    await password.getByText('The password is wrong.').waitFor()
    await password.getByLabel('Current password').fill('a long enough passphrase')
    await password.getByRole('button', { name: 'Change password' }).click()
    await password.getByText('Every other session was ended.').waitFor()
    const address = page.getByRole('form', { name: 'Email address' })
    await address.getByLabel('New email address').fill('lovelace@example.com')
    await address.getByLabel('Confirm with your password').fill('another long passphrase')
    await address.getByRole('button', { name: 'Send code' }).click()
    // Where the password stood a moment ago, in the clear.
    expect(await address.getByLabel('Code from the email').inputValue()).toBe('')
    await address.getByLabel('Code from the email').fill(await mailedCode(walk.service, 'lovelace@example.com'))
    expect(await seriousProblems(page)).toEqual([])
    await address.getByRole('button', { name: 'Confirm email' }).click()
    await address.getByText('Email changed to lovelace@example.com.').waitFor()
    expect(await address.getByLabel('Confirm with your password').inputValue()).toBe('')
    await page.getByRole('list', { name: 'Active sessions' }).getByText('Chrome on Linux').first().waitFor()

    await page.getByRole('button', { name: 'Export all data' }).click()
    const taking = page.getByRole('dialog', { name: 'Export all data' })
    await taking.getByLabel('Your password').fill('another long passphrase')
    const waiting = page.waitForEvent('download')
    await taking.getByRole('button', { name: 'Export', exact: true }).click()
    const lines = readFileSync(await (await waiting).path(), 'utf8')
      .trim()
      .split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'account', name: 'Ada L.', email: 'lovelace@example.com' })
  })

  test('logs out here and everywhere, and deletes the account by typing its address', async () => {
    const logIn = async () => {
      await walk.open('/login?next=/account')
      await page.getByLabel('Email').fill('lovelace@example.com')
      await page.getByLabel('Password').fill('another long passphrase')
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
    }
    // What was put aside before the plans page is forgotten with the session.
    const kept = () => page.evaluate('Object.keys(sessionStorage)')
    await page.evaluate("sessionStorage.setItem('assay-paused-source', '{}')")
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await page.waitForURL(`${walk.service.url}/`)
    expect(await kept()).not.toContain('assay-paused-source')
    await logIn()
    await page.getByRole('button', { name: 'Log out everywhere' }).waitFor()
    await page.evaluate("sessionStorage.setItem('assay-paused-source', '{}')")
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    const logOutDialog = page.getByRole('dialog', { name: 'Log out everywhere?' })
    expect(await seriousProblems(page)).toEqual([])
    await logOutDialog.getByRole('button', { name: 'Log out everywhere' }).click()
    await page.waitForURL(`${walk.service.url}/`)
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
    expect(await kept()).not.toContain('assay-paused-source')
    await logIn()
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    const confirm = dialog.getByRole('button', { name: 'Delete permanently' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel('Type lovelace@example.com to confirm').fill('lovelace@example.com')
    await dialog.getByLabel('Your password').fill('another long passphrase')
    expect(await seriousProblems(page)).toEqual([])
    await confirm.click()
    await page.waitForURL(`${walk.service.url}/`)
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
