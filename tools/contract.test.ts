/** The tables of the written interface as data, compared with the code. A difference here breaks clients. */
import { readdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deductions, detectors, findWeakness, rate, scoreFindings } from '../engine/src/index.ts'
import { type RefusalName, refusalOf } from '../server/src/core/errors.ts'
import { keyLifetimeMonths, plans } from '../server/src/core/plans.ts'
import type { Route } from '../server/src/http/define-route.ts'
import { deductions as shownDeductions } from '../web/src/result/score-without.ts'

describe('weaknesses', () => {
  const table = [
    ['SWC-101', 'Integer Overflow and Underflow', 'critical'],
    ['SWC-103', 'Floating Pragma', 'high'],
    ['SWC-104', 'Unchecked Call Return Value', 'high'],
    ['SWC-105', 'Unprotected Ether Withdrawal', 'critical'],
    ['SWC-106', 'Unprotected SELFDESTRUCT', 'critical'],
    ['SWC-107', 'Reentrancy', 'critical'],
    ['SWC-112', 'Delegatecall to Untrusted Callee', 'critical'],
    ['SWC-113', 'DoS with Failed Call', 'high'],
    ['SWC-114', 'Tx.Origin Authentication', 'high'],
    ['SWC-115', 'Authorization via tx.origin', 'high'],
    ['SWC-116', 'Block Values as Time Proxies', 'medium'],
    ['SWC-118', 'Incorrect Constructor Name', 'high'],
    ['SWC-120', 'Weak Sources of Randomness', 'high'],
    ['SWC-123', 'Requirement Violation', 'medium'],
    ['SWC-132', 'Unexpected Gas Usage', 'medium'],
  ] as const

  test.each(table)('%s is called "%s" and is %s', (swc, name, severity) => {
    const own = detectors.filter((detector) => detector.swc === swc)
    expect(
      own.map(({ id }) => id),
      `no detector reports ${swc}`,
    ).not.toEqual([])
    expect(findWeakness(swc)?.name).toBe(name)
    expect(own.map((detector) => `${detector.id} ${detector.severity}`)).toEqual(
      own.map(({ id }) => `${id} ${severity}`),
    )
  })

  test('the rest of the registry is detected too', () => {
    const rest = [
      100, 102, 108, 109, 110, 111, 117, 119, 121, 122, 124, 125, 126, 127, 128, 129, 130, 131, 133, 134, 135, 136,
    ]
    const found = new Set(detectors.map(({ swc }) => swc))
    expect(rest.map((number) => `SWC-${number}`).filter((swc) => !found.has(swc as `SWC-${number}`))).toEqual([])
  })
})

describe('score', () => {
  test.each([
    ['critical', 20],
    ['high', 10],
    ['medium', 5],
    ['low', 2],
    ['info', 1],
  ] as const)('a %s finding deducts %i', (severity, points) => {
    expect([deductions[severity], shownDeductions[severity]]).toEqual([points, points])
    expect(scoreFindings([{ severity }]).score).toBe(100 - points)
  })

  test.each([
    ['Excellent', 90, 100],
    ['Good', 75, 89],
    ['Fair', 60, 74],
    ['Poor', 40, 59],
    ['Critical', 0, 39],
  ] as const)('%s is %i to %i', (rating, from, to) => {
    for (let score = from; score <= to; score++) expect(rate(score), `score ${score}`).toBe(rating)
  })

  test('it starts at 100 and never falls below 0', () => {
    expect(scoreFindings([])).toEqual({
      score: 100,
      rating: 'Excellent',
      summary: { total: 0, critical: 0, high: 0, medium: 0, low: 0 },
    })
    expect(scoreFindings(Array.from({ length: 9 }, () => ({ severity: 'critical' as const }))).score).toBe(0)
  })

  test('the summary counts all in total, also info', () => {
    const { summary } = scoreFindings([{ severity: 'info' }, { severity: 'low' }, { severity: 'high' }])
    expect(summary).toEqual({ total: 3, critical: 0, high: 1, medium: 0, low: 1 })
  })
})

describe('errors', () => {
  const resetsAt = new Date('2031-05-06T00:00:00.000Z')
  // biome-ignore format: a table
  const table: readonly [name: RefusalName, facts: readonly unknown[], status: number, words: string][] = [
    ['noFile', [], 400, 'No file uploaded.'],
    ['keyMissing', [], 401, 'API key is required. Please provide X-API-Key header.'],
    ['keyInvalid', [], 403, 'Invalid or expired API key'],
    ['hourSpent', [60], 429, 'API rate limit exceeded'],
    ['quotaSpent', [resetsAt, 60], 429, 'Daily scan limit exceeded. Limit resets at 2031-05-06T00:00:00.000Z'],
    ['fileTooLarge', [1048576], 413, 'File size exceeds maximum limit of 1048576 bytes. Upload a smaller file.'],
    ['contractTooLarge', [51200], 413, 'Contract size exceeds maximum limit of 51200 bytes. Upload a smaller contract.'],
    ['notSolidity', [7, 'a reason'], 422, 'The file is not valid Solidity: line 7: a reason'],
    ['scanFailed', ['req_1'], 500, 'Scan failed. Reference req_1'],
    ['internal', ['req_1'], 500, 'Internal error. Reference req_1'],
    ['emailTaken', [], 409, 'An account with this e-mail already exists.'],
    ['codeInvalid', [], 400, 'Invalid or expired verification code.'],
    ['loginFailed', [], 401, 'Invalid e-mail or password.'],
    ['emailUnverified', [], 403, 'E-mail address is not verified.'],
    ['resetTokenInvalid', [], 400, 'Invalid or expired reset token.'],
    ['sessionMissing', [], 401, 'Log in first: send the token from POST /api/login as a Bearer token or cookie.'],
    ['userIdForeign', [], 403, 'This userId does not belong to the logged-in account.'],
    ['aiNotOnPlan', [], 403, 'AI analysis is available on the pro plan only.'],
    ['aiKeyMissing', [], 400, 'openrouterApiKey is required.'],
    ['aiModelMissing', [], 400, 'model is required.'],
    ['aiKeyRejected', [], 400, 'The AI gateway rejected the supplied key.'],
    ['scanNotFound', [], 404, 'Scan not found.'],
  ]

  test.each(table)('%s %j is %i with the exact words', (name, facts, status, words) => {
    const build = refusalOf as (name: RefusalName, ...facts: unknown[]) => ReturnType<typeof refusalOf>
    const refusal = build(name, ...facts)
    expect([refusal.status, refusal.message]).toEqual([status, words])
  })
})

describe('limits', () => {
  // biome-ignore format: a table
  test.each([
    ['free', { priceCents: 0, requestsPerHour: 60, scansPerDay: 5, maxFileBytes: 102400, maxContractBytes: 5120, historyDays: 7, ai: false, webhooks: false, sla: false }],
    ['basic', { priceCents: 999, requestsPerHour: 600, scansPerDay: 100, maxFileBytes: 1048576, maxContractBytes: 51200, historyDays: 30, ai: false, webhooks: false, sla: false }],
    ['pro', { priceCents: 2999, requestsPerHour: 6000, scansPerDay: 1000, maxFileBytes: 5242880, maxContractBytes: 512000, historyDays: 90, ai: true, webhooks: true, sla: true }],
  ] as const)('%s', (name, { ai, webhooks, sla, ...limits }) => {
    expect(plans[name]).toMatchObject({ ...limits, features: { ai, webhooks, sla } })
  })

  test('e-mail notices from basic on', () => {
    expect(Object.values(plans).map(({ features }) => features.mailNotices)).toEqual([false, true, true])
  })

  test('keys live a year, or three months for tests', () => {
    expect(keyLifetimeMonths).toEqual({ PRODUCTION: { usual: 13, longest: 36 }, TEST: { usual: 4, longest: 6 } })
  })
})

interface Endpoint {
  readonly access?: Route['access']
  readonly body?: readonly string[]
  readonly query?: readonly string[]
  readonly upload?: readonly string[]
  readonly status?: number
  readonly answer?: readonly string[]
}

describe('endpoints', async () => {
  const routes = await loadRoutes()
  // biome-ignore format: a table
  const table: readonly [method: string, url: string, endpoint: Endpoint][] = [
    ['POST', '/api/register', { access: 'public', body: ['email', 'password', 'name'], status: 201, answer: ['message', 'userId', 'verificationSent'] }],
    ['POST', '/api/verify-email', { access: 'public', body: ['email', 'otp'], status: 200, answer: ['message', 'userId', 'verified'] }],
    ['POST', '/api/resend-otp', { access: 'public', body: ['email'], status: 200, answer: ['message'] }],
    ['POST', '/api/login', { access: 'public', body: ['email', 'password'], status: 200, answer: ['message', 'userId', 'token', 'tokenType', 'expiresAt'] }],
    ['POST', '/api/forgot-password', { access: 'public', body: ['email'], status: 200, answer: ['message'] }],
    ['POST', '/api/reset-password', { access: 'public', body: ['token', 'newPassword'], status: 200, answer: ['message'] }],
    ['POST', '/api/generate-api-key', { access: 'session', body: ['userId', 'type', 'name'], status: 201, answer: ['message', 'apiKey.id', 'apiKey.keyValue', 'apiKey.type', 'apiKey.expiresAt'] }],
    ['GET', '/api/v1/user-api-keys', { access: 'session', query: ['userId'], status: 200, answer: ['success', 'message', 'data.total', 'data.apiKeys[].id', 'data.apiKeys[].name', 'data.apiKeys[].keyValue', 'data.apiKeys[].type', 'data.apiKeys[].expiresAt', 'data.apiKeys[].status'] }],
    ['POST', '/api/v1/scan', { access: 'key-or-session', upload: ['file'], status: 200, answer: ['success', 'message', 'scanId', 'file', 'vulnerabilitiesCount', 'dataVulnerabilities[].vulnerabilityId', 'securityScore.score', 'securityScore.rating', 'securityScore.summary.total', 'securityScore.summary.critical', 'securityScore.summary.high', 'securityScore.summary.medium', 'securityScore.summary.low', 'bestPractices.recommendations'] }],
    ['POST', '/api/v1/ai-scan', { access: 'key-or-session', upload: ['file', 'openrouterApiKey', 'model'], status: 200, answer: ['success', 'message', 'timeTaken', 'results.summary', 'results.vulnerabilities', 'results.recommendations', 'outputFile'] }],
    ['GET', '/api/v1/user-plan', { access: 'session', query: ['userId'], status: 200, answer: ['success', 'data.plan', 'data.renewsAt', 'data.billingSubscriptionId', 'data.quotas.scansPerDay', 'data.quotas.maxFileSize', 'data.quotas.maxContractSize'] }],
    ['POST', '/api/upgrade-plan', { access: 'key-or-session', body: ['newPlan'], status: 200, answer: ['success', 'message', 'status', 'plan'] }],
    ['POST', '/scan', { access: 'key-or-session', upload: ['file'], status: 200, answer: ['success', 'file', 'vulnerabilitiesCount', 'dataVulnerabilities[].vulnerabilityId', 'message'] }],
    ['GET', '/health', { access: 'public', status: 200, answer: ['status'] }],
    ['GET', '/ready', { access: 'public', status: 200 }],
    ['GET', '/metrics', { status: 200 }],
    ['POST', '/api/logout', {}],
    ['GET', '/api/me', {}],
    ['DELETE', '/api/v1/user-api-keys/:id', {}],
    ['POST', '/api/v1/user-api-keys/:id/rotate', {}],
    ['GET', '/api/v1/security-log', {}],
    ['GET', '/api/v1/sessions', {}],
    ['DELETE', '/api/v1/sessions/:id', {}],
    ['GET', '/api/v1/mail-preferences', {}],
    ['PATCH', '/api/v1/mail-preferences', {}],
    ['GET', '/api/v1/scans', {}],
    ['GET', '/api/v1/scans/:scanId', {}],
    ['GET', '/api/v1/scans/:scanId/source', {}],
    ['GET', '/api/v1/scans/:scanId/tests/:fingerprint', {}],
    ['GET', '/api/v1/scans/:scanId/report', {}],
    ['DELETE', '/api/v1/scans/:scanId', {}],
    ['GET', '/api/v1/reports/:outputFile', {}],
    ['POST', '/api/v1/webhooks', { status: 201 }],
    ['GET', '/api/v1/webhooks', {}],
    ['PATCH', '/api/v1/webhooks/:id', {}],
    ['DELETE', '/api/v1/webhooks/:id', {}],
    ['POST', '/api/v1/webhooks/:id/rotate-secret', {}],
    ['POST', '/api/v1/webhooks/:id/test', {}],
    ['GET', '/api/v1/webhooks/:id/deliveries', {}],
    ['GET', '/api/v1/upgrade-preview', {}],
    ['POST', '/api/v1/cancel-plan', {}],
    ['POST', '/api/v1/resume-plan', {}],
    ['GET', '/api/v1/invoices', {}],
    ['POST', '/api/billing/webhook', {}],
  ]

  test.each(table)('%s %s', (method, url, endpoint) => {
    const route = routes.find((candidate) => candidate.method === method && sameShape(candidate.url, url))
    expect(route, `no route for ${method} ${url}`).toBeDefined()
    if (!route) return
    if (endpoint.access) expect(route.access).toBe(endpoint.access)
    if (endpoint.body) expect(requiredOf(route.body)).toEqual([...endpoint.body].sort())
    if (endpoint.query) expect(requiredOf(route.query)).toEqual(expect.arrayContaining([...endpoint.query]))
    if (endpoint.upload)
      expect(route.upload?.filter(({ required }) => required).map(({ name }) => name)).toEqual(endpoint.upload)
    if (endpoint.status) expect(Number(Object.keys(route.responses)[0])).toBe(endpoint.status)
    const answer = fieldsOf(Object.values(route.responses)[0]?.schema)
    expect((endpoint.answer ?? []).filter((field) => !answer.has(field))).toEqual([])
  })
})

/** Parameters may be called what they like. */
const sameShape = (a: string, b: string): boolean => a.replace(/:\w+/g, ':') === b.replace(/:\w+/g, ':')

async function loadRoutes(): Promise<Route[]> {
  const folder = new URL('../server/src/routes/', import.meta.url)
  const files = readdirSync(fileURLToPath(folder)).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|^index\.ts$/.test(name),
  )
  const modules = await Promise.all(
    files.map((name) => import(pathToFileURL(fileURLToPath(new URL(name, folder))).href)),
  )
  return modules.flatMap((module: { default?: unknown }) => (isRoute(module.default) ? [module.default] : []))
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'url' in value && 'handle' in value

interface JsonSchema {
  readonly properties?: Record<string, JsonSchema>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly $ref?: string
  readonly $defs?: Record<string, JsonSchema>
}

const toSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema

const requiredOf = (schema: z.ZodType | undefined): string[] =>
  [...(schema ? (toSchema(schema, 'input').required ?? []) : [])].sort()

/** `data.apiKeys[].id`: every field that an answer can hold, by its way from the top. */
function fieldsOf(schema: z.ZodType | undefined): Set<string> {
  const fields = new Set<string>()
  const whole = schema ? toSchema(schema, 'output') : {}
  const visit = (part: JsonSchema, prefix: string): void => {
    if (prefix.length > 200) return
    for (const [name, inner] of Object.entries(part.properties ?? {})) {
      fields.add(`${prefix}${name}`)
      visit(inner, `${prefix}${name}.`)
    }
    if (part.items) visit(part.items, `${prefix.slice(0, -1)}[].`)
    if (part.$ref) visit(whole.$defs?.[part.$ref.replace('#/$defs/', '')] ?? {}, prefix)
    for (const choice of [...(part.anyOf ?? []), ...(part.allOf ?? [])]) visit(choice, prefix)
  }
  visit(whole, '')
  return fields
}
