import { type Clock, secondsUntil } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import type { Secrets } from '../core/secrets.ts'
import type { Db } from '../stores/database.ts'
import { createThrottleStore, type ThrottleRule } from '../stores/throttles.ts'

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
  | 'tooManyUserIdRequests'

interface Throttle {
  /** Throttles that share a bucket share one count. */
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
  firstCodes: { bucket: 'codes', rules: [{ limit: 5, seconds: HOUR }], refusal: 'tooManyCodes' },
  resentCodes: {
    bucket: 'codes',
    rules: [
      { limit: 1, seconds: MINUTE },
      { limit: 5, seconds: HOUR },
    ],
    refusal: 'tooManyCodes',
  },
  resets: { bucket: 'resets', rules: [{ limit: 5, seconds: HOUR }], refusal: 'tooManyResets' },
  userIdRequests: { bucket: 'user-id', rules: [{ limit: 600, seconds: HOUR }], refusal: 'tooManyUserIdRequests' },
} as const satisfies Record<string, Throttle>

export type ThrottleName = keyof typeof throttles

/** Counts one act of `subject` (an e-mail or a network address), or refuses it. The stamp can be given back. */
export async function throttle(deps: ThrottleDeps, name: ThrottleName, subject: string): Promise<number> {
  const { rules, refusal } = throttles[name]
  const now = deps.clock.now()
  const outcome = await createThrottleStore(deps.db).spend(bucketOf(deps, name, subject), rules, now.getTime())
  return outcome.isAdmitted ? now.getTime() : refuse(refusal, secondsUntil(now, new Date(outcome.retryAt)))
}

export const giveBack = (deps: ThrottleDeps, name: ThrottleName, subject: string, stamp: number): Promise<void> =>
  createThrottleStore(deps.db).giveBack(bucketOf(deps, name, subject), stamp)

/** Addresses of people who have no account are not kept in the clear. */
const bucketOf = ({ secrets }: ThrottleDeps, name: ThrottleName, subject: string): string =>
  secrets.index('throttle', `${throttles[name].bucket}:${subject}`)

/** One household has a whole /64 of IPv6: counting single addresses would count nothing. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]!.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const filler = address.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return `${[...left, ...filler, ...right].slice(0, 4).join(':')}::/64`
}
