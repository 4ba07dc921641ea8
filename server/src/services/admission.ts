import type { Plan, PlanName } from '../core/plans.ts'

/** What an account may do today: its plan, with what the operator agreed beyond it. */
export interface Limits {
  readonly plan: PlanName
  readonly requestsPerHour: number
  readonly scansPerDay: number
  readonly maxFileBytes: number
  readonly maxContractBytes: number
  readonly historyDays: number
  readonly features: Plan['features']
  /** The key that asks, when it has a daily limit of its own. */
  readonly key?: { readonly id: string; readonly scansPerDay: number } | undefined
}

/** What was found when a request was let in: the service need not ask again. */
export interface Admission {
  readonly limits: Limits
  readonly scansToday: number
}
