import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { plans } from '../core/plans.ts'
import type { Secrets } from '../core/secrets.ts'
import { traced } from '../core/tracing.ts'
import type { OutgoingMail, SmtpOutcome } from '../gateways/smtp.ts'
import { footer, type MailFacts, type MailName, mailTemplates, type NoticeKind } from '../messages/mails.ts'
import { defineJobKind } from '../queue/job.ts'
import type { Queue } from '../queue/queue.ts'
import { createAccountStore } from '../stores/accounts.ts'
import type { Db } from '../stores/database.ts'
import { createMailPreferenceStore } from '../stores/mail-preferences.ts'
import { composeMail } from './compose-mail.ts'
import { isWanted } from './mail-preferences.ts'
import { recipientsOf } from './recipients.ts'
import { oneClickHeaders, unsubscribeUrl } from './unsubscribe.ts'

/** Waits with its content sealed: a code in the queue's table would be a code for anyone who reads the table. */
export const mailJob = defineJobKind({
  name: 'mail',
  payload: z.object({ id: z.string(), to: z.string(), sealed: z.string() }),
  /** A server that is down for days delays a mail; it does not lose it. */
  retryAfterSeconds: [2, 10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 86_400, 86_400, 86_400],
  timeoutSeconds: 30,
})

const content = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  date: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
})

export interface MailDeps {
  queue: Pick<Queue, 'enqueue'>
  secrets: Secrets
  clock: Clock
}

/** Queues a mail in the caller's transaction: it leaves exactly if that commits. */
export async function queueMail<Name extends MailName>(
  deps: MailDeps,
  tx: Db,
  to: string,
  name: Name,
  facts: MailFacts<Name>,
  unsubscribeUrl?: string,
): Promise<void> {
  const template = mailTemplates[name] as (facts: MailFacts<Name>) => Parameters<typeof composeMail>[0]
  const { subject, blocks } = template(facts)
  const stop = unsubscribeUrl ? [{ link: unsubscribeUrl, label: footer.turnOff }] : []
  const mail = {
    ...composeMail({ subject, blocks: [...blocks, ...stop] }),
    date: deps.clock.now().toISOString(),
    ...(unsubscribeUrl && { headers: oneClickHeaders(unsubscribeUrl) }),
  }
  const id = newId('mail')
  await deps.queue.enqueue(tx, mailJob, { id, to, sealed: deps.secrets.seal('mail', JSON.stringify(mail), id) })
}

/**
 * Queues a notice that the account's plan includes and its owner has not turned off; says whether it did. Facts that
 * every notice shares are filled in.
 */
export async function queueNotice<Kind extends NoticeKind>(
  deps: MailDeps & { config: Pick<Config, 'publicUrl'> },
  tx: Db,
  accountId: string,
  kind: Kind,
  facts: Omit<MailFacts<Kind>, 'publicUrl'>,
): Promise<boolean> {
  return queueNoticeAs(deps, tx, accountId, kind, kind, facts)
}

/** The same in the words of another mail: anyone who has turned the kind off gets neither. */
export async function queueNoticeAs<Name extends MailName>(
  deps: MailDeps & { config: Pick<Config, 'publicUrl'> },
  tx: Db,
  accountId: string,
  kind: NoticeKind,
  name: Name,
  facts: Omit<MailFacts<Name>, 'publicUrl'>,
): Promise<boolean> {
  const account = await createAccountStore(tx).find(accountId)
  if (!account || !plans[account.plan].features.mailNotices) return false
  const preferences = await createMailPreferenceStore(tx).list(accountId)
  if (!isWanted(preferences, kind)) return false
  const organisation = account.kind === 'person' ? undefined : account.name
  const shared = { publicUrl: deps.config.publicUrl, organisation, ...facts } as unknown as MailFacts<Name>
  const stop = unsubscribeUrl(deps, accountId, kind)
  for (const address of await recipientsOf(tx, account)) await queueMail(deps, tx, address, name, shared, stop)
  return true
}

export interface DeliverMailDeps {
  config: Pick<Config, 'mailFrom' | 'publicUrl'>
  secrets: Secrets
  log: Log
  mailer: { send(mail: OutgoingMail): Promise<SmtpOutcome> }
}

/** Hands a queued mail over. Throws when another try may help; a mail that nobody will ever take is let go. */
export async function deliverMail(deps: DeliverMailDeps, job: z.infer<typeof mailJob.payload>): Promise<void> {
  const { subject, text, html, date, headers } = content.parse(
    JSON.parse(deps.secrets.open('mail', job.sealed, job.id)),
  )
  const mail = {
    from: deps.config.mailFrom,
    to: job.to,
    subject,
    text,
    html,
    messageId: `<${job.id}@${new URL(deps.config.publicUrl).hostname}>`,
    date: new Date(date),
    ...(headers && { headers }),
  }
  const outcome = await traced('mail', () => deps.mailer.send(mail))
  if (outcome.kind === 'later') throw new Error(`The mail server did not take the mail: ${outcome.reason}`)
  if (outcome.kind === 'refused') deps.log.warn({ mail: job.id, reason: outcome.reason }, 'mail refused for good')
}
