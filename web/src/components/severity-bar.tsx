import { severityColor } from './severities.ts'

const shown = ['critical', 'high', 'medium', 'low'] as const
type Counts = Record<(typeof shown)[number], number>

/** More findings, a longer bar: full at a hundred, and one can still be seen. */
const lengthOf = (total: number): number => Math.min(100, Math.round(10 * Math.sqrt(total)))

/** How the findings of a scan are spread, in one glance; the numbers are text for every reader. */
export function SeverityBar({ counts }: { counts: Counts }) {
  const present = shown.filter((severity) => counts[severity] > 0)
  if (present.length === 0) return <span className="text-xs text-soft">none</span>
  const total = present.reduce((sum, severity) => sum + counts[severity], 0)
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className="w-24">
        <span className="flex h-2 overflow-hidden rounded-full" style={{ width: `${lengthOf(total)}%` }}>
          {present.map((severity) => (
            <span key={severity} style={{ flexGrow: counts[severity], background: severityColor[severity] }} />
          ))}
        </span>
      </span>
      <span className="text-xs whitespace-nowrap text-soft tabular-nums">
        {present.map((severity) => `${counts[severity]} ${severity}`).join(', ')}
      </span>
    </span>
  )
}
