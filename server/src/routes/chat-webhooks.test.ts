import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAddressGuard } from '../gateways/address-guard.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../gateways/stand-ins/webhook-receiver.ts'
import { createWebhookSender, type WebhookSender } from '../gateways/webhook-sender.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const clean = 'pragma solidity 0.8.26;\ncontract Open { uint256 public constant x = 1; }\n'
const open =
  'pragma solidity 0.8.26;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'

const slack = 'https://hooks.slack.com/services/T0/B0/x'
const discord = 'https://discord.com/api/webhooks/1/x'
const teams = 'https://prod-1.westeurope.logic.azure.com:443/workflows/x'

describeOnEachDatabase('webhooks of chats', (context) => {
  let receiver: WebhookReceiver
  let service: ScanService
  let caller: TestCaller

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    service = await startScanService(context.database)
    service.deps.webhookSender = towards(receiver)
    caller = await service.newCaller('pro')
  })
  afterAll(async () => {
    await service.close()
    await receiver.close()
  })

  /** The chats' servers, on this machine: the rest of the way is the real one. */
  const towards = ({ port }: WebhookReceiver): WebhookSender => {
    const sender = createWebhookSender({
      guard: createAddressGuard({ isLoopbackAllowed: true }),
      isPlainLoopbackAllowed: true,
      elapsed: () => performance.now(),
    })
    return {
      findProblem: async () => null,
      post: (message) =>
        sender.post({ ...message, url: `http://127.0.0.1:${port}/${new URL(message.url).hostname.split('.').at(-2)}` }),
    }
  }
  const scan = async (bytes: string) => {
    const parts = form({ name: 'file', fileName: 'Open.sol', bytes }, { name: 'project', value: 'vaults' })
    const answer = await service.scan(caller.key, parts)
    expect(answer.statusCode, answer.body).toBe(200)
    service.clock.travel('PT1S')
    return answer.json().scanId as string
  }
  const postsTo = (name: string) =>
    receiver.received.filter(({ path }) => path === `/${name}`).map(({ body }) => JSON.parse(body))

  test('new findings and a failed gate arrive as messages in the shape of each chat', async () => {
    const events = ['finding.new', 'gate.failed']
    for (const url of [slack, discord, teams]) {
      const answer = await service.post('/api/v1/webhooks', { url, events }, caller.key)
      expect(answer.statusCode, answer.body).toBe(201)
    }
    await scan(clean)
    const [{ id }] = (await service.get('/api/v1/projects', caller.key)).json().data.projects
    const gate = { failOn: 'high', onlyNew: false }
    await service.inject({ method: 'PATCH', url: `/api/v1/projects/${id}`, headers: caller.key, payload: { gate } })
    const scanId = await scan(open)
    await service.runJobs()

    const link = `${service.deps.config.publicUrl}/scans/${scanId}`
    const found = /^vaults: \d+ new findings?\. critical: /
    const failed = /^vaults: gate failed\. 1 open finding at or above high: 1 critical\./
    const said = { slack: postsTo('slack'), discord: postsTo('discord'), azure: postsTo('azure') }
    for (const words of [found, failed]) {
      expect(
        said.slack.filter(({ text }) => words.test(text) && text.endsWith(` <${link}|Open in Assay>`)),
      ).toHaveLength(1)
      expect(said.discord.filter(({ content }) => words.test(content) && content.endsWith(`\n${link}`))).toHaveLength(1)
      const cards = said.azure.map(({ attachments }) => attachments[0])
      expect(cards.every(({ contentType }) => contentType === 'application/vnd.microsoft.card.adaptive')).toBe(true)
      const shown = cards.filter(({ content }) => words.test(content.body[0].text) && content.actions[0].url === link)
      expect(shown).toHaveLength(1)
    }
    expect(receiver.received.every(({ headers }) => headers['content-type'] === 'application/json')).toBe(true)
    const { webhooks } = (await service.get('/api/v1/webhooks', caller.key)).json().data
    for (const webhook of webhooks as { id: string }[]) {
      const { deliveries } = (await service.get(`/api/v1/webhooks/${webhook.id}/deliveries`, caller.key)).json().data
      expect(deliveries.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'delivered'])
    }
  })
})
