import { Link } from '@tanstack/react-router'
import { usePlan } from '../api/session.ts'
import { quotaLeft as texts } from '../messages/components.ts'

/** Scans left today, always in sight. */
export function QuotaLeft({ userId }: { userId: string }) {
  const plan = usePlan(userId)
  if (!plan.data) return null
  const { usage, quotas } = plan.data.data
  return (
    <Link
      to="/plan"
      className={`inline-flex min-h-6 items-center rounded max-[400px]:hidden border border-line px-2 py-1 text-xs whitespace-nowrap tabular-nums ${usage.scansRemaining === 0 ? 'text-critical' : 'text-soft'}`}
      title={texts.dailyQuotaResets(usage.resetsAt)}
    >
      <span className="max-xl:hidden">
        {usage.scansRemaining} of {quotas.scansPerDay} scans left
      </span>
      <span className="xl:hidden">{usage.scansRemaining} left</span>
    </Link>
  )
}
