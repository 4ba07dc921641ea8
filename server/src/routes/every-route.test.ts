import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseAway, type RefusalName, refusals } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { defaultBodyBytes, type Route } from '../http/define-route.ts'
import { refusalsOf } from '../http/openapi.ts'
import { rightBody, sampleMistake, sampleWords } from '../http/sample-words.ts'
import type { Database } from '../stores/database.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'
import { routes } from './index.ts'

type Shape = Omit<Route, 'handle'>

const shapes = (routes as readonly Shape[]).filter(({ hidden }) => !hidden)
const nameOf = ({ method, url }: Shape): string => `${method} ${url}`
const named = shapes.map((route) => [nameOf(route), route] as const)
const takesKey = ({ access }: Shape): boolean => access === 'key' || access === 'key-or-session'

/** Anyone who asks for this must come again with another session. */
const endsSessions = ['POST /api/logout', 'DELETE /api/v1/sessions']

/** An id that could be one, so that someone has to look. */
function unknownId(url: string): string {
  if (url.includes('/scans/batch/')) return newId('batch')
  if (url.includes('/scans/')) return newId('scan')
  if (url.includes('/links/')) return newId('shareLink')
  return 'none'
}

/** A switch between a database and its absence. */
function breakable(database: Database): { database: Database; break(failure: Error | undefined): void } {
  let failure: Error | undefined
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (failure) throw failure
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    database: { ...database, db: database.db.withPlugin(plugin) },
    break(next) {
      failure = next
    },
  }
}

/**
 * What does not depend on what a route is about: who asks, in whose name, with a body of which kind, while the database is there or not.
 * Each of these refusals is given by exactly the routes that list it, in the words that the reference shows.
 */
describeOnEachDatabase('every route', (context) => {
  let app: TestApp
  let ada: TestAccount
  let auditor: TestAccount
  /** Whose sessions are there to be ended. */
  let leaver: TestAccount
  let key: { 'x-api-key': string }
  let tightKey: { 'x-api-key': string }
  let organisation: string
  let line: ReturnType<typeof breakable>

  beforeAll(async () => {
    line = breakable(context.database)
    app = await startTestApp({ database: line.database, environment: { PUBLIC_URL: 'http://localhost:3000' } })
    ada = await app.signUp({ plan: 'pro' })
    auditor = await app.signUp()
    leaver = await app.signUp()
    key = { 'x-api-key': (await app.makeKey(ada)).keyValue }
    const tight = { userId: ada.userId, type: 'TEST', name: 'tight', requestsPerHour: 1 }
    const made = await app.post('/api/generate-api-key', tight, ada.session)
    tightKey = { 'x-api-key': made.json().apiKey.keyValue }
    await app.get('/api/v1/usage', tightKey)
    organisation = (await app.post('/api/v1/organisations', { name: 'Acme' }, ada.session)).json().data.id
    const invited = { email: auditor.email, role: 'auditor' }
    await app.post(`/api/v1/organisations/${organisation}/invitations`, invited, ada.session)
    await app.runJobs()
    const mailed = app.mails
      .filter(({ to }) => to === auditor.email)
      .map(({ text }) => /^[0-9a-f]{64}$/m.exec(text)?.[0])
    const token = mailed.find((found) => found !== undefined)
    const joined = await app.post('/api/v1/invitations/accept', { token }, auditor.session)
    expect(joined.statusCode).toBe(200)
  })
  afterAll(() => app.close())

  type Changes = Pick<InjectOptions, 'headers' | 'payload' | 'remoteAddress'> & { query?: Record<string, string> }

  const ownParameters = ({ query }: Shape): Record<string, string> => {
    const known = Object.keys((query as { shape?: object } | undefined)?.shape ?? {})
    return Object.fromEntries(
      Object.entries({ confirm: 'Acme', newPlan: 'pro' }).filter(([name]) => known.includes(name)),
    )
  }

  /** A request that is right as far as anyone can tell who knows no ids. */
  function sendRequest(route: Shape, { query, ...changes }: Changes = {}) {
    const body = route.bodyKind === 'upload' ? undefined : rightBody(route)
    const payload = body && 'userId' in body ? { ...body, userId: ada.userId } : body
    return app.inject({
      method: route.method,
      url: route.url.replace(/:\w+/g, unknownId(route.url)),
      query: { ...ownParameters(route), userId: ada.userId, ...query },
      ...(payload && { payload }),
      ...changes,
    })
  }

  /** The routes that give a refusal are those that list it. */
  function expectWhereListed(refusal: RefusalName, route: Shape, answer: LightMyRequestResponse): void {
    const isJson = String(answer.headers['content-type']).includes('json')
    const given = [answer.statusCode, isJson ? answer.json().error : undefined]
    const listed = [refusals[refusal][0], sampleWords(refusal, route)]
    if (refusalsOf(route).includes(refusal)) expect(given, refusal).toEqual(listed)
    else {
      expect(given, `${refusal}, which is not listed`).not.toEqual(listed)
      // What no test may be answered, because it is not in the document.
      expect(given[0], answer.body).not.toBe(599)
    }
  }

  /** As a user who may use the route. */
  async function credential(route: Shape): Promise<Record<string, string>> {
    if (route.access === 'public') return {}
    if (takesKey(route)) return key
    return endsSessions.includes(nameOf(route)) ? freshSession() : ada.session
  }

  async function freshSession(): Promise<{ authorization: string }> {
    const { email, password } = leaver
    const { token } = (await app.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${token}` }
  }

  test.each(named)('401, 403, 404, 429, who asks: %s', async (_name, route) => {
    const cookie = { cookie: `assay_session=${ada.token}` }
    const bare = { headers: {}, query: { userId: 'usr_nobody' } }
    expectWhereListed('sessionMissing', route, await sendRequest(route, bare))
    expectWhereListed('keyMissing', route, await sendRequest(route, bare))
    expectWhereListed(
      'crossSite',
      route,
      await sendRequest(route, { headers: { ...cookie, 'sec-fetch-site': 'cross-site' } }),
    )
    expectWhereListed('keyInvalid', route, await sendRequest(route, { headers: { 'x-api-key': 'assay_live_x' } }))
    expectWhereListed('keyHourSpent', route, await sendRequest(route, { headers: tightKey }))
    const outsider = { headers: { ...ada.session, 'x-organisation': 'org_0123456789' } }
    expectWhereListed('organisationNotFound', route, await sendRequest(route, outsider))
    const acting = (who: TestAccount) => ({ headers: { ...who.session, 'x-organisation': organisation } })
    expectWhereListed('personalOnly', route, await sendRequest(route, acting(ada)))
    if (route.organisation) expectWhereListed('roleTooLow', route, await sendRequest(route, acting(auditor)))
    expectWhereListed('userIdForeign', route, await sendRequest(route, { headers: auditor.session }))
  })

  test('429: a userId from an address that sent many, on each route that takes one', async () => {
    const { db, secrets, clock } = app.deps
    const now = clock.now().getTime()
    const bucket = secrets.index('throttle', 'user-id:10.7.7.7')
    await db
      .insertInto('throttles')
      .values({ bucket, stamps: JSON.stringify(Array(600).fill(now)), expires_at: now + 3_600_000 })
      .execute()
    for (const route of shapes)
      expectWhereListed('tooManyUserIdRequests', route, await sendRequest(route, { remoteAddress: '10.7.7.7' }))
  })

  test.each(named)('400, 413, 415, what is sent: %s', async (_name, route) => {
    const send = async (payload: string, type: string) =>
      sendRequest(route, { payload, headers: { ...(await credential(route)), 'content-type': type } })
    // What a route that reads uploads says of them is reported by its own tests.
    if (route.bodyKind !== 'upload') {
      expectWhereListed('brokenJson', route, await send('{', 'application/json'))
      expectWhereListed('notJson', route, await send('x', 'text/plain'))
      expectWhereListed('repeatedName', route, await send('{"email":1,"email":2}', 'application/json'))
      const long = JSON.stringify({ long: 'x'.repeat(route.maxBodyBytes ?? defaultBodyBytes) })
      expectWhereListed('bodyTooLarge', route, await send(long, 'application/json'))
    }
    const mistake = sampleMistake(route)
    if (!mistake) return expect(refusalsOf(route).includes('invalid')).toBe(route.bodyKind === 'upload')
    const wrong =
      mistake.part === 'body'
        ? { payload: mistake.value, query: {} }
        : { query: mistake.value as Record<string, string> }
    const query = { ...wrong.query, ...(endsSessions.includes(nameOf(route)) && { userId: leaver.userId }) }
    expectWhereListed('invalid', route, await sendRequest(route, { headers: await credential(route), ...wrong, query }))
  })

  describe('with a database that fails', () => {
    /** Which of its two sentences a failure is reported in. */
    const failed: readonly RefusalName[] = ['internal', 'scanFailed']

    /** As the sandbox signs its events. */
    const signed = (body: string) => ({
      payload: body,
      headers: {
        'content-type': 'application/json',
        'sandbox-signature': `t=1,v1=${app.deps.secrets.index('sandbox-billing', `1.${body}`)}`,
      },
    })

    test.each(named)('500, 503: %s', async (name, route) => {
      const headers = await credential(route)
      const request = name === 'POST /api/billing/webhook' ? signed('{"id":"evt_1","type":"x"}') : { headers }
      const words = failed.find((refusal) => refusalsOf(route).includes(refusal))
      try {
        line.break(new Error('a fault of our own'))
        const broken = await sendRequest(route, request)
        const sentence = words && sampleWords(words).replace(/req_\w+/, '')
        expect(broken.statusCode === 500 ? broken.json().error : undefined, broken.body.slice(0, 200)).toEqual(
          sentence && expect.stringContaining(sentence),
        )
        line.break(new DatabaseAway())
        expectWhereListed('unavailable', route, await sendRequest(route, request))
      } finally {
        line.break(undefined)
      }
    })
  })
})

/** The setting with which a userId alone is enough; an unverified address is reported. */
describeOnEachDatabase('every route, where a userId is enough', (context) => {
  let app: TestApp
  let userId: string
  beforeAll(async () => {
    app = await startTestApp({ database: context.database, environment: { ACCOUNT_ACCESS: 'user-id' } })
    const person = { email: 'waiting@example.com', password: 'a long enough password', name: 'Ada' }
    userId = (await app.post('/api/register', person)).json().userId
  })
  afterAll(() => app.close())

  test('403: not verified, on each that takes a session', async () => {
    for (const route of shapes.filter(({ access }) => access === 'session')) {
      const body = rightBody(route)
      const answer = await app.inject({
        method: route.method,
        url: route.url.replace(/:\w+/g, 'none'),
        query: { userId },
        ...(body && { payload: 'userId' in body ? { ...body, userId } : body }),
      })
      expect([nameOf(route), answer.statusCode, answer.json()]).toEqual([
        nameOf(route),
        403,
        { error: 'E-mail address is not verified.' },
      ])
    }
  })
})
