// Generated from server/src/routes by `npm run generate`. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated
import type { FileInput } from './file-input.ts'
import type { Pages } from './pages.ts'
import type { RequestOptions } from './request-options.ts'

export type Error = {
  /** One sentence. */
  error: string
}

export type Problem = {
  /** Names the kind of refusal and never changes: `/problems/<name>`, an address that describes it. */
  type: string
  /** The kind in words; the same for every refusal of it. */
  title: string
  status: number
  /** The sentence that `error` holds in the plain form. */
  detail: string
  /** The request, as in `X-Request-Id`. */
  instance: string
  /** Of a field that is wrong: a JSON pointer into the body. */
  pointer?: string
  /** Of a query parameter that is wrong: its name. */
  parameter?: string
}

export type AccountRegisterRequest = {
  /** Email address; upper and lower case are the same. */
  email: string
  /** 8 to 128 characters; the most common breached passwords are refused. */
  password: string
  /** How to address you. */
  name: string
}

export type AccountRegisterResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  verificationSent: boolean
}

export type AccountVerifyEmailRequest = {
  /** Email address; upper and lower case are the same. */
  email: string
  /** The six digits from the mail. */
  otp: string
}

export type AccountVerifyEmailResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  verified: true
}

export type AccountResendCodeRequest = {
  /** Email address; upper and lower case are the same. */
  email: string
}

export type AccountResendCodeResponse = {
  /** One sentence for a person. */
  message: string
}

export type AccountLogInRequest = {
  /** Email address; upper and lower case are the same. */
  email: string
  password: string
}

export type AccountLogInResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  token: string
  tokenType: "Bearer"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type SecondFactorDue = {
  /** One sentence for a person. */
  message: string
  /** To be sent back with the second factor. */
  challenge: string
  /** What may be sent. */
  factors: ("totp" | "passkey" | "recovery-code")[]
  /** For `navigator.credentials.get`, in the JSON form of WebAuthn. */
  passkeyOptions: Record<string, unknown> | null
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type AccountCompleteLogInRequest = {
  /** From the answer before. */
  challenge: string
  /** From the authenticator app. */
  code?: string
  recoveryCode?: string
  /** What `navigator.credentials` gave, in the JSON form of WebAuthn. */
  passkey?: {
    id: string
    response: Record<string, unknown>
  }
}

export type AccountCompleteLogInResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  token: string
  tokenType: "Bearer"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type AccountStartPasskeyLogInResponse = {
  challenge: string
  /** For `navigator.credentials`, in the JSON form of WebAuthn. */
  options: Record<string, unknown>
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type AccountLogInWithPasskeyRequest = {
  /** From the answer before. */
  challenge: string
  /** What `navigator.credentials` gave, in the JSON form of WebAuthn. */
  passkey: {
    id: string
    response: Record<string, unknown>
  }
}

export type AccountLogInWithPasskeyResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  token: string
  tokenType: "Bearer"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type AccountStartProviderLogInRequest = {
  /** `github`, `google` or `oidc`, as far as it is configured. */
  provider: string
}

export type AccountStartProviderLogInResponse = {
  url: string
}

export type AccountCompleteProviderLogInRequest = {
  /** `github`, `google` or `oidc`, as far as it is configured. */
  provider: string
  /** Every query parameter of the redirect: `code`, `state` and so on. */
  parameters: Record<string, string>
}

export type AccountCompleteProviderLogInResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  token: string
  tokenType: "Bearer"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type AccountLogOutResponse = {
  /** One sentence for a person. */
  message: string
}

export type AccountGetResponse = {
  /** The account, as returned by POST /api/register. */
  userId: string
  email: string
  name: string
  verified: boolean
  plan: "free" | "basic" | "pro"
  /** ISO 8601, UTC. */
  createdAt: string
}

export type AccountUpdateRequest = {
  name: string
}

export type AccountUpdateResponse = {
  /** The account, as returned by POST /api/register. */
  userId: string
  email: string
  name: string
  verified: boolean
  plan: "free" | "basic" | "pro"
  /** ISO 8601, UTC. */
  createdAt: string
}

export type AccountChangePasswordRequest = {
  /** Your present password. */
  password: string
  /** 8 to 128 characters; the most common breached passwords are refused. */
  newPassword: string
}

export type AccountChangePasswordResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type AccountChangeEmailRequest = {
  /** Your present password. */
  password: string
  /** Email address; upper and lower case are the same. */
  email: string
}

export type AccountChangeEmailResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type AccountConfirmEmailRequest = {
  /** Six digits, from the mail to the new address. */
  code: string
}

export type AccountConfirmEmailResponse = {
  /** The account, as returned by POST /api/register. */
  userId: string
  email: string
  name: string
  verified: boolean
  plan: "free" | "basic" | "pro"
  /** ISO 8601, UTC. */
  createdAt: string
}

export type AccountExportRequest = {
  /** Your present password. */
  password: string
}

export type AccountDeleteRequest = {
  /** Your present password. */
  password: string
  /** Your email address. */
  confirm: string
}

export type AccountDeleteResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type AccountForgotPasswordRequest = {
  /** Email address; upper and lower case are the same. */
  email: string
}

export type AccountForgotPasswordResponse = {
  /** One sentence for a person. */
  message: string
}

export type AccountResetPasswordRequest = {
  /** 64 hexadecimal characters from the mail. */
  token: string
  /** 8 to 128 characters; the most common breached passwords are refused. */
  newPassword: string
  /** Also revoke every API key of the account, because another person may have made it. */
  revokeApiKeys?: boolean
}

export type AccountResetPasswordResponse = {
  /** One sentence for a person. */
  message: string
  apiKeys: {
    revoked: {
      id: string
      name: string
    }[]
    active: {
      id: string
      name: string
    }[]
  }
}

export type Session = {
  id: string
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  lastUsedAt: string
  /** ISO 8601, UTC. */
  expiresAt: string
  address: string | null
  userAgent: string | null
  /** Whether this is the session that asks. */
  current: boolean
}

export type SessionsListResponse = {
  success: true
  data: {
    sessions: Session[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type SessionsDeleteResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type SessionsDeleteAllResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type SecondFactor = {
  id: string
  kind: "totp" | "passkey"
  name: string
  /** ISO 8601, UTC. */
  createdAt: string
  lastUsedAt: string | null
}

export type SecondFactorsListResponse = {
  success: true
  data: {
    factors: SecondFactor[]
    recoveryCodesLeft: number
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type SecondFactorsCreateTotpRequest = {
  name?: string
  /** The password of the account, once more. */
  password: string
}

export type SecondFactorsCreateTotpResponse = {
  success: true
  data: {
    id: string
    /** Base32, to be typed in. */
    secret: string
    /** `otpauth://…`, to be shown as a QR code. */
    uri: string
  }
}

export type SecondFactorsConfirmRequest = {
  code: string
  /** End every other session of the account: they were begun without this factor. */
  endOtherSessions?: boolean
}

export type SecondFactorsConfirmResponse = {
  success: true
  data: {
    recoveryCodes: string[] | null
  }
}

export type SecondFactorsStartPasskeyRequest = {
  /** The password of the account, once more. */
  password: string
}

export type SecondFactorsStartPasskeyResponse = {
  success: true
  data: {
    challenge: string
    /** For `navigator.credentials`, in the JSON form of WebAuthn. */
    options: Record<string, unknown>
    /** ISO 8601, UTC. */
    expiresAt: string
  }
}

export type SecondFactorsCreatePasskeyRequest = {
  /** From the answer before. */
  challenge: string
  name?: string
  /** What `navigator.credentials` gave, in the JSON form of WebAuthn. */
  passkey: {
    id: string
    response: Record<string, unknown>
  }
  /** End every other session of the account: they were begun without this factor. */
  endOtherSessions?: boolean
}

export type SecondFactorsCreatePasskeyResponse = {
  success: true
  data: {
    id: string
    recoveryCodes: string[] | null
  }
}

export type SecondFactorsDeleteRequest = {
  /** The password of the account, once more. */
  password: string
}

export type SecondFactorsDeleteResponse = {
  success: true
}

export type SecondFactorsRenewRecoveryCodesRequest = {
  /** The password of the account, once more. */
  password: string
}

export type SecondFactorsRenewRecoveryCodesResponse = {
  success: true
  data: {
    /** Each works once, in place of a second factor. Shown this once. */
    recoveryCodes: string[]
  }
}

export type SecurityEvent = {
  id: string
  /** ISO 8601, UTC. */
  at: string
  event: string
  description: string
  address: string | null
  userAgent: string | null
  detail: Record<string, string>
}

export type AccountSecurityLogResponse = {
  success: true
  data: {
    events: SecurityEvent[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type MailPreferencesGetResponse = {
  success: true
  data: {
    /** A scan found critical or high vulnerabilities. */
    scanFindings: boolean
    /** 80 % and 100 % of the daily quota. */
    quotaUsage: boolean
    /** An API key is about to expire. */
    keyExpiring: boolean
    /** The plan changed. */
    planChanged: boolean
    /** A payment failed. */
    paymentFailed: boolean
    /** A webhook was disabled. */
    webhookDisabled: boolean
    /** New and open findings, once a week. Off until you turn it on. */
    weeklyDigest: boolean
  }
}

export type MailPreferencesUpdateRequest = {
  /** A scan found critical or high vulnerabilities. */
  scanFindings?: boolean
  /** 80 % and 100 % of the daily quota. */
  quotaUsage?: boolean
  /** An API key is about to expire. */
  keyExpiring?: boolean
  /** The plan changed. */
  planChanged?: boolean
  /** A payment failed. */
  paymentFailed?: boolean
  /** A webhook was disabled. */
  webhookDisabled?: boolean
  /** New and open findings, once a week. Off until you turn it on. */
  weeklyDigest?: boolean
}

export type MailPreferencesUpdateResponse = {
  success: true
  data: {
    /** A scan found critical or high vulnerabilities. */
    scanFindings: boolean
    /** 80 % and 100 % of the daily quota. */
    quotaUsage: boolean
    /** An API key is about to expire. */
    keyExpiring: boolean
    /** The plan changed. */
    planChanged: boolean
    /** A payment failed. */
    paymentFailed: boolean
    /** A webhook was disabled. */
    webhookDisabled: boolean
    /** New and open findings, once a week. Off until you turn it on. */
    weeklyDigest: boolean
  }
}

export type KeysCreateRequest = {
  /** The account, as returned by POST /api/register. */
  userId: string
  type: "PRODUCTION" | "TEST"
  /** A label, such as the environment it is for. */
  name: string
  /** Up to three years for PRODUCTION, six months for TEST. */
  expiresInDays?: number
  /** `scan`: scans; `read`: whatever a GET gives; `manage`: findings, deletions, webhooks, the plan. */
  scopes?: ("scan" | "read" | "manage")[]
  /** Requests of this key in an hour, at most as many as the account has; null: as many. */
  requestsPerHour?: number | null
  /** Scans of this key on a day, at most as many as the account has; null: as many. */
  scansPerDay?: number | null
}

export type NewApiKey = {
  id: string
  /** The secret itself: keep it out of source code. */
  keyValue: string
  type: "PRODUCTION" | "TEST"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type KeysCreateResponse = {
  /** One sentence for a person. */
  message: string
  apiKey: NewApiKey
}

export type ApiKey = {
  id: string
  name: string
  /** Empty when it cannot be opened, because the master secret was changed: make a new key. */
  keyValue: string
  type: "PRODUCTION" | "TEST"
  /** ISO 8601, UTC. */
  expiresAt: string
  status: "ACTIVE" | "EXPIRED" | "REVOKED"
  scopes: ("scan" | "read" | "manage")[]
  /** Its own limit; null: that of the account alone. */
  requestsPerHour: number | null
  /** Its own limit; null: that of the account alone. */
  scansPerDay: number | null
  /** ISO 8601, UTC. */
  createdAt: string
  lastUsedAt: string | null
}

export type KeysListResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  data: {
    apiKeys: ApiKey[]
    total: number
  }
}

export type KeysUpdateRequest = {
  /** A label, such as the environment it is for. */
  name?: string
  /** `scan`: scans; `read`: whatever a GET gives; `manage`: findings, deletions, webhooks, the plan. */
  scopes?: ("scan" | "read" | "manage")[]
  /** Requests of this key in an hour, at most as many as the account has; null: as many. */
  requestsPerHour?: number | null
  /** Scans of this key on a day, at most as many as the account has; null: as many. */
  scansPerDay?: number | null
}

export type KeysUpdateResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  apiKey: ApiKey
}

export type KeysRevokeResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type KeysRotateRequest = {
  /** How long the old key still works; 0 ends it now. */
  overlapSeconds?: number
}

export type KeysRotateResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  apiKey: NewApiKey
  previous: {
    id: string
    /** ISO 8601, UTC. */
    expiresAt: string
  }
}

export type AllowedOriginsGetResponse = {
  success: true
  data: {
    origins: string[]
  }
}

export type AllowedOriginsUpdateRequest = {
  origins: string[]
}

export type AllowedOriginsUpdateResponse = {
  success: true
  data: {
    origins: string[]
  }
}

export type ScanResult = {
  success: true
  message: string
  scanId: string
  /** Opaque name of the stored upload. */
  file: string
  vulnerabilitiesCount: number
  dataVulnerabilities: Vulnerability[]
  /** Findings outside the SWC list, and what needs review; they neither count nor deduct. */
  advisories: Advisory[]
  suppressed: SuppressedFinding[]
  parseErrors: {
    /** 1-based. */
    line: number
    column: number
    endLine: number
    /** Exclusive. */
    endColumn: number
    message: string
    file?: string
  }[]
  diagnostics: {
    code: string
    message: string
    line: number | null
    file?: string
  }[]
  completeness: Completeness
  securityScore: SecurityScore
  counts: Counts
  tally?: Tally
  /** Null for scans made before it was noted. */
  engineVersion: string | null
  /** As the client called the file or project. */
  fileName: string
  /** Of the file; of a project, of its `sha256sum` lines in order. */
  sha256: string | null
  createdAt: string
  /** Only of a project: each file by itself. */
  files?: FileSummary[]
  /** Only of sources that the service fetched: where from. */
  origin?: Origin
  bestPractices: {
    recommendations: string[]
    checklist?: {
      category: string
      items: string[]
    }[]
  }
  /** Only of an AI-assisted scan: what the model said. */
  aiAnalysis?: AiAnalysis
  setAside?: SetAside
  /** Only with `baseline`: what changed since. */
  baseline?: {
    baselineScanId: string
    newCount: number
    unchangedCount: number
    /** The same of `advisories`; absent in results of earlier versions. */
    advisories?: {
      newCount: number
      unchangedCount: number
    }
    fixedCount: number
    fixed: Vulnerability[]
  }
  /** As it was sent with the scan; null: it belongs to none. */
  project?: string | null
  ref?: string | null
  commit?: string | null
  /** Null: its project had no gate. */
  gate?: GateVerdict | null
}

export type Vulnerability = {
  name: string
  title: string
  severity: Severity
  confidence: Confidence
  /** Id of the detector, as in the catalogue. */
  detector: string
  /** Id of the detector that this one was split from, else the same. Absent in results stored before it existed. */
  family?: string
  contract: string | null
  function: string | null
  /** 1-based. */
  line: number
  column: number
  endLine: number
  /** Exclusive. */
  endColumn: number
  snippet: string
  message: string
  recommendation: string
  references: string[]
  cwe: string[]
  /** Survives edits elsewhere in the file. */
  fingerprint: string
  trace: TraceStep[]
  /** Only in a project: the path of the file. */
  file?: string
  /** Where else the same cause shows. */
  places?: {
    /** Only in a project. */
    file?: string
    /** 1-based. */
    line: number
    column: number
    endLine: number
    /** Exclusive. */
    endColumn: number
  }[]
  /** The record that keeps it and its state; absent in results of before there were records. */
  record?: {
    /** For `/api/v1/findings/{id}`. */
    id: string
    state?: "open" | "fixed" | "false-positive" | "accepted"
  }
  /** Only with `prove=true`. */
  evidence?: Evidence
  /** Only with `baseline`. */
  baselineState?: "new" | "unchanged"
  /** `SWC-<number>`. */
  vulnerabilityId: string
}

export type Severity = "critical" | "high" | "medium" | "low" | "info"

export type Confidence = "high" | "medium" | "low"

export type TraceStep = {
  /** 1-based. */
  line: number
  column: number
  endLine: number
  /** Exclusive. */
  endColumn: number
  message: string
}

export type Evidence = {
  /** `confirmed`: a verified exploit, an account gained or lost. `executed`: the flagged code did what it is flagged for, without harm. */
  status: "confirmed" | "executed" | "not-reproduced" | "not-attempted"
  summary: string
  /** How the scene was set. */
  scene: EvidenceStep[]
  /** The attack. */
  steps: EvidenceStep[]
  /** Of everybody in the scene, before and after the attack, as decimal digits. */
  balances: {
    holder: string
    /** Its smallest units are counted; absent: wei. */
    token?: string
    before: string
    after: string
  }[]
  /** Control run without the vulnerable step: it does not show the harm. */
  control: {
    change: string
    result: string
  } | null
  callsTried: number
  seed: number
  compiler: string | null
  /** Release of the library sources that completed the files; absent: they were complete. */
  libraries?: string
  foundryTest: {
    file: string
    text: string
  } | null
}

export type EvidenceStep = {
  actor: string
  call: string
  arguments: string[]
  /** Wei, as decimal digits. */
  value: string
  effect: string
}

export type Advisory = {
  name: string
  title: string
  severity: Severity
  confidence: Confidence
  /** Id of the detector, as in the catalogue. */
  detector: string
  /** Id of the detector that this one was split from, else the same. Absent in results stored before it existed. */
  family?: string
  contract: string | null
  function: string | null
  /** 1-based. */
  line: number
  column: number
  endLine: number
  /** Exclusive. */
  endColumn: number
  snippet: string
  message: string
  recommendation: string
  references: string[]
  cwe: string[]
  /** Survives edits elsewhere in the file. */
  fingerprint: string
  trace: TraceStep[]
  /** Only in a project: the path of the file. */
  file?: string
  /** Where else the same cause shows. */
  places?: {
    /** Only in a project. */
    file?: string
    /** 1-based. */
    line: number
    column: number
    endLine: number
    /** Exclusive. */
    endColumn: number
  }[]
  /** The record that keeps it and its state; absent in results of before there were records. */
  record?: {
    /** For `/api/v1/findings/{id}`. */
    id: string
    state?: "open" | "fixed" | "false-positive" | "accepted"
  }
  /** Only with `prove=true`. */
  evidence?: Evidence
  /** Only with `baseline`. */
  baselineState?: "new" | "unchanged"
  /** Only with `kind`: the suspected vulnerability. */
  vulnerabilityId?: string
  /** Needs review: the engine is not sure enough to report it as a finding. */
  kind?: "review"
}

export type SuppressedFinding = {
  name: string
  title: string
  severity: Severity
  confidence: Confidence
  /** Id of the detector, as in the catalogue. */
  detector: string
  /** Id of the detector that this one was split from, else the same. Absent in results stored before it existed. */
  family?: string
  contract: string | null
  function: string | null
  /** 1-based. */
  line: number
  column: number
  endLine: number
  /** Exclusive. */
  endColumn: number
  snippet: string
  message: string
  recommendation: string
  references: string[]
  cwe: string[]
  /** Survives edits elsewhere in the file. */
  fingerprint: string
  trace: TraceStep[]
  /** Only in a project: the path of the file. */
  file?: string
  /** Where else the same cause shows. */
  places?: {
    /** Only in a project. */
    file?: string
    /** 1-based. */
    line: number
    column: number
    endLine: number
    /** Exclusive. */
    endColumn: number
  }[]
  /** The record that keeps it and its state; absent in results of before there were records. */
  record?: {
    /** For `/api/v1/findings/{id}`. */
    id: string
    state?: "open" | "fixed" | "false-positive" | "accepted"
  }
  /** Only with `prove=true`. */
  evidence?: Evidence
  /** Only with `baseline`. */
  baselineState?: "new" | "unchanged"
  vulnerabilityId?: string
  suppression: {
    comment: string
    reason: string | null
    line: number
  }
}

export type Completeness = "full" | "partial"

export type SecurityScore = {
  score: number
  rating: Rating
  summary: {
    total: number
    critical: number
    high: number
    medium: number
    low: number
  }
}

export type Rating = "Excellent" | "Good" | "Fair" | "Poor" | "Critical"

export type Counts = {
  critical: number
  high: number
  medium: number
  low: number
  info: number
  advisories: number
  suppressed: number
}

export type Tally = {
  findings: number
  bySeverity: {
    critical: number
    high: number
    medium: number
    low: number
    info: number
  }
  /** How many of them are outside the SWC list: they do not lower the score. */
  outsideSwc: number
  /** Counted apart: the analysis is not sure enough to call them findings. */
  needsReview: number
  suppressed: number
}

export type FileSummary = {
  path: string
  score: number
  rating: Rating
  counts: Counts
  completeness: Completeness
}

export type Origin = {
  kind: "address"
  chain: number
  address: string
  provider: "sourcify" | "etherscan"
  /** `partial`: it compiles to the deployed bytecode, but comments and names may differ. */
  match: "exact" | "partial" | "unknown"
  /** The contract behind a proxy, whose source it is. */
  implementation: string | null
  /** Of a proxy with several implementations: none of them was scanned. */
  notScanned: string[]
} | {
  kind: "repository"
  repository: string
  ref: string | null
  path: string | null
}

export type AiAnalysis = {
  summary: string
  /** Those of the static analysis in their order, then what the model alone found. */
  vulnerabilities: AiVulnerability[]
  recommendations: string[]
  /** Findings suppressed by comments in the file, with the AI review of each. Not among `vulnerabilities`. */
  suppressed: AiVulnerability[]
  /** Absent of scans made before it was noted. */
  model?: string
  timeTaken: string
  /** Fetch it at `/api/v1/reports/{outputFile}`. */
  outputFile: string
}

export type AiVulnerability = {
  vulnerabilityId: string | null
  title: string
  severity: "critical" | "high" | "medium" | "low" | "info"
  confidence: "high" | "medium" | "low"
  line: number
  endLine: number
  description: string
  recommendation: string
  /** Who found it. */
  agreement: "both" | "ai" | "static"
  /** What the model says of a finding of the static analysis. */
  aiVerdict: "confirmed" | "doubted" | "unsure" | null
  aiReason: string | null
}

export type SetAside = {
  total: number
  securityScore: SecurityScore
}

export type GateVerdict = {
  failOn: "critical" | "high" | "medium" | "low" | "info"
  onlyNew: boolean
  isPassed: boolean
  /** The findings that count; severities below `failOn` are absent. */
  bySeverity: {
    critical?: number
    high?: number
    medium?: number
    low?: number
    info?: number
  }
  reason: string
}

export type SarifLog = {
  version: "2.1.0"
  runs: {
    tool: {
      driver: {
        name: string
        rules: {
          id: string
        }[]
      }
    }
    results: SarifResult[]
  }[]
}

export type SarifResult = {
  /** The detector. */
  ruleId: string
  level: "error" | "warning" | "note"
  message: {
    text: string
  }
  locations: SarifLocation[]
  /** Further places of the same cause. */
  relatedLocations?: SarifLocation[]
  partialFingerprints: Record<string, string>
  baselineState?: "new" | "unchanged" | "absent"
  suppressions: {
    kind: string
    justification?: string
  }[]
}

export type SarifLocation = {
  physicalLocation: {
    artifactLocation: {
      uri: string
      uriBaseId?: string
    }
    region?: {
      startLine: number
      startColumn: number
      endLine: number
      endColumn?: number
    }
  }
}

export type ScanAccepted = {
  success: true
  message: string
  scanId: string
  status: "queued"
  createdAt: string
}

export type SourcesDocument = {
  /** Path → source. */
  sources: Record<string, {
    content: string
  }>
  /** As in remappings.txt. */
  remappings?: string[]
  /** What to call it. */
  name?: string
  /** The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed. */
  project?: string
  /** Branch or tag; findings have a state on each. */
  ref?: string
  commit?: string
  /** The upload holds every file of the project: findings in files that it does not hold are fixed. */
  allFiles?: boolean
  language?: "Solidity"
  settings?: {
    remappings?: string[]
  }
} | {
  source: string
  fileName?: string
  /** The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed. */
  project?: string
  /** Branch or tag; findings have a state on each. */
  ref?: string
  commit?: string
}

export type AddressDocument = {
  /** Of a contract whose source is verified; a proxy is followed to its implementation. */
  address: string
  /** Number of its chain, such as 1. */
  chain: number | string
  /** The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed. */
  project?: string
  /** Branch or tag; findings have a state on each. */
  ref?: string
  commit?: string
}

export type RepositoryDocument = {
  /** `owner/name`, or the https address of a repository. */
  repository: string
  /** Only this folder or file of it. */
  path?: string
  /** The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed. */
  project?: string
  /** Branch, tag or commit; absent: the default branch. */
  ref?: string
  commit?: string
}

export type AiScanResult = {
  success: true
  message: string
  scanId: string
  timeTaken: string
  results: {
    summary: string
    /** Those of the static analysis in their order, then what the model alone found. */
    vulnerabilities: AiVulnerability[]
    recommendations: string[]
    /** Findings suppressed by comments in the file, with the AI review of each. Not among `vulnerabilities`. */
    suppressed: AiVulnerability[]
  }
  /** Fetch it at `/api/v1/reports/{outputFile}`. */
  outputFile: string
  fileName: string
  /** Of the static analysis. */
  securityScore: SecurityScore
  completeness: Completeness
  counts: Counts
  engineVersion: string
  sha256: string
  createdAt: string
}

export type AiProgress = {
  stage: "scanning"
} | {
  stage: "asking"
  candidates: number
} | {
  stage: "receiving"
  attempt: number
  receivedCharacters: number
} | {
  stage: "checking"
}

export type StreamedError = {
  error: string
  status: number
}

export type BatchDocument = {
  /** Each as POST /api/v1/scan/sources takes it. */
  scans: SourcesDocument[]
  /** The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed. */
  project?: string
  /** Branch or tag; findings have a state on each. */
  ref?: string
  commit?: string
} | {
  /** Each source is a scan of its own. */
  sources: Record<string, {
    content: string
  }>
  /** The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed. */
  project?: string
  /** Branch or tag; findings have a state on each. */
  ref?: string
  commit?: string
}

export type BatchAccepted = {
  success: true
  message: string
  batchId: string
  total: number
  createdAt: string
}

export type PostScanResponse = {
  success: string
  message: string
  file: string
  vulnerabilitiesCount: number
  dataVulnerabilities: {
    vulnerabilityId: number
  }[]
}

export type ScanEntry = {
  scanId: string
  kind: "standard" | "ai"
  status: "queued" | "running" | "completed" | "failed" | "cancelled"
  fileName: string
  sizeBytes: number
  /** Null without a result, as are the other fields of one. */
  vulnerabilitiesCount: number | null
  securityScore: SecurityScore | null
  completeness: Completeness | null
  counts: Counts | null
  sha256: string | null
  engineVersion: string | null
  fileCount: number | null
  /** The credential that requested it: an API key, or a session of the browser. */
  via: "key" | "session" | null
  createdAt: string
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** As it was sent with the scan; null: it belongs to none. */
  project: string | null
  ref: string | null
  commit: string | null
  /** Null: its project had no gate. */
  gate: GateVerdict | null
  /** Null without a result, and for scans made before it was kept. */
  tally: Tally | null
  batchId: string | null
  /** Of a project, once its analysis has begun: how many of the files to be reported are analyzed. */
  progress: {
    filesDone: number
    files: number
  } | null
  /** Why it failed. */
  reason: string | null
  startedAt: string | null
  finishedAt: string | null
}

export type ScanProgress = {
  scanId: string
  kind: "standard" | "ai"
  status: "queued" | "running" | "failed" | "cancelled"
  batchId: string | null
  fileName: string
  sizeBytes: number
  /** While it is queued and asked for by its id: 1 is the next of this account. Accounts take turns. */
  position: number | null
  /** Of a project, once its analysis has begun: how many of the files to be reported are analyzed. */
  progress: {
    filesDone: number
    files: number
  } | null
  /** Why it failed. */
  reason: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** As it was sent with the scan; null: it belongs to none. */
  project: string | null
  ref: string | null
  commit: string | null
}

export type ScansListResponse = {
  success: true
  data: {
    scans: ScanEntry[]
    /** Where `status` asks for others than `completed`: they stand in `scans` too. */
    withoutResult?: ScanProgress[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type Scan = {
  success: true
  message: string
  scanId: string
  /** Opaque name of the stored upload. */
  file: string
  vulnerabilitiesCount: number
  dataVulnerabilities: Vulnerability[]
  /** Findings outside the SWC list, and what needs review; they neither count nor deduct. */
  advisories: Advisory[]
  suppressed: SuppressedFinding[]
  parseErrors: {
    /** 1-based. */
    line: number
    column: number
    endLine: number
    /** Exclusive. */
    endColumn: number
    message: string
    file?: string
  }[]
  diagnostics: {
    code: string
    message: string
    line: number | null
    file?: string
  }[]
  completeness: Completeness
  securityScore: SecurityScore
  counts: Counts
  tally?: Tally
  engineVersion: string | null
  fileName: string
  sha256: string | null
  createdAt: string
  /** Only of a project: each file by itself. */
  files?: FileSummary[]
  /** Only of sources that the service fetched: where from. */
  origin?: Origin
  bestPractices: {
    recommendations: string[]
    checklist?: {
      category: string
      items: string[]
    }[]
  }
  /** Only of an AI-assisted scan: what the model said. */
  aiAnalysis?: AiAnalysis
  setAside?: SetAside
  /** Only with `baseline`: what changed since. */
  baseline?: {
    baselineScanId: string
    newCount: number
    unchangedCount: number
    /** The same of `advisories`; absent in results of earlier versions. */
    advisories?: {
      newCount: number
      unchangedCount: number
    }
    fixedCount: number
    fixed: Vulnerability[]
  }
  kind: "standard" | "ai"
  status: "completed"
  sizeBytes: number
  fileCount: number
  /** The credential that requested it: an API key, or a session of the browser. */
  via: "key" | "session" | null
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** As it was sent with the scan; null: it belongs to none. */
  project: string | null
  ref: string | null
  commit: string | null
  /** Null: its project had no gate. */
  gate: GateVerdict | null
}

export type ScansGetResponse = {
  success: true
  data: Scan | ScanProgress
}

export type ScanState = {
  scanId: string
  kind: "standard" | "ai"
  status: "queued" | "running" | "completed" | "failed" | "cancelled"
  batchId: string | null
  fileName: string
  sizeBytes: number
  /** While it is queued and asked for by its id: 1 is the next of this account. Accounts take turns. */
  position: number | null
  /** Of a project, once its analysis has begun: how many of the files to be reported are analyzed. */
  progress: {
    filesDone: number
    files: number
  } | null
  /** Why it failed. */
  reason: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** As it was sent with the scan; null: it belongs to none. */
  project: string | null
  ref: string | null
  commit: string | null
}

export type PagedFinding = {
  name: string
  title: string
  severity: Severity
  confidence: Confidence
  /** Id of the detector, as in the catalogue. */
  detector: string
  /** Id of the detector that this one was split from, else the same. Absent in results stored before it existed. */
  family?: string
  contract: string | null
  function: string | null
  /** 1-based. */
  line: number
  column: number
  endLine: number
  /** Exclusive. */
  endColumn: number
  snippet: string
  message: string
  recommendation: string
  references: string[]
  cwe: string[]
  /** Survives edits elsewhere in the file. */
  fingerprint: string
  trace: TraceStep[]
  /** Only in a project: the path of the file. */
  file?: string
  /** Where else the same cause shows. */
  places?: {
    /** Only in a project. */
    file?: string
    /** 1-based. */
    line: number
    column: number
    endLine: number
    /** Exclusive. */
    endColumn: number
  }[]
  /** The record that keeps it and its state; absent in results of before there were records. */
  record?: {
    /** For `/api/v1/findings/{id}`. */
    id: string
    state?: "open" | "fixed" | "false-positive" | "accepted"
  }
  /** Only with `prove=true`. */
  evidence?: Evidence
  /** Only with `baseline`. */
  baselineState?: "new" | "unchanged"
  group: "vulnerability" | "advisory" | "suppressed"
  vulnerabilityId?: string
  kind?: "review"
  suppression?: {
    comment: string
    reason: string | null
    line: number
  }
}

export type ScansFindingsResponse = {
  success: true
  data: {
    findings: PagedFinding[]
    total: number
    nextCursor: string | null
  }
}

export type ProjectSources = {
  sources: Record<string, {
    content: string
  }>
}

export type ScansFixesResponse = {
  success: true
  data: {
    patches: {
      file: string
      line: number
      column: number
      fingerprint: string
      detector: string
      title: string
      /** False: it changes who may do something, or what must succeed. Read it first. */
      isSafe: boolean
    }[]
    files: {
      path: string
      diff: string
    }[]
    /** Patches after which a finding stayed or came. */
    refused: number
    /** Patches for which there was no time; apply the others and scan again. */
    notTried: number
  }
}

export type ScansDeleteResponse = {
  success: true
  message: string
}

export type Batch = {
  batchId: string
  /** `completed` when nothing is left to be done. */
  status: "running" | "completed"
  total: number
  /** Of the scans that are still there: one that was deleted is not counted. */
  counts: {
    queued: number
    running: number
    completed: number
    failed: number
    cancelled: number
  }
  createdAt: string
  expiresAt: string
  /** One page, in the order of the upload. */
  scans: BatchScan[]
  nextCursor: string | null
}

export type BatchScan = {
  scanId: string
  kind: "standard" | "ai"
  status: "queued" | "running" | "completed" | "failed" | "cancelled"
  batchId: string | null
  fileName: string
  sizeBytes: number
  /** While it is queued and asked for by its id: 1 is the next of this account. Accounts take turns. */
  position: number | null
  /** Of a project, once its analysis has begun: how many of the files to be reported are analyzed. */
  progress: {
    filesDone: number
    files: number
  } | null
  /** Why it failed. */
  reason: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** As it was sent with the scan; null: it belongs to none. */
  project: string | null
  ref: string | null
  commit: string | null
  /** Null without a result, as the next two. */
  score: number | null
  rating: Rating | null
  vulnerabilitiesCount: number | null
}

export type BatchesGetResponse = {
  success: true
  data: Batch
}

export type BatchesCancelResponse = {
  success: true
  message: string
  cancelled: number
}

export type LinksCreateRequest = {
  /** One scan for as long as it is kept, or always the newest of its project. */
  follows?: "scan" | "project"
  /** The score alone, as a picture; the findings without the lines they quote; or the source too. */
  shows?: "badge" | "findings" | "source"
  /** At most 365 days from now; absent: 30 days. */
  expiresAt?: string
}

export type NewShareLink = {
  id: string
  /** One scan for as long as it is kept, or always the newest of its project. */
  follows: "scan" | "project"
  /** Null where it follows a project. */
  scanId: string | null
  /** Null where it shows one scan. */
  project: string | null
  /** Of the file or the project. */
  name: string
  /** The score alone, as a picture; the findings without the lines they quote; or the source too. */
  shows: "badge" | "findings" | "source"
  createdBy: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  expiresAt: string
  /** Told this once. Null for a badge. */
  url: string | null
  /** A picture of the score, as SVG. Told this once. */
  badgeUrl: string
}

export type LinksCreateResponse = {
  success: true
  data: NewShareLink
}

export type ShareLink = {
  id: string
  /** One scan for as long as it is kept, or always the newest of its project. */
  follows: "scan" | "project"
  /** Null where it follows a project. */
  scanId: string | null
  /** Null where it shows one scan. */
  project: string | null
  /** Of the file or the project. */
  name: string
  /** The score alone, as a picture; the findings without the lines they quote; or the source too. */
  shows: "badge" | "findings" | "source"
  createdBy: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type LinksListResponse = {
  success: true
  data: {
    links: ShareLink[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type LinksRevokeResponse = {
  success: true
  message: string
}

export type SharedScan = {
  success: true
  message: string
  scanId: string
  /** Opaque name of the stored upload. */
  file: string
  vulnerabilitiesCount: number
  dataVulnerabilities: Vulnerability[]
  /** Findings outside the SWC list, and what needs review; they neither count nor deduct. */
  advisories: Advisory[]
  suppressed: SuppressedFinding[]
  parseErrors: {
    /** 1-based. */
    line: number
    column: number
    endLine: number
    /** Exclusive. */
    endColumn: number
    message: string
    file?: string
  }[]
  diagnostics: {
    code: string
    message: string
    line: number | null
    file?: string
  }[]
  completeness: Completeness
  securityScore: SecurityScore
  counts: Counts
  tally?: Tally
  engineVersion: string | null
  fileName: string
  sha256: string | null
  createdAt: string
  /** Only of a project: each file by itself. */
  files?: FileSummary[]
  /** Only of sources that the service fetched: where from. */
  origin?: Origin
  bestPractices: {
    recommendations: string[]
    checklist?: {
      category: string
      items: string[]
    }[]
  }
  /** Only of an AI-assisted scan: what the model said. */
  aiAnalysis?: AiAnalysis
  setAside?: SetAside
  /** Only with `baseline`: what changed since. */
  baseline?: {
    baselineScanId: string
    newCount: number
    unchangedCount: number
    /** The same of `advisories`; absent in results of earlier versions. */
    advisories?: {
      newCount: number
      unchangedCount: number
    }
    fixedCount: number
    fixed: Vulnerability[]
  }
  kind: "standard" | "ai"
  status: "completed"
  sizeBytes: number
  fileCount: number
  /** The credential that requested it: an API key, or a session of the browser. */
  via: "key" | "session" | null
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** As it was sent with the scan; null: it belongs to none. */
  project: string | null
  ref: string | null
  commit: string | null
  shared: {
    includesSource: boolean
    /** ISO 8601, UTC. */
    expiresAt: string
    /** Of findings that are no longer open. Reasons and names are not shared. */
    states: {
      file: string
      fingerprint: string
      state: FindingState
    }[]
  }
}

export type FindingState = "open" | "false-positive" | "accepted" | "fixed"

export type SharedGetResponse = {
  success: true
  data: SharedScan
}

export type FindingRecord = {
  id: string
  /** Null where the scan was sent without one: then the record is the scan's own. */
  project: string | null
  file: string
  fingerprint: string
  kind: "vulnerability" | "advisory"
  vulnerabilityId: string | null
  detector: string
  severity: Severity
  confidence: Confidence
  title: string
  message: string
  contract: string | null
  function: string | null
  line: number
  /** What was decided; else how it is on the default branch; else, if it was never there, `open` while any other branch has it. */
  state: FindingState
  reason: string | null
  /** When the decision ends and the finding is open again. */
  until: string | null
  /** The address or the API key of who decided; null where nobody did, or a scan saw it no more. */
  decidedBy: string | null
  decidedAt: string | null
  /** The email address of the member who works on it. */
  assignee: string | null
  comment: string | null
  firstScanId: string
  /** ISO 8601, UTC. */
  firstSeenAt: string
  lastScanId: string
  /** ISO 8601, UTC. */
  lastSeenAt: string
  /** How it is on each branch, the one that saw it last first. */
  refs: {
    /** Null: scans that were sent without one. */
    ref: string | null
    isDefault: boolean
    state: "open" | "fixed"
    lastScanId: string
    /** ISO 8601, UTC. */
    lastSeenAt: string
  }[]
}

export type FindingsListResponse = {
  success: true
  data: {
    findings: FindingRecord[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type FindingsGetResponse = {
  success: true
  data: FindingRecord
}

export type FindingsUpdateRequest = {
  state?: FindingState
  reason?: string
  /** When the decision ends; a day ends it at its beginning in UTC. */
  until?: string
  /** A member of the organization, or yourself; null: nobody. */
  assignee?: string | null
  /** Null or empty: none. */
  comment?: string | null
}

export type FindingsUpdateResponse = {
  success: true
  data: FindingRecord
}

export type Project = {
  id: string
  name: string
  /** The branch that decides the states of findings and the score; null: scans that were sent without one. */
  defaultRef: string | null
  /** False: `main`, else `master`, else the first branch that was scanned. */
  isDefaultRefSet: boolean
  /** Words that group projects. */
  tags: string[]
  /** What fails a run; null: nothing does. */
  gate: Gate | null
  /** What of uploads of several files is reported, and how imports are found; null: as the upload says. */
  scope: Scope | null
  scans: number
  /** Of the newest scan of the default branch. */
  score: number
  rating: Rating
  setAside: SetAside | null
  /** Of all branches, the newest first, at most 50. */
  trend: {
    scanId: string
    /** ISO 8601, UTC. */
    at: string
    score: number
    rating: Rating
    vulnerabilitiesCount: number
    critical: number
    high: number
    /** All findings by severity; null for scans made before it was kept. */
    tally: Tally | null
    completeness: Completeness
    ref: string | null
    commit: string | null
    gate: GateVerdict | null
  }[]
}

export type Gate = {
  /** An open finding of this severity or a higher one fails a run; findings that need review never do. */
  failOn: "critical" | "high" | "medium" | "low" | "info"
  onlyNew: boolean
  /** When it was set so. */
  since: string
}

export type Scope = {
  exclude: string[]
  remappings: string[]
}

export type ProjectsListResponse = {
  success: true
  data: {
    projects: Project[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type ProjectsGetResponse = {
  success: true
  data: Project
}

export type GateSetting = {
  /** An open finding of this severity or a higher one fails a run; findings that need review never do. */
  failOn: "critical" | "high" | "medium" | "low" | "info"
  /** Only new findings count. On the default branch: first seen after the gate was set. On another branch: not open on the default branch. */
  onlyNew?: boolean
}

export type ProjectScope = {
  /** Folders and files that are read so that others are understood, but not reported. */
  exclude?: string[]
  /** As in remappings.txt; they go before those of an upload. */
  remappings?: string[]
}

export type ProjectsUpdateRequest = {
  defaultRef?: string | null
  /** All of them; an empty list takes them away. */
  tags?: string[]
  /** What fails a run; null: nothing does. */
  gate?: GateSetting | null
  /** What later scans of several files report, and how they find imports; null: as the upload says. Findings that are known keep their status. */
  scope?: ProjectScope | null
}

export type ProjectsUpdateResponse = {
  success: true
  data: Project
}

export type OrganisationsCreateRequest = {
  name: string
}

export type Organisation = {
  /** Names it in `X-Organisation`, or as the userId of endpoints that take one. */
  id: string
  /** What the caller is called in it. */
  memberId: string
  name: string
  /** The caller's. */
  role: Role
  plan: string
  /** ISO 8601, UTC. */
  createdAt: string
}

export type Role = "auditor" | "member" | "owner"

export type OrganisationsCreateResponse = {
  success: true
  data: Organisation
}

export type OrganisationsListResponse = {
  success: true
  data: {
    organisations: Organisation[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type OrganisationsUpdateRequest = {
  name: string
}

export type OrganisationsUpdateResponse = {
  success: true
  data: Organisation
}

export type OrganisationsDeleteResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type Member = {
  /** Of the membership. An account’s userId is shown to nobody else. */
  memberId: string
  email: string
  name: string
  role: Role
  /** May make links that show source. Owners always can. */
  canPublishSource: boolean
  /** ISO 8601, UTC. */
  joinedAt: string
}

export type OrganisationsMembersResponse = {
  success: true
  data: {
    members: Member[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type OrganisationsUpdateMemberRequest = {
  /** Secret links that they made. `keep`: they become yours. */
  links?: "end" | "keep"
  /** Webhooks that they made. `keep`: they become yours. */
  webhooks?: "end" | "keep"
  /** Keys that they made. `end-all`: every key of the organization, since an owner can read them all. */
  keys?: "end" | "keep" | "end-all"
  role?: Role
  /** May make links that show source. Owners always can. */
  canPublishSource?: boolean
}

export type Ended = {
  links: number
  webhooks: number
  keys: number
}

export type OrganisationsUpdateMemberResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  data: {
    ended: Ended
  }
}

export type OrganisationsRemoveMemberResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  data: {
    ended: Ended
  }
}

export type OrganisationsInviteRequest = {
  /** Email address; upper and lower case are the same. */
  email: string
  role?: Role
}

export type Invitation = {
  id: string
  email: string
  role: Role
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type OrganisationsInviteResponse = {
  success: true
  data: Invitation
}

export type OrganisationsInvitationsResponse = {
  success: true
  data: {
    invitations: Invitation[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type OrganisationsWithdrawInvitationResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type OrganisationsReadInvitationRequest = {
  token: string
}

export type OrganisationsReadInvitationResponse = {
  success: true
  data: {
    organisation: string
    email: string
    role: Role
    /** ISO 8601, UTC. */
    expiresAt: string
  }
}

export type OrganisationsAcceptInvitationRequest = {
  token: string
}

export type OrganisationsAcceptInvitationResponse = {
  success: true
  data: Organisation
}

export type PlanGetResponse = {
  success: true
  data: {
    plan: "free" | "basic" | "pro"
    /** The next renewal; on free, when the quota month ends. */
    renewsAt: string
    /** Empty on free, and on a plan that the operator gave. */
    billingSubscriptionId: string
    billingStatus: "none" | "active" | "past_due"
    cancelsAt: string | null
    /** While a payment is overdue: when the plan falls to free. */
    graceEndsAt: string | null
    quotas: {
      scansPerDay: number
      /** Bytes. */
      maxFileSize: number
      /** Bytes. */
      maxContractSize: number
      /** With PRODUCTION keys; TEST keys may call twice as often. */
      requestsPerHour: number
      historyDays: number
    }
    usage: {
      scansToday: number
      scansRemaining: number
      resetsAt: string
      requestsThisHour: number
      scansThisMonth: number
    }
  }
}

export type PlanUsageResponse = {
  success: true
  data: {
    plan: "free" | "basic" | "pro"
    quotas: {
      scansPerDay: number
      /** With PRODUCTION keys; TEST keys may call twice as often. */
      requestsPerHour: number
    }
    today: {
      scans: number
      scansRemaining: number
      resetsAt: string
      requestsThisHour: number
    }
    days: {
      /** UTC. */
      date: string
      scans: number
      keys: {
        keyId: string
        name: string
        requests: number
      }[]
    }[]
  }
}

export type PlanUpgradeRequest = {
  newPlan: string
}

export type PlanUpgradeResponse = {
  success: boolean
  message: string
  status: "payment_required" | "active"
  /** The plan that was asked for. */
  plan: "basic" | "pro"
  checkoutUrl?: string
}

export type PlanPreviewUpgradeResponse = {
  success: boolean
  data: {
    currentPlan: string
    newPlan: string
    currency: string
    monthlyPriceCents: number
    /** Charged if the upgrade is made now. */
    amountDueCents: number
    /** Credit for the unused time of the current plan, charge for the rest of the period. */
    proration: {
      creditCents: number
      chargeCents: number
    } | null
    /** ISO 8601, UTC. */
    renewsAt: string
  }
}

export type PlanCancelRequest = {
  userId: string
}

export type PlanCancelResponse = {
  success: boolean
  message: string
  plan: string
  /** ISO 8601, UTC. */
  cancelsAt: string
}

export type PlanResumeRequest = {
  userId: string
}

export type PlanResumeResponse = {
  success: boolean
  message: string
  plan: string
  /** ISO 8601, UTC. */
  renewsAt: string
}

export type Invoice = {
  id: string
  number: string | null
  status: "draft" | "open" | "paid" | "void" | "uncollectible"
  amountCents: number
  currency: string
  /** ISO 8601, UTC. */
  createdAt: string
  paidAt: string | null
  lines: {
    description: string
    amountCents: number
  }[]
  url: string | null
}

export type PlanInvoicesResponse = {
  success: boolean
  data: {
    invoices: Invoice[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type PostBillingWebhookResponse = {
  received: true
}

export type WebhooksCreateRequest = {
  url: string
  /** Without it a new webhook gets `scan.completed` and `scan.failed`. */
  events?: ("scan.completed" | "scan.failed" | "finding.new" | "gate.failed" | "quota.low" | "key.expiring")[]
  description?: string
}

export type WebhooksCreateResponse = {
  success: boolean
  data: {
    id: string
    url: string
    events: string[]
    description: string | null
    status: "active" | "disabled"
    disabledReason: string | null
    /** ISO 8601, UTC. */
    createdAt: string
    secret: string
  }
}

export type Webhook = {
  id: string
  url: string
  events: string[]
  description: string | null
  status: "active" | "disabled"
  disabledReason: string | null
  /** ISO 8601, UTC. */
  createdAt: string
}

export type WebhooksListResponse = {
  success: boolean
  data: {
    webhooks: Webhook[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type WebhooksGetResponse = {
  success: boolean
  data: Webhook
}

export type WebhooksUpdateRequest = {
  url?: string
  /** Without it a new webhook gets `scan.completed` and `scan.failed`. */
  events?: ("scan.completed" | "scan.failed" | "finding.new" | "gate.failed" | "quota.low" | "key.expiring")[]
  description?: string
  status?: "active" | "disabled"
}

export type WebhooksUpdateResponse = {
  success: boolean
  data: Webhook
}

export type WebhooksDeleteResponse = {
  success: boolean
  message: string
}

export type WebhooksRotateSecretRequest = {
  overlapSeconds?: number
}

export type WebhooksRotateSecretResponse = {
  success: boolean
  data: {
    id: string
    url: string
    events: string[]
    description: string | null
    status: "active" | "disabled"
    disabledReason: string | null
    /** ISO 8601, UTC. */
    createdAt: string
    secret: string
    /** ISO 8601, UTC. */
    previousSecretUntil: string
  }
}

export type WebhookDelivery = {
  id: string
  webhookId: string
  /** The `webhook-id` header, the same on every try. */
  messageId: string
  type: string
  status: "pending" | "delivered" | "failed" | "cancelled"
  attempts: number
  lastStatusCode: number | null
  lastError: string | null
  lastDurationMs: number | null
  lastAttemptAt: string | null
  /** ISO 8601, UTC. */
  createdAt: string
}

export type WebhooksTestResponse = {
  success: boolean
  data: WebhookDelivery
}

export type WebhooksDeliveriesResponse = {
  success: boolean
  data: {
    deliveries: WebhookDelivery[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type WebhooksRedeliverResponse = {
  success: boolean
  data: WebhookDelivery
}

export type PostWebhooksDeliveriesByDeliveryIdRedeliverResponse = {
  success: boolean
  data: WebhookDelivery
}

export type Detector = {
  id: string
  /** Null: not in the SWC registry, reported as an advisory. */
  swc: string | null
  name: string
  /** What the SWC registry calls the number; null without one. `name` is that of the interface. */
  registryTitle: string | null
  title: string
  severity: "critical" | "high" | "medium" | "low" | "info"
  confidence: "high" | "medium" | "low"
  description: string
  recommendation: string
  references: string[]
  cwe: string[]
  /** Names elsewhere: SWC, CWE, OWASP and SCWE numbers, ids of Slither and Aderyn, everyday words. */
  aliases: string[]
  examples: {
    vulnerable: string
    safe: string
  } | null
  knownLimits: string[]
  /** How it is exploited, step by step. */
  attackScenario: string[]
  /** Publicly known losses: name (date, loss), what went wrong, and in some a Markdown link to an analysis. */
  incidents: string[]
}

export type DetectorsListResponse = {
  success: true
  data: {
    detectors: Detector[]
    /** How many there are on all pages; more than 100,000 are not counted. */
    total: number
    /** The `cursor` of the next page; null on the last one. */
    nextCursor: string | null
  }
}

export type GetHealthResponse = {
  status: "ok"
}

export type GetReadyResponse = {
  status: "ready"
}

export type ServiceStatusResponse = {
  status: "ok"
  availability: {
    measuredSince: string | null
    lastDay: number | null
    last30Days: number | null
    last90Days: number | null
  }
}

export type GetProblemsByNameResponse = {
  type: string
  title: string
  status: number
  example: string
  /** Headers that carry machine detail. */
  headers: string[]
}

export type ScanEvent = {
  type: "scan.completed" | "scan.failed"
  /** ISO 8601, UTC. */
  timestamp: string
  scanId: string
  status: "completed" | "failed"
  /** Null when the scan failed. */
  securityScore: SecurityScore | null
  vulnerabilitiesCount: number
  kind: "standard" | "ai"
  fileName: string
  /** ISO 8601, UTC. */
  createdAt: string
  engineVersion: string
  completeness: Completeness | null
  counts: Counts | null
  tally?: Tally | null
  sha256: string | null
  /** As it was sent with the scan. */
  project?: string | null
  /** Null: its project has no gate. */
  gate?: GateVerdict | null
}

export type FindingEvent = {
  type: "finding.new"
  /** ISO 8601, UTC. */
  timestamp: string
  scanId: string
  status: "completed"
  securityScore: SecurityScore
  vulnerabilitiesCount: number
  kind: "standard" | "ai"
  fileName: string
  /** ISO 8601, UTC. */
  createdAt: string
  engineVersion: string
  completeness: Completeness
  counts: Counts
  tally?: Tally | null
  sha256: string
  project: string
  /** Null: its project has no gate. */
  gate?: GateVerdict | null
  /** How many there are; the event names at most 100, the most severe first. */
  newCount: number
  findings: NewFinding[]
}

export type NewFinding = {
  id: string
  file: string
  fingerprint: string
  kind: "vulnerability" | "advisory"
  vulnerabilityId: string | null
  detector: string
  severity: Severity
  confidence: Confidence
  title: string
  contract: string | null
  function: string | null
  line: number
}

export type GateEvent = {
  type: "gate.failed"
  /** ISO 8601, UTC. */
  timestamp: string
  scanId: string
  status: "completed"
  securityScore: SecurityScore
  vulnerabilitiesCount: number
  kind: "standard" | "ai"
  fileName: string
  /** ISO 8601, UTC. */
  createdAt: string
  engineVersion: string
  completeness: Completeness
  counts: Counts
  tally?: Tally | null
  sha256: string
  project: string
  gate: GateVerdict
}

export type QuotaEvent = {
  type: "quota.low"
  /** ISO 8601, UTC. */
  timestamp: string
  percent: 80 | 100
  /** Scans of the day. */
  used: number
  limit: number
  /** ISO 8601, UTC. */
  resetsAt: string
  plan: "free" | "basic" | "pro"
}

export type KeyEvent = {
  type: "key.expiring"
  /** ISO 8601, UTC. */
  timestamp: string
  keyId: string
  name: string
  keyType: "PRODUCTION" | "TEST"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type TestEvent = {
  type: "webhook.test"
  /** ISO 8601, UTC. */
  timestamp: string
  scanId: string
  status: "completed"
  securityScore: SecurityScore
  vulnerabilitiesCount: number
}

/** Every endpoint: what it takes and what it answers. */
export interface Operations {
  'POST /api/register': {
    params: never
    query: never
    body: AccountRegisterRequest
    response: AccountRegisterResponse
  }
  'POST /api/verify-email': {
    params: never
    query: never
    body: AccountVerifyEmailRequest
    response: AccountVerifyEmailResponse
  }
  'POST /api/resend-otp': {
    params: never
    query: never
    body: AccountResendCodeRequest
    response: AccountResendCodeResponse
  }
  'POST /api/login': {
    params: never
    query: never
    body: AccountLogInRequest
    response: AccountLogInResponse
  }
  'POST /api/login/second-factor': {
    params: never
    query: never
    body: AccountCompleteLogInRequest
    response: AccountCompleteLogInResponse
  }
  'POST /api/login/passkey-options': {
    params: never
    query: never
    body: never
    response: AccountStartPasskeyLogInResponse
  }
  'POST /api/login/passkey': {
    params: never
    query: never
    body: AccountLogInWithPasskeyRequest
    response: AccountLogInWithPasskeyResponse
  }
  'POST /api/login/provider': {
    params: never
    query: never
    body: AccountStartProviderLogInRequest
    response: AccountStartProviderLogInResponse
  }
  'POST /api/login/provider/complete': {
    params: never
    query: never
    body: AccountCompleteProviderLogInRequest
    response: AccountCompleteProviderLogInResponse
  }
  'POST /api/logout': {
    params: never
    query: never
    body: never
    response: AccountLogOutResponse
  }
  'GET /api/me': {
    params: never
    query: never
    body: never
    response: AccountGetResponse
  }
  'PATCH /api/me': {
    params: never
    query: never
    body: AccountUpdateRequest
    response: AccountUpdateResponse
  }
  'POST /api/v1/account/password': {
    params: never
    query: never
    body: AccountChangePasswordRequest
    response: AccountChangePasswordResponse
  }
  'POST /api/v1/account/email': {
    params: never
    query: never
    body: AccountChangeEmailRequest
    response: AccountChangeEmailResponse
  }
  'POST /api/v1/account/email/confirm': {
    params: never
    query: never
    body: AccountConfirmEmailRequest
    response: AccountConfirmEmailResponse
  }
  'POST /api/v1/account/export': {
    params: never
    query: never
    body: AccountExportRequest
    response: string
  }
  'POST /api/v1/account/delete': {
    params: never
    query: never
    body: AccountDeleteRequest
    response: AccountDeleteResponse
  }
  'POST /api/forgot-password': {
    params: never
    query: never
    body: AccountForgotPasswordRequest
    response: AccountForgotPasswordResponse
  }
  'POST /api/reset-password': {
    params: never
    query: never
    body: AccountResetPasswordRequest
    response: AccountResetPasswordResponse
  }
  'GET /api/v1/sessions': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: SessionsListResponse
  }
  'DELETE /api/v1/sessions': {
    params: never
    query: never
    body: never
    response: SessionsDeleteAllResponse
  }
  'DELETE /api/v1/sessions/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: SessionsDeleteResponse
  }
  'GET /api/v1/second-factors': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: SecondFactorsListResponse
  }
  'POST /api/v1/second-factors/totp': {
    params: never
    query: never
    body: SecondFactorsCreateTotpRequest
    response: SecondFactorsCreateTotpResponse
  }
  'POST /api/v1/second-factors/{id}/confirm': {
    params: {
      id: string
    }
    query: never
    body: SecondFactorsConfirmRequest
    response: SecondFactorsConfirmResponse
  }
  'POST /api/v1/second-factors/passkey-options': {
    params: never
    query: never
    body: SecondFactorsStartPasskeyRequest
    response: SecondFactorsStartPasskeyResponse
  }
  'POST /api/v1/second-factors/passkey': {
    params: never
    query: never
    body: SecondFactorsCreatePasskeyRequest
    response: SecondFactorsCreatePasskeyResponse
  }
  'POST /api/v1/second-factors/{id}/remove': {
    params: {
      id: string
    }
    query: never
    body: SecondFactorsDeleteRequest
    response: SecondFactorsDeleteResponse
  }
  'POST /api/v1/recovery-codes': {
    params: never
    query: never
    body: SecondFactorsRenewRecoveryCodesRequest
    response: SecondFactorsRenewRecoveryCodesResponse
  }
  'GET /api/v1/security-log': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: AccountSecurityLogResponse
  }
  'GET /api/v1/mail-preferences': {
    params: never
    query: never
    body: never
    response: MailPreferencesGetResponse
  }
  'PATCH /api/v1/mail-preferences': {
    params: never
    query: never
    body: MailPreferencesUpdateRequest
    response: MailPreferencesUpdateResponse
  }
  'POST /api/generate-api-key': {
    params: never
    query: never
    body: KeysCreateRequest
    response: KeysCreateResponse
  }
  'GET /api/v1/user-api-keys': {
    params: never
    query: {
      userId: string
    }
    body: never
    response: KeysListResponse
  }
  'PATCH /api/v1/user-api-keys/{id}': {
    params: {
      id: string
    }
    query: never
    body: KeysUpdateRequest
    response: KeysUpdateResponse
  }
  'DELETE /api/v1/user-api-keys/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: KeysRevokeResponse
  }
  'POST /api/v1/user-api-keys/{id}/rotate': {
    params: {
      id: string
    }
    query: never
    body: KeysRotateRequest
    response: KeysRotateResponse
  }
  'GET /api/v1/allowed-origins': {
    params: never
    query: never
    body: never
    response: AllowedOriginsGetResponse
  }
  'PATCH /api/v1/allowed-origins': {
    params: never
    query: never
    body: AllowedOriginsUpdateRequest
    response: AllowedOriginsUpdateResponse
  }
  'POST /api/v1/scan': {
    params: never
    query: {
      format?: "json" | "sarif" | "markdown" | "html"
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
      async?: "true" | "false"
    }
    body: FormData
    response: ScanResult
  }
  'POST /api/v1/scan/sources': {
    params: never
    query: {
      format?: "json" | "sarif" | "markdown" | "html"
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
      async?: "true" | "false"
    }
    body: SourcesDocument
    response: ScanResult
  }
  'POST /api/v1/scan/address': {
    params: never
    query: {
      format?: "json" | "sarif" | "markdown" | "html"
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
      async?: "true" | "false"
    }
    body: AddressDocument
    response: ScanResult
  }
  'POST /api/v1/scan/repository': {
    params: never
    query: {
      format?: "json" | "sarif" | "markdown" | "html"
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
      async?: "true" | "false"
    }
    body: RepositoryDocument
    response: ScanResult
  }
  'POST /api/v1/ai-scan': {
    params: never
    query: {
      suppressions?: "honour" | "ignore"
    }
    body: FormData
    response: AiScanResult
  }
  'POST /api/v1/scans/batch': {
    params: never
    query: {
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
    }
    body: BatchDocument
    response: BatchAccepted
  }
  'POST /scan': {
    params: never
    query: never
    body: FormData
    response: PostScanResponse
  }
  'GET /api/v1/scans': {
    params: never
    query: {
      limit?: number
      cursor?: string
      sort?: "-createdAt" | "createdAt" | "score" | "-score"
      kind?: "standard" | "ai"
      via?: "key" | "session"
      status?: "queued" | "running" | "completed" | "failed" | "cancelled" | ("queued" | "running" | "completed" | "failed" | "cancelled")[]
      rating?: Rating | Rating[]
      severity?: "critical" | "high" | "medium" | "low" | ("critical" | "high" | "medium" | "low")[]
      fileName?: string
      nameContains?: string
      project?: string
      ref?: string
      commit?: string
      from?: string
      to?: string
    }
    body: never
    response: ScansListResponse
  }
  'GET /api/v1/scans/{scanId}': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: ScansGetResponse
  }
  'DELETE /api/v1/scans/{scanId}': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: ScansDeleteResponse
  }
  'GET /api/v1/scans/{scanId}/events': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: string
  }
  'GET /api/v1/scans/{scanId}/findings': {
    params: {
      scanId: string
    }
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: ScansFindingsResponse
  }
  'GET /api/v1/scans/{scanId}/source': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: ProjectSources
  }
  'GET /api/v1/scans/{scanId}/fixes': {
    params: {
      scanId: string
    }
    query: {
      unsafe?: "true" | "false"
    }
    body: never
    response: ScansFixesResponse
  }
  'GET /api/v1/scans/{scanId}/tests/{fingerprint}': {
    params: {
      scanId: string
      fingerprint: string
    }
    query: never
    body: never
    response: string
  }
  'GET /api/v1/scans/{scanId}/report': {
    params: {
      scanId: string
    }
    query: {
      format?: "json" | "sarif" | "markdown" | "html"
    }
    body: never
    response: ScanResult
  }
  'GET /api/v1/scans/batch/{batchId}': {
    params: {
      batchId: string
    }
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: BatchesGetResponse
  }
  'DELETE /api/v1/scans/batch/{batchId}': {
    params: {
      batchId: string
    }
    query: never
    body: never
    response: BatchesCancelResponse
  }
  'GET /api/v1/reports/{outputFile}': {
    params: {
      outputFile: string
    }
    query: never
    body: never
    response: string
  }
  'POST /api/v1/scans/{scanId}/links': {
    params: {
      scanId: string
    }
    query: never
    body: LinksCreateRequest
    response: LinksCreateResponse
  }
  'GET /api/v1/links': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: LinksListResponse
  }
  'DELETE /api/v1/links/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: LinksRevokeResponse
  }
  'GET /api/v1/shared/{token}': {
    params: {
      token: string
    }
    query: never
    body: never
    response: SharedGetResponse
  }
  'GET /api/v1/shared/{token}/source': {
    params: {
      token: string
    }
    query: never
    body: never
    response: ProjectSources
  }
  'GET /api/v1/shared/{token}/badge.svg': {
    params: {
      token: string
    }
    query: never
    body: never
    response: string
  }
  'GET /api/v1/findings': {
    params: never
    query: {
      limit?: number
      cursor?: string
      sort?: "-firstSeenAt" | "firstSeenAt" | "-lastSeenAt" | "lastSeenAt" | "severity" | "file"
      severity?: Severity | Severity[]
      confidence?: Confidence | Confidence[]
      kind?: "vulnerability" | "advisory"
      review?: "exclude" | "only"
      vulnerabilityId?: string | string[]
      detector?: string | string[]
      state?: FindingState | FindingState[]
      file?: string
      fingerprint?: string | string[]
      project?: string
      assignee?: string
      ref?: string
      scanId?: string
      firstSeenSince?: string
      since?: string
    }
    body: never
    response: FindingsListResponse
  }
  'GET /api/v1/findings/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: FindingsGetResponse
  }
  'PATCH /api/v1/findings/{id}': {
    params: {
      id: string
    }
    query: never
    body: FindingsUpdateRequest
    response: FindingsUpdateResponse
  }
  'GET /api/v1/projects': {
    params: never
    query: {
      search?: string
      tag?: string | string[]
      sort?: "latest" | "oldest" | "name" | "score"
      limit?: number
      cursor?: string
    }
    body: never
    response: ProjectsListResponse
  }
  'GET /api/v1/projects/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: ProjectsGetResponse
  }
  'PATCH /api/v1/projects/{id}': {
    params: {
      id: string
    }
    query: never
    body: ProjectsUpdateRequest
    response: ProjectsUpdateResponse
  }
  'POST /api/v1/organisations': {
    params: never
    query: never
    body: OrganisationsCreateRequest
    response: OrganisationsCreateResponse
  }
  'GET /api/v1/organisations': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: OrganisationsListResponse
  }
  'PATCH /api/v1/organisations/{organisationId}': {
    params: {
      organisationId: string
    }
    query: never
    body: OrganisationsUpdateRequest
    response: OrganisationsUpdateResponse
  }
  'DELETE /api/v1/organisations/{organisationId}': {
    params: {
      organisationId: string
    }
    query: {
      confirm: string
    }
    body: never
    response: OrganisationsDeleteResponse
  }
  'GET /api/v1/organisations/{organisationId}/members': {
    params: {
      organisationId: string
    }
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: OrganisationsMembersResponse
  }
  'PATCH /api/v1/organisations/{organisationId}/members/{memberId}': {
    params: {
      organisationId: string
      memberId: string
    }
    query: never
    body: OrganisationsUpdateMemberRequest
    response: OrganisationsUpdateMemberResponse
  }
  'DELETE /api/v1/organisations/{organisationId}/members/{memberId}': {
    params: {
      organisationId: string
      memberId: string
    }
    query: {
      links?: "end" | "keep"
      webhooks?: "end" | "keep"
      keys?: "end" | "keep" | "end-all"
    }
    body: never
    response: OrganisationsRemoveMemberResponse
  }
  'POST /api/v1/organisations/{organisationId}/invitations': {
    params: {
      organisationId: string
    }
    query: never
    body: OrganisationsInviteRequest
    response: OrganisationsInviteResponse
  }
  'GET /api/v1/organisations/{organisationId}/invitations': {
    params: {
      organisationId: string
    }
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: OrganisationsInvitationsResponse
  }
  'DELETE /api/v1/organisations/{organisationId}/invitations/{invitationId}': {
    params: {
      organisationId: string
      invitationId: string
    }
    query: never
    body: never
    response: OrganisationsWithdrawInvitationResponse
  }
  'POST /api/v1/invitations/read': {
    params: never
    query: never
    body: OrganisationsReadInvitationRequest
    response: OrganisationsReadInvitationResponse
  }
  'POST /api/v1/invitations/accept': {
    params: never
    query: never
    body: OrganisationsAcceptInvitationRequest
    response: OrganisationsAcceptInvitationResponse
  }
  'GET /api/v1/user-plan': {
    params: never
    query: {
      userId: string
    }
    body: never
    response: PlanGetResponse
  }
  'GET /api/v1/usage': {
    params: never
    query: {
      days?: number
    }
    body: never
    response: PlanUsageResponse
  }
  'POST /api/upgrade-plan': {
    params: never
    query: never
    body: PlanUpgradeRequest
    response: PlanUpgradeResponse
  }
  'GET /api/v1/upgrade-preview': {
    params: never
    query: {
      newPlan: string
    }
    body: never
    response: PlanPreviewUpgradeResponse
  }
  'POST /api/v1/cancel-plan': {
    params: never
    query: never
    body: PlanCancelRequest
    response: PlanCancelResponse
  }
  'POST /api/v1/resume-plan': {
    params: never
    query: never
    body: PlanResumeRequest
    response: PlanResumeResponse
  }
  'GET /api/v1/invoices': {
    params: never
    query: {
      userId?: string
      limit?: number
      cursor?: string
    }
    body: never
    response: PlanInvoicesResponse
  }
  'POST /api/billing/webhook': {
    params: never
    query: never
    body: never
    response: PostBillingWebhookResponse
  }
  'POST /api/v1/webhooks': {
    params: never
    query: never
    body: WebhooksCreateRequest
    response: WebhooksCreateResponse
  }
  'GET /api/v1/webhooks': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: WebhooksListResponse
  }
  'GET /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: WebhooksGetResponse
  }
  'PATCH /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: WebhooksUpdateRequest
    response: WebhooksUpdateResponse
  }
  'DELETE /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: WebhooksDeleteResponse
  }
  'POST /api/v1/webhooks/{id}/rotate-secret': {
    params: {
      id: string
    }
    query: never
    body: WebhooksRotateSecretRequest
    response: WebhooksRotateSecretResponse
  }
  'POST /api/v1/webhooks/{id}/test': {
    params: {
      id: string
    }
    query: never
    body: never
    response: WebhooksTestResponse
  }
  'GET /api/v1/webhooks/{id}/deliveries': {
    params: {
      id: string
    }
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: WebhooksDeliveriesResponse
  }
  'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    params: {
      id: string
      deliveryId: string
    }
    query: never
    body: never
    response: WebhooksRedeliverResponse
  }
  'POST /api/v1/webhooks/deliveries/{deliveryId}/redeliver': {
    params: {
      deliveryId: string
    }
    query: never
    body: never
    response: PostWebhooksDeliveriesByDeliveryIdRedeliverResponse
  }
  'GET /api/v1/detectors': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: DetectorsListResponse
  }
  'GET /health': {
    params: never
    query: never
    body: never
    response: GetHealthResponse
  }
  'GET /ready': {
    params: never
    query: never
    body: never
    response: GetReadyResponse
  }
  'GET /api/v1/status': {
    params: never
    query: never
    body: never
    response: ServiceStatusResponse
  }
  'GET /metrics': {
    params: never
    query: never
    body: never
    response: string
  }
  'GET /problems/{name}': {
    params: {
      name: string
    }
    query: never
    body: never
    response: GetProblemsByNameResponse
  }
}

/** Stable names of the refusals: the last part of the `type` of a problem. */
export type ErrorCode = "invalid" | "broken-json" | "repeated-name" | "bad-request" | "unknown-route" | "problem-not-found" | "method-not-allowed" | "request-timeout" | "body-too-large" | "uri-too-long" | "not-json" | "headers-too-large" | "internal" | "not-ready" | "unavailable" | "shutting-down" | "busy" | "email-taken" | "code-invalid" | "login-failed" | "email-unverified" | "reset-token-invalid" | "password-common" | "password-guessable" | "too-many-registrations" | "too-many-logins" | "too-many-codes" | "too-many-resets" | "too-many-verifications" | "too-many-user-id-requests" | "session-missing" | "user-id-foreign" | "cross-site" | "login-expired" | "second-factor-failed" | "passkey-refused" | "provider-not-found" | "sign-in-expired" | "sign-in-refused" | "provider-email-unverified" | "provider-away" | "password-wrong" | "factor-code-wrong" | "passkey-unusable" | "passkeys-unavailable" | "passkey-known" | "too-many-factors" | "no-second-factor" | "factor-not-found" | "organisation-not-found" | "member-not-found" | "invitation-not-found" | "publishing-not-allowed" | "role-too-low" | "personal-only" | "invitation-invalid" | "invitation-foreign" | "confirmation-wrong" | "already-member" | "last-owner" | "too-many-organisations" | "too-many-members" | "too-many-invitations" | "session-not-found" | "unsubscribe-invalid" | "key-missing" | "key-invalid" | "scope-missing" | "key-not-found" | "key-not-active" | "too-many-keys" | "too-many-key-changes" | "hour-spent" | "quota-spent" | "key-hour-spent" | "key-quota-spent" | "too-many-overruns" | "work-spent" | "file-too-large" | "sources-too-large" | "archive-too-large" | "contract-too-large" | "no-file" | "not-sol" | "one-file-only" | "no-sources" | "source-not-text" | "path-refused" | "archive-unreadable" | "too-many-files" | "address-scans-off" | "repository-scans-off" | "source-not-verified" | "source-other-language" | "forge-unknown" | "repository-not-found" | "repository-too-large" | "source-host-busy" | "source-host-timeout" | "source-host-failed" | "empty-file" | "not-text" | "not-solidity" | "scan-failed" | "scan-queue-full" | "batch-not-on-plan" | "batch-too-long" | "batch-entry-refused" | "batch-not-found" | "too-many-streams" | "scan-not-found" | "link-not-found" | "too-many-links" | "too-many-shared-reads" | "finding-not-found" | "project-not-found" | "report-not-found" | "idempotency-in-flight" | "idempotency-mismatch" | "ai-not-on-plan" | "ai-key-missing" | "ai-model-missing" | "ai-key-rejected" | "ai-credit-missing" | "ai-model-unknown" | "ai-context-too-long" | "ai-moderated" | "ai-busy" | "ai-timeout" | "ai-failed" | "webhooks-not-on-plan" | "webhook-not-found" | "delivery-not-found" | "webhook-url-refused" | "too-many-webhooks" | "too-many-webhook-tests" | "webhook-disabled" | "plan-unknown" | "plan-not-higher" | "payment-refused" | "nothing-to-cancel" | "nothing-to-resume" | "upgrade-pending" | "billing-signature" | "billing-unavailable" | "checkout-not-found" | "checkout-closed"

/** What is sent to webhooks. */
export type WebhookEvent = ScanEvent | FindingEvent | GateEvent | QuotaEvent | KeyEvent | TestEvent

/** Every operation, by resource. */
export interface ResourceCalls {
  readonly account: {
    /** Create an account. */
    register(input: AccountRegisterRequest, options?: RequestOptions): Promise<AccountRegisterResponse>
    /** Confirm the email address with the code. */
    verifyEmail(input: AccountVerifyEmailRequest, options?: RequestOptions): Promise<AccountVerifyEmailResponse>
    /** Ask for a new code. */
    resendCode(input: AccountResendCodeRequest, options?: RequestOptions): Promise<AccountResendCodeResponse>
    /** Log in. */
    logIn(input: AccountLogInRequest, options?: RequestOptions): Promise<AccountLogInResponse | SecondFactorDue>
    /** Finish a log-in with a second factor. */
    completeLogIn(input: AccountCompleteLogInRequest, options?: RequestOptions): Promise<AccountCompleteLogInResponse>
    /** Begin a log-in by passkey. */
    startPasskeyLogIn(options?: RequestOptions): Promise<AccountStartPasskeyLogInResponse>
    /** Log in by passkey, without a password. */
    logInWithPasskey(input: AccountLogInWithPasskeyRequest, options?: RequestOptions): Promise<AccountLogInWithPasskeyResponse>
    /** Begin a log-in at a provider. */
    startProviderLogIn(input: AccountStartProviderLogInRequest, options?: RequestOptions): Promise<AccountStartProviderLogInResponse>
    /** Finish a log-in at a provider. */
    completeProviderLogIn(input: AccountCompleteProviderLogInRequest, options?: RequestOptions): Promise<AccountCompleteProviderLogInResponse | SecondFactorDue>
    /** End this session. */
    logOut(options?: RequestOptions): Promise<AccountLogOutResponse>
    /** Who is logged in. */
    get(options?: RequestOptions): Promise<AccountGetResponse>
    /** Change your name. */
    update(input: AccountUpdateRequest, options?: RequestOptions): Promise<AccountUpdateResponse>
    /** Change your password. */
    changePassword(input: AccountChangePasswordRequest, options?: RequestOptions): Promise<AccountChangePasswordResponse>
    /** Ask for another email address. */
    changeEmail(input: AccountChangeEmailRequest, options?: RequestOptions): Promise<AccountChangeEmailResponse>
    /** Confirm another email address by its code. */
    confirmEmail(input: AccountConfirmEmailRequest, options?: RequestOptions): Promise<AccountConfirmEmailResponse>
    /** Everything that is kept of you. */
    export(input: AccountExportRequest, options?: RequestOptions): Promise<string>
    /** Delete your account and all that belongs to it. */
    delete(input: AccountDeleteRequest, options?: RequestOptions): Promise<AccountDeleteResponse>
    /** Ask for a password reset. */
    forgotPassword(input: AccountForgotPasswordRequest, options?: RequestOptions): Promise<AccountForgotPasswordResponse>
    /** Set a new password with the token from the mail. */
    resetPassword(input: AccountResetPasswordRequest, options?: RequestOptions): Promise<AccountResetPasswordResponse>
    /** What happened to your account. */
    securityLog(input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<SecurityEvent, {
      events: SecurityEvent[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
  }
  readonly sessions: {
    /** Where you are logged in. */
    list(input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Session, {
      sessions: Session[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Log out everywhere. */
    deleteAll(options?: RequestOptions): Promise<SessionsDeleteAllResponse>
    /** End one of your sessions. */
    delete(id: string, options?: RequestOptions): Promise<SessionsDeleteResponse>
  }
  readonly secondFactors: {
    /** What a log-in asks for beside the password. */
    list(input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<SecondFactor, {
      factors: SecondFactor[]
      recoveryCodesLeft: number
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Begin to use an authenticator app. */
    createTotp(input: SecondFactorsCreateTotpRequest, options?: RequestOptions): Promise<{
      id: string
      /** Base32, to be typed in. */
      secret: string
      /** `otpauth://…`, to be shown as a QR code. */
      uri: string
    }>
    /** Confirm an authenticator app by a code of it. */
    confirm(id: string, input: SecondFactorsConfirmRequest, options?: RequestOptions): Promise<{
      recoveryCodes: string[] | null
    }>
    /** Begin to use a passkey. */
    startPasskey(input: SecondFactorsStartPasskeyRequest, options?: RequestOptions): Promise<{
      challenge: string
      /** For `navigator.credentials`, in the JSON form of WebAuthn. */
      options: Record<string, unknown>
      /** ISO 8601, UTC. */
      expiresAt: string
    }>
    /** Add a passkey. */
    createPasskey(input: SecondFactorsCreatePasskeyRequest, options?: RequestOptions): Promise<{
      id: string
      recoveryCodes: string[] | null
    }>
    /** Remove a second factor. */
    delete(id: string, input: SecondFactorsDeleteRequest, options?: RequestOptions): Promise<SecondFactorsDeleteResponse>
    /** Make new recovery codes. */
    renewRecoveryCodes(input: SecondFactorsRenewRecoveryCodesRequest, options?: RequestOptions): Promise<{
      /** Each works once, in place of a second factor. Shown this once. */
      recoveryCodes: string[]
    }>
  }
  readonly mailPreferences: {
    /** Which notices you get by mail. */
    get(options?: RequestOptions): Promise<{
      /** A scan found critical or high vulnerabilities. */
      scanFindings: boolean
      /** 80 % and 100 % of the daily quota. */
      quotaUsage: boolean
      /** An API key is about to expire. */
      keyExpiring: boolean
      /** The plan changed. */
      planChanged: boolean
      /** A payment failed. */
      paymentFailed: boolean
      /** A webhook was disabled. */
      webhookDisabled: boolean
      /** New and open findings, once a week. Off until you turn it on. */
      weeklyDigest: boolean
    }>
    /** Turn notices on or off. */
    update(input?: MailPreferencesUpdateRequest, options?: RequestOptions): Promise<{
      /** A scan found critical or high vulnerabilities. */
      scanFindings: boolean
      /** 80 % and 100 % of the daily quota. */
      quotaUsage: boolean
      /** An API key is about to expire. */
      keyExpiring: boolean
      /** The plan changed. */
      planChanged: boolean
      /** A payment failed. */
      paymentFailed: boolean
      /** A webhook was disabled. */
      webhookDisabled: boolean
      /** New and open findings, once a week. Off until you turn it on. */
      weeklyDigest: boolean
    }>
  }
  readonly keys: {
    /** Create an API key. */
    create(input: KeysCreateRequest, options?: RequestOptions): Promise<KeysCreateResponse>
    /** List your API keys in full. */
    list(input: {
      userId: string
    }, options?: RequestOptions): Promise<KeysListResponse>
    /** Rename an API key, or change its scopes and limits. */
    update(id: string, input?: KeysUpdateRequest, options?: RequestOptions): Promise<KeysUpdateResponse>
    /** Revoke an API key. */
    revoke(id: string, options?: RequestOptions): Promise<KeysRevokeResponse>
    /** Replace an API key. */
    rotate(id: string, input?: KeysRotateRequest, options?: RequestOptions): Promise<KeysRotateResponse>
  }
  readonly allowedOrigins: {
    /** Sites whose pages may use your API keys. */
    get(options?: RequestOptions): Promise<{
      origins: string[]
    }>
    /** Choose the sites whose pages may use your API keys. */
    update(input: AllowedOriginsUpdateRequest, options?: RequestOptions): Promise<{
      origins: string[]
    }>
  }
  readonly scans: {
    /** Scan a Solidity file or project. */
    create(input: ({
      /** A .sol file; or a project: several parts of this name with their paths as file names, or one .zip or .tar.gz. All sources together have at most the size the plan allows. */
      file: FileInput | readonly FileInput[]
      /** The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed. */
      project?: string
      /** Branch or tag; findings have a state on each. */
      ref?: string
      /** Commit that was scanned. */
      commit?: string
      /** `true`: the upload holds every file of the project, so findings in files that it does not hold are fixed. */
      allFiles?: "true" | "false"
    }) & ({
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
    }), options?: RequestOptions): Promise<ScanResult>
    /** Scan sources given as JSON. */
    createFromSources(input: (SourcesDocument) & ({
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
    }), options?: RequestOptions): Promise<ScanResult>
    /** Scan a deployed contract. */
    createFromAddress(input: (AddressDocument) & ({
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
    }), options?: RequestOptions): Promise<ScanResult>
    /** Scan a public repository. */
    createFromRepository(input: (RepositoryDocument) & ({
      baseline?: string
      prove?: "true" | "false"
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
    }), options?: RequestOptions): Promise<ScanResult>
    /** Scan a Solidity file with a second opinion by an AI model. */
    createWithAi(input: ({
      /** A .sol file of at most the size the plan allows. */
      file: FileInput
      /** Your key for the AI gateway. */
      openrouterApiKey: string
      /** Model identifier of the AI gateway. */
      model: string
    }) & ({
      suppressions?: "honour" | "ignore"
    }), options?: RequestOptions): Promise<AiScanResult>
    /** List scans. */
    list(input?: {
      limit?: number
      cursor?: string
      sort?: "-createdAt" | "createdAt" | "score" | "-score"
      kind?: "standard" | "ai"
      via?: "key" | "session"
      status?: "queued" | "running" | "completed" | "failed" | "cancelled" | ("queued" | "running" | "completed" | "failed" | "cancelled")[]
      rating?: Rating | Rating[]
      severity?: "critical" | "high" | "medium" | "low" | ("critical" | "high" | "medium" | "low")[]
      fileName?: string
      nameContains?: string
      project?: string
      ref?: string
      commit?: string
      from?: string
      to?: string
    }, options?: RequestOptions): Pages<ScanEntry, {
      scans: ScanEntry[]
      /** Where `status` asks for others than `completed`: they stand in `scans` too. */
      withoutResult?: ScanProgress[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** One scan: its findings, or how far it got. */
    get(scanId: string, options?: RequestOptions): Promise<Scan | ScanProgress>
    /** Delete a scan for good, or cancel one that is not done. */
    delete(scanId: string, options?: RequestOptions): Promise<ScansDeleteResponse>
    /** The findings of a scan, page by page. */
    findings(scanId: string, input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<PagedFinding, {
      findings: PagedFinding[]
      total: number
      nextCursor: string | null
    }>
    /** The source of a scan, byte for byte. */
    source(scanId: string, options?: RequestOptions): Promise<string | ProjectSources>
    /** Patches for the findings of a scan. */
    fixes(scanId: string, input?: {
      unsafe?: "true" | "false"
    }, options?: RequestOptions): Promise<{
      patches: {
        file: string
        line: number
        column: number
        fingerprint: string
        detector: string
        title: string
        /** False: it changes who may do something, or what must succeed. Read it first. */
        isSafe: boolean
      }[]
      files: {
        path: string
        diff: string
      }[]
      /** Patches after which a finding stayed or came. */
      refused: number
      /** Patches for which there was no time; apply the others and scan again. */
      notTried: number
    }>
    /** The attack on a confirmed finding as a Foundry test. */
    foundryTest(scanId: string, fingerprint: string, options?: RequestOptions): Promise<string>
    /** A report of a scan to keep or to pass on. */
    report(scanId: string, input?: { format?: "json" }, options?: RequestOptions): Promise<ScanResult>
    report(scanId: string, input: { format: "sarif" }, options?: RequestOptions): Promise<SarifLog>
    report(scanId: string, input: { format: "markdown" }, options?: RequestOptions): Promise<string>
    report(scanId: string, input: { format: "html" }, options?: RequestOptions): Promise<string>
    /** Markdown report of an AI scan. */
    aiReport(outputFile: string, options?: RequestOptions): Promise<string>
  }
  readonly batches: {
    /** Queue many scans in one call. */
    create(input: (BatchDocument) & ({
      suppressions?: "honour" | "ignore"
      scope?: "product" | "all"
    }), options?: RequestOptions): Promise<BatchAccepted>
    /** How far a batch got, with its scans page by page. */
    get(batchId: string, input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<BatchScan, Batch>
    /** Cancel what is not done of a batch. */
    cancel(batchId: string, options?: RequestOptions): Promise<BatchesCancelResponse>
  }
  readonly links: {
    /** Create a shared link to a scan. */
    create(scanId: string, input?: LinksCreateRequest, options?: RequestOptions): Promise<NewShareLink>
    /** Your active shared links. */
    list(input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<ShareLink, {
      links: ShareLink[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Revoke a shared link. */
    revoke(id: string, options?: RequestOptions): Promise<LinksRevokeResponse>
  }
  readonly shared: {
    /** The scan of a shared link. */
    get(token: string, options?: RequestOptions): Promise<SharedScan>
    /** The source of a shared link that shows it. */
    source(token: string, options?: RequestOptions): Promise<string | ProjectSources>
    /** The score of a shared link, as a picture. */
    badge(token: string, options?: RequestOptions): Promise<string>
  }
  readonly findings: {
    /** List findings with their states. */
    list(input?: {
      limit?: number
      cursor?: string
      sort?: "-firstSeenAt" | "firstSeenAt" | "-lastSeenAt" | "lastSeenAt" | "severity" | "file"
      severity?: Severity | Severity[]
      confidence?: Confidence | Confidence[]
      kind?: "vulnerability" | "advisory"
      review?: "exclude" | "only"
      vulnerabilityId?: string | string[]
      detector?: string | string[]
      state?: FindingState | FindingState[]
      file?: string
      fingerprint?: string | string[]
      project?: string
      assignee?: string
      ref?: string
      scanId?: string
      firstSeenSince?: string
      since?: string
    }, options?: RequestOptions): Pages<FindingRecord, {
      findings: FindingRecord[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Read a finding. */
    get(id: string, options?: RequestOptions): Promise<FindingRecord>
    /** Decide about a finding, assign it, comment on it. */
    update(id: string, input?: FindingsUpdateRequest, options?: RequestOptions): Promise<FindingRecord>
  }
  readonly projects: {
    /** List projects with their scores. */
    list(input?: {
      search?: string
      tag?: string | string[]
      sort?: "latest" | "oldest" | "name" | "score"
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Project, {
      projects: Project[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Read a project. */
    get(id: string, options?: RequestOptions): Promise<Project>
    /** Change the default branch, tags, gate or scope of a project. */
    update(id: string, input?: ProjectsUpdateRequest, options?: RequestOptions): Promise<Project>
  }
  readonly organisations: {
    /** Create an organization. */
    create(input: OrganisationsCreateRequest, options?: RequestOptions): Promise<Organisation>
    /** Organisations of the caller. */
    list(input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Organisation, {
      organisations: Organisation[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Rename an organization. */
    update(organisationId: string, input: OrganisationsUpdateRequest, options?: RequestOptions): Promise<Organisation>
    /** Delete an organization. */
    delete(organisationId: string, input: {
      confirm: string
    }, options?: RequestOptions): Promise<OrganisationsDeleteResponse>
    /** Members of an organization. */
    members(organisationId: string, input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Member, {
      members: Member[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Change the role and the rights of a member. */
    updateMember(organisationId: string, memberId: string, input?: OrganisationsUpdateMemberRequest, options?: RequestOptions): Promise<OrganisationsUpdateMemberResponse>
    /** Remove a member, or leave. */
    removeMember(organisationId: string, memberId: string, input?: {
      links?: "end" | "keep"
      webhooks?: "end" | "keep"
      keys?: "end" | "keep" | "end-all"
    }, options?: RequestOptions): Promise<OrganisationsRemoveMemberResponse>
    /** Invite a member by mail. */
    invite(organisationId: string, input: OrganisationsInviteRequest, options?: RequestOptions): Promise<Invitation>
    /** Open invitations. */
    invitations(organisationId: string, input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Invitation, {
      invitations: Invitation[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Take an invitation back. */
    withdrawInvitation(organisationId: string, invitationId: string, options?: RequestOptions): Promise<OrganisationsWithdrawInvitationResponse>
    /** Read an invitation. */
    readInvitation(input: OrganisationsReadInvitationRequest, options?: RequestOptions): Promise<{
      organisation: string
      email: string
      role: Role
      /** ISO 8601, UTC. */
      expiresAt: string
    }>
    /** Join an organization. */
    acceptInvitation(input: OrganisationsAcceptInvitationRequest, options?: RequestOptions): Promise<Organisation>
  }
  readonly plan: {
    /** Plan, quotas and usage. */
    get(input: {
      userId: string
    }, options?: RequestOptions): Promise<{
      plan: "free" | "basic" | "pro"
      /** The next renewal; on free, when the quota month ends. */
      renewsAt: string
      /** Empty on free, and on a plan that the operator gave. */
      billingSubscriptionId: string
      billingStatus: "none" | "active" | "past_due"
      cancelsAt: string | null
      /** While a payment is overdue: when the plan falls to free. */
      graceEndsAt: string | null
      quotas: {
        scansPerDay: number
        /** Bytes. */
        maxFileSize: number
        /** Bytes. */
        maxContractSize: number
        /** With PRODUCTION keys; TEST keys may call twice as often. */
        requestsPerHour: number
        historyDays: number
      }
      usage: {
        scansToday: number
        scansRemaining: number
        resetsAt: string
        requestsThisHour: number
        scansThisMonth: number
      }
    }>
    /** What was used, by day and by key. */
    usage(input?: {
      days?: number
    }, options?: RequestOptions): Promise<{
      plan: "free" | "basic" | "pro"
      quotas: {
        scansPerDay: number
        /** With PRODUCTION keys; TEST keys may call twice as often. */
        requestsPerHour: number
      }
      today: {
        scans: number
        scansRemaining: number
        resetsAt: string
        requestsThisHour: number
      }
      days: {
        /** UTC. */
        date: string
        scans: number
        keys: {
          keyId: string
          name: string
          requests: number
        }[]
      }[]
    }>
    /** Move to a higher plan. */
    upgrade(input: PlanUpgradeRequest, options?: RequestOptions): Promise<PlanUpgradeResponse>
    /** What an upgrade would cost now. */
    previewUpgrade(input: {
      newPlan: string
    }, options?: RequestOptions): Promise<{
      currentPlan: string
      newPlan: string
      currency: string
      monthlyPriceCents: number
      /** Charged if the upgrade is made now. */
      amountDueCents: number
      /** Credit for the unused time of the current plan, charge for the rest of the period. */
      proration: {
        creditCents: number
        chargeCents: number
      } | null
      /** ISO 8601, UTC. */
      renewsAt: string
    }>
    /** Cancel the paid plan at the end of its period. */
    cancel(input: PlanCancelRequest, options?: RequestOptions): Promise<PlanCancelResponse>
    /** Take a cancellation back. */
    resume(input: PlanResumeRequest, options?: RequestOptions): Promise<PlanResumeResponse>
    /** Invoices, newest first. */
    invoices(input?: {
      userId?: string
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Invoice, {
      invoices: Invoice[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
  }
  readonly webhooks: {
    /** Register a webhook. */
    create(input: WebhooksCreateRequest, options?: RequestOptions): Promise<{
      id: string
      url: string
      events: string[]
      description: string | null
      status: "active" | "disabled"
      disabledReason: string | null
      /** ISO 8601, UTC. */
      createdAt: string
      secret: string
    }>
    /** Registered webhooks. */
    list(input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Webhook, {
      webhooks: Webhook[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** One webhook. */
    get(id: string, options?: RequestOptions): Promise<Webhook>
    /** Change a webhook. */
    update(id: string, input?: WebhooksUpdateRequest, options?: RequestOptions): Promise<Webhook>
    /** Delete a webhook and its deliveries. */
    delete(id: string, options?: RequestOptions): Promise<WebhooksDeleteResponse>
    /** Replace the signing secret. */
    rotateSecret(id: string, input?: WebhooksRotateSecretRequest, options?: RequestOptions): Promise<{
      id: string
      url: string
      events: string[]
      description: string | null
      status: "active" | "disabled"
      disabledReason: string | null
      /** ISO 8601, UTC. */
      createdAt: string
      secret: string
      /** ISO 8601, UTC. */
      previousSecretUntil: string
    }>
    /** Send a test event. */
    test(id: string, options?: RequestOptions): Promise<WebhookDelivery>
    /** Deliveries of a webhook, newest first. */
    deliveries(id: string, input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<WebhookDelivery, {
      deliveries: WebhookDelivery[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
    /** Send a delivery again. */
    redeliver(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>
  }
  readonly detectors: {
    /** What the engine detects. */
    list(input?: {
      limit?: number
      cursor?: string
    }, options?: RequestOptions): Pages<Detector, {
      detectors: Detector[]
      /** How many there are on all pages; more than 100,000 are not counted. */
      total: number
      /** The `cursor` of the next page; null on the last one. */
      nextCursor: string | null
    }>
  }
  readonly service: {
    /** Measured availability. */
    status(options?: RequestOptions): Promise<ServiceStatusResponse>
  }
}

/** How each becomes a request. */
export const resourceCalls = {
  'account.register': {"operation":"POST /api/register","body":"json"},
  'account.verifyEmail': {"operation":"POST /api/verify-email","body":"json"},
  'account.resendCode': {"operation":"POST /api/resend-otp","body":"json"},
  'account.logIn': {"operation":"POST /api/login","body":"json"},
  'account.completeLogIn': {"operation":"POST /api/login/second-factor","body":"json"},
  'account.startPasskeyLogIn': {"operation":"POST /api/login/passkey-options"},
  'account.logInWithPasskey': {"operation":"POST /api/login/passkey","body":"json"},
  'account.startProviderLogIn': {"operation":"POST /api/login/provider","body":"json"},
  'account.completeProviderLogIn': {"operation":"POST /api/login/provider/complete","body":"json"},
  'account.logOut': {"operation":"POST /api/logout"},
  'account.get': {"operation":"GET /api/me"},
  'account.update': {"operation":"PATCH /api/me","body":"json"},
  'account.changePassword': {"operation":"POST /api/v1/account/password","body":"json"},
  'account.changeEmail': {"operation":"POST /api/v1/account/email","body":"json"},
  'account.confirmEmail': {"operation":"POST /api/v1/account/email/confirm","body":"json"},
  'account.export': {"operation":"POST /api/v1/account/export","body":"json"},
  'account.delete': {"operation":"POST /api/v1/account/delete","body":"json"},
  'account.forgotPassword': {"operation":"POST /api/forgot-password","body":"json"},
  'account.resetPassword': {"operation":"POST /api/reset-password","body":"json"},
  'sessions.list': {"operation":"GET /api/v1/sessions","query":["limit","cursor"],"isWrapped":true,"pages":"sessions"},
  'sessions.deleteAll': {"operation":"DELETE /api/v1/sessions"},
  'sessions.delete': {"operation":"DELETE /api/v1/sessions/{id}","params":["id"]},
  'secondFactors.list': {"operation":"GET /api/v1/second-factors","query":["limit","cursor"],"isWrapped":true,"pages":"factors"},
  'secondFactors.createTotp': {"operation":"POST /api/v1/second-factors/totp","body":"json","isWrapped":true},
  'secondFactors.confirm': {"operation":"POST /api/v1/second-factors/{id}/confirm","params":["id"],"body":"json","isWrapped":true},
  'secondFactors.startPasskey': {"operation":"POST /api/v1/second-factors/passkey-options","body":"json","isWrapped":true},
  'secondFactors.createPasskey': {"operation":"POST /api/v1/second-factors/passkey","body":"json","isWrapped":true},
  'secondFactors.delete': {"operation":"POST /api/v1/second-factors/{id}/remove","params":["id"],"body":"json"},
  'secondFactors.renewRecoveryCodes': {"operation":"POST /api/v1/recovery-codes","body":"json","isWrapped":true},
  'account.securityLog': {"operation":"GET /api/v1/security-log","query":["limit","cursor"],"isWrapped":true,"pages":"events"},
  'mailPreferences.get': {"operation":"GET /api/v1/mail-preferences","isWrapped":true},
  'mailPreferences.update': {"operation":"PATCH /api/v1/mail-preferences","body":"json","isWrapped":true},
  'keys.create': {"operation":"POST /api/generate-api-key","body":"json"},
  'keys.list': {"operation":"GET /api/v1/user-api-keys","query":["userId"]},
  'keys.update': {"operation":"PATCH /api/v1/user-api-keys/{id}","params":["id"],"body":"json"},
  'keys.revoke': {"operation":"DELETE /api/v1/user-api-keys/{id}","params":["id"]},
  'keys.rotate': {"operation":"POST /api/v1/user-api-keys/{id}/rotate","params":["id"],"body":"json"},
  'allowedOrigins.get': {"operation":"GET /api/v1/allowed-origins","isWrapped":true},
  'allowedOrigins.update': {"operation":"PATCH /api/v1/allowed-origins","body":"json","isWrapped":true},
  'scans.create': {"operation":"POST /api/v1/scan","query":["baseline","prove","suppressions","scope"],"body":"form"},
  'scans.createFromSources': {"operation":"POST /api/v1/scan/sources","query":["baseline","prove","suppressions","scope"],"body":"json"},
  'scans.createFromAddress': {"operation":"POST /api/v1/scan/address","query":["baseline","prove","suppressions","scope"],"body":"json"},
  'scans.createFromRepository': {"operation":"POST /api/v1/scan/repository","query":["baseline","prove","suppressions","scope"],"body":"json"},
  'scans.createWithAi': {"operation":"POST /api/v1/ai-scan","query":["suppressions"],"body":"form"},
  'batches.create': {"operation":"POST /api/v1/scans/batch","query":["suppressions","scope"],"body":"json"},
  'scans.list': {"operation":"GET /api/v1/scans","query":["limit","cursor","sort","kind","via","status","rating","severity","fileName","nameContains","project","ref","commit","from","to"],"isWrapped":true,"pages":"scans"},
  'scans.get': {"operation":"GET /api/v1/scans/{scanId}","params":["scanId"],"isWrapped":true},
  'scans.delete': {"operation":"DELETE /api/v1/scans/{scanId}","params":["scanId"]},
  'scans.findings': {"operation":"GET /api/v1/scans/{scanId}/findings","params":["scanId"],"query":["limit","cursor"],"isWrapped":true,"pages":"findings"},
  'scans.source': {"operation":"GET /api/v1/scans/{scanId}/source","params":["scanId"]},
  'scans.fixes': {"operation":"GET /api/v1/scans/{scanId}/fixes","params":["scanId"],"query":["unsafe"],"isWrapped":true},
  'scans.foundryTest': {"operation":"GET /api/v1/scans/{scanId}/tests/{fingerprint}","params":["scanId","fingerprint"]},
  'scans.report': {"operation":"GET /api/v1/scans/{scanId}/report","params":["scanId"],"query":["format"]},
  'batches.get': {"operation":"GET /api/v1/scans/batch/{batchId}","params":["batchId"],"query":["limit","cursor"],"isWrapped":true,"pages":"scans"},
  'batches.cancel': {"operation":"DELETE /api/v1/scans/batch/{batchId}","params":["batchId"]},
  'scans.aiReport': {"operation":"GET /api/v1/reports/{outputFile}","params":["outputFile"]},
  'links.create': {"operation":"POST /api/v1/scans/{scanId}/links","params":["scanId"],"body":"json","isWrapped":true},
  'links.list': {"operation":"GET /api/v1/links","query":["limit","cursor"],"isWrapped":true,"pages":"links"},
  'links.revoke': {"operation":"DELETE /api/v1/links/{id}","params":["id"]},
  'shared.get': {"operation":"GET /api/v1/shared/{token}","params":["token"],"isWrapped":true},
  'shared.source': {"operation":"GET /api/v1/shared/{token}/source","params":["token"]},
  'shared.badge': {"operation":"GET /api/v1/shared/{token}/badge.svg","params":["token"]},
  'findings.list': {"operation":"GET /api/v1/findings","query":["limit","cursor","sort","severity","confidence","kind","review","vulnerabilityId","detector","state","file","fingerprint","project","assignee","ref","scanId","firstSeenSince","since"],"isWrapped":true,"pages":"findings"},
  'findings.get': {"operation":"GET /api/v1/findings/{id}","params":["id"],"isWrapped":true},
  'findings.update': {"operation":"PATCH /api/v1/findings/{id}","params":["id"],"body":"json","isWrapped":true},
  'projects.list': {"operation":"GET /api/v1/projects","query":["search","tag","sort","limit","cursor"],"isWrapped":true,"pages":"projects"},
  'projects.get': {"operation":"GET /api/v1/projects/{id}","params":["id"],"isWrapped":true},
  'projects.update': {"operation":"PATCH /api/v1/projects/{id}","params":["id"],"body":"json","isWrapped":true},
  'organisations.create': {"operation":"POST /api/v1/organisations","body":"json","isWrapped":true},
  'organisations.list': {"operation":"GET /api/v1/organisations","query":["limit","cursor"],"isWrapped":true,"pages":"organisations"},
  'organisations.update': {"operation":"PATCH /api/v1/organisations/{organisationId}","params":["organisationId"],"body":"json","isWrapped":true},
  'organisations.delete': {"operation":"DELETE /api/v1/organisations/{organisationId}","params":["organisationId"],"query":["confirm"]},
  'organisations.members': {"operation":"GET /api/v1/organisations/{organisationId}/members","params":["organisationId"],"query":["limit","cursor"],"isWrapped":true,"pages":"members"},
  'organisations.updateMember': {"operation":"PATCH /api/v1/organisations/{organisationId}/members/{memberId}","params":["organisationId","memberId"],"body":"json"},
  'organisations.removeMember': {"operation":"DELETE /api/v1/organisations/{organisationId}/members/{memberId}","params":["organisationId","memberId"],"query":["links","webhooks","keys"]},
  'organisations.invite': {"operation":"POST /api/v1/organisations/{organisationId}/invitations","params":["organisationId"],"body":"json","isWrapped":true},
  'organisations.invitations': {"operation":"GET /api/v1/organisations/{organisationId}/invitations","params":["organisationId"],"query":["limit","cursor"],"isWrapped":true,"pages":"invitations"},
  'organisations.withdrawInvitation': {"operation":"DELETE /api/v1/organisations/{organisationId}/invitations/{invitationId}","params":["organisationId","invitationId"]},
  'organisations.readInvitation': {"operation":"POST /api/v1/invitations/read","body":"json","isWrapped":true},
  'organisations.acceptInvitation': {"operation":"POST /api/v1/invitations/accept","body":"json","isWrapped":true},
  'plan.get': {"operation":"GET /api/v1/user-plan","query":["userId"],"isWrapped":true},
  'plan.usage': {"operation":"GET /api/v1/usage","query":["days"],"isWrapped":true},
  'plan.upgrade': {"operation":"POST /api/upgrade-plan","body":"json"},
  'plan.previewUpgrade': {"operation":"GET /api/v1/upgrade-preview","query":["newPlan"],"isWrapped":true},
  'plan.cancel': {"operation":"POST /api/v1/cancel-plan","body":"json"},
  'plan.resume': {"operation":"POST /api/v1/resume-plan","body":"json"},
  'plan.invoices': {"operation":"GET /api/v1/invoices","query":["userId","limit","cursor"],"isWrapped":true,"pages":"invoices"},
  'webhooks.create': {"operation":"POST /api/v1/webhooks","body":"json","isWrapped":true},
  'webhooks.list': {"operation":"GET /api/v1/webhooks","query":["limit","cursor"],"isWrapped":true,"pages":"webhooks"},
  'webhooks.get': {"operation":"GET /api/v1/webhooks/{id}","params":["id"],"isWrapped":true},
  'webhooks.update': {"operation":"PATCH /api/v1/webhooks/{id}","params":["id"],"body":"json","isWrapped":true},
  'webhooks.delete': {"operation":"DELETE /api/v1/webhooks/{id}","params":["id"]},
  'webhooks.rotateSecret': {"operation":"POST /api/v1/webhooks/{id}/rotate-secret","params":["id"],"body":"json","isWrapped":true},
  'webhooks.test': {"operation":"POST /api/v1/webhooks/{id}/test","params":["id"],"isWrapped":true},
  'webhooks.deliveries': {"operation":"GET /api/v1/webhooks/{id}/deliveries","params":["id"],"query":["limit","cursor"],"isWrapped":true,"pages":"deliveries"},
  'webhooks.redeliver': {"operation":"POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver","params":["id","deliveryId"],"isWrapped":true},
  'detectors.list': {"operation":"GET /api/v1/detectors","query":["limit","cursor"],"isWrapped":true,"pages":"detectors"},
  'service.status': {"operation":"GET /api/v1/status"},
} as const

/** Operations that take an Idempotency-Key. */
export const idempotentOperations: ReadonlySet<string> = new Set([
  'POST /api/generate-api-key',
  'POST /api/v1/user-api-keys/{id}/rotate',
  'POST /api/v1/scan',
  'POST /api/v1/scan/sources',
  'POST /api/v1/scan/address',
  'POST /api/v1/scan/repository',
  'POST /api/v1/ai-scan',
  'POST /api/v1/scans/batch',
  'POST /scan',
  'POST /api/v1/scans/{scanId}/links',
  'POST /api/v1/organisations',
  'POST /api/v1/organisations/{organisationId}/invitations',
  'POST /api/upgrade-plan',
  'POST /api/v1/webhooks',
  'POST /api/v1/webhooks/{id}/rotate-secret',
  'POST /api/v1/webhooks/{id}/test',
  'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  'POST /api/v1/webhooks/deliveries/{deliveryId}/redeliver',
])
