import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import type { Secrets } from '../core/secrets.ts'
import { type NoticeKind, noticeKinds } from '../messages/mails.ts'
import type { Client } from './caller.ts'
import { changeMailPreferences, type MailPreferenceDeps } from './mail-preferences.ts'

const purpose = 'unsubscribe'
const context = 'mail'
const content = z.tuple([z.string(), z.enum(noticeKinds)])

/** Sealed, not just signed: the address of a page must not show who the reader is. */
export function unsubscribeUrl(
  { secrets, config }: { secrets: Secrets; config: Pick<Config, 'publicUrl'> },
  accountId: string,
  kind: NoticeKind,
): string {
  const token = secrets.seal(purpose, JSON.stringify([accountId, kind]), context)
  return `${config.publicUrl}/unsubscribe?token=${token}`
}

/** RFC 8058: a mail program may unsubscribe with one POST, without showing anything. */
export const oneClickHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** The kind of mail a link turns off; refuses a link of another service. */
export function readUnsubscribeToken(
  { secrets }: { secrets: Secrets },
  token: string,
): { accountId: string; kind: NoticeKind } {
  try {
    const [accountId, kind] = content.parse(JSON.parse(secrets.open(purpose, token, context)))
    return { accountId, kind }
  } catch {
    return refuse('unsubscribeInvalid')
  }
}

/** Turns a kind of mail off. Doing it twice is doing it once. */
export async function unsubscribe(
  deps: MailPreferenceDeps & { secrets: Secrets },
  token: string,
  client: Client,
): Promise<NoticeKind> {
  const { accountId, kind } = readUnsubscribeToken(deps, token)
  await changeMailPreferences(deps, accountId, { [kind]: false }, client)
  return kind
}
