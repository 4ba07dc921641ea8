import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, newSortableId } from '../core/ids.ts'
import type { Route } from '../http/define-route.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createAiReportStore } from '../stores/ai-reports.ts'
import { createFindingStore } from '../stores/findings.ts'
import { createInvitationStore } from '../stores/invitations.ts'
import { createProjectStore } from '../stores/projects.ts'
import { createScanBatchStore } from '../stores/scan-batches.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import { createScanStore } from '../stores/scans.ts'
import type { FindingTable } from '../stores/schema.ts'
import { createShareLinkStore } from '../stores/share-links.ts'
import { createWebhookDeliveryStore } from '../stores/webhook-deliveries.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'
import { routes } from './index.ts'

/** Ids of the first account, made anew for each request, since some requests use them up. */
interface Belongings {
  userId: string
  keyId: string
  factorId: string
  sessionId: string
  scanId: string
  batchId: string
  findingId: string
  projectId: string
  outputFile: string
  webhookId: string
  deliveryId: string
  organisationId: string
  memberId: string
  invitationId: string
  linkId: string
}

interface Attempt {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object | undefined
}

/** For every route that names something of an account: a request for something of another's. */
const attempts: Record<string, (first: Belongings) => Attempt> = {
  'DELETE /api/v1/sessions/:id': ({ sessionId }) => ({ params: { id: sessionId } }),
  'POST /api/v1/second-factors/:id/confirm': ({ factorId }) => ({ params: { id: factorId }, body: { code: '123456' } }),
  'POST /api/v1/second-factors/:id/remove': ({ factorId }) => ({
    params: { id: factorId },
    body: { password: 'a long enough password' },
  }),
  'POST /api/generate-api-key': ({ userId }) => ({ body: { userId, type: 'TEST', name: 'x' } }),
  'GET /api/v1/user-api-keys': ({ userId }) => ({ query: { userId } }),
  'PATCH /api/v1/user-api-keys/:id': ({ keyId }) => ({ params: { id: keyId }, body: { name: 'mine' } }),
  'DELETE /api/v1/user-api-keys/:id': ({ keyId }) => ({ params: { id: keyId } }),
  'POST /api/v1/user-api-keys/:id/rotate': ({ keyId }) => ({ params: { id: keyId }, body: {} }),
  'GET /api/v1/user-plan': ({ userId }) => ({ query: { userId } }),
  'GET /api/v1/invoices': ({ userId }) => ({ query: { userId } }),
  'POST /sandbox/card': ({ userId }) => ({ query: { userId }, body: { outcome: 'paid' } }),
  'POST /api/v1/cancel-plan': ({ userId }) => ({ body: { userId } }),
  'POST /api/v1/resume-plan': ({ userId }) => ({ body: { userId } }),
  'GET /api/v1/scans/:scanId': ({ scanId }) => ({ params: { scanId } }),
  'GET /api/v1/scans/:scanId/events': ({ scanId }) => ({ params: { scanId } }),
  'GET /api/v1/scans/batch/:batchId': ({ batchId }) => ({ params: { batchId } }),
  'DELETE /api/v1/scans/batch/:batchId': ({ batchId }) => ({ params: { batchId } }),
  'GET /api/v1/scans/:scanId/source': ({ scanId }) => ({ params: { scanId } }),
  'GET /api/v1/scans/:scanId/fixes': ({ scanId }) => ({ params: { scanId } }),
  'GET /api/v1/scans/:scanId/findings': ({ scanId }) => ({ params: { scanId } }),
  'GET /api/v1/scans/:scanId/tests/:fingerprint': ({ scanId }) => ({ params: { scanId, fingerprint: 'x' } }),
  'GET /api/v1/scans/:scanId/report': ({ scanId }) => ({ params: { scanId }, query: { format: 'json' } }),
  'POST /api/v1/scans/:scanId/links': ({ scanId }) => ({ params: { scanId }, body: {} }),
  'DELETE /api/v1/links/:id': ({ linkId }) => ({ params: { id: linkId } }),
  'DELETE /api/v1/scans/:scanId': ({ scanId }) => ({ params: { scanId } }),
  'GET /api/v1/findings/:id': ({ findingId }) => ({ params: { id: findingId } }),
  'GET /api/v1/projects/:id': ({ projectId }) => ({ params: { id: projectId } }),
  'PATCH /api/v1/projects/:id': ({ projectId }) => ({ params: { id: projectId }, body: { defaultRef: null } }),
  'PATCH /api/v1/findings/:id': ({ findingId }) => ({ params: { id: findingId }, body: { state: 'fixed' } }),
  'PATCH /api/v1/organisations/:organisationId': (first) => ({ params: { ...first }, body: { name: 'x' } }),
  // Not its name: the other tests need it.
  'DELETE /api/v1/organisations/:organisationId': (first) => ({ params: { ...first }, query: { confirm: '?' } }),
  'GET /api/v1/organisations/:organisationId/members': (first) => ({ params: { ...first } }),
  'PATCH /api/v1/organisations/:organisationId/members/:memberId': (first) => ({
    params: { ...first },
    body: { role: 'owner' },
  }),
  'DELETE /api/v1/organisations/:organisationId/members/:memberId': (first) => ({ params: { ...first } }),
  'POST /api/v1/organisations/:organisationId/invitations': (first) => ({
    params: { ...first },
    body: { email: 'thief@example.com', role: 'owner' },
  }),
  'GET /api/v1/organisations/:organisationId/invitations': (first) => ({ params: { ...first } }),
  'DELETE /api/v1/organisations/:organisationId/invitations/:invitationId': (first) => ({ params: { ...first } }),
  'POST /api/v1/organisations': () => ({ body: { name: 'x' } }),
  'POST /api/v1/invitations/accept': () => ({ body: { token: 'x' } }),
  'GET /api/v1/reports/:outputFile': ({ outputFile }) => ({ params: { outputFile } }),
  'GET /api/v1/webhooks/:id': ({ webhookId }) => ({ params: { id: webhookId } }),
  'PATCH /api/v1/webhooks/:id': ({ webhookId }) => ({ params: { id: webhookId }, body: { description: 'x' } }),
  'DELETE /api/v1/webhooks/:id': ({ webhookId }) => ({ params: { id: webhookId } }),
  'POST /api/v1/webhooks/:id/rotate-secret': ({ webhookId }) => ({ params: { id: webhookId }, body: {} }),
  'POST /api/v1/webhooks/:id/test': ({ webhookId }) => ({ params: { id: webhookId } }),
  'GET /api/v1/webhooks/:id/deliveries': ({ webhookId }) => ({ params: { id: webhookId } }),
  'POST /api/v1/webhooks/:id/deliveries/:deliveryId/redeliver': ({ webhookId, deliveryId }) => ({
    params: { id: webhookId, deliveryId },
  }),
  'POST /api/v1/webhooks/deliveries/:deliveryId/redeliver': ({ deliveryId }) => ({ params: { deliveryId } }),
}

/** Bodies of routes that name nothing but would refuse an empty one. */
const bodies: Record<string, object> = {
  'PATCH /api/v1/allowed-origins': { origins: [] },
  'POST /api/v1/second-factors/totp': { password: 'x' },
  'POST /api/v1/second-factors/passkey-options': { password: 'x' },
  'POST /api/v1/second-factors/passkey': { challenge: 'x', passkey: { id: 'x', response: {} } },
  'POST /api/v1/recovery-codes': { password: 'x' },
  'PATCH /api/me': { name: 'x' },
  'POST /api/v1/account/password': { password: 'x', newPassword: 'long enough' },
  'POST /api/v1/account/email': { password: 'x', email: 'x@example.com' },
  'POST /api/v1/account/email/confirm': { code: '000000' },
  'POST /api/v1/account/export': { password: 'x' },
  'POST /api/v1/account/delete': { password: 'x', confirm: 'x' },
}

/** Routes open to anyone: their ids are themselves the credential, or name nothing of an account. */
const openByDesign = [
  'GET /sandbox/checkout/:id',
  'POST /sandbox/checkout/:id',
  'GET /problems/:name',
  'GET /api/v1/shared/:token',
  'GET /api/v1/shared/:token/source',
  'GET /api/v1/shared/:token/badge.svg',
]

const findingOf = (id: string, accountId: string, scanId: string, at: number): FindingTable => ({
  id,
  account_id: accountId,
  project: 'p',
  file: 'A.sol',
  fingerprint: id,
  kind: 'vulnerability',
  vulnerability_id: 'SWC-103',
  detector: 'floating-pragma',
  severity: 'high',
  confidence: 'high',
  title: 't',
  message: 'm',
  contract: null,
  function: null,
  line: 1,
  state: 'open',
  reason: null,
  until: null,
  decided_by: null,
  decided_at: null,
  assignee: null,
  comment: null,
  first_scan_id: scanId,
  first_seen_at: at,
  last_scan_id: scanId,
  last_seen_at: at,
})

const nameOf = ({ method, url }: Pick<Route, 'method' | 'url'>): string => `${method} ${url}`
const all: readonly Omit<Route, 'handle'>[] = routes

const namesSomething = (route: Omit<Route, 'handle'>): boolean =>
  /:\w+/.test(route.url) ||
  [route.body, route.query].some((schema) =>
    JSON.stringify(Object.keys((schema as { shape?: object })?.shape ?? {})).includes('"userId"'),
  )

test('every route that names something of an account is in this table', () => {
  const missing = all
    .filter(namesSomething)
    .map(nameOf)
    .filter((name) => !(name in attempts) && !openByDesign.includes(name))
  expect(missing).toEqual([])
})

test('nothing in this table is a route that no longer is', () => {
  const known = new Set(all.map(nameOf))
  expect(Object.keys(attempts).filter((name) => !known.has(name))).toEqual([])
})

describe('a second account', () => {
  let app: TestApp
  let first: TestAccount
  let second: TestAccount
  let secondKey: string
  let firstKey: string
  let organisationId: string
  let memberId: string

  beforeAll(async () => {
    app = await startTestApp({ environment: { WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' } })
    app.leaves('database', 'its scans and findings are rows that nobody made')
    first = await app.signUp()
    // A customer of the billing provider, with a checkout that was begun.
    expect((await app.post('/api/upgrade-plan', { newPlan: 'pro' }, first.session)).statusCode).toBe(200)
    second = await app.signUp({ plan: 'pro' })
    firstKey = (await app.makeKey(first)).keyValue
    const made = (await app.post('/api/v1/organisations', { name: 'x' }, first.session)).json().data
    organisationId = made.id
    memberId = made.memberId
    secondKey = (await app.makeKey(second)).keyValue
  })
  afterAll(() => app.close())

  async function belongings(): Promise<Belongings> {
    // Test deliveries are counted by the hour.
    app.clock.travel('PT3M')
    const { db, clock } = app.deps
    const now = clock.now()
    const at = now.getTime()
    await createAccountStore(db).setPlan(first.userId, 'pro', at)
    const login = await app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: first.email, password: first.password },
      remoteAddress: `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
    })
    expect(login.statusCode).toBe(200)
    const sessions = await app.get('/api/v1/sessions', first.session)
    const other = sessions.json().data.sessions.find(({ current }: { current: boolean }) => !current)
    const scanId = newSortableId('scan', now)
    const counts = { total: 0, critical: 0, high: 0, medium: 0, low: 0 }
    await createScanStore(db).add(
      {
        id: scanId,
        account_id: first.userId,
        kind: 'ai',
        status: 'completed',
        file_name: 'A.sol',
        size_bytes: 1,
        score: 100,
        rating: 'Excellent',
        completeness: 'full',
        created_at: at,
        info: 0,
        advisories: 0,
        suppressed: 0,
        sha256: '',
        engine_version: '',
        file_count: 1,
        is_project: 0,
        via: null,
        ...counts,
      },
      { source: Buffer.from('x'), result: Buffer.from('x') },
    )
    const batchId = newSortableId('batch', now)
    await createScanBatchStore(db).add({ id: batchId, account_id: first.userId, total: 0, created_at: at })
    const enrolled = await app.post('/api/v1/second-factors/totp', { password: first.password }, first.session)
    const findingId = newSortableId('finding', now)
    await createFindingStore(db).saw([findingOf(findingId, first.userId, scanId, at)])
    const { id: projectId } = await createProjectStore(db).lock({
      id: newSortableId('project', now),
      account_id: first.userId,
      name: 'p',
      default_ref: 'main',
      is_default_set: 0,
      tags: null,
      gate: null,
      scope: null,
      created_at: at,
    })
    await createScanLabelStore(db).add({
      scan_id: scanId,
      account_id: first.userId,
      project: 'p',
      ref: 'main',
      commit_hash: null,
      observation: scanId,
      files: null,
      gate: null,
    })
    const outputFile = `ai-report-${scanId}.md`
    const report = {
      name: outputFile,
      scan_id: scanId,
      account_id: first.userId,
      body: Buffer.from('x'),
      created_at: at,
    }
    await createAiReportStore(db).add(report)
    const webhook = await app.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/hook' }, first.session)
    const webhookId = webhook.json().data.id
    await app.post(`/api/v1/webhooks/${webhookId}/test`, undefined, first.session)
    const deliveries = await createWebhookDeliveryStore(db).list(webhookId, {
      notBefore: 0,
      limit: 10,
      after: undefined,
    })
    const invitationId = newId('invitation')
    await createInvitationStore(db).put({
      id: invitationId,
      organisation_id: organisationId,
      email: 'guest@example.com',
      role: 'member',
      token_index: invitationId,
      created_at: at,
      expires_at: at + 1,
    })
    const linkId = newSortableId('shareLink', now)
    await createShareLinkStore(db).add({
      id: linkId,
      account_id: first.userId,
      scan_id: scanId,
      project: null,
      shows: 'findings',
      token_index: linkId,
      created_by: null,
      maker: null,
      created_at: at,
      expires_at: at + 1,
    })
    return {
      linkId,
      organisationId,
      memberId,
      invitationId,
      userId: first.userId,
      keyId: (await app.makeKey(first)).id,
      factorId: enrolled.json().data.id,
      sessionId: other.id,
      scanId,
      batchId,
      findingId,
      projectId,
      outputFile,
      webhookId,
      deliveryId: deliveries[0]!.id,
    }
  }

  const send = (route: Omit<Route, 'handle'>, { params = {}, query, body }: Attempt, headers: Record<string, string>) =>
    app.inject({
      method: route.method,
      url: route.url.replace(/:(\w+)/g, (_whole, name: string) => params[name] ?? ''),
      headers,
      ...(query ? { query } : {}),
      ...(body ? { payload: body } : {}),
    })

  /** The keys of the first account would run out; each request gets a fresh set. */
  async function tidy(): Promise<void> {
    await app.deps.db.deleteFrom('webhooks').execute()
    await app.deps.db
      .updateTable('api_keys')
      .set({ revoked_at: 1 })
      .where('name', '=', 'test')
      .where('key_index', 'not in', keepIndexes())
      .execute()
  }
  const keepIndexes = () => [firstKey, secondKey].map((value) => app.deps.secrets.index('api-key', value))

  for (const route of all.filter((candidate) => nameOf(candidate) in attempts && namesSomething(candidate))) {
    test(`${nameOf(route)} is refused to another’s credential and open to the owner’s`, async () => {
      const attempt = attempts[nameOf(route)]!(await belongings())
      const credentials: Record<string, string>[] = [second.session]
      if (route.access === 'key-or-session') credentials.push({ 'x-api-key': secondKey })
      for (const headers of credentials) {
        const answer = await send(route, attempt, headers)
        expect([403, 404], answer.body).toContain(answer.statusCode)
      }
      expect((await send(route, attempt, {})).statusCode).toBe(401)
      const own = await send(route, attempt, first.session)
      expect([401, 403, 404], own.body).not.toContain(own.statusCode)
      await tidy()
    })
  }

  for (const route of all.filter(({ access }) => access === 'session')) {
    test(`${nameOf(route)} is refused when it names the first account’s userId`, async () => {
      const attempt: Attempt = attempts[nameOf(route)]?.(await belongings()) ?? { body: bodies[nameOf(route)] }
      const named = { ...attempt, query: { ...attempt.query, userId: first.userId } }
      const answer = await send(route, named, second.session)
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { error: 'This userId does not belong to the logged-in account.' },
      ])
      await tidy()
    })
  }
})
