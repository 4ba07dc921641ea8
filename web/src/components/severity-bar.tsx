import { severityBar as texts } from '../messages/components.ts'
import { severityColor } from './severities.ts'

const shown = ['critical', 'high', 'medium', 'low', 'info'] as const
/** By severity, and those outside the SWC list, which are findings too. */
type Counts = Record<(typeof shown)[number], number> & { advisories: number }

/** More findings, a longer bar: full at a hundred, and one can still be seen. */
const lengthOf = (total: number): number => Math.min(100, Math.round(10 * Math.sqrt(total)))

/** How the findings of a scan are spread, in one glance; the numbers are text for every reader. */
export function SeverityBar({ counts }: { counts: Counts }) {
  const present = shown.filter((severity) => counts[severity] > 0)
  const { advisories } = counts
  if (present.length === 0 && advisories === 0) return <span className="text-xs text-soft">none</span>
  const total = present.reduce((sum, severity) => sum + counts[severity], advisories)
  return (
    <span className="block">
      <span aria-hidden="true" className="mb-1 block w-40">
        <span className="flex h-2 overflow-hidden rounded-full" style={{ width: `${lengthOf(total)}%` }}>
          {present.map((severity) => (
            <span key={severity} style={{ flexGrow: counts[severity], background: severityColor[severity] }} />
          ))}
          {advisories > 0 && <span className="bg-field" style={{ flexGrow: advisories }} />}
        </span>
      </span>
      <span className="block text-xs text-soft tabular-nums">
        {[
          ...present.map((severity) => `${counts[severity]} ${severity}`),
          ...(advisories > 0 ? [texts.outsideSwc(advisories)] : []),
        ].join(', ')}
      </span>
    </span>
  )
}
