/**
 * What a page of the dashboard costs its reader: `npm run bench:pages [page…]`. An empty cache for each page, 1440 × 900.
 * Prints bytes on the wire, requests, largest contentful paint, layout shift, and the time from a key to the next frame with the CPU time
 * of a keypress: `j` in a result with 300 findings, a typed letter on the first page, Tab elsewhere. `--parts` lists each file. Needs a build and Chromium (or TEST_BROWSER).
 */
import { existsSync } from 'node:fs'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { overflowing, vulnerable } from '../web/e2e/contracts.ts'
import { launchBrowser, startService } from '../web/e2e/service.ts'
import { signUp } from '../web/e2e/walk.ts'
import { textTable } from './text-table.ts'

const presses = 30
const isListed = process.argv.includes('--parts')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))

const browserPath = [process.env.TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)
if (!browserPath) throw new Error('No Chromium was found: set TEST_BROWSER to its path.')

/** In the page: its largest paint, its shifts, and for each key the time until the frame after it. */
const observe = `
  window.seen = { lcp: 0, shift: 0, keys: [] }
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.lcp = entry.startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value })
    .observe({ type: 'layout-shift', buffered: true })
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => seen.keys.push(performance.now() - timeStamp)
    port2.postMessage(null)
  }), true)
`

interface Seen {
  lcp: number
  shift: number
  keys: number[]
}

const service = await startService()
const browser = await launchBrowser(browserPath)
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(observe)
  const page = await context.newPage()
  await signUp(page, service, 'ada@example.com', 'pro')
  const result = await scan(page, overflowing)
  await scan(page, vulnerable)
  await scan(page, vulnerable.replace('uint256 amount', 'uint256 sum').replaceAll('amount', 'sum'))
  const listed = await page.request.get(`${service.url}/api/v1/projects`)
  const project = ((await listed.json()) as { data: { projects: { id: string; name: string }[] } }).data.projects
  const pages: [string, string][] = [
    ['landing', '/'],
    ['home', '/home'],
    ['result', `/scans/${result}`],
    ['project', `/projects/${project.find(({ name }) => name === 'bank')?.id}`],
    ['projects', '/projects'],
    ['findings', '/findings'],
    ['history', '/scans'],
    ['detectors', '/detectors'],
    ['docs', '/docs'],
  ]
  const rows: string[][] = []
  for (const [name, path] of pages)
    if (wanted.length === 0 || wanted.includes(name)) rows.push([name, ...(await measure(context, path, name))])
  const head = ['page', 'KB', 'requests', 'LCP ms', 'layout shift', 'nodes', 'key ms (median, worst)', 'CPU ms a key']
  process.stdout.write(`${textTable(head, rows)}\n`)
} finally {
  await browser.close()
  await service.stop()
}

async function scan(page: Page, source: string): Promise<string> {
  const answer = await page.request.post(`${service.url}/api/v1/scan`, {
    multipart: {
      file: { name: 'Bank.sol', mimeType: 'text/plain', buffer: Buffer.from(source) },
      project: source === overflowing ? 'treasury' : 'bank',
    },
    headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
  })
  if (!answer.ok()) throw new Error(`The scan was answered ${answer.status()}: ${await answer.text()}`)
  return ((await answer.json()) as { scanId: string }).scanId
}

async function measure(context: BrowserContext, path: string, name: string): Promise<string[]> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.clearBrowserCache')
  await cdp.send('Performance.enable')
  const urls = new Map<string, string>()
  const parts: [number, string][] = []
  cdp.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    parts.push([encodedDataLength, urls.get(requestId) ?? '']),
  )
  await page.goto(service.url + path)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1000)
  const bytes = parts.reduce((sum, [size]) => sum + size, 0)
  if (isListed) for (const [size, url] of parts.sort(([a], [b]) => b - a)) console.log(name, size, url)
  const { lcp, shift } = await page.evaluate<Seen>('seen')
  const nodes = await page.evaluate<number>('document.querySelectorAll("*").length')
  if (name === 'landing') await page.getByRole('textbox', { name: 'Contract source' }).click()
  const keys = await pressKeys(page, cdp, name === 'result' ? 'j' : name === 'landing' ? 'x' : 'Tab')
  const row = [
    (bytes / 1000).toFixed(0),
    String(parts.length),
    lcp.toFixed(0),
    shift.toFixed(3),
    String(nodes),
    ...keys,
  ]
  await page.close()
  return row
}

async function pressKeys(page: Page, cdp: CDPSession, key: string): Promise<string[]> {
  const spent = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  await page.keyboard.press(key)
  await page.waitForTimeout(500)
  const before = await spent()
  await page.evaluate('seen.keys.length = 0')
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press(key)
    await page.waitForTimeout(150)
  }
  const cpu = ((await spent()) - before) / presses
  const times = (await page.evaluate<Seen>('seen')).keys.sort((a, b) => a - b)
  return [`${times[times.length >> 1]?.toFixed(0)} / ${times.at(-1)?.toFixed(0)}`, cpu.toFixed(1)]
}
