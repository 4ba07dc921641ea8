export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof severities)[number]

export const severityTone: Record<Severity, string> = {
  critical: 'text-critical border-critical/50',
  high: 'text-high border-high/50',
  medium: 'text-medium border-medium/50',
  low: 'text-low border-low/50',
  info: 'text-info border-info/50',
}

export const severityColor: Record<Severity, string> = {
  critical: 'var(--critical)',
  high: 'var(--high)',
  medium: 'var(--medium)',
  low: 'var(--low)',
  info: 'var(--info)',
}
