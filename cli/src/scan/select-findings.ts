import type { Report } from '@assay/engine'
import { Complaint } from '../io.ts'

export interface Selection {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly withAdvisories: boolean
  /** Rules of the user's own, which may be named, too. */
  readonly rules?: readonly { readonly id: string }[]
}

/** The report with the wanted detectors alone; score and counts follow from what is left. */
export async function selectFindings(selection: Selection): Promise<(report: Report) => Report> {
  const isWanted = await wantedFindings(selection.only, selection.skip, selection.rules)
  return (report) => ({
    ...report,
    findings: report.findings.filter(isWanted),
    advisories: selection.withAdvisories ? report.advisories.filter(isWanted) : [],
    suppressed: report.suppressed.filter(isWanted),
  })
}

/** Whether a finding is of a detector that was requested. */
export async function wantedFindings(
  only: readonly string[],
  skip: readonly string[],
  rules: readonly { readonly id: string }[] = [],
): Promise<(finding: { detector: string }) => boolean> {
  const wanted = await idsOf('--only', only, rules)
  const unwanted = await idsOf('--skip', skip, rules)
  return ({ detector }) => (wanted.size === 0 || wanted.has(detector)) && !unwanted.has(detector)
}

/** Detector ids named by id, by `SWC-107`, or by `107`; lists may be split by commas. */
async function idsOf(
  option: string,
  words: readonly string[],
  rules: readonly { readonly id: string }[],
): Promise<Set<string>> {
  const names = words
    .flatMap((word) => word.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length === 0) return new Set()
  const { findDetectors, unknownDetector } = await import('./find-detectors.ts')
  return new Set(
    names.flatMap((name) => {
      const found = [...findDetectors(name), ...rules.filter(({ id }) => id === name)]
      if (found.length > 0) return found.map(({ id }) => id)
      throw new Complaint(`${option} ${name}: ${unknownDetector(name)}`)
    }),
  )
}
