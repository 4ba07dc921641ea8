import { type Severity, severities } from '../components/severities.ts'
import type { FindingState } from '../result/scan-view.ts'

export const findingSorts = ['severity', 'firstSeenAt', '-firstSeenAt', '-lastSeenAt'] as const
export type FindingSort = (typeof findingSorts)[number]

/** Here and not there: the first load has the addresses, not the pages. */
const states: readonly FindingState[] = ['open', 'false-positive', 'accepted', 'fixed']

/** What a link to the list of all findings carries. */
export interface FindingsSearch {
  severity?: Severity
  /** Absent: open. */
  state?: FindingState
  project?: string
  sort?: FindingSort
  /** Only those first seen in the last seven days. */
  fresh?: boolean
  /** Only those assigned to the reader. */
  mine?: boolean
  /** Those that need review, in place of the others. */
  review?: boolean
}

/** Reads whatever is in the address; what is not understood is left out. */
export function readFindingsSearch(search: Record<string, unknown>): FindingsSearch {
  const severity = severities.find((one) => one === search.severity)
  const state = states.find((one) => one === search.state && one !== 'open')
  const sort = findingSorts.find((one) => one === search.sort && one !== 'severity')
  const project = typeof search.project === 'string' && search.project ? search.project : undefined
  return {
    ...(severity && { severity }),
    ...(state && { state }),
    ...(project && { project }),
    ...(sort && { sort }),
    ...(search.fresh === true && { fresh: true }),
    ...(search.mine === true && { mine: true }),
    ...(search.review === true && { review: true }),
  }
}

const WEEK_MS = 7 * 86_400_000

/** The question to the service. The week begins at a full hour, so that the answer can be kept for a while. */
export function toQuery(
  { severity, state = 'open', project, sort = 'severity', fresh, mine, review }: FindingsSearch,
  now: number,
  email: string,
) {
  const since = new Date(Math.floor((now - WEEK_MS) / 3_600_000) * 3_600_000).toISOString()
  return {
    state,
    sort,
    review: review ? ('only' as const) : ('exclude' as const),
    ...(severity && { severity }),
    ...(project && { project }),
    ...(fresh && { firstSeenSince: since }),
    ...(mine && { assignee: email }),
  }
}
