import { expect, test } from 'vitest'
import { bodyFor } from './chat-message.ts'

const event = JSON.stringify({
  type: 'finding.new',
  scanId: 'scn_1',
  project: 'vault <!channel> @everyone',
  newCount: 1,
  findings: [{ severity: 'critical', title: 'Reentrancy' }],
})
const post = (url: string, body = event) => JSON.parse(bodyFor(url, body, 'https://assay.example'))

test('any other server gets the event as it is', () => {
  expect(bodyFor('https://example.com/hooks.slack.com/services/', event, 'https://assay.example')).toBe(event)
})

test('Slack gets a text in which nothing of a name is a mention', () => {
  expect(post('https://hooks.slack.com/services/T/B/x')).toEqual({
    text: 'vault &lt;!channel&gt; @everyone: 1 new finding. critical: Reentrancy <https://assay.example/scans/scn_1|Open in Assay>',
  })
})

test('Discord gets a content that mentions nobody', () => {
  expect(post('https://discord.com/api/webhooks/1/x')).toMatchObject({
    content: expect.stringContaining('1 new finding'),
    allowed_mentions: { parse: [] },
  })
})

test('Teams gets a card with a link', () => {
  const { attachments } = post('https://prod-1.westeurope.logic.azure.com:443/workflows/x')
  expect(attachments[0].content.body[0].text).toContain('critical: Reentrancy')
  expect(attachments[0].content.actions[0].url).toBe('https://assay.example/scans/scn_1')
})

test.each([
  [{ type: 'scan.failed', fileName: 'A.sol' }, 'A.sol: scan failed.'],
  [
    {
      type: 'scan.completed',
      fileName: 'A.sol',
      vulnerabilitiesCount: 2,
      securityScore: { score: 70, rating: 'Fair', summary: { total: 2, critical: 1, high: 1, medium: 0, low: 0 } },
    },
    'A.sol: scan completed. 2 findings (1 critical, 1 high), score 70 of 100.',
  ],
  [{ type: 'quota.low', used: 80, limit: 100 }, 'Daily quota: 80 of 100 scans used.'],
  [{ type: 'key.expiring', name: 'CI', expiresAt: '2026-03-10T12:00:00Z' }, 'API key CI expires 2026-03-10.'],
  [{ type: 'webhook.test' }, 'Assay is connected to this channel.'],
])('%o in words', (given, words) => {
  expect(post('https://discord.com/api/webhooks/1/x', JSON.stringify(given)).content).toContain(words)
})
