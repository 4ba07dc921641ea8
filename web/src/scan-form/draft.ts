/** A source on its way into the scan form, from a result or from the landing page; handed over once, in memory alone. */
export interface Draft {
  source: string
  name: string
}

let waiting: Draft | null = null

export function leaveDraft(draft: Draft): void {
  waiting = draft
}

export function takeDraft(): Draft | null {
  const draft = waiting
  waiting = null
  return draft
}
