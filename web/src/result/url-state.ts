import { type Chip, chips, type Filter, type LeastConfidence, leastConfidences } from './filter.ts'
import { type Grouping, groupings } from './group.ts'

/** What a link to a result carries: `?f=<fingerprint>&sev=critical.high&conf=medium&by=contract&q=…`. */
export interface ResultSearch {
  /** The finding that is open. */
  f?: string
  sev?: string
  conf?: LeastConfidence
  by?: Grouping
  q?: string
}

/** Reads whatever stands in the address; what is not understood is left out. */
export function readResultSearch(search: Record<string, unknown>): ResultSearch {
  const f = text(search.f)
  const sev = chipsOf(text(search.sev)).join('.')
  const conf = leastConfidences.find((name) => name === search.conf && name !== 'low')
  const by = groupings.find((name) => name === search.by && name !== 'kind')
  const q = text(search.q)
  return { ...(f && { f }), ...(sev && { sev }), ...(conf && { conf }), ...(by && { by }), ...(q && { q }) }
}

export const filterOf = ({ sev, conf, q }: ResultSearch): Filter => ({
  chips: chipsOf(sev),
  least: conf ?? 'low',
  query: q ?? '',
})

/** The search that shows this filter; the other entries stay as they are. */
export function withFilter(search: ResultSearch, filter: Filter): ResultSearch {
  return readResultSearch({ ...search, sev: filter.chips.join('.'), conf: filter.least, q: filter.query })
}

const chipsOf = (words = ''): Chip[] => {
  const named = words.split('.')
  return chips.filter((chip) => named.includes(chip))
}

/** Digits alone come out of the address as a number. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
