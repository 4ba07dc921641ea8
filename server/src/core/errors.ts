import { maxActiveKeys } from './plans.ts'

type Words = (...facts: never[]) => string
type Headers = (...facts: never[]) => Record<string, string>
type RefusalEntry = readonly [status: number, words: Words, headers?: Headers]

const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) })

/** The limit that was hit, in place of the hour's. */
const limitHit = (resetsAt: Date, retryAfterSeconds: number, limit: number) => ({
  ...retryAfter(retryAfterSeconds),
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(Math.ceil(resetsAt.getTime() / 1000)),
})

/**
 * Every refusal the service can give: name → status → exact words → headers that carry machine detail.
 * The words are a contract with clients; the reference and OpenAPI derive from this table.
 */
export const refusals = {
  // The request itself
  invalid: [400, (problem: string) => problem],
  brokenJson: [400, () => 'The request body is not valid JSON.'],
  repeatedName: [400, (name: string) => `The request body has "${name}" twice in one object.`],
  badRequest: [400, () => 'The request could not be understood.'],
  unknownRoute: [404, () => 'Not found.'],
  problemNotFound: [404, () => 'There is no such problem type.'],
  methodNotAllowed: [
    405,
    (allowed: string) => `Method not allowed. Use ${allowed}.`,
    (allowed: string) => ({ allow: allowed }),
  ],
  requestTimeout: [408, () => 'The request took too long to arrive.'],
  bodyTooLarge: [413, (maxBytes: number) => `The request body exceeds the maximum of ${maxBytes} bytes.`],
  uriTooLong: [414, () => 'The address is too long.'],
  notJson: [415, () => 'Content-Type must be application/json.'],
  headersTooLarge: [431, () => 'The request headers are too large.'],
  internal: [500, (requestId: string) => `Internal error. Reference ${requestId}`],
  notReady: [503, () => 'The service is not ready.', () => retryAfter(5)],
  unavailable: [503, () => 'The service is temporarily unavailable. Try again shortly.', () => retryAfter(5)],
  shuttingDown: [503, () => 'The service is restarting. Try again shortly.', () => retryAfter(5)],
  busy: [503, (seconds: number) => `The service is busy. Try again in ${seconds} seconds.`, retryAfter],

  // Accounts
  emailTaken: [409, () => 'An account with this e-mail already exists.'],
  codeInvalid: [400, () => 'Invalid or expired verification code.'],
  loginFailed: [401, () => 'Invalid e-mail or password.'],
  emailUnverified: [403, () => 'E-mail address is not verified.'],
  resetTokenInvalid: [400, () => 'Invalid or expired reset token.'],
  passwordCommon: [
    400,
    (field: string) => `${field} is one of the most common breached passwords. Choose another one.`,
  ],
  passwordGuessable: [
    400,
    (field: string) =>
      `${field} is too easy to guess: little is left of it without your email address and name, the name of this product, blanks and characters that repeat or follow each other.`,
  ],
  tooManyRegistrations: [
    429,
    (_seconds: number) => 'Too many registrations from this address. Try again later.',
    retryAfter,
  ],
  tooManyLogins: [429, (_seconds: number) => 'Too many login attempts. Try again later.', retryAfter],
  tooManyCodes: [429, (_seconds: number) => 'Too many verification codes requested. Try again later.', retryAfter],
  tooManyResets: [429, (_seconds: number) => 'Too many password resets requested. Try again later.', retryAfter],
  tooManyVerifications: [429, (_seconds: number) => 'Too many verification attempts. Try again later.', retryAfter],
  tooManyUserIdRequests: [
    429,
    (_seconds: number) => 'Too many requests from this address. Try again later.',
    retryAfter,
  ],
  sessionMissing: [401, () => 'Log in first: send the token from POST /api/login as a Bearer token or cookie.'],
  userIdForeign: [403, () => 'This userId does not belong to the logged-in account.'],
  crossSite: [
    403,
    () => 'A change authorized by a cookie must come from the same origin. Send the token as a Bearer token instead.',
  ],
  loginExpired: [401, () => 'This log-in has expired. Begin again with email and password.'],
  secondFactorFailed: [401, () => 'The second factor was not accepted.'],
  passkeyRefused: [401, () => 'The passkey was not accepted.'],
  providerNotFound: [404, () => 'This sign-in provider is not configured.'],
  signInExpired: [401, () => 'This sign-in has expired or was started in another browser. Start again.'],
  signInRefused: [401, () => 'The provider did not confirm the sign-in. Start again.'],
  providerEmailUnverified: [
    403,
    () => 'The provider has no verified email address for you. Verify it there, or sign up with a password.',
  ],
  providerAway: [502, () => 'The sign-in provider does not answer. Try again later, or log in with your password.'],
  passwordWrong: [403, () => 'The password is wrong.'],
  factorCodeWrong: [400, () => 'The code is not the one that this secret gives now.'],
  passkeyUnusable: [400, () => 'The passkey could not be verified. Begin again.'],
  passkeysUnavailable: [409, () => 'Passkeys need a PUBLIC_URL with a host name that is not an address.'],
  passkeyKnown: [409, () => 'This passkey is already in use.'],
  tooManyFactors: [409, (max: number) => `An account can have at most ${max} second factors. Remove one first.`],
  noSecondFactor: [409, () => 'There is no second factor. Add one first.'],
  factorNotFound: [404, () => 'Second factor not found.'],
  // Organisations
  organisationNotFound: [404, () => 'Organization not found.'],
  memberNotFound: [404, () => 'Member not found.'],
  invitationNotFound: [404, () => 'Invitation not found.'],
  publishingNotAllowed: [403, () => 'Making source public needs a permission from an owner of the organization.'],
  roleTooLow: [403, (least: string) => `Your role in this organization does not allow this. It takes: ${least}.`],
  personalOnly: [403, () => 'This endpoint is about a person and cannot be used for an organization.'],
  invitationInvalid: [400, () => 'Invalid or expired invitation.'],
  invitationForeign: [403, () => 'This invitation was sent to another email address.'],
  confirmationWrong: [400, () => 'confirm must be the name of the organization.'],
  alreadyMember: [409, () => 'This email address already belongs to a member.'],
  lastOwner: [409, () => 'An organization needs an owner. Make another member one first.'],
  tooManyOrganisations: [409, (max: number) => `A person can belong to at most ${max} organisations.`],
  tooManyMembers: [409, (max: number) => `An organization can have at most ${max} members and open invitations.`],
  tooManyInvitations: [429, (_seconds: number) => 'Too many invitations were sent. Try again later.', retryAfter],

  sessionNotFound: [404, () => 'Session not found.'],
  unsubscribeInvalid: [400, () => 'This unsubscribe link is not valid.'],

  // API keys
  keyMissing: [401, () => 'API key is required. Please provide X-API-Key header.'],
  keyInvalid: [403, () => 'Invalid or expired API key'],
  scopeMissing: [403, (scope: string) => `This API key may not be used for this. It takes the scope: ${scope}.`],
  keyNotFound: [404, () => 'API key not found.'],
  keyNotActive: [409, () => 'Only an active API key can be rotated.'],
  tooManyKeys: [409, () => `An account can have at most ${maxActiveKeys} active API keys. Revoke one first.`],

  tooManyKeyChanges: [429, (_seconds: number) => 'Too many API keys created or revoked. Try again later.', retryAfter],

  // Limits
  hourSpent: [429, (_retryAfterSeconds: number) => 'API rate limit exceeded', retryAfter],
  quotaSpent: [
    429,
    (resetsAt: Date, _retryAfterSeconds: number, _limit: number) =>
      `Daily scan limit exceeded. Limit resets at ${resetsAt.toISOString()}`,
    limitHit,
  ],
  keyHourSpent: [429, (_retryAfterSeconds: number) => 'The hourly limit of this API key is exceeded.', retryAfter],
  keyQuotaSpent: [
    429,
    (resetsAt: Date, _retryAfterSeconds: number, _limit: number) =>
      `The daily scan limit of this API key is exceeded. It resets at ${resetsAt.toISOString()}`,
    limitHit,
  ],
  tooManyOverruns: [
    429,
    (_retryAfterSeconds: number) =>
      'Too many scans of this account had to be stopped for time or memory. Try again later.',
    retryAfter,
  ],
  workSpent: [
    429,
    (cpuSeconds: number, _retryAfterSeconds: number) =>
      `Analysis time exceeded: ${cpuSeconds} CPU seconds per hour. Scans that were given up count too. Try again later, or upgrade.`,
    (_cpuSeconds: number, retryAfterSeconds: number) => retryAfter(retryAfterSeconds),
  ],
  fileTooLarge: [
    413,
    (maxBytes: number) => `File size exceeds maximum limit of ${maxBytes} bytes. Upload a smaller file.`,
  ],
  sourcesTooLarge: [
    413,
    (maxBytes: number) =>
      `The sources are larger than the ${maxBytes} bytes that your plan allows for a project. Leave out tests and libraries (git archive HEAD src remappings.txt), or upgrade.`,
  ],
  archiveTooLarge: [
    413,
    (maxArchiveBytes: number, maxBytes: number) =>
      `The archive is larger than ${maxArchiveBytes} bytes. Its sources may have ${maxBytes} bytes, and the archive eight times that. Leave out what is not source (git archive HEAD src lib remappings.txt).`,
  ],
  contractTooLarge: [
    413,
    (maxBytes: number) => `Contract size exceeds maximum limit of ${maxBytes} bytes. Upload a smaller contract.`,
  ],

  // Scans
  noFile: [400, () => 'No file uploaded.'],
  notSol: [400, () => 'Only .sol files can be scanned.'],
  oneFileOnly: [400, () => 'Upload one file: this endpoint scans a single .sol file.'],
  noSources: [400, () => 'There is no .sol file in it.'],
  sourceNotText: [400, (path: string) => `The file ${path} is not UTF-8 text.`],
  pathRefused: [400, (path: string, reason: string) => `The path ${path} is refused: ${reason}.`],
  archiveUnreadable: [400, (reason: string) => `The archive cannot be read: ${reason}.`],
  tooManyFiles: [413, (max: number) => `A project can have at most ${max} files.`],
  addressScansOff: [501, () => 'Scanning by address is not configured on this server. Upload the sources instead.'],
  repositoryScansOff: [
    501,
    () => 'Scanning a repository is not configured on this server. Upload the sources instead.',
  ],
  sourceNotVerified: [
    404,
    (address: string, chain: number) => `No verified source was found for ${address} on chain ${chain}.`,
  ],
  sourceOtherLanguage: [422, () => 'The contract at this address is not written in Solidity.'],
  forgeUnknown: [400, (hosts: string) => `repository must lie on one of: ${hosts}.`],
  repositoryNotFound: [404, () => 'The repository or its ref was not found, or it is not public.'],
  repositoryTooLarge: [
    413,
    (maxBytes: number) => `The archive of the repository exceeds ${maxBytes} bytes. Upload its sources instead.`,
  ],
  sourceHostBusy: [
    503,
    (_seconds: number) => 'The host of the sources is limiting requests. Try again later.',
    retryAfter,
  ],
  sourceHostTimeout: [504, () => 'The host of the sources did not answer in time.'],
  sourceHostFailed: [502, () => 'The host of the sources did not give a usable answer.'],
  emptyFile: [400, () => 'The file is empty.'],
  notText: [400, () => 'The file is not UTF-8 text.'],
  notSolidity: [422, (line: number, reason: string) => `The file is not valid Solidity: line ${line}: ${reason}`],
  scanFailed: [500, (requestId: string) => `Scan failed. Reference ${requestId}`],
  scanQueueFull: [503, (_seconds: number) => 'Too many scans are waiting. Try again shortly.', retryAfter],
  batchNotOnPlan: [403, () => 'Batches are available on the basic and pro plans only.'],
  batchTooLong: [413, (max: number) => `A batch can have at most ${max} scans.`],
  batchEntryRefused: [400, (name: string, reason: string) => `${name}: ${reason}`],
  batchNotFound: [404, () => 'Batch not found.'],
  tooManyStreams: [
    429,
    (max: number) => `An account can follow at most ${max} scans at a time. Close a stream first.`,
    () => retryAfter(5),
  ],
  scanNotFound: [404, () => 'Scan not found.'],
  linkNotFound: [404, () => 'This link does not exist, has expired or was revoked.'],
  tooManyLinks: [409, (max: number) => `An account can have at most ${max} links. Revoke one first.`],
  tooManySharedReads: [
    429,
    (_seconds: number) => 'Too many shared results were opened from this address. Try again later.',
    retryAfter,
  ],
  findingNotFound: [404, () => 'Finding not found.'],
  projectNotFound: [404, () => 'Project not found.'],
  reportNotFound: [404, () => 'Report not found.'],
  idempotencyInFlight: [409, () => 'A request with this Idempotency-Key is still in progress.', () => retryAfter(1)],
  idempotencyMismatch: [422, () => 'This Idempotency-Key was already used with a different request.'],

  // AI scans
  aiNotOnPlan: [403, () => 'AI analysis is available on the pro plan only.'],
  aiKeyMissing: [400, () => 'openrouterApiKey is required.'],
  aiModelMissing: [400, () => 'model is required.'],
  aiKeyRejected: [400, () => 'The AI gateway rejected the supplied key.'],
  aiCreditMissing: [402, () => 'The AI gateway account of the supplied key has not enough credit.'],
  aiModelUnknown: [400, () => 'The AI gateway does not know this model.'],
  aiContextTooLong: [413, () => "The file is too long for this model's context. Choose another model."],
  aiModerated: [422, () => 'The AI gateway refused the content by its moderation rules.'],
  aiBusy: [503, (_seconds: number) => 'The AI gateway is limiting requests. Try again later.', retryAfter],
  aiTimeout: [504, () => 'The AI gateway did not answer in time.'],
  aiFailed: [502, () => 'The AI gateway did not give a usable answer.'],

  // Webhooks
  webhooksNotOnPlan: [403, () => 'Webhooks are available on the pro plan only.'],
  webhookNotFound: [404, () => 'Webhook not found.'],
  deliveryNotFound: [404, () => 'Delivery not found.'],
  webhookUrlRefused: [400, (reason: string) => `url ${reason}`],
  tooManyWebhooks: [409, (max: number) => `An account can have at most ${max} webhooks. Delete one first.`],
  tooManyWebhookTests: [429, (_seconds: number) => 'Too many test events. Try again later.', retryAfter],
  webhookDisabled: [409, () => 'This webhook is not active. Enable it first.'],

  // Plans and billing
  planUnknown: [400, () => 'newPlan must be one of: free, basic, pro.'],
  planNotHigher: [
    400,
    (current: string) => `newPlan must be higher than the current plan, ${current}. To leave a plan, cancel it.`,
  ],
  paymentRefused: [402, () => 'The payment was refused.'],
  nothingToCancel: [409, () => 'There is no paid plan to cancel.'],
  nothingToResume: [409, () => 'There is no cancellation to take back.'],
  upgradePending: [409, () => 'Another plan change is in progress. Try again shortly.', () => retryAfter(5)],
  billingSignature: [400, () => 'The signature of this billing event is not valid.'],
  billingUnavailable: [502, () => 'The billing provider did not answer. Nothing was charged.'],
  checkoutNotFound: [404, () => 'Checkout not found.'],
  checkoutClosed: [409, () => 'This checkout was already used or has expired.'],
} as const satisfies Record<string, RefusalEntry>

export type RefusalName = keyof typeof refusals
export type RefusalFacts<Name extends RefusalName> = Parameters<(typeof refusals)[Name][1]>

/** A refusal on its way to the client: its message is public, word for word. */
/** A JSON pointer into the body, or the name of a query parameter. */
export type ProblemPlace = { readonly pointer: string } | { readonly parameter: string }

export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly status: number
  readonly headers: Record<string, string>
  /** Where in the request the problem is, for programs. */
  place: ProblemPlace | undefined

  constructor(refusal: RefusalName, status: number, words: string, headers: Record<string, string>) {
    super(words)
    this.name = 'Refusal'
    this.refusal = refusal
    this.status = status
    this.headers = headers
  }
}

/** The database cannot be reached, does not answer, or has no room left: a retry may succeed later. */
export class DatabaseAway extends Error {
  constructor(cause?: unknown) {
    super('The database is away.', { cause })
    this.name = 'DatabaseAway'
  }
}

/** Text that no database can hold: one with a NUL character. */
export class UnstorableText extends Error {
  constructor() {
    super('A text parameter may not contain a NUL character.')
    this.name = 'UnstorableText'
  }
}

/** Builds a refusal without throwing it, for hooks that answer by themselves. */
export function refusalOf<Name extends RefusalName>(name: Name, ...facts: RefusalFacts<Name>): Refusal {
  const [status, words, headers] = refusals[name] as RefusalEntry
  return new Refusal(name, status, words(...(facts as never[])), headers?.(...(facts as never[])) ?? {})
}

/** Stops the request with a refusal from the catalogue. */
export function refuse<Name extends RefusalName>(name: Name, ...facts: RefusalFacts<Name>): never {
  throw refusalOf(name, ...facts)
}

export const statusOf = (name: RefusalName): number => refusals[name][0]

/** `quotaSpent` → `quota-spent`: how a problem's type names it. */
export const problemName = (name: RefusalName): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `quotaSpent` → `Quota spent`: the kind in words, whatever the facts. */
export const problemTitle = (name: RefusalName): string => {
  const words = problemName(name)
    .replaceAll('-', ' ')
    .replace(/\b(?:ai|api|json|url)\b/g, (word) => word.toUpperCase())
  return words[0]!.toUpperCase() + words.slice(1)
}
