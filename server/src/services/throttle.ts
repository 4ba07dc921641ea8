import { type Clock, secondsUntil } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import type { Secrets } from '../core/secrets.ts'
import type { Db } from '../stores/database.ts'
import { createThrottleStore, type ThrottleOutcome, type ThrottleRule } from '../stores/throttles.ts'
import { networkOf, siteOf } from './network.ts'

export interface ThrottleDeps {
  db: Db
  clock: Clock
  secrets: Secrets
}

type ThrottleRefusal =
  | 'tooManyRegistrations'
  | 'tooManyLogins'
  | 'tooManyCodes'
  | 'tooManyResets'
  | 'tooManyVerifications'
  | 'tooManyUserIdRequests'
  | 'tooManyKeyChanges'
  | 'tooManyOverruns'
  | 'tooManyWebhookTests'
  | 'tooManyInvitations'
  | 'tooManySharedReads'

interface Throttle {
  bucket: string
  rules: readonly ThrottleRule[]
  refusal: ThrottleRefusal
}

const MINUTE = 60
const HOUR = 3600

export const throttles = {
  registrations: { bucket: 'registrations', rules: [{ limit: 30, seconds: HOUR }], refusal: 'tooManyRegistrations' },
  logins: { bucket: 'logins', rules: [{ limit: 100, seconds: 15 * MINUTE }], refusal: 'tooManyLogins' },
  failedLogins: { bucket: 'failed-logins', rules: [{ limit: 10, seconds: 15 * MINUTE }], refusal: 'tooManyLogins' },
  /** Never refuses: what lies beyond a hundred is slowed down. */
  failedLoginsAnywhere: {
    bucket: 'failed-logins-anywhere',
    rules: [{ limit: 140, seconds: HOUR }],
    refusal: 'tooManyLogins',
  },
  /** Wrong codes after a right password, from one place; and from everywhere but the owner's own browsers. */
  secondFactors: { bucket: 'second-factors', rules: [{ limit: 10, seconds: 15 * MINUTE }], refusal: 'tooManyLogins' },
  secondFactorsAnywhere: {
    bucket: 'second-factors-anywhere',
    rules: [{ limit: 30, seconds: HOUR }],
    refusal: 'tooManyLogins',
  },
  /** Wrong passwords of anyone who holds a session. */
  passwordChecks: { bucket: 'password-checks', rules: [{ limit: 10, seconds: 15 * MINUTE }], refusal: 'tooManyLogins' },
  verifications: { bucket: 'verifications', rules: [{ limit: 60, seconds: HOUR }], refusal: 'tooManyVerifications' },
  /** Mails with a code to one email address, requested in one network. */
  codes: { bucket: 'codes', rules: [{ limit: 5, seconds: HOUR }], refusal: 'tooManyCodes' },
  /** The same from everywhere, beyond the first one of each network. */
  codesAnywhere: { bucket: 'codes-anywhere', rules: [{ limit: 30, seconds: HOUR }], refusal: 'tooManyCodes' },
  resends: { bucket: 'resends', rules: [{ limit: 60, seconds: HOUR }], refusal: 'tooManyCodes' },
  resendPause: { bucket: 'resend-pause', rules: [{ limit: 1, seconds: MINUTE }], refusal: 'tooManyCodes' },
  resetRequests: { bucket: 'reset-requests', rules: [{ limit: 60, seconds: HOUR }], refusal: 'tooManyResets' },
  resets: { bucket: 'resets', rules: [{ limit: 5, seconds: HOUR }], refusal: 'tooManyResets' },
  overruns: { bucket: 'overruns', rules: [{ limit: 5, seconds: HOUR }], refusal: 'tooManyOverruns' },
  userIdRequests: { bucket: 'user-id', rules: [{ limit: 600, seconds: HOUR }], refusal: 'tooManyUserIdRequests' },
  keyChanges: { bucket: 'key-changes', rules: [{ limit: 60, seconds: HOUR }], refusal: 'tooManyKeyChanges' },
  invitations: { bucket: 'invitations', rules: [{ limit: 20, seconds: HOUR }], refusal: 'tooManyInvitations' },
  sharedReads: { bucket: 'shared-reads', rules: [{ limit: 600, seconds: HOUR }], refusal: 'tooManySharedReads' },
  webhookTests: { bucket: 'webhook-tests', rules: [{ limit: 30, seconds: HOUR }], refusal: 'tooManyWebhookTests' },
  /** Never refuses: what lies beyond stands in the security log alone. */
  changeMails: { bucket: 'change-mails', rules: [{ limit: 5, seconds: HOUR }], refusal: 'tooManyKeyChanges' },
  /** Never refuses: what lies beyond waits for the next mail. */
  scanMails: { bucket: 'scan-mails', rules: [{ limit: 1, seconds: HOUR }], refusal: 'tooManyKeyChanges' },
} as const satisfies Record<string, Throttle>

export type ThrottleName = keyof typeof throttles

/** A stamp of the count, with which it can be given back. */
export async function throttle(deps: ThrottleDeps, name: ThrottleName, subject: string): Promise<number> {
  const now = deps.clock.now()
  const outcome = await count(deps, name, subject)
  if (outcome.isAdmitted) return now.getTime()
  return refuse(throttles[name].refusal, secondsUntil(now, new Date(outcome.retryAt)))
}

/** Counts one act of `subject` (an email or a network address) if there is room; leaves it to the caller what follows. */
export function count(deps: ThrottleDeps, name: ThrottleName, subject: string, times = 1): Promise<ThrottleOutcome> {
  const rules = throttles[name].rules.map((rule) => ({ ...rule, limit: rule.limit * times }))
  return createThrottleStore(deps.db).spend(bucketOf(deps, name, subject), rules, deps.clock.now().getTime())
}

/** Anyone who holds a /48 of IPv6 may do this many times as much as one network in it. */
const SITE_FACTOR = 3

/** Counts one act from a client's address: its network, and for IPv6 the site around that. */
export async function throttleClient(deps: ThrottleDeps, name: ThrottleName, address: string): Promise<void> {
  await throttle(deps, name, networkOf(address))
  if (siteOf(address) === networkOf(address)) return
  const outcome = await count(deps, name, siteOf(address), SITE_FACTOR)
  if (outcome.isAdmitted) return
  refuse(throttles[name].refusal, secondsUntil(deps.clock.now(), new Date(outcome.retryAt)))
}

/**
 * Five mails with a code an hour to one email address from one network, so that outsiders use up their own; the many networks of
 * one outsider get thirty together. The first of a network always leaves: it may be the owner's.
 */
export async function throttleCodes(deps: ThrottleDeps, email: string, address: string): Promise<void> {
  const now = deps.clock.now()
  const own = await count(deps, 'codes', `${email}:${networkOf(address)}`)
  if (!own.isAdmitted) return refuse('tooManyCodes', secondsUntil(now, new Date(own.retryAt)))
  const all = await count(deps, 'codesAnywhere', email)
  if (!all.isAdmitted && own.count > 1) refuse('tooManyCodes', secondsUntil(now, new Date(all.retryAt)))
}

/** A minute apart from the second resend on; the first one after a registration is answered at once. */
export async function throttleResends(deps: ThrottleDeps, email: string, address: string): Promise<void> {
  await throttle(deps, 'resendPause', `${email}:${networkOf(address)}`)
  await throttleCodes(deps, email, address)
}

/** Refuses when the limit is reached, without counting. */
export async function assertNotThrottled(deps: ThrottleDeps, name: ThrottleName, subject: string): Promise<void> {
  const { rules, refusal } = throttles[name]
  const now = deps.clock.now()
  const outcome = await createThrottleStore(deps.db).look(bucketOf(deps, name, subject), rules, now.getTime())
  if (!outcome.isAdmitted) refuse(refusal, secondsUntil(now, new Date(outcome.retryAt)))
}

export const giveBack = (deps: ThrottleDeps, name: ThrottleName, subject: string, stamp: number): Promise<void> =>
  createThrottleStore(deps.db).giveBack(bucketOf(deps, name, subject), stamp)

export const clearCount = (deps: ThrottleDeps, name: ThrottleName, subject: string): Promise<void> =>
  createThrottleStore(deps.db).clear(bucketOf(deps, name, subject))

/** Addresses of people who have no account are not kept in the clear. */
const bucketOf = ({ secrets }: ThrottleDeps, name: ThrottleName, subject: string): string =>
  secrets.index('throttle', `${throttles[name].bucket}:${subject}`)
