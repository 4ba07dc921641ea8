import { detectors, type Report } from '@assay/engine'
import { Complaint } from '../io.ts'
import { closest } from '../parse-options.ts'

export interface Selection {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly withAdvisories: boolean
  /** Rules of the user's own, which may be named, too. */
  readonly rules?: readonly { readonly id: string }[]
}

/** The report with the wanted detectors alone; score and counts follow from what is left. */
export function selectFindings(selection: Selection): (report: Report) => Report {
  const isWanted = wantedFindings(selection.only, selection.skip, selection.rules)
  return (report) => ({
    ...report,
    findings: report.findings.filter(isWanted),
    advisories: selection.withAdvisories ? report.advisories.filter(isWanted) : [],
    suppressed: report.suppressed.filter(isWanted),
  })
}

/** Whether a finding is of a detector that was asked for. */
export function wantedFindings(
  only: readonly string[],
  skip: readonly string[],
  rules: readonly { readonly id: string }[] = [],
): (finding: { detector: string }) => boolean {
  const wanted = idsOf('--only', only, rules)
  const unwanted = idsOf('--skip', skip, rules)
  return ({ detector }) => (wanted.size === 0 || wanted.has(detector)) && !unwanted.has(detector)
}

/** Detector ids named by id, by `SWC-107`, or by `107`; lists may be split by commas. */
function idsOf(option: string, words: readonly string[], rules: readonly { readonly id: string }[]): Set<string> {
  const names = words
    .flatMap((word) => word.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
  return new Set(
    names.flatMap((name) => {
      const found = [...findDetectors(name), ...rules.filter(({ id }) => id === name)]
      if (found.length > 0) return found.map(({ id }) => id)
      throw new Complaint(`${option} ${name}: ${unknownDetector(name)}`)
    }),
  )
}

/** All detectors that a name may mean: one by id, several by SWC number. */
export const findDetectors = (name: string) => {
  const wanted = name.toLowerCase()
  return detectors.filter(({ id, swc }) => id === wanted || swc?.toLowerCase() === wanted || swc === `SWC-${wanted}`)
}

export function unknownDetector(name: string): string {
  const near = closest(
    name.toLowerCase(),
    detectors.flatMap(({ id, swc }) => (swc ? [id, swc] : [id])),
  )
  return `there is no such detector.${near ? ` Did you mean ${near}?` : ''} \`assay detectors\` lists them.`
}
