/** What each plan costs and allows. Every limit in code, documents and pages comes from here. */
export interface Plan {
  name: PlanName
  rank: number
  priceCents: number
  requestsPerHour: number
  scansPerDay: number
  maxFileBytes: number
  maxContractBytes: number
  historyDays: number
  features: { batches: boolean; ai: boolean; webhooks: boolean; mailNotices: boolean; sla: boolean }
}

export const planNames = ['free', 'basic', 'pro'] as const
export type PlanName = (typeof planNames)[number]

const KB = 1024

export const plans: Readonly<Record<PlanName, Plan>> = {
  free: {
    name: 'free',
    rank: 0,
    priceCents: 0,
    requestsPerHour: 60,
    scansPerDay: 5,
    maxFileBytes: 100 * KB,
    maxContractBytes: 5 * KB,
    historyDays: 7,
    features: { batches: false, ai: false, webhooks: false, mailNotices: false, sla: false },
  },
  basic: {
    name: 'basic',
    rank: 1,
    priceCents: 999,
    requestsPerHour: 600,
    scansPerDay: 100,
    maxFileBytes: 1024 * KB,
    maxContractBytes: 50 * KB,
    historyDays: 30,
    features: { batches: true, ai: false, webhooks: false, mailNotices: true, sla: false },
  },
  pro: {
    name: 'pro',
    rank: 2,
    priceCents: 2999,
    requestsPerHour: 6000,
    scansPerDay: 1000,
    maxFileBytes: 5 * 1024 * KB,
    maxContractBytes: 500 * KB,
    historyDays: 90,
    features: { batches: true, ai: true, webhooks: true, mailNotices: true, sla: true },
  },
}

/** CPU time for analysis, whatever became of the requests it was used for; several times what honest use of the plan takes. */
export const cpuSecondsPerHour: Readonly<Record<PlanName, number>> = { free: 120, basic: 900, pro: 3_600 }

export const isPlanName = (text: string): text is PlanName => (planNames as readonly string[]).includes(text)

/** TEST keys may call this many times as often as the plan says. */
/** A page asks often; a program gains nothing by pretending to be one. */
export const sessionFactor = 10
export const testKeyFactor = 2

export const maxActiveKeys = 25

/** How long a new key of each type lives, in calendar months: unless its maker chooses, and at most. */
export const keyLifetimeMonths = {
  PRODUCTION: { usual: 13, longest: 36 },
  TEST: { usual: 4, longest: 6 },
} as const
export type KeyType = keyof typeof keyLifetimeMonths
