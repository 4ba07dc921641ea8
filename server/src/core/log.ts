import { createHash } from 'node:crypto'
import { type DestinationStream, type Logger, pino } from 'pino'
import { readLogContext } from './log-context.ts'

export type Log = Logger

/** Names an account in lines that others may read: the same for the same account, and of no use to anyone else. */
export const accountReference = (accountId: string): string =>
  `acct_${createHash('sha256').update(accountId).digest('hex').slice(0, 16)}`

const REDACTED = '[redacted]'

/** Names whose values never reach a log, at any depth, in any spelling. */
const secretNames = new Set(
  [
    'password',
    'newPassword',
    'passwordHash',
    'otp',
    'code',
    'token',
    'tokenHash',
    'resetToken',
    'secret',
    'masterSecret',
    'masterSecretPrevious',
    'apiKey',
    'keyValue',
    'x-api-key',
    'openrouterApiKey',
    'gatewayKey',
    'authorization',
    'cookie',
    'set-cookie',
    'idempotency-key',
    'stripeSecretKey',
    'stripeWebhookSecret',
    'stripe-signature',
    'webhook-signature',
    'smtpUrl',
    'databaseUrl',
    'metricsToken',
    'userId',
  ].map(flatten),
)

/** Secrets that can be known by their form, wherever they stand in a line: also inside messages and stacks. */
const secretForms: readonly (readonly [RegExp, string])[] = [
  [/assay_(live|test)_[0-9A-Za-z]+/g, 'assay_$1_[redacted]'],
  [/assay_session=[^;"\s]+/g, 'assay_session=[redacted]'],
  [/whsec_[0-9A-Za-z+/=]+/g, 'whsec_[redacted]'],
  [/\b(sk|rk)[-_](live|test|or)[-_][0-9A-Za-z_-]+/g, '$1_$2_[redacted]'],
  [/\b(Bearer|Basic)\s+[0-9A-Za-z._~+/=-]{8,}/g, '$1 [redacted]'],
  [/\b[0-9a-f]{64}\b/g, '[redacted]'],
  [/((?:postgres(?:ql)?|smtps?|https?):\/\/[^\s:/@"]*:)[^\s@"]+@/g, '$1[redacted]@'],
]

function flatten(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

const MAX_DEPTH = 8

/** A copy without the values of secret names. */
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (depth > MAX_DEPTH) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isSecretName(name, item) ? REDACTED : withoutSecrets(item, depth + 1),
    ]),
  )
}

/** `err.code` such as ECONNREFUSED is wanted; a `code` of digits is a user's one-time code. */
const isSecretName = (name: string, value: unknown): boolean =>
  secretNames.has(flatten(name)) && !(name === 'code' && typeof value === 'string' && /^[A-Z][A-Z0-9_]+$/.test(value))

/** Masks what has the form of a secret in a finished line. */
export const maskSecrets = (line: string): string =>
  secretForms.reduce((text, [form, mask]) => text.replace(form, mask), line)

interface LoggedError {
  type: string
  message: string
  code?: unknown
  stack?: string | undefined
  cause?: LoggedError
}

/** Only what explains a failure: libraries hang requests, queries and whole configurations on their errors. */
function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(cause === undefined || depth > 3 ? {} : { cause: describeError(cause, depth + 1) }),
  }
}

export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...readLogContext() }),
      formatters: {
        level: (label) => ({ level: label }),
        log: (object) => withoutSecrets(object) as Record<string, unknown>,
      },
      serializers: { err: (error: unknown) => describeError(error) },
      hooks: { streamWrite: maskSecrets },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  )
}
