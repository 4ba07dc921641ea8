/** Why a run passed or failed its gate. */
export interface GateFacts {
  readonly failOn: string
  readonly onlyNew: boolean
  /** Findings that count, the most severe first. */
  readonly counts: readonly (readonly [severity: string, count: number])[]
}

/** `2 new findings at or above high: 1 critical, 1 high.` */
export function gateReason({ failOn, onlyNew, counts }: GateFacts): string {
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  const what = `${total === 0 ? 'No' : total} ${onlyNew ? 'new' : 'open'} ${total === 1 ? 'finding' : 'findings'} at or above ${failOn}`
  const each = counts.filter(([, count]) => count > 0).map(([severity, count]) => `${count} ${severity}`)
  return each.length === 0 ? `${what}.` : `${what}: ${each.join(', ')}.`
}
