import { type Severity, severityTone } from './severities.ts'

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span className={`inline-block rounded border px-1.5 text-xs font-semibold capitalize ${severityTone[severity]}`}>
      {severity}
    </span>
  )
}
