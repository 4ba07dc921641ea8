import { unsubscribe as texts } from '../messages/pages.ts'
import { escapeHtml } from '../services/compose-mail.ts'
import { renderPlainPage } from './plain-page.ts'

const toAccount = `<p class="soft"><a href="/account">${texts.manageAll}</a></p>`

const nameOf = (kind: string): string => texts.kinds[kind] ?? kind

/** Opening a link must not change anything: programs open links too. */
export const renderUnsubscribe = (kind: string): string =>
  renderPlainPage(
    texts.title,
    `<p>${escapeHtml(texts.turnOff(nameOf(kind)))}</p>
<form method="post"><button class="primary">${texts.turnOffButton}</button></form>
${toAccount}`,
  )

export const renderUnsubscribed = (kind: string): string =>
  renderPlainPage(texts.title, `<p role="status">${escapeHtml(texts.turnedOff(nameOf(kind)))}</p>\n${toAccount}`)

/** Anyone who came by a link in a mail reads words, not JSON. */
export const renderUnsubscribeRefusal = (words: string): string =>
  renderPlainPage(texts.title, `<p role="alert">${escapeHtml(words)}</p>\n${toAccount}`)
