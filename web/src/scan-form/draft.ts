/** A source on its way into the scan form, from a result or from the landing page; handed over once, in memory alone. */
export interface Draft {
  source: string
  name: string
  /** The project whose scan it is to be. */
  belongsTo?: string
}

/** The files of a project, on the same way. */
export interface ProjectDraft {
  name: string
  sources: { path: string; text: string }[]
  belongsTo?: string
}

let waiting: Draft | ProjectDraft | null = null

export function leaveDraft(draft: Draft | ProjectDraft): void {
  waiting = draft
}

export function takeDraft(): Draft | null {
  if (waiting && 'sources' in waiting) return null
  const draft = waiting
  waiting = null
  return draft
}

export function takeProjectDraft(): ProjectDraft | null {
  if (!waiting || !('sources' in waiting)) return null
  const draft = waiting
  waiting = null
  return draft
}

let submitted: { scanId: string; draft: Draft | ProjectDraft } | null = null

/** What a queued scan was sent with stays until the next one, for a reader who has to send less. */
export function rememberSubmitted(scanId: string, draft: Draft | ProjectDraft): void {
  submitted = { scanId, draft }
}

export const submittedDraft = (scanId: string): Draft | ProjectDraft | null =>
  submitted?.scanId === scanId ? submitted.draft : null

const KEPT = 'assay-kept-source'

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** For a user who signs up first: it outlives the pages in between, in this tab alone. */
export function keepDraft(draft: Draft, storage: Kept): void {
  storage.removeItem(TYPED)
  storage.setItem(KEPT, JSON.stringify(draft))
}

/** Handed over once. */
export function takeKeptDraft(storage: Kept): Draft | null {
  const draft = takeText(storage, KEPT)
  return isDraft(draft) ? { source: draft.source, name: draft.name } : null
}

const TYPED = 'assay-typed-source'

/** For a visitor who leaves the first page by another link than that of the result: it waits in the scan form and is sent nowhere. */
export function keepTyped(draft: Draft, storage: Kept): void {
  try {
    storage.setItem(TYPED, JSON.stringify(draft))
  } catch {
    // More than a browser keeps.
  }
}

function takeTypedDraft(storage: Kept): Draft | null {
  const draft = takeText(storage, TYPED)
  return isDraft(draft) ? { source: draft.source, name: draft.name } : null
}

const PAUSED = 'assay-paused-source'

/** For a user who sees to the plan first: the way to the checkout and back leaves this page. */
export function pauseDraft(draft: Draft | ProjectDraft, userId: string, storage: Kept): void {
  try {
    storage.setItem(PAUSED, JSON.stringify({ userId, draft }))
  } catch {
    // More than a browser keeps: then it is chosen again.
  }
}

/** Handed over once, and to the account that put it aside: for any other account it is gone. */
export function takePausedDraft(userId: string, storage: Kept): Draft | ProjectDraft | null {
  const paused = (takeText(storage, PAUSED) ?? {}) as { userId?: unknown; draft?: unknown }
  if (paused.userId !== userId) return null
  const { draft } = paused
  return isDraft(draft) || isProjectDraft(draft) ? draft : null
}

/** What the scan form opens with. Everything that waits is taken, so that nothing older surfaces the next time. */
export function takeDraftOf(userId: string, storage: Kept): Draft | ProjectDraft | null {
  const received = [takeDraft(), takeProjectDraft(), takePausedDraft(userId, storage), takeTypedDraft(storage)]
  return received.find((draft) => draft !== null) ?? null
}

/** At the end of a session: the next user is another person. */
export function forgetDrafts(storage: Kept): void {
  waiting = null
  storage.removeItem(KEPT)
  storage.removeItem(TYPED)
  storage.removeItem(PAUSED)
}

function takeText(storage: Kept, name: string): unknown {
  const text = storage.getItem(name)
  storage.removeItem(name)
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

const hasTexts = (value: unknown, ...names: string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')

const isDraft = (value: unknown): value is Draft => hasTexts(value, 'source', 'name')

const isProjectDraft = (value: unknown): value is ProjectDraft => {
  const { sources } = (value ?? {}) as Partial<ProjectDraft>
  return hasTexts(value, 'name') && Array.isArray(sources) && sources.every((each) => hasTexts(each, 'path', 'text'))
}
