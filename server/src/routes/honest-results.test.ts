import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../gateways/stand-ins/webhook-receiver.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

/** One weakness that stands, one that a comment suppresses, and a function that cannot be read. */
const source = `pragma solidity ^0.8.20; // assay-ignore SWC-103: the library must float
contract Open {
  function close() external { selfdestruct(payable(msg.sender)); }
  function broken( external {}
}
`

/** Wherever a result is reported, what was not read and what was suppressed is reported with it. */
describeOnEachDatabase('nothing unread is called clean', (context) => {
  let service: ScanService
  let receiver: WebhookReceiver
  let caller: TestCaller
  let scanId: string
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
    const hook = { url: receiver.url, events: ['scan.completed'] }
    expect((await service.post('/api/v1/webhooks', hook, caller.key)).statusCode).toBe(201)
    const answer = await service.scan(caller.key, sourceForm(source, 'Open.sol'))
    expect(answer.statusCode, answer.body).toBe(200)
    scanId = answer.json().scanId
    service.clock.travel('PT1M')
    await service.runJobs()
  })
  afterAll(async () => {
    await service.close()
    await receiver.close()
  })

  test('in the message of a result, read at once and later', async () => {
    const { data } = (await service.get(`/api/v1/scans/${scanId}`, caller.key)).json()
    expect(data).toMatchObject({
      completeness: 'partial',
      counts: { critical: 1, high: 0, suppressed: 1 },
      message: expect.stringMatching(/^Incomplete: the file was analyzed in part\..*1 finding suppressed/),
    })
    expect(data.parseErrors[0]).toMatchObject({ line: 4 })
  })

  test('in the text of the earlier endpoint', async () => {
    const answer = await service.scan(caller.key, sourceForm(source, 'Open.sol'), '/scan')
    expect(answer.json().message).toMatch(/^Incomplete: the file was analyzed in part\..*1 finding suppressed/)
  })

  test('in the listing', async () => {
    const { scans } = (await service.get('/api/v1/scans', caller.key)).json().data
    const listed = scans.find((scan: { scanId: string }) => scan.scanId === scanId)
    expect(listed).toMatchObject({ completeness: 'partial', counts: { suppressed: 1 }, fileName: 'Open.sol' })
  })

  test.each(['markdown', 'html', 'sarif'])('in the report as %s', async (format) => {
    const { body } = await service.get(`/api/v1/scans/${scanId}/report?format=${format}`, caller.key)
    expect(body).toMatch(/Incomplete: the file|"executionSuccessful":false/)
    expect(body).toContain('SWC-103')
  })

  test('in the mail', async () => {
    const mail = service.mails.find(
      ({ to, subject }) => to === caller.account.email && subject.startsWith('Open.sol: '),
    )
    expect(mail?.text).toContain('Open.sol has 1 critical')
    expect(mail?.text).toContain('Incomplete: some of the source could not be analyzed')
    expect(mail?.text).toContain('1 finding suppressed by comments')
  })

  test('in the event', async () => {
    const event = receiver.received.map(({ body }) => JSON.parse(body)).find((one) => one.scanId === scanId)
    expect(event).toMatchObject({
      type: 'scan.completed',
      kind: 'standard',
      completeness: 'partial',
      fileName: 'Open.sol',
      counts: { critical: 1, suppressed: 1 },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      engineVersion: expect.any(String),
      createdAt: expect.any(String),
    })
  })
})
