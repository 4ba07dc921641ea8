import type { Browser, Page } from 'playwright-core'
import {
  launchBrowser,
  mailedCode,
  type Receiver,
  type Service,
  startReceiver,
  startService,
  waitMs,
} from './service.ts'

export const browserPath = process.env.TEST_BROWSER
if (!browserPath) {
  if (process.env.TEST_REQUIRE_ALL === '1')
    throw new Error('TEST_REQUIRE_ALL is set, but TEST_BROWSER names no browser.')
  console.warn('skipped: the dashboard in a browser. Install Chromium, or set TEST_BROWSER to its path, to turn it on.')
}

export const password = 'a long enough passphrase'

/** A user in front of a browser, with a service of their own behind it. */
export interface Walk {
  service: Service
  browser: Browser
  page: Page
  receiver: Receiver
  email: string
  /** Whatever broke the Content-Security-Policy or threw meanwhile. */
  complaints: string[]
  open(path: string): Promise<void>
  /** Scans a text by the form, and waits for the result. */
  scan(source: string, options?: { isAttacked?: boolean; project?: string }): Promise<void>
  stop(): Promise<void>
}

/** `plan`: what the reader has; without it they have no account and are not logged in. `env`: further settings of the service. */
export async function startWalk({
  plan,
  env,
}: {
  plan?: 'free' | 'pro'
  env?: Record<string, string>
} = {}): Promise<Walk> {
  const service = await startService(env)
  const receiver = await startReceiver()
  const browser = await launchBrowser(browserPath ?? '')
  const email = 'ada@example.com'
  const complaints: string[] = []
  // Colours that are still changing are no colours to be judged.
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ permissions, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  // A Content-Security-Policy that the page breaks shows up as an error on the console.
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (4\d\d|503)/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  if (plan) await signUp(page, service, email, plan)
  const open = async (path: string) => {
    await page.goto(service.url + path)
    await page.waitForLoadState('networkidle')
  }
  return {
    service,
    browser,
    page,
    receiver,
    email,
    complaints,
    open,
    async scan(source, { isAttacked = false, project = '' } = {}) {
      await open('/scan')
      if (isAttacked) await page.getByLabel('Verify findings with simulated attacks').check()
      await page.getByRole('textbox', { name: 'Contract source' }).fill(source)
      await page.getByLabel('Project (optional)').fill(project)
      await page.getByRole('button', { name: 'Scan', exact: true }).click()
      // Compilers are slow to start: the test's own limit ends what hangs.
      await page.waitForURL(/\/scans\/./, isAttacked ? { timeout: 0 } : {})
      await page.getByLabel('Source code').waitFor()
    },
    async stop() {
      await browser.close()
      await receiver.stop()
      await service.stop()
    },
  }
}

/** Answers with the checkout that was begun, and paid for `pro`. By the interface, as a program would: how it is done in the browser is a test of its own. */
export async function signUp(
  page: Page,
  service: Service,
  email: string,
  plan: 'free' | 'pro',
): Promise<{ checkout: string }> {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(service.url + path, {
      data,
      headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
    })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return (await answer.json()) as { checkoutUrl: string }
  }
  await post('/api/register', { email, password, name: 'Ada' })
  await post('/api/verify-email', { email, otp: await mailedCode(service, email) })
  await post('/api/login', { email, password })
  const { checkoutUrl } = await post('/api/upgrade-plan', { newPlan: 'pro' })
  const checkout = new URL(checkoutUrl).pathname
  if (plan === 'pro') await post(checkout, { outcome: 'paid' })
  return { checkout }
}
