import type { AccountTable } from './accounts.ts'
import type { ApiKeyTable } from './api-keys.ts'
import type { IdempotentRequestTable } from './idempotent-requests.ts'
import type { JobTable, ScheduleTable } from './job-tables.ts'
import type { MailPreferenceTable } from './mail-preferences.ts'
import type { PasswordResetTable } from './password-resets.ts'
import type { RegistrationTable } from './registrations.ts'
import type { SecurityEventTable } from './security-events.ts'
import type { SessionTable } from './sessions.ts'
import type { ThrottleTable } from './throttles.ts'

/**
 * Every table of the service, one entry per store. The same columns on both databases: ids are text, times are epoch
 * milliseconds, yes/no is 1/0, bytes are blobs.
 */
export interface Schema {
  accounts: AccountTable
  api_keys: ApiKeyTable
  idempotent_requests: IdempotentRequestTable
  jobs: JobTable
  mail_preferences: MailPreferenceTable
  password_resets: PasswordResetTable
  registrations: RegistrationTable
  schedules: ScheduleTable
  security_events: SecurityEventTable
  sessions: SessionTable
  throttles: ThrottleTable
}
