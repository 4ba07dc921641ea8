export const ratings = ['Excellent', 'Good', 'Fair', 'Poor', 'Critical'] as const
type Rating = (typeof ratings)[number]

export const filteredSeverities = ['critical', 'high', 'medium', 'low'] as const
type FilteredSeverity = (typeof filteredSeverities)[number]

/** What of the history is shown, as the address says it. */
export interface HistorySearch {
  name?: string
  kind?: 'standard' | 'ai'
  rating?: Rating
  severity?: FilteredSeverity
  via?: 'key' | 'session'
  /** Days, both included: `2026-03-10`. */
  from?: string
  to?: string
}

const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** As the service has a range: until before the day that follows. */
export function daysToQuery({ from, to }: Pick<HistorySearch, 'from' | 'to'>): { from?: string; to?: string } {
  const next = to && new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10)
  return { ...(from && { from }), ...(next && { to: next }) }
}

export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const name = typeof search.name === 'string' && search.name !== '' ? search.name : undefined
  const kind = search.kind === 'standard' || search.kind === 'ai' ? search.kind : undefined
  const rating = ratings.find((one) => one === search.rating)
  const severity = filteredSeverities.find((one) => one === search.severity)
  const via = search.via === 'key' || search.via === 'session' ? search.via : undefined
  const [from, to] = [dayOf(search.from), dayOf(search.to)]
  return {
    ...(name && { name }),
    ...(kind && { kind }),
    ...(rating && { rating }),
    ...(severity && { severity }),
    ...(via && { via }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

export const isSearching = (search: HistorySearch): boolean => Object.keys(search).length > 0
