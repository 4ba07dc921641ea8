/**
 * Pictures of every page and its states, light and dark, from phone to desktop: `npm run screenshots [folder] [page…]`.
 * Those of the README and the documentation: `npm run screenshots -- --docs`.
 * Starts a service of its own on a new folder, so that the pictures always show the same accounts.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startOpenRouterStandIn } from '../server/src/gateways/stand-ins/open-router.ts'
import { launchBrowser, startReceiver, startService } from '../web/e2e/service.ts'
import { prepareReaders } from './screenshot-readers.ts'
import { type Shot, shotsOf } from './screenshot-shots.ts'

/** The pictures of the documentation, by the page, size and theme that they show. */
const pictures: Readonly<Record<string, string>> = {
  'result-evidence-1440-light': 'verified-exploit',
  'result-1440-light': 'result-light',
  'history-1440-dark': 'history-dark',
}

const isForDocs = process.argv[2] === '--docs'
const folder = isForDocs ? join('docs', 'images') : (process.argv[2] ?? join('.cache', 'screenshots'))
const wanted = isForDocs ? ['result-evidence', 'result', 'history'] : process.argv.slice(3)
const sizes = {
  360: { width: 360, height: 780 },
  768: { width: 768, height: 1024 },
  1024: { width: 1024, height: 768 },
  1440: { width: 1440, height: 900 },
} as const

const browserPath = [process.env.TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)
if (!browserPath) throw new Error('No Chromium was found: set TEST_BROWSER to its path.')

const gateway = await startOpenRouterStandIn()
const service = await startService({ AI_GATEWAY_URL: gateway.url })
const receiver = await startReceiver()
const browser = await launchBrowser(browserPath)
try {
  const readers = await prepareReaders({ browser, service, receiver, gateway })
  const shots = shotsOf(readers.places)
  const failures: string[] = []
  const unknown = wanted.filter((name) => !shots.some((shot) => shot.name === name))
  if (unknown.length > 0) throw new Error(`There is no picture called ${unknown.join(', ')}.`)
  await mkdir(folder, { recursive: true })
  for (const shot of shots) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue
    try {
      await take(readers.pages[shot.reader ?? 'owner'], shot)
    } catch (error) {
      // The others are worth having; this one is reported at the end.
      failures.push(`${shot.name}: ${error}`)
    }
  }
  if (failures.length > 0) throw new Error(`Not taken:\n${failures.join('\n')}`)
} finally {
  await browser.close()
  await receiver.stop()
  await service.stop()
  await gateway.close()
}

/** Opened once and looked at in every size and theme; anew for each size where the state itself depends on it. */
async function take(page: Page, shot: Shot): Promise<void> {
  let isOpen = false
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    if (!isOpen || shot.isReopened) await open(page, shot)
    isOpen = true
    for (const theme of ['light', 'dark']) {
      const name = nameOf(`${shot.name}-${size}-${theme}`)
      if (name === undefined) continue
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      // A page that was scrolled in between would have its header in the middle of the picture.
      await page.evaluate('scrollTo(0, 0)')
      const file = join(folder, `${name}.png`)
      await page.screenshot({ path: file, fullPage: !isForDocs && !shot.isWindowOnly, animations: 'disabled' })
      console.log(file)
    }
  }
}

/** Undefined: the documentation has no such picture. */
function nameOf(state: string): string | undefined {
  return isForDocs ? pictures[state] : state
}

async function open(page: Page, { path, act, before, isLoading }: Shot): Promise<void> {
  await page.unrouteAll()
  await page.emulateMedia({ media: null })
  // Addresses that differ in their last part alone would not be opened anew.
  await page.goto('about:blank')
  await before?.(page)
  await page.goto(service.url + path)
  if (!isLoading) await isThere(page)
  if (!act) return
  await act(page)
  if (!isLoading) await isThere(page)
}

/** Nothing is on its way any more, and nothing stands where something will come. */
async function isThere(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('main .animate-pulse').first().waitFor({ state: 'detached' })
}
