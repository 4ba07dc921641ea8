import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import type { Analysis } from '../analysis/analysis.ts'
import { type AppDeps, buildApp } from '../app.ts'
import { type TestClock, testClock } from '../core/clock.ts'
import { readConfig } from '../core/config.ts'
import type { RefusalName } from '../core/errors.ts'
import { createLog } from '../core/log.ts'
import type { PlanName } from '../core/plans.ts'
import { createDeps, type Deps, type Replacements } from '../deps.ts'
import type { OutgoingMail } from '../gateways/smtp.ts'
import type { WebhookSender } from '../gateways/webhook-sender.ts'
import type { Route } from '../http/define-route.ts'
import { anyRequest, refusalsOf } from '../http/openapi.ts'
import { bindJobs } from '../jobs/index.ts'
import { routes } from '../routes/index.ts'
import type { Passwords } from '../services/passwords.ts'
import { createAccountStore } from '../stores/accounts.ts'
import type { Database } from '../stores/database.ts'
import { checkAnswer, checkEvent } from './check-document.ts'
import { type PromiseCheck, watchPromises } from './keep-promises.ts'
import { answerRecorder } from './record-answers.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface TestAccount {
  email: string
  password: string
  userId: string
  token: string
  /** Headers of a request by this account's session. */
  session: { authorization: string }
}

export interface TestApp {
  app: FastifyInstance
  deps: Deps
  clock: TestClock
  /** Everything that was handed to the mail server, the oldest first. */
  mails: OutgoingMail[]
  /** Every log line, at the finest level. */
  logLines: string[]
  /** How often a password was hashed or compared. */
  passwordWork: { count: number }
  /** How long the service wanted to wait, each time. */
  pauses: number[]
  /** Runs all jobs that are due. */
  runJobs(): Promise<void>
  /** Lets days go by as they do, with the jobs of each: what deletes does not believe a clock that jumps. */
  passDays(days: number): Promise<void>
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  post(url: string, payload?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** Registers, verifies and logs in through the interface. */
  signUp(options?: { plan?: PlanName; email?: string }): Promise<TestAccount>
  /** Makes an API key for the account through the interface. */
  makeKey(account: TestAccount, type?: 'PRODUCTION' | 'TEST'): Promise<{ id: string; keyValue: string }>
  /** The code in the newest mail to this address. */
  lastCode(email: string): string
  /** What the test leaves behind on purpose; anything else fails its end. */
  leaves: PromiseCheck['leaves']
  /** Which promises are broken just now. */
  findBroken: PromiseCheck['find']
  /** Fails when the app holds something although it has nothing to do, or its store does not add up. */
  checkPromises: PromiseCheck['check']
  /** Fails as `checkPromises` does. */
  close(patienceMs?: number): Promise<void>
}

export interface TestAppOptions {
  database?: Database
  environment?: Record<string, string>
  clock?: TestClock
  analysis?: Analysis
  replacements?: Replacements
}

/** Instant and no secret: tests count the work instead of doing it. */
function countedPasswords(work: { count: number }): Passwords {
  return {
    async hash(password) {
      work.count += 1
      return `test:${password}`
    },
    async verify(passwordHash, password) {
      work.count += 1
      return passwordHash === `test:${password}`
    },
    async verifyNothing() {
      work.count += 1
      return false
    },
  }
}

/** No test of accounts needs the engine; a scan in one of them is a mistake that should show. */
const noAnalysis: Analysis = {
  unpack: () => Promise.reject(new Error('this test app has no analysis')),
  split: () => Promise.reject(new Error('this test app has no analysis')),
  scan: () => Promise.reject(new Error('this test app has no analysis')),
  render: () => Promise.reject(new Error('this test app has no analysis')),
  fix: () => Promise.reject(new Error('this test app has no analysis')),
  withhold: () => Promise.reject(new Error('this test app has no analysis')),
  page: () => Promise.reject(new Error('this test app has no analysis')),
  prove: () => Promise.reject(new Error('this test app has no analysis')),
  attachUnfinished: () => Promise.reject(new Error('this test app has no analysis')),
  foundryTest: () => Promise.reject(new Error('this test app has no analysis')),
  prepareQuestion: () => Promise.reject(new Error('this test app has no analysis')),
  mergeAnswer: () => Promise.reject(new Error('this test app has no analysis')),
  secondsUntilRoom: () => undefined,
  running: 0,
  waiting: 0,
  close: async () => {},
}

/** The whole service on a given database, with a clock to travel by, mails in a list, and nothing listening. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = temporaryFolder()
  const clock = options.clock ?? testClock()
  const mails: OutgoingMail[] = []
  const logLines: string[] = []
  const passwordWork = { count: 0 }
  const pauses: number[] = []
  const config = readConfig({
    DATA_DIR: dataDir,
    MASTER_SECRET: 'a master secret for tests only',
    ...options.environment,
  })
  const deps = await createDeps(config, {
    clock,
    pause: async (ms) => void pauses.push(ms),
    log: createLog({ level: 'trace', destination: { write: (line) => void logLines.push(line) } }),
    passwords: countedPasswords(passwordWork),
    mailer: {
      async send(mail) {
        mails.push(mail)
        return { kind: 'sent' }
      },
      close: () => undefined,
    },
    analysis: options.analysis ?? noAnalysis,
    ...(options.database ? { database: options.database } : {}),
    ...options.replacements,
  })
  deps.webhookSender = describedEventsOnly(deps.webhookSender)
  const unhurried = { maxDelayMs: Number.POSITIVE_INFINITY, maxEnteringMs: Number.POSITIVE_INFINITY }
  const app = await buildApp<Deps & Pick<AppDeps, 'pressure'>>({ ...deps, pressure: unhurried }, routes)
  checkAnswers(app)
  const promises = watchPromises(deps)
  await app.ready()
  let accounts = 0

  const testApp: TestApp = {
    app,
    deps,
    clock,
    mails,
    logLines,
    passwordWork,
    pauses,
    runJobs: async () => void (await deps.queue.runDue(bindJobs(deps))),
    async passDays(days) {
      for (let day = 0; day < days; day++) {
        clock.travel('P1D')
        await testApp.runJobs()
      }
    },
    inject: (request) => app.inject(request),
    post: (url, payload, headers = {}) =>
      app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload: payload as object }) }),
    get: (url, headers = {}) => app.inject({ method: 'GET', url, headers }),
    async signUp({ plan, email = `person${++accounts}.${deps.instanceId.slice(-8)}@example.com` } = {}) {
      const password = 'a long enough password'
      // From a place of its own, so that signing up many does not look like one that floods.
      const remoteAddress = `10.${accounts >> 8}.${accounts & 255}.1`
      const send = (url: string, payload: object) => app.inject({ method: 'POST', url, payload, remoteAddress })
      const { userId } = (await send('/api/register', { email, password, name: 'Ada' })).json()
      await testApp.runJobs()
      await send('/api/verify-email', { email, otp: testApp.lastCode(email) })
      const { token } = (await send('/api/login', { email, password })).json()
      if (plan) await createAccountStore(deps.db).setPlan(userId, plan, clock.now().getTime())
      return { email, password, userId, token, session: { authorization: `Bearer ${token}` } }
    },
    async makeKey({ userId, session }, type = 'PRODUCTION') {
      const answer = await testApp.post('/api/generate-api-key', { userId, type, name: 'test' }, session)
      return answer.json().apiKey
    },
    lastCode(email) {
      const mail = mails.findLast(({ to, subject }) => to === email && /^\d{6} /.test(subject))
      if (!mail) throw new Error(`no code was mailed to ${email}`)
      return mail.subject.slice(0, 6)
    },
    leaves: promises.leaves,
    findBroken: promises.find,
    checkPromises: promises.check,
    async close(patienceMs) {
      try {
        await promises.check(patienceMs)
      } finally {
        await app.close()
        await deps.close()
      }
    },
  }
  return testApp
}

/** Every event that a test sends is one that the document describes. */
const describedEventsOnly = (sender: WebhookSender): WebhookSender => ({
  ...sender,
  async post(message) {
    const problem = checkEvent(message.body)
    if (problem) throw new Error(problem)
    return sender.post(message)
  },
})

/** A test app for the whole of a suite, on the suite's database. */
export function useTestApp(
  context: { database: Database },
  options: Omit<TestAppOptions, 'database'> = {},
): { readonly app: TestApp } {
  let started: TestApp | undefined
  beforeAll(async () => {
    started = await startTestApp({ ...options, database: context.database })
  })
  afterAll(async () => {
    await started?.close()
  })
  return {
    get app() {
      if (!started) throw new Error('The test app runs only while tests and hooks run.')
      return started
    },
  }
}

/**
 * Holds every answer in every test to the OpenAPI document: status, media type, headers and body, and a failure to the refusals that its
 * route lists. So the document cannot say what is not so.
 */
function checkAnswers(app: FastifyInstance): void {
  const record = answerRecorder()
  app.addHook('onSend', async (request, reply, sent) => {
    const { route } = request.routeOptions.config
    if (!route || reply.getHeader('content-encoding')) return sent
    const payload = sent instanceof Readable ? await readSmall(sent) : sent
    if (payload instanceof Readable) return payload
    const text = payload === undefined || payload === null ? '' : String(payload)
    const problem =
      checkAnswer({
        method: route.method,
        url: route.url,
        status: reply.statusCode,
        contentType: String(reply.getHeader('content-type') ?? ''),
        text,
        headers: reply.getHeaders(),
        isKeyed: request.caller?.via === 'key',
      }) ?? (reply.statusCode < 400 || !isJson(reply) ? undefined : checkFailure(route, request.refusal, text))
    if (!problem) {
      record({ method: route.method, url: route.url, status: reply.statusCode, refusal: request.refusal })
      return payload
    }
    reply.code(599).removeHeader('content-length').type('application/json')
    return JSON.stringify({ error: `${route.method} ${route.url}: ${problem}`, body: text })
  })
}

const isJson = (reply: FastifyReply): boolean => String(reply.getHeader('content-type')).includes('json')

const MAX_CHECKED_BYTES = 4 * 1024 * 1024

/** The whole of a small stream; one that is too long to be held goes on as it was. */
async function readSmall(stream: Readable): Promise<Buffer | Readable> {
  const chunks: Buffer[] = []
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (let size = 0; ; ) {
    const { value, done } = await pieces.next()
    if (done) return Buffer.concat(chunks)
    chunks.push(value)
    size += value.length
    if (size > MAX_CHECKED_BYTES) break
  }
  return Readable.from(
    (async function* () {
      yield* chunks
      yield* { [Symbol.asyncIterator]: () => pieces }
    })(),
  )
}

function checkFailure(route: Route, refusal: RefusalName | undefined, text: string): string | undefined {
  const names = Object.keys(JSON.parse(text) as object)
  if (!names.includes('detail') && names.join() !== 'error') return 'an error body must hold one field, error'
  const isDeclared = refusal && [...refusalsOf(route), ...anyRequest].includes(refusal)
  return isDeclared ? undefined : `refuses with ${refusal}, which it does not declare`
}
