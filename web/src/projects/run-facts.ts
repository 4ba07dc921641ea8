import { runFacts as texts } from '../messages/projects.ts'

/** What a list of scans says about each. */
export interface Run {
  readonly ref: string | null
  readonly commit: string | null
  readonly engineVersion: string | null
  readonly fileCount: number | null
  /** Of a project: the files whose findings are reported; the others are read so that these are understood. */
  readonly files?: readonly unknown[] | undefined
  readonly completeness: string | null
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** Which state of the code was scanned, by which engine, for how long, and how much of it was read. */
export function runFacts({ ref, commit, engineVersion, fileCount, files, completeness, ...run }: Run): string[] {
  const code = [ref, commit?.slice(0, 7)].filter(Boolean).join('@')
  return [
    code,
    fileCount === null ? '' : texts.files(files?.length ?? fileCount),
    files && fileCount !== null && fileCount > files.length ? texts.readOnly(fileCount - files.length) : '',
    completeness === 'partial' ? texts.partlyRead : '',
    duration(run),
    engineVersion === null ? '' : texts.engine(engineVersion),
  ].filter((fact) => fact !== '')
}

function duration({ startedAt, finishedAt }: Pick<Run, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === null || finishedAt === null) return ''
  const ms = Date.parse(finishedAt) - Date.parse(startedAt)
  // A scan that was answered at once has one time for both.
  if (ms <= 0) return ''
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

interface Point {
  readonly scanId: string
  readonly at: string
  readonly ref: string | null
  readonly commit: string | null
}

/** Scans that "new since" can be counted from: the newest of each branch and tag, and the one before the newest of the default branch. */
export function startingPoints<T extends Point>(trend: readonly T[], defaultRef: string | null): T[] {
  const own = trend.filter(({ ref }) => ref === defaultRef)
  const seen = new Set<string | null>([defaultRef])
  const others = trend.filter(({ ref }) => !seen.has(ref) && seen.add(ref))
  return [...(own[1] ? [own[1]] : []), ...others]
}
