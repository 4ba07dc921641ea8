import type { Diagnostic, ParseError } from './report.ts'

/** What of a result says what was not read. */
interface ReadPart {
  readonly completeness: 'full' | 'partial'
  readonly parseErrors: readonly ParseError[]
  readonly diagnostics: readonly Diagnostic[]
  /** Of a result of one file: its name. Of a project: each part names its own. */
  readonly file?: string
}

/** A place that was not analyzed, and why. */
interface UnreadPlace {
  readonly file: string | undefined
  readonly line: number | null
  readonly reason: string
}

export interface Unread {
  /** `Incomplete: 65 of 254 files were analyzed in part, 18 imports are missing.` */
  readonly headline: string
  readonly places: readonly UnreadPlace[]
  /** What to do about it, a sentence each. */
  readonly advice: readonly string[]
}

export interface Extent {
  readonly files: number
  readonly inPart: number
  readonly notScanned: number
}

const isCut = ({ code }: { readonly code: string }): boolean =>
  code === 'budget-exhausted' || code === 'detector-failed'

const isNotReached = ({ code }: { readonly code: string }): boolean => code === 'not-reached'

const maxNames = 3

/** ` (src/A.sol, src/B.sol, src/C.sol and 12 more)`; of a single file nothing. */
const named = (files: readonly (string | undefined)[]): string => {
  const names = files.filter((file) => file !== undefined).slice(0, maxNames)
  const rest = files.length > maxNames ? ` and ${files.length - maxNames} more` : ''
  return names.length === 0 ? '' : ` (${names.join(', ')}${rest})`
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`

/** Of the parts of a scan; null when everything was read. */
export function unreadOf(parts: readonly ReadPart[], extent: Extent): Unread | null {
  const diagnostics = parts.flatMap(({ file, diagnostics }) => diagnostics.map((each) => ({ file, ...each })))
  const errors = parts.flatMap(({ file, parseErrors }) => parseErrors.map((each) => ({ file, ...each })))
  const imports = diagnostics.filter(({ code }) => code === 'import-missing').length
  const bases = diagnostics.filter(({ code }) => code === 'base-missing').length
  const { files, inPart, notScanned } = extent
  const notReached = diagnostics.filter(isNotReached)
  const said = [
    ...(notScanned > 0 ? [`${many(notScanned, 'file was', 'files were')} not analyzed`] : []),
    ...(inPart > 0
      ? [
          files > 1
            ? `${inPart} of ${files} files ${inPart === 1 ? 'was' : 'were'} analyzed in part`
            : 'the file was analyzed in part',
        ]
      : []),
    ...(notReached.length > 0
      ? [
          files > 1
            ? `the time of the scan was used up before ${many(notReached.length, 'file was', 'files were')} reached${named(notReached.map(({ file }) => file))}`
            : 'the time of the scan was used up',
        ]
      : []),
    ...(imports > 0 ? [`${many(imports, 'import is', 'imports are')} missing`] : []),
    ...(imports === 0 && bases > 0 ? [`${many(bases, 'base contract is', 'base contracts are')} missing`] : []),
  ]
  if (said.length === 0) return null
  const cut = diagnostics.filter(isCut)
  return {
    headline: `Incomplete: ${said.join(', ')}.`,
    places: [
      ...errors.map(({ file, line, message }) => ({ file, line, reason: message })),
      ...[...cut, ...notReached].map(({ file, line, message }) => ({ file, line, reason: message })),
    ],
    advice: [
      ...(errors.length > 0 ? ['Fix the syntax errors and scan again.'] : []),
      ...(cut.length > 0 ? ['Review the functions that were analyzed in part by hand, or split them.'] : []),
      ...(notReached.length > 0 ? ['Scan fewer files at a time, or queue the scan: queued scans get more time.'] : []),
      ...(imports + bases > 0 ? ['Install the dependencies or pass the imported files and remappings.'] : []),
    ],
  }
}

/** Of one result for each file. */
export const unreadIn = (results: readonly (ReadPart & { readonly file: string })[], notScanned = 0): Unread | null =>
  unreadOf(results, {
    files: results.length + notScanned,
    inPart: results.filter(({ completeness }) => completeness === 'partial').length,
    notScanned,
  })

/** What no scan proves, said beside a clean result. */
export const limitsOfAScan =
  'Checked: known vulnerability patterns of Solidity code. Not checked: economic design, business intent and what runs off-chain. A clean scan does not guarantee security.'
