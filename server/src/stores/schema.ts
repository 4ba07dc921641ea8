import type { KeyType, PlanName } from '../core/plans.ts'
import type { Role } from '../core/roles.ts'
import type { ScanStatus } from '../core/scan-status.ts'

/**
 * Every table of the service, one entry per store. The same columns on both databases: ids are text, times are epoch
 * milliseconds, yes/no is 1/0, bytes are blobs.
 */
export interface Schema {
  account_limits: AccountLimitsTable
  accounts: AccountTable
  ai_reports: AiReportTable
  allowed_origins: AllowedOriginTable
  api_keys: ApiKeyTable
  available_minutes: AvailableMinuteTable
  billing_customers: BillingCustomerTable
  billing_events: BillingEventTable
  email_changes: EmailChangeTable
  finding_refs: FindingRefTable
  fills: FillTable
  findings: FindingTable
  idempotent_requests: IdempotentRequestTable
  instances: InstanceTable
  invitations: InvitationTable
  jobs: JobTable
  login_challenges: LoginChallengeTable
  mail_preferences: MailPreferenceTable
  member_ids: MemberIdTable
  memberships: MembershipTable
  password_resets: PasswordResetTable
  projects: ProjectTable
  readiness: ReadinessTable
  recovery_codes: RecoveryCodeTable
  registrations: RegistrationTable
  request_counts: RequestCountTable
  sandbox_checkouts: SandboxCheckoutTable
  sandbox_customers: SandboxCustomerTable
  sandbox_events: SandboxEventTable
  sandbox_subscriptions: SandboxSubscriptionTable
  scan_batches: ScanBatchTable
  scan_bodies: ScanBodyTable
  key_scan_counts: KeyScanCountTable
  key_usage: KeyUsageTable
  month_counts: MonthCountTable
  scan_counts: ScanCountTable
  scan_labels: ScanLabelTable
  scan_lanes: ScanLaneTable
  scan_requests: ScanRequestTable
  scan_reservations: ScanReservationTable
  scan_uploads: ScanUploadTable
  scan_notices: ScanNoticeTable
  scans: ScanTable
  schedules: ScheduleTable
  second_factors: SecondFactorTable
  security_events: SecurityEventTable
  sessions: SessionTable
  share_links: ShareLinkTable
  sweep_states: SweepStateTable
  operator_marks: OperatorMarkTable
  throttles: ThrottleTable
  told_once: SentNoticeTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_messages: WebhookMessageTable
  webhooks: WebhookTable
}

/** What the operator agreed with one account; null: as the plan says. */
export interface AccountLimitsTable {
  account_id: string
  requests_per_hour: number | null
  scans_per_day: number | null
  max_file_bytes: number | null
  max_contract_bytes: number | null
  history_days: number | null
}

export interface AccountTable {
  id: string
  /** Nobody logs in to an organisation: its members act for it. */
  kind: 'person' | 'organisation'
  /** Lower case; of an organisation one that reaches nobody. */
  email: string
  name: string
  password_hash: string
  verified_at: number
  plan: PlanName
  /** Anchor of the quota month and of renewals. */
  plan_since: number
  created_at: number
}

/** A site whose pages may use the account's keys. */
export interface AllowedOriginTable {
  account_id: string
  origin: string
}

/** Markdown reports of AI scans, compressed; they go when their scan goes. */
export interface AiReportTable {
  name: string
  scan_id: string
  account_id: string
  body: Uint8Array
  created_at: number
}

export interface ApiKeyTable {
  id: string
  account_id: string
  name: string
  type: KeyType
  key_index: string
  sealed: string
  created_at: number
  expires_at: number
  revoked_at: number | null
  last_used_at: number | null
  /** When the owner was notified that the key is about to expire. */
  expiry_noticed_at: number | null
  /** Names separated by spaces; null: all, as keys had before there were scopes. */
  scopes: string | null
  /** Its own limits; null: those of the account alone. */
  requests_per_hour: number | null
  scans_per_day: number | null
  /** The person who made it; null: from before that was kept. */
  maker: string | null
}

export interface AvailableMinuteTable {
  /** Minutes since the epoch. */
  minute: number
}

/** What the billing provider last said about an account, and when to ask again. */
export interface BillingCustomerTable {
  account_id: string
  provider: string
  customer_id: string
  subscription_id: string | null
  status: 'none' | 'active' | 'past_due'
  period_end: number | null
  cancels_at: number | null
  /** Set while a payment is overdue: the plan falls to free then. */
  grace_ends_at: number | null
  /** The checkout that was opened last and not seen to end. */
  checkout_id: string | null
  /** Until when it can be paid. */
  checkout_until: number | null
  due_at: number | null
  /** Counts writes, so that an answer requested before another write is not written over it. */
  version: number
}

/** Events of the billing provider by their own id: each is taken once. */
export interface BillingEventTable {
  id: string
  type: string
  customer_id: string | null
  received_at: number
  processed_at: number | null
}

export type FindingState = 'open' | 'false-positive' | 'accepted' | 'fixed'

/** One finding of a project, however often it was seen. */
export interface FindingTable {
  id: string
  account_id: string
  /** Its name; of a scan that was sent without one, the scan's id. */
  project: string
  file: string
  fingerprint: string
  kind: 'vulnerability' | 'advisory'
  vulnerability_id: string | null
  detector: string
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info'
  confidence: 'high' | 'medium' | 'low'
  title: string
  message: string
  contract: string | null
  function: string | null
  line: number
  state: FindingState
  reason: string | null
  /** When a decision ends and the finding is open again. */
  until: number | null
  /** An address or the name of a key; null where nobody decided. */
  decided_by: string | null
  decided_at: number | null
  /** The address of who works on it; it and the comment stay whatever is decided. */
  assignee: string | null
  comment: string | null
  first_scan_id: string
  first_seen_at: number
  last_scan_id: string
  last_seen_at: number
}

/** Whether a finding is there on one ref of its project. */
export interface FindingRefTable {
  finding_id: string
  /** Empty: sent without one. */
  ref: string
  state: 'open' | 'fixed'
  /** The last that saw it there. */
  last_scan_id: string
  last_seen_at: number
  /** When the last scan that looked for it was accepted, whether it saw it or not, and which one (or which batch) that was. */
  observed_at: number
  observation: string
}

/** What scans were sent for under one name. */
export interface ProjectTable {
  id: string
  account_id: string
  name: string
  /** The ref that decides the state of its findings; empty: scans without a ref. */
  default_ref: string
  /** 1: someone chose it. */
  is_default_set: number
  /** A JSON list of words; null: none. */
  tags: string | null
  /** What fails its runs, as JSON; null: nothing does. */
  gate: string | null
  /** What of its uploads is reported and how imports are found, as JSON; null: as the uploads say. */
  scope: string | null
  created_at: number
}

/** How far a background job has filled what a step of the schema added. */
export interface FillTable {
  name: string
  /** The last row that was looked at. */
  position: string
  filled: number
  is_done: number
}

export interface IdempotentRequestTable {
  account_id: string
  route: string
  key_index: string
  content_index: string
  /** Who is working on it; another may take over once the lease has ended. */
  lease_id: string
  lease_until: number
  instance_id: string
  /** Status and headers, sealed; null while the work goes on. */
  response: string | null
  /** Compressed and sealed. */
  response_body: Uint8Array | null
  expires_at: number
}

/** A new address that its owner has yet to confirm. */
export interface EmailChangeTable {
  account_id: string
  /** Lower case. */
  email: string
  code_hash: string
  tries_left: number
  expires_at: number
}

/** A secret link to a scan, or to the newest one of a project. */
export interface ShareLinkTable {
  id: string
  account_id: string
  /** Null: it follows the project. */
  scan_id: string | null
  project: string | null
  /** The badge alone; the findings; the source too. */
  shows: 'badge' | 'findings' | 'source'
  token_index: string
  /** Who made it, as colleagues know them. */
  created_by: string | null
  created_at: number
  expires_at: number
  /** The person or the key whose right it lives by; null: from before that was kept. */
  maker: string | null
}

/** A user invited to join an organisation; at most one per address. */
export interface InvitationTable {
  id: string
  organisation_id: string
  /** Lower case. */
  email: string
  role: Role
  token_index: string
  created_at: number
  expires_at: number
}

/** What the members of an organisation call each other. */
export interface MemberIdTable {
  id: string
  organisation_id: string
  /** Of a person, who may have left. */
  account_id: string
}

/** Who belongs to an organisation. */
export interface MembershipTable {
  organisation_id: string
  account_id: string
  role: Role
  joined_at: number
  /** 1: an owner lets this member make source public. */
  publishes_source: number
}

/** Waiting and running jobs of the embedded queue; on PostgreSQL this table stays empty and pg-boss keeps its own. */
export interface JobTable {
  id: string
  name: string
  key: string | null
  payload: string
  attempt: number
  state: 'waiting' | 'running' | 'failed'
  run_at: number
  lease_until: number | null
  lease_id: string | null
  created_at: number
  finished_at: number | null
  /** Of the request that it goes back to. */
  request_id: string | null
}

/** When the operator last did what is to be done now and then. */
export interface OperatorMarkTable {
  name: 'backup'
  at: number
}

/** When each recurring job is due next; one row per job, shared by all replicas. */
export interface ScheduleTable {
  name: string
  next_at: number
}

/** What a challenge may be answered for; one made for one purpose serves no other. */
export type ChallengePurpose = 'second-factor' | 'passkey-login' | 'passkey-enrolment'

export interface LoginChallengeTable {
  token_index: string
  purpose: ChallengePurpose
  /** Null while nobody is known yet. */
  account_id: string | null
  /** What an authenticator must sign. */
  passkey_challenge: string | null
  tries_left: number
  expires_at: number
}

export interface MailPreferenceTable {
  account_id: string
  kind: string
  is_wanted: number
  /** Of a mail that goes out in a rhythm: when it was last due. */
  last_sent_at: number | null
}

export interface PasswordResetTable {
  token_index: string
  account_id: string
  expires_at: number
  created_at: number
}

export interface ReadinessTable {
  id: string
  at: number
  ballast: Uint8Array
}

export interface RecoveryCodeTable {
  account_id: string
  code_hash: string
}

/** A person waiting for the code that was mailed to them; several may wait for one address, and one becomes the account. */
export interface RegistrationTable {
  id: string
  /** The account's id, should this registration become one. */
  user_id: string
  /** Lower case. */
  email: string
  /** Where it was made. */
  network: string
  name: string
  password_hash: string
  code_hash: string | null
  code_expires_at: number | null
  /** Wrong codes that may still come from that network. */
  tries_left: number
  /** And from everywhere else: outsiders use up their own. */
  foreign_tries_left: number
  created_at: number
}

/** Requests of one account with one type of key, or by its sessions, in one hour. */
export interface RequestCountTable {
  account_id: string
  key_type: string
  /** Epoch milliseconds of the hour's start. */
  hour: number
  n: number
}

export interface SandboxCustomerTable {
  id: string
  /** JSON of the customer with its subscriptions and invoices. */
  books: string
  version: number
  next_at: number | null
}

export interface SandboxSubscriptionTable {
  id: string
  customer_id: string
}

export interface SandboxCheckoutTable {
  id: string
  customer_id: string
  plan: PlanName
  return_url: string
  expires_at: number
  outcome: 'paid' | 'declined' | 'closed' | null
}

/** Events that were not handed over yet, in the order they happened. */
export interface SandboxEventTable {
  id: string
  type: string
  customer_id: string
  created_at: number
  ordinal: number
}

/** Requests of one key on one day. */
export interface KeyUsageTable {
  account_id: string
  key_id: string
  /** Epoch milliseconds of the day's start. */
  day: number
  requests: number
}

/** Scans of one key that has a limit of its own, as `ScanCountTable` counts those of an account. */
export interface KeyScanCountTable {
  key_id: string
  /** Epoch milliseconds of the day's start. */
  day: number
  n: number
}

/** Scans of one account that gave a result since one of its renewals. */
export interface MonthCountTable {
  account_id: string
  /** Epoch milliseconds of the moment from which it counts. */
  renewed_at: number
  n: number
}

/** Scans of one account on one day: those that gave a result and those under way. */
export interface ScanCountTable {
  account_id: string
  /** Epoch milliseconds of the day's start. */
  day: number
  n: number
}

/** A place in the day's quota held by a scan under way. */
export interface ScanReservationTable {
  id: string
  /** The process that holds it. */
  instance_id: string
  account_id: string
  day: number
  /** The key whose own count holds a place too. */
  key_id: string | null
}

/** A serving process that was alive lately. */
export interface InstanceTable {
  id: string
  alive_until: number
}

/** To which project, and to which state of its code, a scan belongs. */
export interface ScanLabelTable {
  scan_id: string
  account_id: string
  /** Its name; the scan's own id where none was sent. */
  project: string
  ref: string | null
  commit_hash: string | null
  /** Scans of a batch are one observation, any other scan is its own; null for scans made before it was noted. */
  observation: string | null
  /** A compressed JSON list of the files that it looked at; null for scans made before it was noted. */
  files: Uint8Array | null
  /** How it fared at the gate of its project, as JSON; null: there was none. */
  gate: string | null
}

/** A scan that a mail is still to tell of. */
export interface ScanNoticeTable {
  scan_id: string
  account_id: string
}

export interface ScanTable {
  id: string
  account_id: string
  kind: 'standard' | 'ai'
  status: 'completed' | 'failed'
  /** As the client called it; shown to its owner only. */
  file_name: string
  size_bytes: number
  score: number
  rating: string
  total: number
  critical: number
  high: number
  medium: number
  low: number
  completeness: 'full' | 'partial'
  created_at: number
  info: number
  advisories: number
  suppressed: number
  /** Empty for scans made before it was noted. */
  sha256: string
  engine_version: string
  file_count: number
  /** 1: the stored source is a JSON of all files. */
  is_project: number
  /** The credential of the caller; unknown of scans made before it was noted. */
  via: 'key' | 'session' | null
  /** When retention deletes it; worked out by the sweep. */
  expires_at?: number | null | undefined
  /** All findings by severity, as JSON; absent for scans made before it was kept. */
  tally?: string | null | undefined
}

/** A scan as it was requested, from when it is accepted; its result is a row of `scans` under the same id. */
export interface ScanRequestTable {
  id: string
  account_id: string
  batch_id: string | null
  kind: ScanTable['kind']
  status: ScanStatus
  file_name: string
  size_bytes: number
  /** JSON: how it is to be done. */
  options: string
  /** Of the plan: 0 is served first. */
  rank: number
  /** The day of whose quota it took a place, and which place that was. */
  day: number
  scans_today: number
  /** 1 until that place is given back. */
  holds_place: number
  /** The key whose own count holds a place too. */
  key_id: string | null
  /** The process that works on it. */
  instance_id: string | null
  /** How many processes began with it. */
  attempts: number
  files_done: number
  /** 0: not known yet. */
  files_total: number
  /** Why it failed, in words for its owner. */
  reason: string | null
  /** Grows with every change. */
  revision: number
  created_at: number
  started_at: number | null
  finished_at: number | null
  expires_at?: number | null | undefined
  /** As they were sent; null for scans that were accepted before they were noted. */
  project: string | null
  ref: string | null
  commit_hash: string | null
}

/** Many scans of one call; how far they got is counted by their own rows. */
export interface ScanBatchTable {
  id: string
  account_id: string
  total: number
  created_at: number
  expires_at?: number | null | undefined
}

/** The sources of a scan that is not done, compressed; gone with its end. */
export interface ScanUploadTable {
  scan_id: string
  upload: Uint8Array
}

/** An account with scans that wait. */
export interface ScanLaneTable {
  account_id: string
  rank: number
  /** Grows with every scan that is begun: the lowest has waited longest. */
  turn: number
  /** Grows with every scan that is added. */
  revision: number
}

/** What was uploaded and what was answered, both compressed. */
export interface ScanBodyTable {
  scan_id: string
  source: Uint8Array
  result: Uint8Array
}

export type FactorKind = 'totp' | 'passkey'

export interface SecondFactorTable {
  id: string
  account_id: string
  kind: FactorKind
  name: string
  /** Sealed; of a time-based code. */
  secret: string | null
  /** Of a passkey. */
  credential_id: string | null
  public_key: string | null
  /** Separated by commas. */
  transports: string
  /** Only ever grows: the step of the last code that was taken, or the authenticator's own count. */
  last_count: number
  created_at: number
  /** Null until the first code proved that the owner has it: until then it asks for nothing. */
  confirmed_at: number | null
  last_used_at: number | null
}

export interface SecurityEventTable {
  /** Sorts by time. */
  id: string
  account_id: string
  kind: string
  address: string
  user_agent: string
  /** JSON; never a secret. */
  detail: string | null
  at: number
}

export interface SessionTable {
  id: string
  account_id: string
  token_index: string
  address: string
  user_agent: string
  created_at: number
  last_used_at: number
  expires_at: number
}

/** What one recurring deletion knows of time, and whether it waits. */
export interface SweepStateTable {
  name: 'scans' | 'accounts' | 'deliveries'
  /** The last moment that followed the one before without a jump. */
  trusted_at: number
  /** When the clock was first seen after a jump, and when last; null: it is trusted. */
  jumped_at: number | null
  seen_at: number | null
  /** Rows that the largest run so far deleted. */
  largest: number
  /** How many would go, if that is so many that the operator has to confirm; null: the sweep is not held. */
  held: number | null
  /** 1: the operator lets the next run go ahead. */
  is_released: number
}

export interface ThrottleTable {
  bucket: string
  /** JSON array of epoch milliseconds, the oldest first. */
  stamps: string
  expires_at: number
}

/** One event as it is sent, to any account: its id is the `webhook-id` of every try. */
export interface WebhookMessageTable {
  id: string
  account_id: string
  type: string
  body: string
  created_at: number
}

/** One event on its way to one webhook. */
/** What an account was notified of already, so that it is reported once. */
export interface SentNoticeTable {
  account_id: string
  subject: string
  at: number
}

export interface WebhookDeliveryTable {
  id: string
  webhook_id: string
  message_id: string
  /** `cancelled`: not tried any more because the webhook was turned off or paused. */
  status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  attempts: number
  last_status_code: number | null
  last_error: string | null
  last_duration_ms: number | null
  last_attempt_at: number | null
  created_at: number
}

export interface WebhookTable {
  id: string
  account_id: string
  url: string
  /** JSON array of event kinds. */
  events: string
  description: string | null
  status: 'active' | 'disabled'
  disabled_reason: string | null
  /** Sealed, like the previous one, which signs along until `previous_until`. */
  secret: string
  previous_secret: string | null
  previous_until: number | null
  /** When the failures began that no success has ended. */
  failing_since: number | null
  created_at: number
  /** The person or the key that made it; null: from before that was kept. */
  maker: string | null
}
