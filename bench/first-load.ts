/**
 * The first page on a slow line: `npm run bench:first-load`. Chromium's own throttling, 400 kbit/s and 150 ms each way, an empty cache.
 * Prints what went over the wire and when a visitor can read, type, press and see the first marks. Needs a build and Chromium (or TEST_BROWSER).
 */
import { existsSync } from 'node:fs'
import { launchBrowser, startService } from '../web/e2e/service.ts'

const KBIT = 400
const LATENCY_MS = 150

const browserPath = [process.env.TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)
if (!browserPath) throw new Error('No Chromium was found: set TEST_BROWSER to its path.')

const service = await startService()
const browser = await launchBrowser(browserPath)
try {
  const page = await (await browser.newContext()).newPage()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: (KBIT * 1000) / 8,
    uploadThroughput: (KBIT * 1000) / 8,
  })
  let bytes = 0
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const startedAt = performance.now()
  const since = () => Math.round(performance.now() - startedAt)
  const going = page.goto(service.url, { waitUntil: 'commit' })
  await going
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('textbox', { name: 'Contract source' }).waitFor()
  const readable = since()
  await page.locator('button:enabled', { hasText: 'Scan in this browser' }).waitFor()
  const usable = since()
  const firstBytes = bytes
  await page.getByRole('textbox', { name: 'Contract source' }).click()
  await page.locator('[data-marked-line]').first().waitFor({ state: 'attached' })
  const marked = since()
  const paint = await page.evaluate(
    `performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint').startTime`,
  )
  const rows = [
    ['first contentful paint', `${Math.round(Number(paint))} ms`],
    ['can be read, left by its links and typed into', `${readable} ms`],
    ['its script runs: every button works', `${usable} ms`],
    ['on the wire until then', `${Math.round(firstBytes / 1000)} KB`],
    ['lines are marked, after a click into the code', `${marked} ms`],
  ]
  process.stdout.write(`| ${KBIT} kbit/s, ${LATENCY_MS} ms | |\n|---|---|\n`)
  for (const [what, value] of rows) process.stdout.write(`| ${what} | ${value} |\n`)
} finally {
  await browser.close()
  await service.stop()
}
