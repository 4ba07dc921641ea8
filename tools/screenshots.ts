/**
 * Pictures of every page and its states, light and dark, from phone to desktop: `npm run screenshots [folder] [page…]`.
 * Starts a service of its own on a new folder, so that the pictures always show the same account.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { fixed, vulnerable } from '../web/e2e/contracts.ts'
import { launchBrowser, mailedCode, type Service, startReceiver, startService } from '../web/e2e/service.ts'

const folder = process.argv[2] ?? join('.cache', 'screenshots')
const wanted = process.argv.slice(3)
const sizes = {
  360: { width: 360, height: 780 },
  768: { width: 768, height: 1024 },
  1024: { width: 1024, height: 768 },
  1440: { width: 1440, height: 900 },
} as const
const email = 'ada@example.com'
const password = 'a long enough passphrase'

/** What is to be done before a picture is taken, by its name. */
const states: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async landing(page) {
    await page.getByRole('textbox', { name: 'Contract source' }).click()
    await page.getByRole('list', { name: 'What was found' }).waitFor()
  },
  async try(page) {
    await page.getByRole('button', { name: 'Scan in this browser' }).click()
    await page.getByRole('listbox', { name: 'Findings' }).waitFor()
  },
  async menu(page) {
    const menu = page.getByRole('button', { name: 'Menu' })
    await ((await menu.isVisible()) ? menu : page.getByRole('button', { name: /^Account of/ })).click()
  },
  rotate: (page) => page.getByRole('button', { name: 'Rotate pipeline' }).click(),
  share: (page) => page.getByRole('button', { name: 'Share' }).click(),
  decide: async (page) => {
    await page.getByRole('listbox', { name: 'Findings' }).getByRole('option').first().click()
    await page.getByRole('button', { name: 'Decide', exact: true }).last().click()
  },
  'no-match': (page) => page.getByText('No scan matches.').waitFor(),
  'too-large': async (page) => {
    await page.getByRole('textbox', { name: 'Contract source' }).fill(`// ${'x'.repeat(199_000)}`)
  },
  'session-ended': async (page) => {
    const cookies = await page.context().cookies()
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await page.context().addCookies(cookies)
  },
  loading: async (page) => {
    await page.route('**/api/v1/scans?**', () => {})
    await page.reload()
    await page.getByRole('status').first().waitFor()
  },
}

const browserPath = [process.env.TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)
if (!browserPath) throw new Error('No Chromium was found: set TEST_BROWSER to its path.')

const service = await startService()
const receiver = await startReceiver()
const browser = await launchBrowser(browserPath)
try {
  const context = await browser.newContext()
  const page = await context.newPage()
  const paths = await prepare(page, service)
  await mkdir(folder, { recursive: true })
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.goto(service.url)
      await page.evaluate(`localStorage.setItem('assay-theme', '${theme}')`)
      for (const [name, path] of Object.entries(paths))
        if (wanted.length === 0 || wanted.includes(name)) await take(page, name, path, `${name}-${size}-${theme}.png`)
    }
  }
} finally {
  await browser.close()
  await receiver.stop()
  await service.stop()
}

async function take(page: Page, name: string, path: string, file: string): Promise<void> {
  await page.goto(service.url + path)
  await page.waitForLoadState('networkidle')
  await states[name]?.(page)
  await page.screenshot({ path: join(folder, file), fullPage: true })
  await page.unrouteAll()
  console.log(join(folder, file))
}

/** An account that has done a little of everything; answers with the pages to take. */
async function prepare(page: Page, { url }: Service): Promise<Record<string, string>> {
  const post = async (path: string, body: unknown) => {
    const answer = await page.request.post(url + path, {
      data: body,
      headers: { origin: url, 'sec-fetch-site': 'same-origin' },
    })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return (await answer.json()) as { userId: string; checkoutUrl: string; data: { id: string; url: string } }
  }
  const { userId } = await post('/api/register', { email, password, name: 'Ada' })
  await post('/api/verify-email', { email, otp: await mailedCode(service, email) })
  await post('/api/login', { email, password })
  await post('/api/generate-api-key', { userId, type: 'PRODUCTION', name: 'pipeline' })
  const { checkoutUrl } = await post('/api/upgrade-plan', { newPlan: 'pro' })
  await post(new URL(checkoutUrl).pathname, { outcome: 'paid' })
  const hook = await post('/api/v1/webhooks', { url: receiver.url, description: 'staging' })
  const first = await scan(page, url, fixed)
  const last = await scan(page, url, vulnerable)
  const link = await post(`/api/v1/scans/${last}/links`, { shows: 'source' })
  const bare = await post(`/api/v1/scans/${last}/links`, {})
  return {
    landing: '/',
    home: '/home',
    shared: new URL(link.data.url).pathname + new URL(link.data.url).hash,
    'shared-without-source': new URL(bare.data.url).pathname + new URL(bare.data.url).hash,
    detector: '/detectors/reentrancy',
    register: '/register',
    verify: '/verify?email=ada%40example.com',
    login: '/login',
    'forgot-password': '/forgot-password',
    'reset-password': '/reset-password',
    scan: '/scan',
    history: '/scans',
    result: `/scans/${last}`,
    compare: `/compare?before=${last}&after=${first}`,
    keys: '/keys',
    plan: '/plan',
    webhooks: '/webhooks',
    webhook: `/webhooks/${hook.data.id}`,
    detectors: '/detectors',
    'api-reference': '/docs',
    'api-reference-scans': '/docs/scans',
    try: '/try',
    menu: '/home',
    rotate: '/keys',
    share: `/scans/${last}`,
    decide: `/scans/${last}`,
    'no-match': '/scans?name=nothing',
    'too-large': '/scan',
    'session-ended': '/scan',
    loading: '/scans',
    join: '/join',
    'no-compare': '/compare',
    account: '/account',
    missing: '/no-such-page',
  }
}

async function scan(page: Page, url: string, source: string): Promise<string> {
  const answer = await page.request.post(`${url}/api/v1/scan`, {
    multipart: { file: { name: 'Bank.sol', mimeType: 'text/plain', buffer: Buffer.from(source) } },
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
  })
  return ((await answer.json()) as { scanId: string }).scanId
}
