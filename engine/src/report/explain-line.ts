import type { Finding, SuppressedFinding } from './finding.ts'
import { createLineMap } from './line-map.ts'
import { isInside } from './open-file.ts'
import type { Observer, RawFinding } from './raw-finding.ts'
import type { Report } from './report.ts'
import type { ScannedFile } from './scanned-file.ts'

/** What might have been reported, and why it was not. */
export interface Silence {
  readonly detector: string
  readonly line: number
  /** What would have been said. */
  readonly message: string
  /** Name of the excuse; null when another detector's finding at this place says it already. */
  readonly excuse: string | null
  /** The reason, as a clause. */
  readonly because: string
}

/** Everything that was weighed about one line. */
export interface LineExplanation {
  readonly reported: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly silenced: readonly Silence[]
}

const isOnLine = (line: number) => (place: { readonly line: number; readonly endLine: number }) =>
  place.line <= line && line <= place.endLine

/** Scans with someone listening, and keeps what was said of one line. A file that is not there is a mistake of the caller. */
export const explainLine = (
  files: readonly ScannedFile[],
  path: string,
  line: number,
  scan: (observer: Observer) => readonly Report[],
): LineExplanation => {
  const file = files.find((one) => one.path === path)
  if (file === undefined) throw new Error(`${path} is not among the files of the scan`)
  const lines = createLineMap(file.text)
  const silenced: Silence[] = []
  const note = ({ detector, hit, start, end }: RawFinding, excuse: string | null, because: string): void => {
    if (!isInside(file, { start, end })) return
    const place = lines.place(start - file.base, end - file.base)
    if (isOnLine(line)(place))
      silenced.push({ detector: detector.id, line: place.line, message: hit.message, excuse, because })
  }
  const reports = scan({
    excused: (finding, { name, sentence }) => note(finding, name, sentence),
    yielded: (finding, { detector }) => note(finding, null, `${detector.id} reports this place`),
  })
  const report = reports.find((one) => one.path === path)!
  const reported = [...report.findings, ...report.advisories].filter((finding) =>
    [finding, ...(finding.places ?? [])].some(isOnLine(line)),
  )
  return {
    reported,
    suppressed: report.suppressed.filter(isOnLine(line)),
    silenced: distinct(silenced).filter(({ detector }) => !reported.some((finding) => finding.detector === detector)),
  }
}

/** A function that several contracts inherit is weighed in each of them. */
const distinct = (silences: readonly Silence[]): Silence[] => {
  const seen = new Set<string>()
  return silences.filter(({ detector, line, excuse }) => {
    const key = `${detector}/${excuse}:${line}`
    return !seen.has(key) && seen.add(key)
  })
}
