/**
 * The first page on a slow line: `npm run bench:first-load`. Chromium's own throttling, 400 kbit/s and 150 ms each way, an empty cache.
 * Prints what went over the wire and when a visitor can read, type and scan. Needs a build and Chromium (or TEST_BROWSER).
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
  await page.getByRole('button', { name: 'Scan in this browser' }).waitFor()
  const running = since()
  await page.waitForLoadState('networkidle')
  const paint = await page.evaluate(
    `performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint').startTime`,
  )
  const rows = [
    ['on the wire until the network is idle', `${Math.round(bytes / 1000)} KB`],
    ['first contentful paint', `${Math.round(Number(paint))} ms`],
    ['can be read, left by its links and typed into', `${readable} ms`],
    ['the application runs', `${running} ms`],
  ]
  process.stdout.write(`| ${KBIT} kbit/s, ${LATENCY_MS} ms | |\n|---|---|\n`)
  for (const [what, value] of rows) process.stdout.write(`| ${what} | ${value} |\n`)
} finally {
  await browser.close()
  await service.stop()
}
