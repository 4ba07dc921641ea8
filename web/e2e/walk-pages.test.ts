import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seriousProblems } from './serious-problems.ts'
import { mailedUnsubscribe } from './service.ts'
import { browserPath, signUp, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('every page in a browser', () => {
  let walk: Walk
  let page: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro' })
    page = walk.page
  })
  afterAll(() => walk?.stop())

  /** Everything that can be seen in the header, by the height of its middle. */
  const headerRow = async (width: number, tab = page) => {
    await tab.setViewportSize({ width, height: 800 })
    return (await tab.evaluate(`(() => {
      const header = document.querySelector('header')
      const { height } = header.getBoundingClientRect()
      const shown = [...header.querySelectorAll('a, button')].filter((one) => one.checkVisibility())
      const boxes = shown.map((one) => one.getBoundingClientRect())
      return {
        height,
        rows: new Set(boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))).size,
        right: Math.max(...boxes.map((box) => box.right)),
        lines: Math.max(...shown.map((one) => one.getClientRects().length)),
      }
    })()`)) as { height: number; rows: number; right: number; lines: number }
  }

  test.each([320, 360, 768, 1024, 1280])(
    'the header is one row at %i pixels, with an account and without',
    async (width) => {
      await walk.open('/keys')
      const visitor = await walk.browser.newContext()
      const tab = await visitor.newPage()
      for (const path of ['/', '/login']) {
        await tab.goto(walk.service.url + path)
        await tab.getByRole('link', { name: 'Sign up' }).first().waitFor()
        const { height, rows, right, lines } = await headerRow(width, tab)
        expect([path, rows, lines, height <= 60, right <= width]).toEqual([path, 1, 1, true, true])
      }
      await visitor.close()
      // What is in every page asks for nothing.
      expect(await page.locator('header img').count()).toBe(0)
      const { height, rows, right, lines } = await headerRow(width)
      expect([rows, lines, height <= 60, right <= width]).toEqual([1, 1, true, true])
      if (width < 1024) {
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('link', { name: 'Webhooks' }).waitFor()
        expect(await seriousProblems(page)).toEqual([])
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    },
  )

  test('after each step through the menu the page has its title, and its heading the focus', async () => {
    await walk.open('/home')
    for (const [link, title] of [
      ['Projects', 'Projects'],
      ['Findings', 'Findings'],
      ['Scan', 'Scan a contract'],
      ['History', 'History'],
      ['Keys', 'API keys'],
      ['Webhooks', 'Webhooks'],
      ['Detectors', 'Detectors'],
      ['API', 'API reference'],
      ['Home', 'Welcome, Ada'],
    ] as const) {
      await page.getByRole('banner').getByRole('link', { name: link, exact: true }).click()
      await expect.poll(() => page.title()).toBe(`${title} · Assay`)
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
      expect(await page.evaluate('document.activeElement.textContent')).toBe(title)
    }
  })

  const pages = [
    '/',
    '/home',
    '/scan',
    '/scans',
    '/projects',
    '/findings',
    '/organization',
    '/organization/new',
    '/scan?from=address',
    '/scan?from=batch',
    '/compare',
    '/keys',
    '/plan',
    '/webhooks',
    '/account',
    '/try',
    '/detectors',
    '/detectors/reentrancy',
    '/docs',
    '/docs/scans',
    '/shared',
    '/join',
    '/login',
    '/register',
    '/verify',
    '/forgot-password',
    '/reset-password',
    '/status',
    '/no-such-page',
    'checkout',
    'checkout paid',
    'unsubscribe',
    '/unsubscribe?token=x',
  ]

  /** Those that have another address each time are made in between. */
  const addressOf = async (path: string): Promise<string> => {
    if (path.startsWith('checkout')) {
      const reader = await walk.browser.newContext()
      const tab = await reader.newPage()
      const { checkout } = await signUp(tab, walk.service, `${path.replace(' ', '-')}@example.com`, 'free')
      await reader.close()
      return checkout
    }
    return path === 'unsubscribe' ? mailedUnsubscribe(walk.service, walk.email) : path
  }

  const hasTheme = (theme: string) => `document.documentElement.dataset.theme = '${theme}'`

  test.each(pages)(
    'shows %s on phone, tablet and desk, light and dark, to keyboard and screen reader alike',
    async (path) => {
      await walk.open(await addressOf(path))
      if (path === 'checkout paid') {
        await page.getByRole('button', { name: /^Pay/ }).click()
        // The page that is left can be measured, too.
        await page.getByText('Paid.').waitFor()
      }
      if (path === '/') {
        await page.getByRole('textbox', { name: 'Contract source' }).click()
        await page.getByRole('list', { name: 'Findings' }).waitFor()
      }
      for (const width of [320, 360, 768, 1024]) {
        await page.setViewportSize({ width, height: 740 })
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).toBeLessThanOrEqual(width)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      for (const theme of ['light', 'dark']) {
        await page.evaluate(hasTheme(theme))
        expect(await seriousProblems(page), theme).toEqual([])
      }
    },
  )

  /** A page, what it waits for, and the shape that stands in its place. */
  const waits = [
    ['/home', /api\/v1\/projects/, 'home'],
    ['/scan', /api\/me$/, 'editor'],
    ['/scans', /api\/v1\/scans\?/, 'history'],
    ['/scans/any', /api\/v1\/scans\/any/, 'result'],
    ['/compare', /api\/v1\/scans\?/, 'comparison'],
    ['/compare?before=a&after=b', /api\/v1\/scans\/./, 'comparison'],
    ['/keys', /user-api-keys/, 'rows'],
    ['/plan', /user-plan/, 'plan'],
    ['/webhooks', /api\/v1\/webhooks/, 'form'],
    ['/account', /api\/me$/, 'sections'],
    ['/account', /security-log/, 'text'],
    ['/detectors', /api\/v1\/detectors/, 'rows'],
    ['/detectors/reentrancy', /api\/v1\/detectors/, 'article'],
    [`/shared#${'a'.repeat(43)}`, /api\/v1\/shared/, 'result'],
    ['/docs', /openapi\.json/, 'columns'],
  ] as const

  test.each(waits)('%s shows its shape while it waits', async (path, requestPattern, shape) => {
    await page.route(requestPattern, () => {})
    await page.goto(walk.service.url + path)
    const skeleton = page.locator(`main [role=status][data-shape=${shape}]`).last()
    await skeleton.locator('.animate-pulse').first().waitFor()
    expect(await skeleton.textContent()).toMatch(/…$/)
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).toBeLessThanOrEqual(width)
    }
    expect(await seriousProblems(page)).toEqual([])
    await page.unrouteAll()
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
