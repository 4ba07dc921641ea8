import { createTransport } from 'nodemailer'

/** Hands one mail to the mail server; says whether a failure is worth another try. */
export interface SmtpGateway {
  send(mail: OutgoingMail): Promise<SmtpOutcome>
  close(): void
}

export interface CheckedSmtpGateway extends SmtpGateway {
  /** Connects and logs in without sending; why that fails, if it does. */
  findProblem(): Promise<string | undefined>
}

export interface OutgoingMail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The same on every try, so that a repeated mail can be recognized. */
  readonly messageId: string
  readonly date: Date
  readonly headers?: Readonly<Record<string, string>>
}

export type SmtpOutcome =
  | { readonly kind: 'sent' }
  /** The server is away or busy: try later. */
  | { readonly kind: 'later'; readonly reason: string }
  /** The server will never take this mail. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface SmtpOptions {
  readonly url: string
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 15_000

export function createSmtpGateway({ url, timeoutMs = defaultTimeoutMs }: SmtpOptions): CheckedSmtpGateway {
  const transport = createTransport({
    ...connectionOf(url),
    pool: true,
    maxConnections: 3,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A body is text that we made: nothing in it may make us read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ headers, ...mail }) {
      try {
        await transport.sendMail({ ...mail, ...(headers && { headers }) })
        return { kind: 'sent' }
      } catch (error) {
        return judge(error)
      }
    },
    async findProblem() {
      try {
        await transport.verify()
        return undefined
      } catch (error) {
        return reasonOf(error)
      }
    },
    close: () => transport.close(),
  }
}

interface Connection {
  host: string
  port: number
  secure: boolean
  auth?: { user: string; pass: string }
  tls?: { rejectUnauthorized: boolean }
}

/**
 * `smtps://` speaks TLS from the first byte; `smtp://` upgrades when the server offers it. Where no password is sent,
 * the upgrade takes any certificate: it replaces plain text, and refusing it would help nobody who can strip the offer.
 */
export function connectionOf(text: string): Connection {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const isChecked = url.searchParams.get('tls.rejectUnauthorized') !== 'false' && (secure || user !== '')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    ...(user && { auth: { user, pass: decodeURIComponent(url.password) } }),
    tls: { rejectUnauthorized: isChecked },
  }
}

/** A 5xx to the message or its recipient is final; anything about the connection or the log-in can heal. */
function judge(error: unknown): SmtpOutcome {
  const { code } = error as { code?: unknown }
  const status = statusOf(error)
  const reason = reasonOf(error)
  const isAboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutTheMail && status >= 500 ? { kind: 'refused', reason } : { kind: 'later', reason }
}

function statusOf(error: unknown): number {
  const { responseCode } = error as { responseCode?: unknown }
  return typeof responseCode === 'number' ? responseCode : 0
}

/** Codes only, never what the other side wrote. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  const name = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'ESMTP'
  return [name, statusOf(error) || ''].join(' ').trim()
}
