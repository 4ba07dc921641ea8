import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../gateways/stand-ins/webhook-receiver.ts'
import { createAccountLimitsStore } from '../stores/account-limits.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const open =
  'pragma solidity ^0.8.20;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'
const pinned = open.replace('^0.8.20', '0.8.26')

/** Every event that leaves in a test is held to the OpenAPI document by the test app. */
describeOnEachDatabase('events', (context) => {
  let service: ScanService
  let receiver: WebhookReceiver
  let caller: TestCaller
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    service = await startScanService(context.database)
  })
  afterAll(async () => {
    await service.close()
    await receiver.close()
  })
  beforeEach(async () => {
    caller = await service.newCaller('pro')
    receiver.received.length = 0
  })

  const subscribe = async (...events: string[]): Promise<string> => {
    const answer = await service.post('/api/v1/webhooks', { url: receiver.url, events }, caller.key)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data.secret
  }
  const scan = async (source: string, project = 'vaults') => {
    const parts = form({ name: 'file', fileName: 'Open.sol', bytes: source }, { name: 'project', value: project })
    const answer = await service.scan(caller.key, parts)
    expect(answer.statusCode, answer.body).toBe(200)
    service.clock.travel('PT1S')
    return answer.json() as { scanId: string }
  }
  /** What arrived, each with a signature that its secret made. */
  const arrived = async (secret: string) => {
    await service.runJobs()
    try {
      const events = receiver.received.map(({ headers, body }) => {
        // The library looks at the machine's own time.
        vi.useFakeTimers({ now: Number(headers['webhook-timestamp']) * 1000, toFake: ['Date'] })
        return new Webhook(secret).verify(body, headers as Record<string, string>) as { timestamp: string }
      })
      // Those that wait together arrive in any order.
      const inOrder = events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
      return inOrder as unknown as Record<string, unknown>[]
    } finally {
      vi.useRealTimers()
    }
  }

  test('400: an event that there is not', async () => {
    const answer = await service.post('/api/v1/webhooks', { url: receiver.url, events: ['scan.began'] }, caller.key)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toContain(
      'scan.completed, scan.failed, finding.new, gate.failed, quota.low, key.expiring',
    )
  })

  test('finding.new: what no scan of the project had seen, once', async () => {
    const secret = await subscribe('finding.new')
    const first = await scan(pinned)
    await scan(`// moved\n${pinned}`)
    const third = await scan(open)
    await scan(pinned)
    await scan(open)
    const events = await arrived(secret)
    expect(events.map(({ scanId, newCount }) => [scanId, newCount])).toEqual([
      [first.scanId, 1],
      [third.scanId, 1],
    ])
    expect(events[1]).toMatchObject({
      type: 'finding.new',
      project: 'vaults',
      status: 'completed',
      kind: 'standard',
      completeness: 'full',
      fileName: 'Open.sol',
      findings: [{ vulnerabilityId: 'SWC-103', file: 'Open.sol', severity: 'high' }],
    })
  })

  test('quota.low: at four fifths and at the end of the day’s scans, once each, by mail too', async () => {
    const secret = await subscribe('quota.low')
    await createAccountLimitsStore(service.deps.db).override(caller.account.userId, { scans_per_day: 5 })
    for (let n = 0; n < 3; n++) await scan(pinned)
    expect(await arrived(secret)).toEqual([])
    await scan(pinned)
    await scan(pinned)
    // More room, and what was reported is not reported again.
    await createAccountLimitsStore(service.deps.db).override(caller.account.userId, { scans_per_day: 7 })
    await scan(pinned)
    await scan(pinned)
    expect(await arrived(secret)).toMatchObject([
      { type: 'quota.low', percent: 80, used: 4, limit: 5, plan: 'pro', resetsAt: expect.stringMatching(/T00:00:00/) },
      { type: 'quota.low', percent: 100, used: 5, limit: 5 },
    ])
    const mails = service.mails.filter(({ to, subject }) => to === caller.account.email && subject.includes('daily'))
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      '80 % of your daily scans are used',
      'Your daily scan quota is used up',
    ])
    service.clock.travel('P1D')
    for (let n = 0; n < 6; n++) await scan(pinned)
    expect(await arrived(secret)).toHaveLength(3)
  })

  test('key.expiring: once for a key, by mail too', async () => {
    const secret = await subscribe('key.expiring')
    const { userId, email, session } = caller.account
    const wish = { userId, type: 'TEST', name: 'short', expiresInDays: 20 }
    const { apiKey } = (await service.post('/api/generate-api-key', wish, session)).json()
    await service.runJobs()
    expect(await arrived(secret)).toEqual([])
    service.clock.travel('P7D')
    // What matters is the plan on that day.
    await createAccountStore(service.deps.db).setPlan(userId, 'pro', service.clock.now().getTime())
    await service.runJobs()
    service.clock.travel('P1D')
    await service.runJobs()
    expect(await arrived(secret)).toMatchObject([
      { type: 'key.expiring', keyId: apiKey.id, name: 'short', keyType: 'TEST', expiresAt: apiKey.expiresAt },
    ])
    const mails = service.mails.filter(({ to, subject }) => to === email && subject.includes('about to expire'))
    expect(mails).toHaveLength(1)
  })

  test('below pro nothing is sent, though the webhook is kept', async () => {
    const secret = await subscribe('finding.new', 'quota.low', 'key.expiring')
    await createAccountStore(service.deps.db).setPlan(caller.account.userId, 'basic', service.clock.now().getTime())
    await createAccountLimitsStore(service.deps.db).override(caller.account.userId, { scans_per_day: 1 })
    await scan(open)
    expect(await arrived(secret)).toEqual([])
  })
})
