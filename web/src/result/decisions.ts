import { decisions as texts } from '../messages/result.ts'
import type { FindingRecord, FindingState, ListedFinding, ViewFinding } from './scan-view.ts'

export interface Decision {
  state: FindingState
  reason?: string
  /** A day, as a date field gives it. */
  until?: string
}

export const stateWords: Record<FindingState, string> = {
  open: 'Open',
  'false-positive': 'False positive',
  accepted: 'Accepted risk',
  fixed: 'Fixed',
}

/** These need a reason. */
export const needsReason = (state: FindingState): boolean => state === 'false-positive' || state === 'accepted'

/** A user looked at it and said why it is not worked on: it is there to be looked up. */
export const isSetAside = ({ state }: Pick<ListedFinding, 'state'>): boolean =>
  state === 'false-positive' || state === 'accepted'

/** Finds the record of a finding; `home` is the file of those that name none. */
export function recordFinder<T extends { file: string; fingerprint: string }>(
  records: readonly T[],
  home: string,
): (finding: ViewFinding) => T | undefined {
  const known = new Map(records.map((record) => [keyOf(record.file, record.fingerprint), record]))
  return (finding) => known.get(keyOf(finding.file ?? home, finding.fingerprint))
}

const keyOf = (file: string, fingerprint: string): string => `${file}\n${fingerprint}`

/** What the service is sent: a day means its end, so that it is still in force on that day. */
export function toRequest({ state, reason, until }: Decision): {
  state: FindingState
  reason?: string
  until?: string
} {
  const words = reason?.trim()
  const isLimited = until && needsReason(state)
  return { state, ...(words && { reason: words }), ...(isLimited && { until: `${until}T23:59:59Z` }) }
}

/** Why a decision cannot be sent yet; undefined when it can. */
export function whatIsMissing({ state, reason, until }: Decision, today: string): string | undefined {
  if (!needsReason(state)) return undefined
  if (!reason?.trim()) return texts.reasonRequired
  return until && until < today ? texts.chooseDateFuture : undefined
}

export type Decide = (records: readonly FindingRecord[], decision: Decision) => Promise<void>

/** What a stored scan can do that one in the browser cannot: know what was decided, and change it where the reader may. */
export interface Triage {
  recordOf: (finding: ViewFinding) => FindingRecord | undefined
  decide?: Decide | undefined
}

/** The decision that a record has now, to return to it. */
export const decisionOf = ({ state, reason, until }: FindingRecord): Decision => ({
  state,
  ...(reason !== null && { reason }),
  ...(until !== null && { until: until.slice(0, 10) }),
})

/** Each record gets the decision back that it has here; those with the same one together. */
export async function takeBack(records: readonly FindingRecord[], decide: Decide): Promise<void> {
  const alike = new Map<string, FindingRecord[]>()
  for (const record of records) {
    const key = JSON.stringify(decisionOf(record))
    const some = alike.get(key)
    if (some) some.push(record)
    else alike.set(key, [record])
  }
  for (const [key, some] of alike) await decide(some, JSON.parse(key) as Decision)
}

/** Marks what is not marked; where all are marked already, takes the marks away. */
export function toggleMarks(marked: ReadonlySet<string>, items: readonly ListedFinding[]): ReadonlySet<string> {
  const keys = new Set(items.map(({ key }) => key))
  const areAllMarked = items.every(({ key }) => marked.has(key))
  return areAllMarked ? new Set([...marked].filter((key) => !keys.has(key))) : new Set([...marked, ...keys])
}

/** Where a reader goes on who decided about some: the first after this one that is not among them, else the last before it. */
export function nextAfter(
  items: readonly ListedFinding[],
  from: ListedFinding,
  decided: ReadonlySet<string>,
): ListedFinding | undefined {
  const isLeft = ({ key }: ListedFinding) => !decided.has(key)
  const at = items.indexOf(from)
  return items.slice(at).find(isLeft) ?? items.slice(0, at).findLast(isLeft)
}

/** Decisions that were begun, by the key of their finding. */
export type Drafts = ReadonlyMap<string, Decision>

export function withDraft(drafts: Drafts, key: string, draft: Decision | undefined): Drafts {
  const next = new Map(drafts)
  if (draft) next.set(key, draft)
  else next.delete(key)
  return next
}
