import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Route } from '../http/define-route.ts'
import { refusalsOf } from '../http/openapi.ts'
import { createFairGate } from '../services/fair-gate.ts'
import type { Passwords } from '../services/passwords.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { spendThrottle } from '../testing/spend-throttle.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'
import { routes } from './index.ts'

const wrong = [403, { error: 'The password is wrong.' }]
const tooMany = [429, { error: 'Too many login attempts. Try again later.' }]
const busy = [503, { error: 'The service is busy. Try again in 2 seconds.' }]

/** What each of these changes takes beside the password. */
const changes: Readonly<Record<string, object>> = {
  '/api/v1/account/password': { newPassword: 'another long enough password' },
  '/api/v1/account/email': { email: 'elsewhere@example.com' },
  '/api/v1/account/export': {},
  '/api/v1/account/delete': { confirm: 'ada@example.com' },
  '/api/v1/second-factors/totp': {},
  '/api/v1/second-factors/passkey-options': {},
  '/api/v1/second-factors/:id/remove': {},
  '/api/v1/recovery-codes': {},
}

const listing = (name: 'passwordWrong' | 'busy'): string[] =>
  (routes as readonly Omit<Route, 'handle'>[]).filter((route) => refusalsOf(route).includes(name)).map(({ url }) => url)

/** Passwords whose only worker can be kept busy; nobody may wait for it. */
function crowded(): Passwords & { crowd(work: () => Promise<void>): Promise<void> } {
  const gate = createFairGate({ parallel: 1, maxWaitingPerLane: 0 })
  return {
    hash: (password, lane) => gate.run(lane, async () => `test:${password}`),
    verify: (hash, password, lane) => gate.run(lane, async () => hash === `test:${password}`),
    verifyNothing: (_password, lane) => gate.run(lane, async () => false as const),
    crowd: (work) => gate.run('somebody else', work),
  }
}

describeOnEachDatabase('a password that is asked for', (context) => {
  const passwords = crowded()
  let app: TestApp
  let ada: TestAccount
  beforeAll(async () => {
    const environment = { PUBLIC_URL: 'http://localhost:3000' }
    app = await startTestApp({ database: context.database, environment, replacements: { passwords } })
  })
  beforeEach(async () => {
    ada = await app.signUp()
  })
  afterAll(() => app.close())

  const sendRequest = async (url: string, password: string) => {
    const answer = await app.post(url.replace(':id', 'fac_none'), { ...changes[url], password }, ada.session)
    return [answer.statusCode, answer.json()]
  }

  test('403: a wrong one, on each route that asks', async () => {
    expect(listing('passwordWrong').sort()).toEqual(Object.keys(changes).sort())
    for (const url of Object.keys(changes))
      expect([url, ...(await sendRequest(url, 'a wrong password'))]).toEqual([url, ...wrong])
  })

  test('429: after many wrong ones not even the right one is looked at', async () => {
    await spendThrottle(app.deps, 'passwordChecks', ada.userId)
    for (const url of Object.keys(changes))
      expect([url, ...(await sendRequest(url, ada.password))]).toEqual([url, ...tooMany])
  })

  test('503: when more wait than can be served, on each route that has a password to compare or to keep', async () => {
    const post = async (url: string, payload: object) => {
      const answer = await app.post(url, payload)
      return [answer.statusCode, answer.json()]
    }
    await app.post('/api/forgot-password', { email: ada.email })
    await app.runJobs()
    const mail = app.mails.findLast(({ to, subject }) => to === ada.email && !/^\d{6}/.test(subject))
    const token = /^[0-9a-f]{64}$/m.exec(mail?.text ?? '')?.[0]
    const others: Readonly<Record<string, object>> = {
      '/api/register': { email: 'crowd@example.com', password: ada.password, name: 'Ada' },
      '/api/login': { email: ada.email, password: ada.password },
      '/api/reset-password': { token, newPassword: ada.password },
    }
    const followed = '/api/v1/scans/:scanId/events'
    expect(listing('busy').sort()).toEqual([...Object.keys(changes), ...Object.keys(others), followed].sort())
    await passwords.crowd(async () => {
      for (const url of Object.keys(changes))
        expect([url, ...(await sendRequest(url, ada.password))]).toEqual([url, ...busy])
      for (const [url, payload] of Object.entries(others))
        expect([url, ...(await post(url, payload))]).toEqual([url, ...busy])
    })
  })
})
