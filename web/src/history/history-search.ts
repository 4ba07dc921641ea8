export const ratings = ['Excellent', 'Good', 'Fair', 'Poor', 'Critical'] as const
type Rating = (typeof ratings)[number]

/** What of the history is shown, as the address says it. */
export interface HistorySearch {
  name?: string
  kind?: 'standard' | 'ai'
  rating?: Rating
}

export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const name = typeof search.name === 'string' && search.name !== '' ? search.name : undefined
  const kind = search.kind === 'standard' || search.kind === 'ai' ? search.kind : undefined
  const rating = ratings.find((one) => one === search.rating)
  return { ...(name && { name }), ...(kind && { kind }), ...(rating && { rating }) }
}

export const isSearching = (search: HistorySearch): boolean => Object.keys(search).length > 0
