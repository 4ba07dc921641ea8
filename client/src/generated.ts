// Generated from server/src/routes by `npm run generate`. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated

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
}

export type PostRegisterRequest = {
  /** E-mail address; upper and lower case are the same. */
  email: string
  /** 8 to 128 characters; the most common breached passwords are refused. */
  password: string
  /** How to address you. */
  name: string
}

export type PostRegisterResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  verificationSent: boolean
}

export type PostVerifyEmailRequest = {
  /** E-mail address; upper and lower case are the same. */
  email: string
  /** The six digits from the mail. */
  otp: string
}

export type PostVerifyEmailResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  verified: true
}

export type PostResendOtpRequest = {
  /** E-mail address; upper and lower case are the same. */
  email: string
}

export type PostResendOtpResponse = {
  /** One sentence for a person. */
  message: string
}

export type PostLoginRequest = {
  /** E-mail address; upper and lower case are the same. */
  email: string
  password: string
}

export type PostLoginResponse = {
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

export type PostLoginSecondFactorRequest = {
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

export type PostLoginSecondFactorResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  token: string
  tokenType: "Bearer"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type PostLoginPasskeyOptionsResponse = {
  challenge: string
  /** For `navigator.credentials`, in the JSON form of WebAuthn. */
  options: Record<string, unknown>
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type PostLoginPasskeyRequest = {
  /** From the answer before. */
  challenge: string
  /** What `navigator.credentials` gave, in the JSON form of WebAuthn. */
  passkey: {
    id: string
    response: Record<string, unknown>
  }
}

export type PostLoginPasskeyResponse = {
  /** One sentence for a person. */
  message: string
  /** The account, as returned by POST /api/register. */
  userId: string
  token: string
  tokenType: "Bearer"
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type PostLogoutResponse = {
  /** One sentence for a person. */
  message: string
}

export type GetMeResponse = {
  /** The account, as returned by POST /api/register. */
  userId: string
  email: string
  name: string
  verified: boolean
  plan: "free" | "basic" | "pro"
  /** ISO 8601, UTC. */
  createdAt: string
}

export type PatchMeRequest = {
  name: string
}

export type PatchMeResponse = {
  /** The account, as returned by POST /api/register. */
  userId: string
  email: string
  name: string
  verified: boolean
  plan: "free" | "basic" | "pro"
  /** ISO 8601, UTC. */
  createdAt: string
}

export type PostAccountPasswordRequest = {
  /** Your present password. */
  password: string
  /** 8 to 128 characters; the most common breached passwords are refused. */
  newPassword: string
}

export type PostAccountPasswordResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type PostAccountEmailRequest = {
  /** Your present password. */
  password: string
  /** E-mail address; upper and lower case are the same. */
  email: string
}

export type PostAccountEmailResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type PostAccountEmailConfirmRequest = {
  /** Six digits, from the mail to the new address. */
  code: string
}

export type PostAccountEmailConfirmResponse = {
  /** The account, as returned by POST /api/register. */
  userId: string
  email: string
  name: string
  verified: boolean
  plan: "free" | "basic" | "pro"
  /** ISO 8601, UTC. */
  createdAt: string
}

export type PostAccountExportRequest = {
  /** Your present password. */
  password: string
}

export type PostAccountDeleteRequest = {
  /** Your present password. */
  password: string
  /** Your e-mail address. */
  confirm: string
}

export type PostAccountDeleteResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type PostForgotPasswordRequest = {
  /** E-mail address; upper and lower case are the same. */
  email: string
}

export type PostForgotPasswordResponse = {
  /** One sentence for a person. */
  message: string
}

export type PostResetPasswordRequest = {
  /** 64 hexadecimal characters from the mail. */
  token: string
  /** 8 to 128 characters; the most common breached passwords are refused. */
  newPassword: string
  /** Also revoke every API key of the account, because somebody else may have made it. */
  revokeApiKeys?: boolean
}

export type PostResetPasswordResponse = {
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

export type GetSessionsResponse = {
  success: true
  data: {
    sessions: Session[]
  }
}

export type DeleteSessionsByIdResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type DeleteSessionsResponse = {
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

export type GetSecondFactorsResponse = {
  success: true
  data: {
    factors: SecondFactor[]
    recoveryCodesLeft: number
  }
}

export type PostSecondFactorsTotpRequest = {
  name?: string
  /** The password of the account, once more. */
  password: string
}

export type PostSecondFactorsTotpResponse = {
  success: true
  data: {
    id: string
    /** Base32, to be typed in. */
    secret: string
    /** `otpauth://…`, to be shown as a QR code. */
    uri: string
  }
}

export type PostSecondFactorsByIdConfirmRequest = {
  code: string
}

export type PostSecondFactorsByIdConfirmResponse = {
  success: true
  data: {
    recoveryCodes: string[] | null
  }
}

export type PostSecondFactorsPasskeyOptionsRequest = {
  /** The password of the account, once more. */
  password: string
}

export type PostSecondFactorsPasskeyOptionsResponse = {
  success: true
  data: {
    challenge: string
    /** For `navigator.credentials`, in the JSON form of WebAuthn. */
    options: Record<string, unknown>
    /** ISO 8601, UTC. */
    expiresAt: string
  }
}

export type PostSecondFactorsPasskeyRequest = {
  /** From the answer before. */
  challenge: string
  name?: string
  /** What `navigator.credentials` gave, in the JSON form of WebAuthn. */
  passkey: {
    id: string
    response: Record<string, unknown>
  }
}

export type PostSecondFactorsPasskeyResponse = {
  success: true
  data: {
    id: string
    recoveryCodes: string[] | null
  }
}

export type PostSecondFactorsByIdRemoveRequest = {
  /** The password of the account, once more. */
  password: string
}

export type PostSecondFactorsByIdRemoveResponse = {
  success: true
}

export type PostRecoveryCodesRequest = {
  /** The password of the account, once more. */
  password: string
}

export type PostRecoveryCodesResponse = {
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

export type GetSecurityLogResponse = {
  success: true
  data: {
    events: SecurityEvent[]
    nextCursor: string | null
  }
}

export type GetMailPreferencesResponse = {
  success: true
  data: {
    /** A scan found critical or high weaknesses. */
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
  }
}

export type PatchMailPreferencesRequest = {
  /** A scan found critical or high weaknesses. */
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
}

export type PatchMailPreferencesResponse = {
  success: true
  data: {
    /** A scan found critical or high weaknesses. */
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
  }
}

export type PostGenerateApiKeyRequest = {
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

export type PostGenerateApiKeyResponse = {
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

export type GetUserApiKeysResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  data: {
    apiKeys: ApiKey[]
    total: number
  }
}

export type PatchUserApiKeysByIdRequest = {
  /** A label, such as the environment it is for. */
  name?: string
  /** `scan`: scans; `read`: whatever a GET gives; `manage`: findings, deletions, webhooks, the plan. */
  scopes?: ("scan" | "read" | "manage")[]
  /** Requests of this key in an hour, at most as many as the account has; null: as many. */
  requestsPerHour?: number | null
  /** Scans of this key on a day, at most as many as the account has; null: as many. */
  scansPerDay?: number | null
}

export type PatchUserApiKeysByIdResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  apiKey: ApiKey
}

export type DeleteUserApiKeysByIdResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type PostUserApiKeysByIdRotateRequest = {
  /** How long the old key still works; 0 ends it now. */
  overlapSeconds?: number
}

export type PostUserApiKeysByIdRotateResponse = {
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

export type GetAllowedOriginsResponse = {
  success: true
  data: {
    origins: string[]
  }
}

export type PatchAllowedOriginsRequest = {
  origins: string[]
}

export type PatchAllowedOriginsResponse = {
  success: true
  data: {
    origins: string[]
  }
}

export type ScanDocument = {
  /** Path → source. */
  sources: Record<string, {
    content: string
  }>
  /** As in remappings.txt. */
  remappings?: string[]
  /** What to call it. */
  name?: string
  /** Groups scans; else the name of the file does. */
  project?: string
  /** Branch or tag. */
  ref?: string
  commit?: string
  language?: "Solidity"
  settings?: {
    remappings?: string[]
  }
} | {
  source: string
  fileName?: string
  /** Groups scans; else the name of the file does. */
  project?: string
  /** Branch or tag. */
  ref?: string
  commit?: string
} | {
  /** Of a contract whose source is verified; a proxy is followed to its implementation. */
  address: string
  /** Number of its chain, such as 1. */
  chain: number | string
  /** Groups scans; else the name of the file does. */
  project?: string
  /** Branch or tag. */
  ref?: string
  commit?: string
} | {
  /** `owner/name`, or the https address of a repository. */
  repository: string
  /** Only this folder or file of it. */
  path?: string
  /** Groups scans; else the name of the file does. */
  project?: string
  /** Branch, tag or commit; absent: the default branch. */
  ref?: string
  commit?: string
}

export type ScanResult = {
  success: true
  message: string
  scanId: string
  /** Opaque name of the stored upload. */
  file: string
  vulnerabilitiesCount: number
  dataVulnerabilities: Vulnerability[]
  /** Weaknesses beyond the registry, and places to review; they neither count nor deduct. */
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
    fixedCount: number
    fixed: Vulnerability[]
  }
}

export type Vulnerability = {
  name: string
  title: string
  severity: Severity
  confidence: Confidence
  /** Id of the detector, as in the catalogue. */
  detector: string
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
  status: "confirmed" | "not-reproduced" | "not-attempted"
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
  /** The same without the weakness's own lever: it does not show the harm. */
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
  /** Only with `prove=true`. */
  evidence?: Evidence
  /** Only with `baseline`. */
  baselineState?: "new" | "unchanged"
  /** Only with `kind`: the weakness that is suspected. */
  vulnerabilityId?: string
  /** A suspicion: the engine is not sure enough to call it a weakness. */
  kind?: "review"
}

export type SuppressedFinding = {
  name: string
  title: string
  severity: Severity
  confidence: Confidence
  /** Id of the detector, as in the catalogue. */
  detector: string
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
  /** What comments in the file set aside, with what the model says of it. Not among `vulnerabilities`. */
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

export type ScanAccepted = {
  success: true
  message: string
  scanId: string
  status: "queued"
  createdAt: string
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
    /** What comments in the file set aside, with what the model says of it. Not among `vulnerabilities`. */
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
  /** Each as POST /api/v1/scan takes it, with its sources in it. */
  scans: ScanDocument[]
  /** Groups scans; else the name of the file does. */
  project?: string
  /** Branch or tag. */
  ref?: string
  commit?: string
} | {
  /** Each source is a scan of its own. */
  sources: Record<string, {
    content: string
  }>
  /** Groups scans; else the name of the file does. */
  project?: string
  /** Branch or tag. */
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

export type PostRootScanResponse = {
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
  status: "completed"
  fileName: string
  sizeBytes: number
  vulnerabilitiesCount: number
  securityScore: SecurityScore
  completeness: Completeness
  counts: Counts
  sha256: string | null
  engineVersion: string | null
  fileCount: number
  /** The credential of whoever asked for it: an API key, or a session of the browser. */
  via: "key" | "session" | null
  createdAt: string
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
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
  /** Of a project, once its analysis has begun: how many of the files to be reported are analysed. */
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
}

export type GetScansResponse = {
  success: true
  data: {
    scans: ScanEntry[]
    /** Instead, where `status` asks for them. */
    withoutResult?: ScanProgress[]
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
  /** Weaknesses beyond the registry, and places to review; they neither count nor deduct. */
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
    fixedCount: number
    fixed: Vulnerability[]
  }
  kind: "standard" | "ai"
  status: "completed"
  sizeBytes: number
  fileCount: number
  /** The credential of whoever asked for it: an API key, or a session of the browser. */
  via: "key" | "session" | null
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** What groups it with other scans: as sent with it, or the name of the file. */
  project: string
}

export type GetScansByScanIdResponse = {
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
  /** Of a project, once its analysis has begun: how many of the files to be reported are analysed. */
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
}

export type PagedFinding = {
  name: string
  title: string
  severity: Severity
  confidence: Confidence
  /** Id of the detector, as in the catalogue. */
  detector: string
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

export type GetScansByScanIdFindingsResponse = {
  success: true
  data: {
    findings: PagedFinding[]
    total: number
    nextCursor: string | null
  }
}

export type DeleteScansByScanIdResponse = {
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
  /** Of a project, once its analysis has begun: how many of the files to be reported are analysed. */
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
  /** Null without a result, as the next two. */
  score: number | null
  rating: Rating | null
  vulnerabilitiesCount: number | null
}

export type GetScansBatchByBatchIdResponse = {
  success: true
  data: Batch
}

export type DeleteScansBatchByBatchIdResponse = {
  success: true
  message: string
  cancelled: number
}

export type PostScansByScanIdLinksRequest = {
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

export type PostScansByScanIdLinksResponse = {
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

export type GetLinksResponse = {
  success: true
  data: {
    links: ShareLink[]
  }
}

export type DeleteLinksByIdResponse = {
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
  /** Weaknesses beyond the registry, and places to review; they neither count nor deduct. */
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
    fixedCount: number
    fixed: Vulnerability[]
  }
  kind: "standard" | "ai"
  status: "completed"
  sizeBytes: number
  fileCount: number
  /** The credential of whoever asked for it: an API key, or a session of the browser. */
  via: "key" | "session" | null
  /** From then on it is gone, if the plan stays. */
  expiresAt: string
  /** What groups it with other scans: as sent with it, or the name of the file. */
  project: string
  shared: {
    includesSource: boolean
    /** ISO 8601, UTC. */
    expiresAt: string
  }
}

export type GetSharedByTokenResponse = {
  success: true
  data: SharedScan
}

export type FindingState = "open" | "false-positive" | "accepted" | "fixed"

export type FindingRecord = {
  id: string
  project: string
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
  state: FindingState
  reason: string | null
  /** When the decision ends and the finding is open again. */
  until: string | null
  /** The address or the API key of who decided; null where nobody did, or a scan saw it no more. */
  decidedBy: string | null
  decidedAt: string | null
  firstScanId: string
  /** ISO 8601, UTC. */
  firstSeenAt: string
  lastScanId: string
  /** ISO 8601, UTC. */
  lastSeenAt: string
}

export type GetFindingsResponse = {
  success: true
  data: {
    findings: FindingRecord[]
    nextCursor: string | null
  }
}

export type PatchFindingsByIdRequest = {
  state: FindingState
  reason?: string
  until?: string
}

export type PatchFindingsByIdResponse = {
  success: true
  data: FindingRecord
}

export type Project = {
  name: string
  scans: number
  /** Of the newest scan. */
  score: number
  rating: Rating
  setAside: SetAside | null
  /** The newest first, at most 50. */
  trend: {
    scanId: string
    /** ISO 8601, UTC. */
    at: string
    score: number
    rating: Rating
    vulnerabilitiesCount: number
    ref: string | null
    commit: string | null
  }[]
}

export type GetProjectsResponse = {
  success: true
  data: {
    projects: Project[]
  }
}

export type PostOrganisationsRequest = {
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

export type PostOrganisationsResponse = {
  success: true
  data: Organisation
}

export type GetOrganisationsResponse = {
  success: true
  data: {
    organisations: Organisation[]
  }
}

export type PatchOrganisationsByOrganisationIdRequest = {
  name: string
}

export type PatchOrganisationsByOrganisationIdResponse = {
  success: true
  data: Organisation
}

export type DeleteOrganisationsByOrganisationIdResponse = {
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

export type GetOrganisationsByOrganisationIdMembersResponse = {
  success: true
  data: {
    members: Member[]
  }
}

export type PatchOrganisationsByOrganisationIdMembersByMemberIdRequest = {
  /** Secret links that they made. `keep`: they become yours. */
  links?: "end" | "keep"
  /** Webhooks that they made. `keep`: they become yours. */
  webhooks?: "end" | "keep"
  /** Keys that they made. `end-all`: every key of the organisation, since an owner can read them all. */
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

export type PatchOrganisationsByOrganisationIdMembersByMemberIdResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  data: {
    ended: Ended
  }
}

export type DeleteOrganisationsByOrganisationIdMembersByMemberIdResponse = {
  success: true
  /** One sentence for a person. */
  message: string
  data: {
    ended: Ended
  }
}

export type PostOrganisationsByOrganisationIdInvitationsRequest = {
  /** E-mail address; upper and lower case are the same. */
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

export type PostOrganisationsByOrganisationIdInvitationsResponse = {
  success: true
  data: Invitation
}

export type GetOrganisationsByOrganisationIdInvitationsResponse = {
  success: true
  data: {
    invitations: Invitation[]
  }
}

export type DeleteOrganisationsByOrganisationIdInvitationsByInvitationIdResponse = {
  success: true
  /** One sentence for a person. */
  message: string
}

export type PostInvitationsAcceptRequest = {
  token: string
}

export type PostInvitationsAcceptResponse = {
  success: true
  data: Organisation
}

export type GetUserPlanResponse = {
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

export type GetUsageResponse = {
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

export type PostUpgradePlanRequest = {
  newPlan: string
}

export type PostUpgradePlanResponse = {
  success: boolean
  message: string
  status: "payment_required" | "active"
  /** The plan that was asked for. */
  plan: "basic" | "pro"
  checkoutUrl?: string
}

export type GetUpgradePreviewResponse = {
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
    renewsAt: string
  }
}

export type PostCancelPlanRequest = {
  userId: string
}

export type PostCancelPlanResponse = {
  success: boolean
  message: string
  plan: string
  cancelsAt: string
}

export type PostResumePlanRequest = {
  userId: string
}

export type PostResumePlanResponse = {
  success: boolean
  message: string
  plan: string
  renewsAt: string
}

export type Invoice = {
  id: string
  number: string | null
  status: "draft" | "open" | "paid" | "void" | "uncollectible"
  amountCents: number
  currency: string
  createdAt: string
  paidAt: string | null
  lines: {
    description: string
    amountCents: number
  }[]
  url: string | null
}

export type GetInvoicesResponse = {
  success: boolean
  data: {
    invoices: Invoice[]
    total: number
  }
}

export type PostBillingWebhookResponse = {
  received: true
}

export type PostWebhooksRequest = {
  url: string
  /** Without it a new webhook gets `scan.completed` and `scan.failed`. */
  events?: ("scan.completed" | "scan.failed" | "finding.new" | "quota.low" | "key.expiring")[]
  description?: string
}

export type PostWebhooksResponse = {
  success: boolean
  data: {
    id: string
    url: string
    events: string[]
    description: string | null
    status: "active" | "disabled"
    disabledReason: string | null
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
  createdAt: string
}

export type GetWebhooksResponse = {
  success: boolean
  data: {
    webhooks: Webhook[]
    total: number
  }
}

export type GetWebhooksByIdResponse = {
  success: boolean
  data: Webhook
}

export type PatchWebhooksByIdRequest = {
  url?: string
  /** Without it a new webhook gets `scan.completed` and `scan.failed`. */
  events?: ("scan.completed" | "scan.failed" | "finding.new" | "quota.low" | "key.expiring")[]
  description?: string
  status?: "active" | "disabled"
}

export type PatchWebhooksByIdResponse = {
  success: boolean
  data: Webhook
}

export type DeleteWebhooksByIdResponse = {
  success: boolean
  message: string
}

export type PostWebhooksByIdRotateSecretRequest = {
  overlapSeconds?: number
}

export type PostWebhooksByIdRotateSecretResponse = {
  success: boolean
  data: {
    id: string
    url: string
    events: string[]
    description: string | null
    status: "active" | "disabled"
    disabledReason: string | null
    createdAt: string
    secret: string
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
  createdAt: string
}

export type PostWebhooksByIdTestResponse = {
  success: boolean
  data: WebhookDelivery
}

export type GetWebhooksByIdDeliveriesResponse = {
  success: boolean
  data: {
    deliveries: WebhookDelivery[]
    nextCursor: string | null
  }
}

export type PostWebhooksByIdDeliveriesByDeliveryIdRedeliverResponse = {
  success: boolean
  data: WebhookDelivery
}

export type PostWebhooksDeliveriesByDeliveryIdRedeliverResponse = {
  success: boolean
  data: WebhookDelivery
}

export type Detector = {
  id: string
  /** Null: beyond the registry, reported as an advisory. */
  swc: string | null
  name: string
  title: string
  severity: "critical" | "high" | "medium" | "low" | "info"
  confidence: "high" | "medium" | "low"
  description: string
  recommendation: string
  references: string[]
  cwe: string[]
  examples: {
    vulnerable: string
    safe: string
  } | null
  knownLimits: string[]
  /** How it is used by somebody who means harm, step by step. */
  attackScenario: string[]
}

export type GetDetectorsResponse = {
  success: true
  data: {
    detectors: Detector[]
    total: number
  }
}

export type GetRootHealthResponse = {
  status: "ok"
}

export type GetRootReadyResponse = {
  status: "ready"
}

export type GetStatusResponse = {
  status: "ok"
  availability: {
    measuredSince: string | null
    lastDay: number | null
    last30Days: number | null
    last90Days: number | null
  }
}

export type GetRootProblemsByNameResponse = {
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
  sha256: string | null
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
  sha256: string
  project: string
  /** How many there are; the event names at most 100, the gravest first. */
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
    body: PostRegisterRequest
    response: PostRegisterResponse
  }
  'POST /api/verify-email': {
    params: never
    query: never
    body: PostVerifyEmailRequest
    response: PostVerifyEmailResponse
  }
  'POST /api/resend-otp': {
    params: never
    query: never
    body: PostResendOtpRequest
    response: PostResendOtpResponse
  }
  'POST /api/login': {
    params: never
    query: never
    body: PostLoginRequest
    response: PostLoginResponse
  }
  'POST /api/login/second-factor': {
    params: never
    query: never
    body: PostLoginSecondFactorRequest
    response: PostLoginSecondFactorResponse
  }
  'POST /api/login/passkey-options': {
    params: never
    query: never
    body: never
    response: PostLoginPasskeyOptionsResponse
  }
  'POST /api/login/passkey': {
    params: never
    query: never
    body: PostLoginPasskeyRequest
    response: PostLoginPasskeyResponse
  }
  'POST /api/logout': {
    params: never
    query: never
    body: never
    response: PostLogoutResponse
  }
  'GET /api/me': {
    params: never
    query: never
    body: never
    response: GetMeResponse
  }
  'PATCH /api/me': {
    params: never
    query: never
    body: PatchMeRequest
    response: PatchMeResponse
  }
  'POST /api/v1/account/password': {
    params: never
    query: never
    body: PostAccountPasswordRequest
    response: PostAccountPasswordResponse
  }
  'POST /api/v1/account/email': {
    params: never
    query: never
    body: PostAccountEmailRequest
    response: PostAccountEmailResponse
  }
  'POST /api/v1/account/email/confirm': {
    params: never
    query: never
    body: PostAccountEmailConfirmRequest
    response: PostAccountEmailConfirmResponse
  }
  'POST /api/v1/account/export': {
    params: never
    query: never
    body: PostAccountExportRequest
    response: string
  }
  'POST /api/v1/account/delete': {
    params: never
    query: never
    body: PostAccountDeleteRequest
    response: PostAccountDeleteResponse
  }
  'POST /api/forgot-password': {
    params: never
    query: never
    body: PostForgotPasswordRequest
    response: PostForgotPasswordResponse
  }
  'POST /api/reset-password': {
    params: never
    query: never
    body: PostResetPasswordRequest
    response: PostResetPasswordResponse
  }
  'GET /api/v1/sessions': {
    params: never
    query: never
    body: never
    response: GetSessionsResponse
  }
  'DELETE /api/v1/sessions': {
    params: never
    query: never
    body: never
    response: DeleteSessionsResponse
  }
  'DELETE /api/v1/sessions/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: DeleteSessionsByIdResponse
  }
  'GET /api/v1/second-factors': {
    params: never
    query: never
    body: never
    response: GetSecondFactorsResponse
  }
  'POST /api/v1/second-factors/totp': {
    params: never
    query: never
    body: PostSecondFactorsTotpRequest
    response: PostSecondFactorsTotpResponse
  }
  'POST /api/v1/second-factors/{id}/confirm': {
    params: {
      id: string
    }
    query: never
    body: PostSecondFactorsByIdConfirmRequest
    response: PostSecondFactorsByIdConfirmResponse
  }
  'POST /api/v1/second-factors/passkey-options': {
    params: never
    query: never
    body: PostSecondFactorsPasskeyOptionsRequest
    response: PostSecondFactorsPasskeyOptionsResponse
  }
  'POST /api/v1/second-factors/passkey': {
    params: never
    query: never
    body: PostSecondFactorsPasskeyRequest
    response: PostSecondFactorsPasskeyResponse
  }
  'POST /api/v1/second-factors/{id}/remove': {
    params: {
      id: string
    }
    query: never
    body: PostSecondFactorsByIdRemoveRequest
    response: PostSecondFactorsByIdRemoveResponse
  }
  'POST /api/v1/recovery-codes': {
    params: never
    query: never
    body: PostRecoveryCodesRequest
    response: PostRecoveryCodesResponse
  }
  'GET /api/v1/security-log': {
    params: never
    query: {
      limit?: number
      cursor?: string
    }
    body: never
    response: GetSecurityLogResponse
  }
  'GET /api/v1/mail-preferences': {
    params: never
    query: never
    body: never
    response: GetMailPreferencesResponse
  }
  'PATCH /api/v1/mail-preferences': {
    params: never
    query: never
    body: PatchMailPreferencesRequest
    response: PatchMailPreferencesResponse
  }
  'POST /api/generate-api-key': {
    params: never
    query: never
    body: PostGenerateApiKeyRequest
    response: PostGenerateApiKeyResponse
  }
  'GET /api/v1/user-api-keys': {
    params: never
    query: {
      userId: string
    }
    body: never
    response: GetUserApiKeysResponse
  }
  'PATCH /api/v1/user-api-keys/{id}': {
    params: {
      id: string
    }
    query: never
    body: PatchUserApiKeysByIdRequest
    response: PatchUserApiKeysByIdResponse
  }
  'DELETE /api/v1/user-api-keys/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: DeleteUserApiKeysByIdResponse
  }
  'POST /api/v1/user-api-keys/{id}/rotate': {
    params: {
      id: string
    }
    query: never
    body: PostUserApiKeysByIdRotateRequest
    response: PostUserApiKeysByIdRotateResponse
  }
  'GET /api/v1/allowed-origins': {
    params: never
    query: never
    body: never
    response: GetAllowedOriginsResponse
  }
  'PATCH /api/v1/allowed-origins': {
    params: never
    query: never
    body: PatchAllowedOriginsRequest
    response: PatchAllowedOriginsResponse
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
    body: FormData | ScanDocument
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
    body: FormData | BatchDocument
    response: BatchAccepted
  }
  'POST /scan': {
    params: never
    query: never
    body: FormData
    response: PostRootScanResponse
  }
  'GET /api/v1/scans': {
    params: never
    query: {
      limit?: number
      cursor?: string
      kind?: "standard" | "ai"
      via?: "key" | "session"
      status?: "queued" | "running" | "completed" | "failed" | "cancelled"
      rating?: "Excellent" | "Good" | "Fair" | "Poor" | "Critical"
      severity?: "critical" | "high" | "medium" | "low"
      fileName?: string
      nameContains?: string
      from?: string
      to?: string
    }
    body: never
    response: GetScansResponse
  }
  'GET /api/v1/scans/{scanId}': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: GetScansByScanIdResponse
  }
  'DELETE /api/v1/scans/{scanId}': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: DeleteScansByScanIdResponse
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
    response: GetScansByScanIdFindingsResponse
  }
  'GET /api/v1/scans/{scanId}/source': {
    params: {
      scanId: string
    }
    query: never
    body: never
    response: string
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
    response: string
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
    response: GetScansBatchByBatchIdResponse
  }
  'DELETE /api/v1/scans/batch/{batchId}': {
    params: {
      batchId: string
    }
    query: never
    body: never
    response: DeleteScansBatchByBatchIdResponse
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
    body: PostScansByScanIdLinksRequest
    response: PostScansByScanIdLinksResponse
  }
  'GET /api/v1/links': {
    params: never
    query: never
    body: never
    response: GetLinksResponse
  }
  'DELETE /api/v1/links/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: DeleteLinksByIdResponse
  }
  'GET /api/v1/shared/{token}': {
    params: {
      token: string
    }
    query: never
    body: never
    response: GetSharedByTokenResponse
  }
  'GET /api/v1/shared/{token}/source': {
    params: {
      token: string
    }
    query: never
    body: never
    response: string
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
      severity?: Severity
      vulnerabilityId?: string
      detector?: string
      state?: FindingState
      file?: string
      project?: string
      scanId?: string
      firstSeenSince?: string
      since?: string
    }
    body: never
    response: GetFindingsResponse
  }
  'PATCH /api/v1/findings/{id}': {
    params: {
      id: string
    }
    query: never
    body: PatchFindingsByIdRequest
    response: PatchFindingsByIdResponse
  }
  'GET /api/v1/projects': {
    params: never
    query: never
    body: never
    response: GetProjectsResponse
  }
  'POST /api/v1/organisations': {
    params: never
    query: never
    body: PostOrganisationsRequest
    response: PostOrganisationsResponse
  }
  'GET /api/v1/organisations': {
    params: never
    query: never
    body: never
    response: GetOrganisationsResponse
  }
  'PATCH /api/v1/organisations/{organisationId}': {
    params: {
      organisationId: string
    }
    query: never
    body: PatchOrganisationsByOrganisationIdRequest
    response: PatchOrganisationsByOrganisationIdResponse
  }
  'DELETE /api/v1/organisations/{organisationId}': {
    params: {
      organisationId: string
    }
    query: {
      confirm: string
    }
    body: never
    response: DeleteOrganisationsByOrganisationIdResponse
  }
  'GET /api/v1/organisations/{organisationId}/members': {
    params: {
      organisationId: string
    }
    query: never
    body: never
    response: GetOrganisationsByOrganisationIdMembersResponse
  }
  'PATCH /api/v1/organisations/{organisationId}/members/{memberId}': {
    params: {
      organisationId: string
      memberId: string
    }
    query: never
    body: PatchOrganisationsByOrganisationIdMembersByMemberIdRequest
    response: PatchOrganisationsByOrganisationIdMembersByMemberIdResponse
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
    response: DeleteOrganisationsByOrganisationIdMembersByMemberIdResponse
  }
  'POST /api/v1/organisations/{organisationId}/invitations': {
    params: {
      organisationId: string
    }
    query: never
    body: PostOrganisationsByOrganisationIdInvitationsRequest
    response: PostOrganisationsByOrganisationIdInvitationsResponse
  }
  'GET /api/v1/organisations/{organisationId}/invitations': {
    params: {
      organisationId: string
    }
    query: never
    body: never
    response: GetOrganisationsByOrganisationIdInvitationsResponse
  }
  'DELETE /api/v1/organisations/{organisationId}/invitations/{invitationId}': {
    params: {
      organisationId: string
      invitationId: string
    }
    query: never
    body: never
    response: DeleteOrganisationsByOrganisationIdInvitationsByInvitationIdResponse
  }
  'POST /api/v1/invitations/accept': {
    params: never
    query: never
    body: PostInvitationsAcceptRequest
    response: PostInvitationsAcceptResponse
  }
  'GET /api/v1/user-plan': {
    params: never
    query: {
      userId: string
    }
    body: never
    response: GetUserPlanResponse
  }
  'GET /api/v1/usage': {
    params: never
    query: {
      days?: number
    }
    body: never
    response: GetUsageResponse
  }
  'POST /api/upgrade-plan': {
    params: never
    query: never
    body: PostUpgradePlanRequest
    response: PostUpgradePlanResponse
  }
  'GET /api/v1/upgrade-preview': {
    params: never
    query: {
      newPlan: string
    }
    body: never
    response: GetUpgradePreviewResponse
  }
  'POST /api/v1/cancel-plan': {
    params: never
    query: never
    body: PostCancelPlanRequest
    response: PostCancelPlanResponse
  }
  'POST /api/v1/resume-plan': {
    params: never
    query: never
    body: PostResumePlanRequest
    response: PostResumePlanResponse
  }
  'GET /api/v1/invoices': {
    params: never
    query: {
      userId?: string
    }
    body: never
    response: GetInvoicesResponse
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
    body: PostWebhooksRequest
    response: PostWebhooksResponse
  }
  'GET /api/v1/webhooks': {
    params: never
    query: never
    body: never
    response: GetWebhooksResponse
  }
  'GET /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: GetWebhooksByIdResponse
  }
  'PATCH /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: PatchWebhooksByIdRequest
    response: PatchWebhooksByIdResponse
  }
  'DELETE /api/v1/webhooks/{id}': {
    params: {
      id: string
    }
    query: never
    body: never
    response: DeleteWebhooksByIdResponse
  }
  'POST /api/v1/webhooks/{id}/rotate-secret': {
    params: {
      id: string
    }
    query: never
    body: PostWebhooksByIdRotateSecretRequest
    response: PostWebhooksByIdRotateSecretResponse
  }
  'POST /api/v1/webhooks/{id}/test': {
    params: {
      id: string
    }
    query: never
    body: never
    response: PostWebhooksByIdTestResponse
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
    response: GetWebhooksByIdDeliveriesResponse
  }
  'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    params: {
      id: string
      deliveryId: string
    }
    query: never
    body: never
    response: PostWebhooksByIdDeliveriesByDeliveryIdRedeliverResponse
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
    query: never
    body: never
    response: GetDetectorsResponse
  }
  'GET /health': {
    params: never
    query: never
    body: never
    response: GetRootHealthResponse
  }
  'GET /ready': {
    params: never
    query: never
    body: never
    response: GetRootReadyResponse
  }
  'GET /api/v1/status': {
    params: never
    query: never
    body: never
    response: GetStatusResponse
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
    response: GetRootProblemsByNameResponse
  }
}

/** Each method of the client and the operation behind it. */
export const methods = {
  postRegister: 'POST /api/register',
  postVerifyEmail: 'POST /api/verify-email',
  postResendOtp: 'POST /api/resend-otp',
  postLogin: 'POST /api/login',
  postLoginSecondFactor: 'POST /api/login/second-factor',
  postLoginPasskeyOptions: 'POST /api/login/passkey-options',
  postLoginPasskey: 'POST /api/login/passkey',
  postLogout: 'POST /api/logout',
  getMe: 'GET /api/me',
  patchMe: 'PATCH /api/me',
  postAccountPassword: 'POST /api/v1/account/password',
  postAccountEmail: 'POST /api/v1/account/email',
  postAccountEmailConfirm: 'POST /api/v1/account/email/confirm',
  postAccountExport: 'POST /api/v1/account/export',
  postAccountDelete: 'POST /api/v1/account/delete',
  postForgotPassword: 'POST /api/forgot-password',
  postResetPassword: 'POST /api/reset-password',
  getSessions: 'GET /api/v1/sessions',
  deleteSessions: 'DELETE /api/v1/sessions',
  deleteSessionsById: 'DELETE /api/v1/sessions/{id}',
  getSecondFactors: 'GET /api/v1/second-factors',
  postSecondFactorsTotp: 'POST /api/v1/second-factors/totp',
  postSecondFactorsByIdConfirm: 'POST /api/v1/second-factors/{id}/confirm',
  postSecondFactorsPasskeyOptions: 'POST /api/v1/second-factors/passkey-options',
  postSecondFactorsPasskey: 'POST /api/v1/second-factors/passkey',
  postSecondFactorsByIdRemove: 'POST /api/v1/second-factors/{id}/remove',
  postRecoveryCodes: 'POST /api/v1/recovery-codes',
  getSecurityLog: 'GET /api/v1/security-log',
  getMailPreferences: 'GET /api/v1/mail-preferences',
  patchMailPreferences: 'PATCH /api/v1/mail-preferences',
  postGenerateApiKey: 'POST /api/generate-api-key',
  getUserApiKeys: 'GET /api/v1/user-api-keys',
  patchUserApiKeysById: 'PATCH /api/v1/user-api-keys/{id}',
  deleteUserApiKeysById: 'DELETE /api/v1/user-api-keys/{id}',
  postUserApiKeysByIdRotate: 'POST /api/v1/user-api-keys/{id}/rotate',
  getAllowedOrigins: 'GET /api/v1/allowed-origins',
  patchAllowedOrigins: 'PATCH /api/v1/allowed-origins',
  postScan: 'POST /api/v1/scan',
  postAiScan: 'POST /api/v1/ai-scan',
  postScansBatch: 'POST /api/v1/scans/batch',
  postRootScan: 'POST /scan',
  getScans: 'GET /api/v1/scans',
  getScansByScanId: 'GET /api/v1/scans/{scanId}',
  deleteScansByScanId: 'DELETE /api/v1/scans/{scanId}',
  getScansByScanIdEvents: 'GET /api/v1/scans/{scanId}/events',
  getScansByScanIdFindings: 'GET /api/v1/scans/{scanId}/findings',
  getScansByScanIdSource: 'GET /api/v1/scans/{scanId}/source',
  getScansByScanIdTestsByFingerprint: 'GET /api/v1/scans/{scanId}/tests/{fingerprint}',
  getScansByScanIdReport: 'GET /api/v1/scans/{scanId}/report',
  getScansBatchByBatchId: 'GET /api/v1/scans/batch/{batchId}',
  deleteScansBatchByBatchId: 'DELETE /api/v1/scans/batch/{batchId}',
  getReportsByOutputFile: 'GET /api/v1/reports/{outputFile}',
  postScansByScanIdLinks: 'POST /api/v1/scans/{scanId}/links',
  getLinks: 'GET /api/v1/links',
  deleteLinksById: 'DELETE /api/v1/links/{id}',
  getSharedByToken: 'GET /api/v1/shared/{token}',
  getSharedByTokenSource: 'GET /api/v1/shared/{token}/source',
  getSharedByTokenBadgeSvg: 'GET /api/v1/shared/{token}/badge.svg',
  getFindings: 'GET /api/v1/findings',
  patchFindingsById: 'PATCH /api/v1/findings/{id}',
  getProjects: 'GET /api/v1/projects',
  postOrganisations: 'POST /api/v1/organisations',
  getOrganisations: 'GET /api/v1/organisations',
  patchOrganisationsByOrganisationId: 'PATCH /api/v1/organisations/{organisationId}',
  deleteOrganisationsByOrganisationId: 'DELETE /api/v1/organisations/{organisationId}',
  getOrganisationsByOrganisationIdMembers: 'GET /api/v1/organisations/{organisationId}/members',
  patchOrganisationsByOrganisationIdMembersByMemberId: 'PATCH /api/v1/organisations/{organisationId}/members/{memberId}',
  deleteOrganisationsByOrganisationIdMembersByMemberId: 'DELETE /api/v1/organisations/{organisationId}/members/{memberId}',
  postOrganisationsByOrganisationIdInvitations: 'POST /api/v1/organisations/{organisationId}/invitations',
  getOrganisationsByOrganisationIdInvitations: 'GET /api/v1/organisations/{organisationId}/invitations',
  deleteOrganisationsByOrganisationIdInvitationsByInvitationId: 'DELETE /api/v1/organisations/{organisationId}/invitations/{invitationId}',
  postInvitationsAccept: 'POST /api/v1/invitations/accept',
  getUserPlan: 'GET /api/v1/user-plan',
  getUsage: 'GET /api/v1/usage',
  postUpgradePlan: 'POST /api/upgrade-plan',
  getUpgradePreview: 'GET /api/v1/upgrade-preview',
  postCancelPlan: 'POST /api/v1/cancel-plan',
  postResumePlan: 'POST /api/v1/resume-plan',
  getInvoices: 'GET /api/v1/invoices',
  postBillingWebhook: 'POST /api/billing/webhook',
  postWebhooks: 'POST /api/v1/webhooks',
  getWebhooks: 'GET /api/v1/webhooks',
  getWebhooksById: 'GET /api/v1/webhooks/{id}',
  patchWebhooksById: 'PATCH /api/v1/webhooks/{id}',
  deleteWebhooksById: 'DELETE /api/v1/webhooks/{id}',
  postWebhooksByIdRotateSecret: 'POST /api/v1/webhooks/{id}/rotate-secret',
  postWebhooksByIdTest: 'POST /api/v1/webhooks/{id}/test',
  getWebhooksByIdDeliveries: 'GET /api/v1/webhooks/{id}/deliveries',
  postWebhooksByIdDeliveriesByDeliveryIdRedeliver: 'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  postWebhooksDeliveriesByDeliveryIdRedeliver: 'POST /api/v1/webhooks/deliveries/{deliveryId}/redeliver',
  getDetectors: 'GET /api/v1/detectors',
  getRootHealth: 'GET /health',
  getRootReady: 'GET /ready',
  getStatus: 'GET /api/v1/status',
  getRootMetrics: 'GET /metrics',
  getRootProblemsByName: 'GET /problems/{name}',
} as const

/** Operations that take an Idempotency-Key. */
export const idempotentOperations: ReadonlySet<string> = new Set([
  'POST /api/generate-api-key',
  'POST /api/v1/scan',
  'POST /api/v1/ai-scan',
  'POST /api/v1/scans/batch',
  'POST /scan',
  'POST /api/upgrade-plan',
])
