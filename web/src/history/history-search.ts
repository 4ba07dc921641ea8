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
}

export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const name = typeof search.name === 'string' && search.name !== '' ? search.name : undefined
  const kind = search.kind === 'standard' || search.kind === 'ai' ? search.kind : undefined
  const rating = ratings.find((one) => one === search.rating)
  const severity = filteredSeverities.find((one) => one === search.severity)
  const via = search.via === 'key' || search.via === 'session' ? search.via : undefined
  return {
    ...(name && { name }),
    ...(kind && { kind }),
    ...(rating && { rating }),
    ...(severity && { severity }),
    ...(via && { via }),
  }
}

export const isSearching = (search: HistorySearch): boolean => Object.keys(search).length > 0
