/** What someone has decided about findings: a small file that is committed beside the code. */
export const triageName = 'assay.triage.json'

export const triageStates = ['false-positive', 'accepted', 'open'] as const
export type TriageState = (typeof triageStates)[number]

export interface TriageEntry {
  readonly fingerprint: string
  readonly detector: string
  /** For the reader; a finding is recognised by its fingerprint, wherever the file lies. */
  readonly path: string
  readonly state: TriageState
  readonly reason: string
  /** The last day on which this holds, `2027-01-31`; without one it holds for good. */
  readonly until?: string
}

export interface TriageFile {
  readonly version: 1
  readonly findings: readonly TriageEntry[]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const isTriageFile = (content: unknown): content is TriageFile =>
  isObject(content) && content.version === 1 && Array.isArray(content.findings) && content.findings.every(isEntry)

const isEntry = (value: unknown): value is TriageEntry =>
  isObject(value) &&
  ['fingerprint', 'detector', 'path', 'reason'].every((key) => typeof value[key] === 'string') &&
  triageStates.includes(value.state as TriageState) &&
  (value.until === undefined || isDay(value.until))

export const isDay = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))

/** Sorted, one entry per finding: two people who triage at the same time get a small difference to merge. */
export function writeTriage(entries: readonly TriageEntry[]): string {
  const sorted = [...entries].sort(
    (a, b) => compare(a.path, b.path) || compare(a.detector, b.detector) || compare(a.fingerprint, b.fingerprint),
  )
  return `${JSON.stringify({ version: 1, findings: sorted } satisfies TriageFile, null, 2)}\n`
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
