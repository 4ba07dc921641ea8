import { Refusal } from '../api/client.ts'
import { formatBytes, formatTime } from '../components/format.ts'
import { refusalWords as texts } from '../messages/scan-form.ts'

export interface AccountLimits {
  plan: string
  quotas: { scansPerDay: number; maxFileSize: number; maxContractSize: number }
  usage: { scansRemaining: number; resetsAt: string }
}

/** A limit of the plan in the reader's terms: what they have, what the plan takes. */
export interface LimitReached {
  words: string
  /** Whether a larger plan would take it. */
  canUpgrade: boolean
}

/** What the service would refuse, reported before anything is uploaded. */
export function refusalBeforeUpload(source: string, account: AccountLimits): LimitReached | undefined {
  if (source.trim() === '') return { words: texts.nothingScanYet, canUpgrade: false }
  return refusalOfSize(new TextEncoder().encode(source).length, account)
}

/** The same for what is measured already: a project, an archive. */
export function refusalOfSize(bytes: number, account: AccountLimits): LimitReached | undefined {
  const { quotas, usage, plan } = account
  if (bytes > quotas.maxFileSize)
    return {
      words: texts.fileTooLargePlan(formatBytes(bytes), plan, formatBytes(quotas.maxFileSize)),
      canUpgrade: plan !== 'pro',
    }
  if (usage.scansRemaining === 0) return quotaSpent(account)
  return undefined
}

/** The same for what only the service can tell; `undefined` for anything that is no limit of the plan. */
export function refusalOfService(error: Error, account: AccountLimits): LimitReached | undefined {
  if (!(error instanceof Refusal)) return undefined
  const { plan, quotas } = account
  if (error.status === 413)
    return {
      words: error.message.startsWith('Contract size')
        ? texts.contractTooLargePlan(plan, formatBytes(quotas.maxContractSize))
        : texts.fileTooLargePlanAllows(plan, formatBytes(quotas.maxFileSize)),
      canUpgrade: plan !== 'pro',
    }
  if (error.status !== 429) return undefined
  return error.message.startsWith('Daily')
    ? quotaSpent(account)
    : {
        words: texts.hourlyRequestLimitPlan(plan, inMinutes(error.retryAfterSeconds)),
        canUpgrade: plan !== 'pro',
      }
}

const quotaSpent = ({ plan, quotas, usage }: AccountLimits): LimitReached => ({
  words: texts.dailyLimitReachedScans(quotas.scansPerDay, plan, formatTime(usage.resetsAt)),
  canUpgrade: plan !== 'pro',
})

const inMinutes = (seconds: number | null): string => {
  const minutes = Math.ceil((seconds ?? 60) / 60)
  return minutes === 1 ? texts.inAMinute : `in ${minutes} minutes`
}
