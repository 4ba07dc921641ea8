import type { FurtherPlace, Place } from './finding.ts'
import { hash, toHex } from './hash.ts'

interface InFile extends Place {
  readonly file?: string
  readonly detector: string
  readonly contract: string | null
  readonly function: string | null
  readonly fingerprint: string
  readonly kind?: string
  readonly places?: readonly FurtherPlace[]
}

/** What is wrong with a file as such, as its pragma. */
export const isAboutFile = ({ contract, function: fn }: Pick<InFile, 'contract' | 'function'>): boolean =>
  contract === null && fn === null

/** In a project the same pragma, the same license, the same code copied to another file has one cause. */
const causeOf = (finding: InFile): string =>
  isAboutFile(finding) ? finding.detector : `${finding.detector} ${finding.fingerprint}`

/**
 * One cause, one finding: the findings of all files of a project, each with its file, as one list. Where else the same cause shows stands
 * in `places` of the first. What is wrong with files as such keeps its fingerprint whichever file comes first.
 */
export function joinCauses<T extends InFile>(findings: readonly T[]): T[] {
  const joined = new Map<string, { first: T; places: FurtherPlace[] }>()
  for (const finding of findings) {
    const key = `${causeOf(finding)} ${finding.kind ?? ''}`
    const known = joined.get(key)
    const further = finding.places ?? []
    if (known === undefined) joined.set(key, { first: finding, places: [...further] })
    else if (isAboutFile(finding) || known.first.file !== finding.file) known.places.push(placeOf(finding), ...further)
    else joined.set(`${key} ${finding.line}:${finding.column}`, { first: finding, places: [...further] })
  }
  return [...joined.values()].map(({ first, places }) => ({
    ...first,
    ...(isAboutFile(first) && first.file !== undefined ? { fingerprint: projectFingerprint(first) } : {}),
    ...(places.length > 0 ? { places } : {}),
  }))
}

const projectFingerprint = ({ detector }: InFile): string => toHex(hash(`${detector} of a project`))

const placeOf = ({ file, line, column, endLine, endColumn }: InFile): FurtherPlace => ({
  ...(file === undefined ? {} : { file }),
  line,
  column,
  endLine,
  endColumn,
})
