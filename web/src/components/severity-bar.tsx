import { severityColor } from './severities.ts'

const shown = ['critical', 'high', 'medium', 'low'] as const
type Counts = Record<(typeof shown)[number], number>

/** How the findings of a scan are spread, in one glance; the numbers are text for every reader. */
export function SeverityBar({ counts }: { counts: Counts }) {
  const present = shown.filter((severity) => counts[severity] > 0)
  if (present.length === 0) return <span className="text-xs text-soft">none</span>
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className="flex h-2 w-24 overflow-hidden rounded-full bg-sunken">
        {present.map((severity) => (
          <span key={severity} style={{ flexGrow: counts[severity], background: severityColor[severity] }} />
        ))}
      </span>
      <span className="text-xs whitespace-nowrap text-soft tabular-nums">
        {present.map((severity) => `${counts[severity]} ${severity}`).join(', ')}
      </span>
    </span>
  )
}
