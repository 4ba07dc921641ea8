import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowded, fixed, vulnerable } from './contracts.ts'
import { bothThemes, lookOf } from './look-of.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

const scanWith = async ({ page, service }: Walk, source: string, project: string): Promise<string> => {
  const answer = await page.request.post(`${service.url}/api/v1/scan`, {
    multipart: { file: { name: 'Bank.sol', mimeType: 'text/plain', buffer: Buffer.from(source) }, project },
    headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
  })
  return ((await answer.json()) as { scanId: string }).scanId
}

/** Findings of one severity come in no particular order. */
const withRowsSorted = (look: string): string => {
  const isRow = (line: string): boolean => /^a ".*" accent$/.test(line)
  const lines = look.split('\n')
  const rows = lines.filter(isRow).sort()
  return lines.map((line) => (isRow(line) ? rows.shift() : line)).join('\n')
}

describe.skipIf(!browserPath)('pages look as they did, in both themes', () => {
  let walk: Walk
  let page: Page
  const addresses: Record<string, string> = {}

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro' })
    page = walk.page
    await page.setViewportSize({ width: 1440, height: 900 })
    const before = await scanWith(walk, vulnerable, 'bank')
    const after = await scanWith(walk, fixed, 'bank')
    addresses.result = `/scans/${await scanWith(walk, crowded, 'crowd')}`
    const listed = await page.request.get(`${walk.service.url}/api/v1/projects`)
    const { projects } = ((await listed.json()) as { data: { projects: { id: string; name: string }[] } }).data
    addresses.project = `/projects/${projects.find(({ name }) => name === 'bank')?.id}`
    addresses.compare = `/compare?before=${before}&after=${after}`
  })
  afterAll(() => walk?.stop())

  test.each([
    ['landing', '/'],
    ['try', '/try'],
    ['detector', '/detectors/self-transfer'],
    ['verify', '/verify'],
    ['register', '/register'],
    ['login', '/login'],
    ['forgot-password', '/forgot-password'],
    ['reset-password', '/reset-password'],
    ['home', '/home'],
    ['projects', '/projects'],
    ['project', ''],
    ['findings', '/findings'],
    ['result', ''],
    ['scan', '/scan'],
    ['scan-address', '/scan?from=address'],
    ['scan-batch', '/scan?from=batch'],
    ['history', '/scans'],
    ['compare', ''],
    ['keys', '/keys'],
    ['webhooks', '/webhooks'],
    ['plan', '/plan'],
    ['account', '/account'],
    ['organization', '/organization/new'],
    ['not-found', '/no-such-page'],
  ])('%s', async (name, path) => {
    await walk.open(addresses[name] ?? path)
    await page.locator('main .animate-pulse').first().waitFor({ state: 'detached' })
    await page.evaluate('document.fonts.ready.then(() => undefined)')
    // A patch is looked for a moment after the finding is shown.
    if (name === 'result') await page.getByRole('button', { name: 'Copy patch' }).waitFor()
    const light = await lookOf(page, 'light')
    const dark = await lookOf(page, 'dark')
    const look = bothThemes(light, dark)
    await expect(name === 'findings' ? withRowsSorted(look) : look).toMatchFileSnapshot(`looks/${name}.txt`)
  })
})
