import { escapeHtml } from '../services/compose-mail.ts'
import { renderPlainPage } from './plain-page.ts'

const names: Readonly<Record<string, string>> = {
  scanFindings: 'scans with critical or high findings',
  quotaUsage: 'the daily quota',
  keyExpiring: 'API keys about to expire',
  planChanged: 'changes of the plan',
  paymentFailed: 'failed payments',
  webhookDisabled: 'disabled webhooks',
}

const title = 'Mail preferences'
const toAccount = '<p class="soft">Your <a href="/account">account</a> has a switch for every kind of mail.</p>'

/** Opening a link must not change anything: programs open links too. */
export const renderUnsubscribe = (kind: string): string =>
  renderPlainPage(
    title,
    `<p>Turn off mails about ${escapeHtml(names[kind] ?? kind)}?</p>
<form method="post"><button class="primary">Turn them off</button></form>
${toAccount}`,
  )

export const renderUnsubscribed = (kind: string): string =>
  renderPlainPage(
    title,
    `<p role="status">Mails about ${escapeHtml(names[kind] ?? kind)} are turned off.</p>\n${toAccount}`,
  )

/** Anyone who came by a link in a mail reads words, not JSON. */
export const renderUnsubscribeRefusal = (words: string): string =>
  renderPlainPage(title, `<p role="alert">${escapeHtml(words)}</p>\n${toAccount}`)
