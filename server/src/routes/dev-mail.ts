import { z } from 'zod'
import { refuse } from '../core/errors.ts'
import { defineRoute } from '../http/define-route.ts'
import { isFromConsole, type TrialDeps } from '../http/trial.ts'
import { outbox as texts } from '../messages/pages.ts'
import { escapeHtml } from '../services/compose-mail.ts'

interface KeptMail {
  to: string
  subject: string
  date: string
  text: string
}

interface DevMailDeps extends TrialDeps {
  /** Absent when mails really leave. */
  outbox: { list(limit: number): Promise<KeptMail[]> } | undefined
}

const SHOWN = 50

export default defineRoute({
  method: 'GET',
  url: '/dev/mail',
  summary: 'The mails of a local trial installation',
  tag: 'Service',
  access: 'public',
  needsDatabase: false,
  noStore: true,
  hidden: true,
  responses: {
    200: { description: 'The newest mails.', contentType: 'text/html', alsoAs: { 'application/json': z.unknown() } },
  },
  refusals: ['unknownRoute'],
  async handle({ outbox, ...trial }: DevMailDeps, { request, reply }) {
    if (!outbox || !isFromConsole(trial, request)) return refuse('unknownRoute')
    const mails = await outbox.list(SHOWN)
    if (!(request.headers.accept ?? '').includes('text/html')) return { mails }
    return reply.type('text/html; charset=utf-8').send(pageOf(mails))
  },
})

const pageOf = (mails: readonly KeptMail[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>${texts.title}</title>
<body style="font-family: system-ui, sans-serif; max-width: 44em; margin: 2em auto; padding: 0 1em">
<h1>${texts.title}</h1>
<p>${texts.noSmtp}</p>
${mails.map(sectionOf).join('\n') || `<p>${texts.empty}</p>`}
</body>
</html>
`

const sectionOf = ({ to, subject, date, text }: KeptMail): string => `<section>
<h2 style="font-size: 1.1em">${escapeHtml(subject)}</h2>
<p>${escapeHtml(texts.sent(date, to))}</p>
<pre style="white-space: pre-wrap; background: #8882; padding: 1em">${escapeHtml(text)}</pre>
</section>`
