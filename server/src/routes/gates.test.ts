import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../gateways/stand-ins/webhook-receiver.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

/** One critical finding. */
const open =
  'pragma solidity 0.8.26;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'
/** One high finding beside it. */
const floating = open.replace('0.8.26', '^0.8.20')
const clean = 'pragma solidity 0.8.26;\ncontract Open { uint256 public constant x = 1; }\n'

interface Verdict {
  isPassed: boolean
  reason: string
}

describeOnEachDatabase('gates', (context) => {
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

  const scan = async (source: string, ref = 'main', url = '/api/v1/scan') => {
    const parts = form(
      { name: 'file', fileName: 'Open.sol', bytes: source },
      { name: 'project', value: 'vaults' },
      { name: 'ref', value: ref },
    )
    const answer = await service.scan(caller.key, parts, url)
    expect(answer.statusCode, answer.body).toBe(200)
    service.clock.travel('PT1S')
    return answer.json() as { scanId: string; gate?: Verdict }
  }
  const read = async (url: string) => {
    const answer = await service.inject({ method: 'GET', url, headers: caller.key })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data
  }
  const findProject = async () => (await read('/api/v1/projects')).projects[0]
  const change = (id: string, body: object, headers: Record<string, string> = caller.key) =>
    service.inject({ method: 'PATCH', url: `/api/v1/projects/${id}`, headers, payload: body })
  const setGate = async (gate: object | null) => {
    const answer = await change((await findProject()).id, { gate })
    expect(answer.statusCode, answer.body).toBe(200)
    service.clock.travel('PT1S')
    return answer.json().data
  }

  test('200: a project has none until one is set, and none again when it is taken away', async () => {
    const first = await scan(open)
    expect(first).not.toHaveProperty('gate')
    expect(await findProject()).toMatchObject({ gate: null, trend: [{ gate: null }] })
    const set = await setGate({ failOn: 'high' })
    expect(set.gate).toMatchObject({ failOn: 'high', onlyNew: false, since: expect.stringMatching(/Z$/) })
    // The newest run of the default branch is judged right away.
    expect(set.trend[0].gate).toEqual({
      failOn: 'high',
      onlyNew: false,
      isPassed: false,
      bySeverity: { critical: 1, high: 0 },
      reason: '1 open finding at or above high: 1 critical.',
    })
    expect((await read(`/api/v1/scans/${first.scanId}`)).gate).toMatchObject({ isPassed: false })
    expect(await setGate(null)).toMatchObject({ gate: null })
    expect(await scan(open)).not.toHaveProperty('gate')
  })

  test('200: every run is judged, in the answer, in the list and by its id', async () => {
    await scan(clean)
    await setGate({ failOn: 'high' })
    const failed = await scan(floating)
    expect(failed.gate).toMatchObject({
      isPassed: false,
      reason: '2 open findings at or above high: 1 critical, 1 high.',
    })
    const passed = await scan(clean)
    expect(passed.gate).toMatchObject({ isPassed: true, reason: 'No open findings at or above high.' })
    const { scans } = await read('/api/v1/scans?project=vaults')
    expect(scans.map(({ gate }: { gate: Verdict | null }) => gate?.isPassed)).toEqual([true, false, true])
    expect((await read(`/api/v1/scans/${failed.scanId}`)).gate).toEqual(failed.gate)
  })

  test('200: findings below the severity do not count', async () => {
    await scan(clean)
    await setGate({ failOn: 'critical' })
    const high = 'pragma solidity ^0.8.20;\ncontract Open { uint256 public constant x = 1; }\n'
    expect((await scan(high)).gate).toMatchObject({ isPassed: true, bySeverity: { critical: 0 } })
    await setGate({ failOn: 'high' })
    expect((await findProject()).trend[0].gate).toMatchObject({ isPassed: false })
  })

  test('200: a run that was queued is judged as well', async () => {
    await scan(clean)
    await setGate({ failOn: 'high' })
    const parts = form({ name: 'file', fileName: 'Open.sol', bytes: open }, { name: 'project', value: 'vaults' })
    const queued = await service.scan(caller.key, parts, '/api/v1/scan?async=true')
    expect(queued.statusCode, queued.body).toBe(202)
    await service.runJobs()
    expect((await read(`/api/v1/scans/${queued.json().scanId}`)).gate).toMatchObject({ isPassed: false })
  })

  test('200: only new ones: what was there when the gate was set passes, what comes later fails until it is gone', async () => {
    await scan(open)
    await setGate({ failOn: 'high', onlyNew: true })
    expect((await scan(open)).gate).toMatchObject({ isPassed: true, reason: 'No new findings at or above high.' })
    const failing = { isPassed: false, reason: '1 new finding at or above high: 1 high.' }
    expect((await scan(floating)).gate).toMatchObject(failing)
    // Nothing changed since: the same answer again, also after the severity was changed.
    expect((await scan(floating)).gate).toMatchObject(failing)
    await setGate({ failOn: 'medium', onlyNew: true })
    expect((await scan(floating)).gate).toMatchObject({ isPassed: false })
    expect((await scan(open)).gate).toMatchObject({ isPassed: true })
  })

  test('200: a branch fails for what the default branch does not have', async () => {
    await scan(open)
    await setGate({ failOn: 'high', onlyNew: true })
    expect((await scan(open, 'feature')).gate).toMatchObject({ isPassed: true })
    expect((await scan(floating, 'feature')).gate).toMatchObject({ isPassed: false })
    expect((await scan(floating, 'feature')).gate).toMatchObject({ isPassed: false })
    // Merged: it fails the default branch, and no longer every other one.
    expect((await scan(floating)).gate).toMatchObject({ isPassed: false })
    expect((await scan(floating, 'other')).gate).toMatchObject({ isPassed: true })
  })

  test('200: what is dismissed or accepted no longer fails the newest run', async () => {
    const { scanId } = await scan(open)
    await setGate({ failOn: 'high' })
    const [finding] = (await read(`/api/v1/findings?scanId=${scanId}&severity=critical`)).findings
    const decide = (state: string) =>
      service.inject({
        method: 'PATCH',
        url: `/api/v1/findings/${finding.id}`,
        headers: caller.key,
        payload: { state, ...(state === 'accepted' && { reason: 'known' }) },
      })
    expect((await decide('accepted')).statusCode).toBe(200)
    expect((await read(`/api/v1/scans/${scanId}`)).gate).toMatchObject({ isPassed: true })
    expect((await scan(open)).gate).toMatchObject({ isPassed: true })
    expect((await decide('open')).statusCode).toBe(200)
    expect((await findProject()).trend[0].gate).toMatchObject({ isPassed: false })
    // The run before is not the newest any more: it keeps what it was found to be.
    expect((await read(`/api/v1/scans/${scanId}`)).gate).toMatchObject({ isPassed: true })
  })

  test('200: a shared scan does not say what its project demands', async () => {
    await scan(clean)
    await setGate({ failOn: 'high' })
    const { scanId } = await scan(open)
    const link = await service.post(`/api/v1/scans/${scanId}/links`, {}, caller.account.session)
    expect(link.statusCode, link.body).toBe(201)
    const token = /shared\/(\w+)\/badge/.exec(link.json().data.badgeUrl)?.[1]
    const shared = await service.inject({ method: 'GET', url: `/api/v1/shared/${token}` })
    expect(shared.statusCode, shared.body).toBe(200)
    expect(shared.json().data).not.toHaveProperty('gate')
  })

  test('gate.failed: for each run that fails, with the reason; scan.completed says it too', async () => {
    const events = ['scan.completed', 'gate.failed']
    const webhook = await service.post('/api/v1/webhooks', { url: receiver.url, events }, caller.key)
    expect(webhook.statusCode, webhook.body).toBe(201)
    await scan(clean)
    await setGate({ failOn: 'high' })
    await scan(clean)
    const { scanId } = await scan(open)
    await service.runJobs()
    const received = receiver.received.map(({ body }) => JSON.parse(String(body)))
    const failed = received.filter(({ type }) => type === 'gate.failed')
    expect(failed).toMatchObject([
      { scanId, project: 'vaults', gate: { isPassed: false, reason: '1 open finding at or above high: 1 critical.' } },
    ])
    const completed = received.filter(({ type }) => type === 'scan.completed')
    expect(completed.map(({ gate }) => gate?.isPassed ?? null).sort()).toEqual([false, null, true])
  })

  test('400: a severity that there is not; 404: the project of another', async () => {
    await scan(open)
    const { id } = await findProject()
    for (const gate of [{ failOn: 'severe' }, { onlyNew: true }, 'high'])
      expect((await change(id, { gate })).statusCode).toBe(400)
    expect((await change(id, {})).json().error).toBe('defaultRef, tags, gate or scope is required.')
    const other = await service.newCaller('pro')
    expect((await change(id, { gate: { failOn: 'high' } }, other.key)).statusCode).toBe(404)
    expect(await findProject()).toMatchObject({ gate: null })
  })
})
