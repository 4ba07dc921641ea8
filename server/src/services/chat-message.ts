/** Chats take messages in shapes of their own: a webhook at one of their addresses gets a sentence instead of the event. */
type Chat = 'slack' | 'discord' | 'teams'

const chats: readonly (readonly [RegExp, Chat])[] = [
  [/^https:\/\/hooks\.slack(-gov)?\.com\/(services|workflows|triggers)\//, 'slack'],
  [/^https:\/\/(\w+\.)?discord(app)?\.com\/api\/(v\d+\/)?webhooks\//, 'discord'],
  [/^https:\/\/[\w.-]+\.(webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)(:443)?\//, 'teams'],
]

/** What is posted to an address: the event as it is, or, to a chat, one message in its shape. */
export function bodyFor(url: string, event: string, publicUrl: string): string {
  const chat = chats.find(([address]) => address.test(url))?.[1]
  return chat === undefined ? event : JSON.stringify(shapes[chat](wordsOf(JSON.parse(event)), publicUrl))
}

interface Words {
  text: string
  /** Below the dashboard's address. */
  path?: string | undefined
}

const shapes: Record<Chat, (words: Words, publicUrl: string) => object> = {
  // `<`, `>` and `&` are what Slack reads as links and mentions.
  slack: ({ text, path }, publicUrl) => ({
    text: `${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}${path ? ` <${publicUrl}${path}|Open in Assay>` : ''}`,
  }),
  discord: ({ text, path }, publicUrl) => ({
    content: `${text.slice(0, 1500)}${path ? `\n${publicUrl}${path}` : ''}`,
    allowed_mentions: { parse: [] },
  }),
  teams: ({ text, path }, publicUrl) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'TextBlock', text, wrap: true }],
          ...(path && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Assay', url: `${publicUrl}${path}` }] }),
        },
      },
    ],
  }),
}

interface Event {
  type: string
  scanId?: string
  fileName?: string
  project?: string | null
  vulnerabilitiesCount?: number
  securityScore?: { score: number; summary: Record<'critical' | 'high' | 'medium' | 'low', number> } | null
  tally?: { findings: number; bySeverity: Record<string, number> } | null
  gate?: { isPassed: boolean; reason: string } | null
  newCount?: number
  findings?: readonly { severity: string; title: string }[]
  used?: number
  limit?: number
  name?: string
  expiresAt?: string
}

function wordsOf(event: Event): Words {
  const what = event.project ?? event.fileName ?? 'A scan'
  const path = event.scanId && `/scans/${event.scanId}`
  switch (event.type) {
    case 'scan.completed':
      return { text: `${what}: scan completed. ${countsOf(event)}${gateOf(event)}`, path }
    case 'scan.failed':
      return { text: `${what}: scan failed.`, path }
    case 'finding.new':
      return { text: `${what}: ${newOf(event)}`, path }
    case 'gate.failed':
      return { text: `${what}: gate failed. ${event.gate?.reason ?? ''}`, path }
    case 'quota.low':
      return { text: `Daily quota: ${event.used} of ${event.limit} scans used.`, path: '/plan' }
    case 'key.expiring':
      return { text: `API key ${event.name ?? ''} expires ${event.expiresAt?.slice(0, 10) ?? 'soon'}.`, path: '/keys' }
    default:
      return { text: 'Assay is connected to this channel.' }
  }
}

function countsOf({ securityScore, vulnerabilitiesCount = 0, tally }: Event): string {
  if (!securityScore) return ''
  const bySeverity: Record<string, number> = tally?.bySeverity ?? securityScore.summary
  const counts = Object.entries(bySeverity).filter(([name, count]) => name !== 'total' && count > 0)
  const words = counts.map(([severity, count]) => `${count} ${severity}`).join(', ')
  return `${countOf(tally?.findings ?? vulnerabilitiesCount, 'finding')}${words && ` (${words})`}, score ${securityScore.score} of 100.`
}

const gateOf = ({ gate }: Event): string => (gate ? ` Gate ${gate.isPassed ? 'passed' : 'failed'}: ${gate.reason}` : '')

function newOf({ newCount = 0, findings = [] }: Event): string {
  const titles = findings.slice(0, 3).map(({ severity, title }) => `${severity}: ${title}`)
  return `${countOf(newCount, 'new finding')}. ${titles.join('; ')}`
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
