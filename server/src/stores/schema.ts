import type { AccountLimitsTable } from './account-limits.ts'
import type { AccountTable } from './accounts.ts'
import type { AiReportTable } from './ai-reports.ts'
import type { ApiKeyTable } from './api-keys.ts'
import type { AvailableMinuteTable } from './available-minutes.ts'
import type { BillingCustomerTable } from './billing-customers.ts'
import type { BillingEventTable } from './billing-events.ts'
import type { FindingTable } from './findings.ts'
import type { IdempotentRequestTable } from './idempotent-requests.ts'
import type { JobTable, ScheduleTable } from './job-tables.ts'
import type { MailPreferenceTable } from './mail-preferences.ts'
import type { PasswordResetTable } from './password-resets.ts'
import type { ReadinessTable } from './readiness.ts'
import type { RegistrationTable } from './registrations.ts'
import type { RequestCountTable } from './request-counts.ts'
import type {
  SandboxCheckoutTable,
  SandboxCustomerTable,
  SandboxEventTable,
  SandboxSubscriptionTable,
} from './sandbox-books.ts'
import type { InstanceTable, ScanCountTable, ScanReservationTable } from './scan-counts.ts'
import type { ScanLabelTable } from './scan-labels.ts'
import type { ScanBodyTable, ScanTable } from './scans.ts'
import type { SecurityEventTable } from './security-events.ts'
import type { SessionTable } from './sessions.ts'
import type { ThrottleTable } from './throttles.ts'
import type { WebhookDeliveryTable, WebhookMessageTable } from './webhook-deliveries.ts'
import type { WebhookTable } from './webhooks.ts'

/**
 * Every table of the service, one entry per store. The same columns on both databases: ids are text, times are epoch
 * milliseconds, yes/no is 1/0, bytes are blobs.
 */
export interface Schema {
  account_limits: AccountLimitsTable
  accounts: AccountTable
  ai_reports: AiReportTable
  api_keys: ApiKeyTable
  available_minutes: AvailableMinuteTable
  billing_customers: BillingCustomerTable
  billing_events: BillingEventTable
  findings: FindingTable
  idempotent_requests: IdempotentRequestTable
  instances: InstanceTable
  jobs: JobTable
  mail_preferences: MailPreferenceTable
  password_resets: PasswordResetTable
  readiness: ReadinessTable
  registrations: RegistrationTable
  request_counts: RequestCountTable
  sandbox_checkouts: SandboxCheckoutTable
  sandbox_customers: SandboxCustomerTable
  sandbox_events: SandboxEventTable
  sandbox_subscriptions: SandboxSubscriptionTable
  scan_bodies: ScanBodyTable
  scan_counts: ScanCountTable
  scan_labels: ScanLabelTable
  scan_reservations: ScanReservationTable
  scans: ScanTable
  schedules: ScheduleTable
  security_events: SecurityEventTable
  sessions: SessionTable
  throttles: ThrottleTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_messages: WebhookMessageTable
  webhooks: WebhookTable
}
