import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenRouterStandIn,
  standInKey,
  startOpenRouterStandIn,
} from '../../server/src/gateways/stand-ins/open-router.ts'
import { makeZip } from '../../server/src/testing/archives.ts'
import { exampleExploit } from '../src/messages/example-exploit.ts'
import { exampleName, exampleSource } from '../src/playground/example.ts'
import type { ViewScan } from '../src/result/scan-view.ts'
import { crowded, fixed, overflowing, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

const hasProver = existsSync(new URL('../../prover/packages/node_modules/@ethereumjs/evm', import.meta.url))

describe.skipIf(!browserPath)('a result in a browser', () => {
  let walk: Walk
  let gateway: OpenRouterStandIn
  let page: Page
  const email = 'ada@example.com'

  beforeAll(async () => {
    gateway = await startOpenRouterStandIn()
    walk = await startWalk({ plan: 'pro', env: { AI_GATEWAY_URL: gateway.url } })
    page = walk.page
  })
  afterAll(async () => {
    await walk?.stop()
    await gateway?.close()
  })

  test('scans a vulnerable contract and reads the finding at its line', async () => {
    await walk.scan(vulnerable)
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().click()
    const panel = page.getByRole('article')
    await panel.getByText('How to fix it').waitFor()
    await panel.getByText(/^Fingerprint \S+$/).waitFor()
    const line = vulnerable.split('\n').findIndex((text) => text.includes('.call{value')) + 1
    await panel
      .getByRole('button', { name: `line ${line}` })
      .first()
      .waitFor()
    await page.getByRole('button', { name: new RegExp(`^Line ${line}: .*SWC-107`) }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  test('the code carries the expression, the numbered trace and the marks, and hides none of itself', async () => {
    const code = page.getByLabel('Source code')
    expect((await code.locator('.bg-marked').allTextContents()).join('')).toBe('msg.sender.call{value: amount}("")')
    const steps = await page.getByRole('list', { name: 'Trace' }).getByRole('listitem').count()
    expect(steps).toBeGreaterThan(2)
    const numbers = [...'①②③④⑤⑥⑦⑧⑨'].slice(0, steps)
    expect([...((await code.textContent()) ?? '')].filter((letter) => numbers.includes(letter))).toEqual(numbers)
    expect(await page.getByRole('article').textContent()).not.toContain('`')
    const box = await code.boundingBox()
    const mark = await page.locator('button[title^="Line "]').first().boundingBox()
    expect(mark?.x).toBeGreaterThanOrEqual((box?.x ?? 0) + (box?.width ?? 0))
  })

  const shownLines = async () =>
    (
      await page
        .getByLabel('Source code')
        .locator('[data-line]')
        .evaluateAll((rows) =>
          rows.map((row) => Number((row as unknown as { dataset: { line: string } }).dataset.line)),
        )
    ).sort((a, b) => a - b)

  test('folds the other functions and opens the one a jump lands in', async () => {
    await walk.scan(vulnerable)
    const lineOf = (text: string) => vulnerable.split('\n').findIndex((each) => each.includes(text)) + 1
    await page.keyboard.press('z')
    await expect.poll(shownLines).not.toContain(lineOf('msg.value'))
    expect(await shownLines()).toContain(lineOf('.call{value'))
    await page.getByRole('button', { name: `Unfold the lines below line ${lineOf('deposit()')}` }).click()
    await expect.poll(shownLines).toContain(lineOf('msg.value'))
    await page.getByRole('button', { name: `Fold the lines below line ${lineOf('contract Bank')}` }).click()
    await expect.poll(shownLines).not.toContain(lineOf('.call{value'))
    await page
      .getByRole('article')
      .getByRole('button', { name: `line ${lineOf('.call{value')}` })
      .first()
      .click()
    await expect.poll(shownLines).toContain(lineOf('.call{value'))
  })

  test('goes to the definition of a name, back, and by name to a function', async () => {
    const marked = async () => (await page.getByLabel('Source code').locator('.bg-marked').allTextContents()).join('')
    const use = page.locator('[data-line="12"] code span', { hasText: /^balances$/ })
    await use.click({ modifiers: ['Control'] })
    await expect.poll(() => page.locator('[data-line].bg-accent-soft').textContent()).toContain('mapping(address')
    expect(await marked()).toBe('balances')
    await page.keyboard.press('b')
    await expect.poll(marked).toContain('msg.sender.call')
    await use.dblclick()
    await page.keyboard.press('d')
    await expect.poll(marked).toBe('balances')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search pages' }).fill('deposit')
    const entry = page.getByRole('option', { name: /^Function\s*deposit/ })
    await entry.waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(marked).toBe('deposit')
    await page.getByRole('button', { name: 'Go to' }).click()
    await page.getByRole('combobox', { name: 'Search pages' }).fill('first depositor')
    await page
      .getByRole('option', { name: /^Detector/ })
      .first()
      .click()
    await page.waitForURL(/\/detectors\/./)
  })

  test('opens the most severe finding first, and a link to another one opens that one', async () => {
    const findings = page.getByRole('tree', { name: 'Findings' })
    const chosen = findings.locator('[aria-selected=true]')
    await walk.scan(crowded)
    await chosen.getByText('critical').waitFor()
    expect(await page.getByText(/^\d+ of \d+ shown/).textContent()).toMatch(/^(\d+) of \1 shown/)
    const first = await chosen.textContent()
    await page.keyboard.press('j')
    await expect.poll(() => chosen.textContent()).not.toBe(first)
    const second = await chosen.textContent()
    await expect.poll(() => page.url()).toContain('?f=')
    await page.reload()
    await expect.poll(() => chosen.textContent()).toBe(second)
    await page.goBack()
    await expect.poll(() => chosen.textContent()).toBe(first)
  })

  test('the selected finding stays in sight: list, code and explanation end with the window', async () => {
    const findings = page.getByRole('tree', { name: 'Findings' })
    for (let presses = 0; presses < 15; presses++) await page.keyboard.press('j')
    await expect
      .poll(async () => {
        const row = await findings.locator('[aria-selected=true]').boundingBox()
        return row !== null && row.y >= 0 && row.y + row.height <= 800
      })
      .toBe(true)
    expect(await page.evaluate('window.scrollY')).toBe(0)
    // A group of one has no heading above it, and no row repeats the severity that its heading names.
    const headings = await findings.locator('[aria-expanded]').allTextContents()
    for (const heading of headings)
      expect(Number(/· (\d+)/.exec(heading.split('Select all')[0] ?? '')?.[1])).toBeGreaterThan(1)
  })

  test('opens a long file at the line of the finding', async () => {
    const here = page.url()
    await walk.scan(vulnerable.replace('\n', '\n'.repeat(300)))
    const line = page.getByLabel('Source code').locator('code', { hasText: 'call{value' })
    await expect
      .poll(async () => {
        const box = await line.boundingBox()
        return box !== null && box.y > 0 && box.y < 720
      })
      .toBe(true)
    await page.goto(here)
    await page.getByLabel('Source code').waitFor()
  })

  test('an edge shows that lines go on to the right, until they are scrolled to their end', async () => {
    const code = page.getByLabel('Source code')
    const edge = () =>
      code.evaluate((scroller) => {
        const { boxShadow } = (
          globalThis as unknown as { getComputedStyle(of: unknown): { boxShadow: string } }
        ).getComputedStyle(scroller)
        return boxShadow
      })
    const here = page.url()
    const before = page.viewportSize()
    await page.setViewportSize({ width: 1024, height: 768 })
    await walk.scan('contract Short {}')
    expect(await edge()).toBe('none')
    await walk.scan(vulnerable.replace('"payment failed"', `"payment failed${', and why it did'.repeat(12)}"`))
    await expect.poll(edge).toContain('inset')
    await code.evaluate((scroller) =>
      (scroller as unknown as { scrollTo(x: number, y: number): void }).scrollTo(1e5, 0),
    )
    // A shadow of no size and no color.
    await expect.poll(edge).toMatch(/ 0px 0px 0px 0px inset$/)
    if (before) await page.setViewportSize(before)
    await page.goto(here)
    await code.waitFor()
  })

  test('filters by severity and by words, all in the address', async () => {
    const findings = page.getByRole('tree', { name: 'Findings' })
    await page.getByRole('button', { name: /^critical/ }).click()
    await expect.poll(() => page.url()).toContain('sev=critical')
    await page.keyboard.press('/')
    await page.keyboard.type('nothing has these words')
    await page.getByText('No findings match the filter.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await findings.locator('[data-finding]').first().waitFor()
    expect(page.url()).not.toContain('sev=')
    // As Slither calls it.
    await page.getByLabel('Search findings').fill('reentrancy-eth')
    await findings.getByText('SWC-107').first().waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
  })

  test('sets two findings aside at once with a reason, and the list keeps them apart', async () => {
    const findings = page.getByRole('tree', { name: 'Findings' })
    await findings.locator('[data-finding]').first().click()
    // What can be decided about can be selected: the records come after the result.
    await findings.getByTitle('Select this finding').first().waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const together = page.getByRole('region', { name: 'Selected findings' })
    await together.getByText('2 selected').waitFor()
    await page.keyboard.press('s')
    await together.getByRole('button', { name: 'False positive…' }).click()
    await together.getByRole('button', { name: 'Save for 2' }).click()
    await together.getByText('A reason is required.').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await together.getByLabel('Reason').fill('The pool is trusted')
    await together.getByRole('button', { name: 'Save for 2' }).click()
    await page.getByRole('button', { name: /^dismissed 2$/i }).waitFor()
    // The reader is not carried to the end of the list with what was decided.
    expect(await findings.locator('[aria-selected=true]').textContent()).not.toContain('false positive')
    await page.getByRole('button', { name: /^dismissed 2$/i }).click()
    await findings.locator('[data-finding]').first().click()
    const status = page.getByRole('region', { name: 'Status', exact: true })
    await status.getByText('The pool is trusted').waitFor()
    await status.getByText(`by ${email}`).waitFor()
    await status.getByRole('button', { name: /Change status$/ }).click()
    await status.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('button', { name: /^dismissed 1$/i }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
  })

  test('changes a status by keys alone, goes on with the next finding, and takes it back', async () => {
    const findings = page.getByRole('tree', { name: 'Findings' })
    const chosen = findings.locator('[aria-selected=true]')
    const open = page.getByText(/^\d+ open findings$/)
    await findings.locator('[data-finding]').first().click()
    const [first, before] = [await chosen.textContent(), await open.textContent()]
    await page.keyboard.press('s')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('The owner is a multisig')
    await page.keyboard.press('Enter')
    await page.getByText('Status changed to accepted risk.').waitFor()
    await expect.poll(() => chosen.textContent()).not.toBe(first)
    // The summary counts what is open.
    await expect.poll(() => open.textContent()).not.toBe(before)
    expect(await seriousProblems(page)).toEqual([])
    await page.keyboard.press('u')
    await expect.poll(() => open.textContent()).toBe(before)
    await expect.poll(() => chosen.textContent()).toBe(first)
  })

  test('folds a group, walks over it and selects all of it by keys', async () => {
    const findings = page.getByRole('tree', { name: 'Findings' })
    const group = findings.locator('[aria-expanded]').first()
    await walk.scan(overflowing)
    // What can be decided about can be selected: the records come after the result.
    await group.getByText('Select all').waitFor()
    await findings.focus()
    await page.keyboard.press('Home')
    while ((await group.getAttribute('id')) !== (await findings.getAttribute('aria-activedescendant')))
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => group.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => group.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press(' ')
    const count = Number(/· (\d+)/.exec((await group.textContent()) ?? '')?.[1])
    await page.getByRole('region', { name: 'Selected findings' }).getByText(`${count} selected`).waitFor()
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => findings.locator('[aria-selected=true]').getAttribute('aria-level')).toBe('2')
  })

  test('names path and line in every row', async () => {
    const rows = page.getByRole('tree', { name: 'Findings' }).locator('[data-finding]')
    for (const text of await rows.allTextContents()) expect(text).toMatch(/\.sol:\d+$/)
  })

  test('moves the borders of the panes, keeps their place, and shows the code on the full screen', async () => {
    const code = page.getByLabel('Source code')
    const widthOf = async () => (await code.boundingBox())?.width ?? 0
    const before = await widthOf()
    const border = page.getByRole('separator', { name: 'Width of the explanation' })
    await border.focus()
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowRight')
    await expect.poll(widthOf).toBeGreaterThan(before + 90)
    const widened = await widthOf()
    const box = await border.boundingBox()
    if (!box) throw new Error('The border is not on the page.')
    await page.mouse.move(box.x + 4, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x - 60, box.y + 100)
    await page.mouse.up()
    await expect.poll(widthOf).not.toBe(widened)
    const dragged = await widthOf()
    await page.reload()
    await code.waitFor()
    await expect.poll(widthOf).toBe(dragged)
    await page.keyboard.press('f')
    await expect.poll(widthOf).toBeGreaterThan(1200)
    await page.keyboard.press('Escape')
    await expect.poll(widthOf).toBe(dragged)
  })

  test('the page itself does not scroll: header and panes share the window', async () => {
    const heights = 'document.documentElement.scrollHeight - innerHeight'
    for (const height of [800, 1000]) {
      await page.setViewportSize({ width: 1440, height })
      await expect.poll(() => page.evaluate(heights)).toBe(0)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('shows the fix as a diff that was scanned again, and copies it as a patch', async () => {
    await walk.scan(vulnerable)
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().click()
    const patch = page.getByRole('figure', { name: 'Patch' })
    await patch.getByText('Scanned again: the finding is gone').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await patch.getByRole('button', { name: 'Copy patch' }).click()
    await patch.getByText('Copied').waitFor()
    const folder = await mkdtemp(join(tmpdir(), 'patched-'))
    // Pasted code is called after its contract.
    const path = 'Bank.sol'
    await writeFile(join(folder, path), vulnerable)
    await writeFile(join(folder, 'fix.patch'), String(await page.evaluate('navigator.clipboard.readText()')))
    execFileSync('git', ['apply', 'fix.patch'], { cwd: folder })
    const fixedText = readFileSync(join(folder, path), 'utf8')
    await rm(folder, { recursive: true })
    const at = (words: string) => fixedText.indexOf(words)
    expect(at('.call{value')).toBeGreaterThan(at('balances[msg.sender] = 0'))
    // Impact, trace, fix and references follow each other.
    const text = (await page.getByRole('article').textContent()) ?? ''
    expect(text.indexOf('How to fix it')).toBeGreaterThan(text.indexOf('①'))
    expect(text.indexOf('References')).toBeGreaterThan(text.indexOf('Copied'))
    await walk.scan(crowded)
  })

  test('passes the list with one Tab and shows the keys', async () => {
    const findings = page.getByRole('tree', { name: 'Findings' })
    await findings.focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('[role=tree]')`)).toBeNull()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a decision that was begun outlives a turned phone and its keyboard', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('tree', { name: 'Findings' }).locator('[data-finding]').first().click()
    const decision = page.getByRole('region', { name: 'Status', exact: true })
    await decision.getByRole('button', { name: /Change status$/ }).click()
    await decision.getByRole('button', { name: 'Accepted risk…' }).click()
    await decision.getByLabel('Reason').fill('nobody minds')
    for (const [width, height] of [
      [390, 420],
      [844, 390],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      expect(await decision.getByLabel('Reason').inputValue(), `${width} × ${height}`).toBe('nobody minds')
    }
    await decision.getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('on a phone a tapped finding opens a sheet with its lines', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('tree', { name: 'Findings' }).locator('[data-finding]').first().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('The lines around the finding').waitFor()
    expect(await sheet.locator('[data-line]').count()).toBe(10)
    expect(await seriousProblems(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Close' }).click()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a sheet that is closed while the phone is turned stays closed', async () => {
    for (let round = 0; round < 10; round++) {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('tree', { name: 'Findings' }).locator('[data-finding]').first().click()
      await page.getByRole('dialog').waitFor()
      await Promise.all([page.keyboard.press('Escape'), page.setViewportSize({ width: 1280, height: 800 })])
      await page.getByLabel('Source code').waitFor()
    }
  })

  test('downloads the result in every format', async () => {
    for (const name of ['SARIF', 'Markdown', 'HTML', 'JSON', 'CSV']) {
      await page.getByRole('button', { name: 'Export' }).click()
      const waiting = page.waitForEvent('download')
      await page
        .getByRole('link', { name, exact: true })
        .or(page.getByRole('button', { name, exact: true }))
        .click()
      const text = readFileSync(await (await waiting).path(), 'utf8')
      expect(text).toContain('SWC-107')
    }
  })

  test('on paper there are the findings with their words, and nothing to press', async () => {
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('listitem').filter({ hasText: 'SWC-107' }).getByText('Check').first().waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    const ink = () => page.evaluate('getComputedStyle(document.body).color')
    const onPaper = await ink()
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
    // Letters for a dark screen are not to be read on white paper.
    expect(await ink()).toBe(onPaper)
    await page.emulateMedia({ media: null })
    expect(await ink()).not.toBe(onPaper)
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`)
  })

  test('shares the result by a link that an outsider opens, and takes it back', async () => {
    const result = page.url()
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share this result' })
    await dialog.getByLabel('Include').selectOption('source')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = await dialog.locator('code', { hasText: '/shared#' }).textContent()
    expect(await seriousProblems(page)).toEqual([])

    const context = await walk.browser.newContext()
    const tab = await context.newPage()
    const requestedUrls: string[] = []
    tab.on('request', (request) => requestedUrls.push(request.url()))
    const answer = await tab.goto(url ?? '')
    expect(answer?.headers()['x-robots-tag']).toContain('noindex')
    await tab.getByText('shared with you until').waitFor()
    const findings = tab.getByRole('tree', { name: 'Findings' })
    await findings.locator('[data-finding]').nth(1).click()
    await tab.getByLabel('Source code').getByText('selfdestruct').first().waitFor()
    expect(await tab.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
    expect(await tab.getByRole('button', { name: 'Share' }).count()).toBe(0)
    expect(await seriousProblems(tab)).toEqual([])
    // Choosing a finding changes the address, and the rest of the link stays in it.
    await expect.poll(() => tab.url()).toMatch(/\/shared\?f=.*#\w{43}$/)
    await tab.reload()
    await tab.getByText('shared with you until').waitFor()

    await dialog.getByLabel('Include').selectOption('findings')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await expect.poll(() => dialog.locator('code', { hasText: '/shared#' }).textContent()).not.toBe(url)
    const bare = await dialog.locator('code', { hasText: '/shared#' }).textContent()
    // In the same tab: nothing but the end of the address changes.
    await tab.goto(bare ?? '')
    await tab.getByText('without the source').waitFor()
    await tab.getByRole('tree', { name: 'Findings' }).locator('[data-finding]').first().waitFor()
    expect(await tab.getByText('selfdestruct(payable').count()).toBe(0)
    expect(await tab.getByLabel('Source code').count()).toBe(0)
    // There is no line to go to.
    expect(
      await tab
        .getByRole('article')
        .getByRole('button', { name: /line \d+$|:\d+$/ })
        .count(),
    ).toBe(0)
    expect(await seriousProblems(tab)).toEqual([])

    await dialog
      .getByRole('button', { name: /^Revoke the link/ })
      .first()
      .click()
    await expect.poll(() => dialog.getByRole('button', { name: /^Revoke the link/ }).count()).toBe(1)
    await tab.reload()
    await tab.getByText('This link does not exist, has expired or was revoked.').waitFor()
    await context.close()

    await dialog.getByLabel('Include').selectOption('badge')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('img', { name: 'The badge' }).waitFor()
    const isDrawn = `document.querySelector('img[alt="The badge"]').naturalWidth > 0`
    await expect.poll(() => page.evaluate(isDrawn)).toBe(true)
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(page.url()).toBe(result)
  })

  test('scans several files as one project, and shows each with its findings', async () => {
    await walk.open('/scan')
    const part = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page
      .getByLabel('Choose a Solidity file')
      .setInputFiles([
        part('Bank.sol', vulnerable),
        part('Branch.sol', 'pragma solidity 0.8.24; import "./Bank.sol"; contract Branch is Bank {}'),
        part('Lost.sol', 'pragma solidity 0.8.24; import "./Elsewhere.sol"; contract Lost {}'),
      ])
    const chosen = page.getByRole('region', { name: 'Project files' })
    const stateOf = (name: string) => chosen.getByRole('listitem').filter({ hasText: name })
    await stateOf('Branch.sol').getByText('Ready').waitFor()
    await stateOf('Lost.sol').getByText('Missing import: ./Elsewhere.sol').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await chosen.getByRole('button', { name: 'Remove Lost.sol' }).click()
    await chosen.getByLabel('Project name').fill('branches')
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().waitFor()
    await page.getByRole('heading', { level: 1, name: 'branches' }).waitFor()
    const tree = page.getByRole('navigation', { name: 'Files' })
    const shown = tree.locator('[aria-current=true]')
    await expect.poll(() => shown.textContent()).toMatch(/^Bank\.sol[1-9]/)
    // Files without findings are there when asked for.
    expect(await tree.getByRole('button', { name: 'Branch.sol' }).count()).toBe(0)
    await tree.getByRole('button', { name: 'All 2 files' }).click()
    await tree.getByRole('button', { name: 'Branch.sol' }).click()
    await expect.poll(() => shown.textContent()).toBe('Branch.sol')
    await page.getByLabel('Source code').getByText('Branch').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Scan again' }).click()
    await stateOf('Branch.sol').getByText('Ready').waitFor()
    await stateOf('Bank.sol').getByText('Ready', { exact: true }).waitFor()
  })

  test('scans a folder and a zip, each under its own name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vault-'))
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src/Bank.sol'), vulnerable)
    await writeFile(join(folder, 'src/Branch.sol'), 'import "./Bank.sol"; contract Branch is Bank {}')
    await writeFile(join(folder, 'README.md'), '# Not to be scanned')
    await walk.open('/scan')
    await page.getByLabel('Choose a folder').setInputFiles(folder)
    const chosen = page.getByRole('region', { name: 'Project files' })
    await chosen.getByText('src/Branch.sol', { exact: true }).waitFor()
    expect(await chosen.getByText('README.md').count()).toBe(0)
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByRole('heading', { level: 1, name: basename(folder) }).waitFor()
    await rm(folder, { recursive: true })

    await walk.open('/scan')
    const buffer = makeZip({ 'app/src/Bank.sol': vulnerable, 'app/src/Clean.sol': fixed.replace('Bank', 'Clean') })
    await page
      .getByLabel('Choose a Solidity file')
      .setInputFiles({ name: 'vault.zip', mimeType: 'application/zip', buffer })
    await chosen.getByText('src/Clean.sol').waitFor()
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByRole('heading', { level: 1, name: 'vault', exact: true }).waitFor()
    const files = page.getByRole('navigation', { name: 'Files' })
    await files.getByRole('button', { name: 'All 2 files' }).click()
    await files.getByRole('button', { name: 'Clean.sol' }).waitFor()
  })

  test.skipIf(!hasProver)(
    'has a contract attacked, reads the steps and downloads the test',
    async () => {
      await walk.scan(vulnerable, { isAttacked: true })
      await page.getByRole('tree', { name: 'Findings' }).getByText('SWC-107').first().click()
      const attack = page.getByRole('article').getByRole('region', { name: 'The attack' })
      await attack.getByText('Bank.withdraw()').first().waitFor()
      await attack.getByRole('row', { name: /^attacker.*\+\d+ ether/ }).waitFor()
      expect(await attack.getByRole('row', { name: /\+0|-0/ }).count()).toBe(0)
      expect(await seriousProblems(page)).toEqual([])
      const waiting = page.waitForEvent('download')
      await attack.getByRole('link', { name: 'Download the Foundry test' }).click()
      const text = readFileSync(await (await waiting).path(), 'utf8')
      expect(text).toContain('function testExploit() public')
      expect(text).toContain('contract Bank {')
      await attack.getByRole('button', { name: 'Copy Foundry test' }).click()
      await attack.getByText('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text)
    },
    240_000,
  )

  test.skipIf(!hasProver)(
    'the exploit on the first page is what the prover does to the example',
    async () => {
      const answer = await page.request.post(`${walk.service.url}/api/v1/scan?prove=true`, {
        multipart: { file: { name: exampleName, mimeType: 'text/plain', buffer: Buffer.from(exampleSource) } },
        headers: { origin: walk.service.url, 'sec-fetch-site': 'same-origin' },
        timeout: 0,
      })
      const { dataVulnerabilities } = (await answer.json()) as ViewScan
      const { evidence } = dataVulnerabilities.find(({ detector }) => detector === 'reentrancy') ?? {}
      expect(evidence).toMatchObject(exampleExploit)
    },
    240_000,
  )

  test.skipIf(!hasProver)(
    'reads what was tried of every finding that no attack confirmed',
    async () => {
      await walk.scan(`${vulnerable}\ncontract Broken { function f() external { missing(); } }`, { isAttacked: true })
      const list = page.getByRole('tree', { name: 'Findings' })
      const articles = page.getByRole('article')
      const count = await list.locator('[data-finding]').count()
      for (let n = 0; n < count; n++) {
        await list.locator('[data-finding]').nth(n).click()
        await articles.getByText(/^Attack: not (attempted|verified): .*(not compile|not attacked)/).waitFor()
      }
    },
    240_000,
  )

  test('scans with AI, and the gateway key is kept nowhere in the page', async () => {
    gateway.reply = () =>
      JSON.stringify({
        summary: 'The bank can be drained.',
        verdicts: [{ candidate: 1, verdict: 'confirmed', reason: 'The balance is cleared after the call.' }],
        vulnerabilities: [
          {
            title: 'Deposits cannot be limited',
            severity: 'low',
            confidence: 'medium',
            line: 7,
            quote: 'function deposit() external payable {',
            description: 'Anybody can deposit any amount.',
            recommendation: 'Set a limit.',
          },
        ],
        recommendations: [],
      })
    await walk.open('/scan')
    await page.getByRole('textbox', { name: 'Contract source' }).fill(vulnerable)
    await page.getByLabel('OpenRouter API key').fill(standInKey)
    await page.getByLabel('Model').fill('acme/auditor-1')
    await page.getByRole('button', { name: 'Scan with AI review' }).click()
    await page.waitForURL(/\/scans\/./)
    await page.getByRole('heading', { name: 'AI review by acme/auditor-1' }).waitFor()
    await page.getByRole('link', { name: 'Download the report' }).waitFor()
    await page.getByText('Reentrancy: state updated after external call').first().waitFor()
    expect(gateway.requests.at(-1)?.authorization).toBe(`Bearer ${standInKey}`)
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
    expect(kept).not.toContain(standInKey)
    expect(await seriousProblems(page)).toEqual([])
  })

  test('the opinion is found again from the history, and another result can be asked about', async () => {
    await walk.open('/scans')
    await page.getByRole('listitem').filter({ hasText: 'AI' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'AI review by acme/auditor-1' }).waitFor()
    const findings = page.getByRole('tree', { name: 'Findings' })
    await findings.getByText('AI: confirmed').first().waitFor()
    await page.getByRole('article').getByText('The model confirms it').waitFor()
    await page.getByText('1 confirmed, 1 found by AI only.').waitFor()
    await findings.getByText('AI only', { exact: true }).click()
    await page.getByRole('article').getByText('Anybody can deposit any amount.').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await walk.scan(vulnerable)
    expect(await page.getByRole('heading', { name: /^What .* says$/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'AI review' }).click()
    const dialog = page.getByRole('dialog', { name: 'AI review' })
    await dialog.getByLabel('OpenRouter API key').fill(standInKey)
    await dialog.getByLabel('Model').fill('acme/auditor-1')
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Scan with AI review' }).click()
    await page.getByRole('heading', { name: 'AI review by acme/auditor-1' }).waitFor()
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
