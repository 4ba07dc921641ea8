import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowded, fixed, vulnerable } from './contracts.ts'
import { seriousProblems } from './serious-problems.ts'
import { mailedInvitation, waitMs } from './service.ts'
import { browserPath, signUp, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('a lead of a team in a browser', () => {
  let walk: Walk
  let page: Page
  let member: Page
  let auditor: Page

  beforeAll(async () => {
    walk = await startWalk({ plan: 'pro' })
    page = walk.page
  })
  afterAll(() => walk?.stop())

  const join = async (email: string, role: string): Promise<Page> => {
    const context = await walk.browser.newContext({ reducedMotion: 'reduce' })
    const tab = await context.newPage()
    tab.setDefaultTimeout(waitMs)
    await signUp(tab, walk.service, email, 'free')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Role', { exact: true }).selectOption(role)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText(`Invitation sent to ${email}.`).waitFor()
    await tab.goto(`${walk.service.url}/join#token=${await mailedInvitation(walk.service, email)}`)
    await tab.getByRole('button', { name: 'Join' }).click()
    await tab.getByRole('button', { name: 'Open Acme' }).click()
    await tab.waitForURL(/\/home$/)
    return tab
  }

  test('makes an organization of three, each in a role', async () => {
    await walk.open('/organization/new')
    await page.getByLabel('Name').fill('Acme')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
    member = await join('bob@example.com', 'member')
    auditor = await join('eve@example.com', 'auditor')
    await walk.open('/organization')
    const rows = page.getByRole('table', { name: 'Members' }).getByRole('row')
    for (const [email, role] of [
      [walk.email, 'owner'],
      ['bob@example.com', 'member'],
      ['eve@example.com', 'auditor'],
    ] as const)
      expect(await rows.filter({ hasText: email }).getByRole('combobox').inputValue()).toBe(role)
    expect(await seriousProblems(page)).toEqual([])
  })

  test('sees four projects in one overview, and fails a gate that the others read', async () => {
    for (const [project, source] of [
      ['vault', vulnerable],
      ['bridge', crowded],
      ['token', fixed],
    ] as const)
      await walk.scan(source, { project })
    await walk.scan(vulnerable, { project: 'market' })
    await walk.open('/findings')
    const overview = page.getByRole('region', { name: 'Overview' })
    await overview.getByText('4 of 4').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await walk.open('/projects')
    await page.getByRole('link', { name: 'vault', exact: true }).click()
    await page.getByLabel('Fail a run on').selectOption('High findings and above')
    await page.getByRole('button', { name: 'Save gate' }).click()
    await page.getByRole('main').locator('header').getByText('Gate failed').waitFor()
    await auditor.goto(page.url())
    await auditor.getByRole('main').locator('header').getByText('Gate failed').waitFor()
    // An auditor reads.
    expect(await auditor.getByRole('button', { name: 'Save gate' }).count()).toBe(0)
    expect(await seriousProblems(auditor)).toEqual([])
  })

  test('every page of the menu opens for a member and for an auditor, and says what takes another role', async () => {
    for (const [tab, role] of [
      [member, 'member'],
      [auditor, 'auditor'],
    ] as const) {
      const refused: string[] = []
      // That a plan has no webhooks is said by the page.
      const isExpected = (url: string) => url.endsWith('/api/v1/webhooks')
      tab.on(
        'response',
        (answer) =>
          answer.status() >= 400 && !isExpected(answer.url()) && refused.push(`${answer.status()} ${answer.url()}`),
      )
      for (const [path, title] of [
        ['/home', 'Welcome, Ada'],
        ['/projects', 'Projects'],
        ['/findings', 'Findings'],
        ['/scan', 'Scan a contract'],
        ['/scans', 'History'],
        ['/keys', 'API keys'],
        ['/webhooks', 'Webhooks'],
        ['/plan', 'Plan'],
        ['/organization', 'Acme'],
      ] as const) {
        await tab.goto(walk.service.url + path)
        await tab.getByRole('heading', { level: 1, name: title }).waitFor()
        await tab.waitForLoadState('networkidle')
        expect([role, path, refused]).toEqual([role, path, []])
      }
      await tab.goto(`${walk.service.url}/keys`)
      await tab.getByText(`Only owners of Acme can use this page. Your role is ${role}.`).waitFor()
      await tab.goto(`${walk.service.url}/plan`)
      await tab.getByText('Only owners change the plan').waitFor()
      expect(await tab.getByRole('button', { name: /^Upgrade|^Cancel plan/ }).count()).toBe(0)
    }
    await auditor.goto(`${walk.service.url}/scan`)
    await auditor.getByText('Your role in Acme is auditor: you can read, but not scan.').waitFor()
    await member.goto(`${walk.service.url}/scan`)
    await member.getByRole('textbox', { name: 'Contract source' }).waitFor()
    await auditor.goto(`${walk.service.url}/projects`)
    await auditor.getByRole('link', { name: 'market', exact: true }).click()
    await auditor.getByRole('heading', { level: 1, name: 'market' }).waitFor()
    await auditor.getByRole('list', { name: 'Open findings' }).getByRole('link').first().click()
    await auditor.getByText('Status: Open').first().waitFor()
    for (const name of ['Share', 'AI review', /^Change status/])
      expect(await auditor.getByRole('button', { name }).count(), String(name)).toBe(0)
    expect(await seriousProblems(auditor)).toEqual([])
  })

  test('nothing broke the Content-Security-Policy or threw meanwhile', () => {
    expect(walk.complaints).toEqual([])
  })
})
