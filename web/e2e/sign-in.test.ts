import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeIssuer, startFakeIssuer } from '../../server/src/testing/fake-issuer.ts'
import { seriousProblems } from './serious-problems.ts'
import { browserPath, startWalk, type Walk } from './walk.ts'

describe.skipIf(!browserPath)('sign-in at a provider in a browser', () => {
  let issuer: FakeIssuer
  let walk: Walk

  beforeAll(async () => {
    issuer = await startFakeIssuer()
    walk = await startWalk({
      env: {
        SIGN_IN_GITHUB_ID: issuer.clientId,
        SIGN_IN_GITHUB_SECRET: issuer.clientSecret,
        SIGN_IN_GITHUB_URL: issuer.url,
        SIGN_IN_GITHUB_API_URL: issuer.url,
        SIGN_IN_OIDC_ISSUER: issuer.url,
        SIGN_IN_OIDC_ID: issuer.clientId,
        SIGN_IN_OIDC_SECRET: issuer.clientSecret,
        SIGN_IN_OIDC_NAME: 'Example Corp',
      },
    })
  })
  afterAll(async () => {
    await walk?.stop()
    await issuer?.stop()
  })

  test('a new person goes to the provider and comes back with an account, on the page they wanted', async () => {
    const { page } = walk
    await walk.open('/register')
    await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor()
    await walk.open('/login?next=/keys')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue with Example Corp' }).click()
    await page.waitForURL(/\/keys$/)
    await page.getByRole('button', { name: 'Account of grace@example.com' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL((url) => url.pathname === '/')
  })

  test('the same address by another provider is the same account', async () => {
    const { page } = walk
    await walk.open('/login')
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.waitForURL(/\/home$/)
    await page.getByRole('button', { name: 'Account of grace@example.com' }).waitFor()
    await page.context().clearCookies()
  })

  test('a sign-in that was denied says so, and leads back', async () => {
    const { page } = walk
    issuer.behavior.isDenied = true
    await walk.open('/login')
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.getByText('The provider did not confirm the sign-in. Start again.').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to log in' }).click()
    await page.waitForURL(/\/login$/)
    expect(walk.complaints).toEqual([])
  })
})
