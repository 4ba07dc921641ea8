import type { KeyType } from '../core/plans.ts'
import type { Scope } from '../core/scopes.ts'
import type { Admission } from './admission.ts'

/** Who is asking, and by which credential. */
export type Caller = KeyCaller | SessionCaller | UserIdCaller

/** How often a key may be used; null: as often as its account. */
export interface KeyLimits {
  readonly requestsPerHour: number | null
  readonly scansPerDay: number | null
}

export interface KeyCaller {
  via: 'key'
  accountId: string
  keyId: string
  keyType: KeyType
  scopes: readonly Scope[]
  /** Its own, below those of the account; null: none. */
  limits: KeyLimits
  /** Found when this request was counted; absent outside a request. */
  admission?: Admission
}

export interface SessionCaller {
  via: 'session'
  accountId: string
  sessionId: string
  /** Whose session it is, when it acts for the organisation that `accountId` names. */
  memberId?: string
  /** Found when this request was counted; absent where sessions are not. */
  admission?: Admission
}

/** Named by a bare userId, which is enough when the operator chose `ACCOUNT_ACCESS=user-id`. */
export interface UserIdCaller {
  via: 'user-id'
  accountId: string
}

/** Where a request comes from, as far as it can be believed. */
export interface Client {
  address: string
  userAgent: string
  /** Who acts, when that is a member for an organisation. */
  member?: string
}
