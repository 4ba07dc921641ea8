/** A source on its way into the scan form, from a result or from the landing page; handed over once, in memory alone. */
export interface Draft {
  source: string
  name: string
}

/** The files of a project, on the same way. */
export interface ProjectDraft {
  name: string
  sources: { path: string; text: string }[]
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

const KEPT = 'assay-kept-source'

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** For somebody who signs up first: it outlives the pages on the way, in this tab alone. */
export function keepDraft(draft: Draft, storage: Kept): void {
  storage.setItem(KEPT, JSON.stringify(draft))
}

/** Handed over once. */
export function takeKeptDraft(storage: Kept): Draft | null {
  const text = storage.getItem(KEPT)
  storage.removeItem(KEPT)
  if (text === null) return null
  try {
    const { source, name } = JSON.parse(text) as Partial<Draft>
    return typeof source === 'string' && typeof name === 'string' ? { source, name } : null
  } catch {
    return null
  }
}
