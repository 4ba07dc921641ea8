/** Tables about whole projects and about the worth of a confidence. */
import type { ProjectMeasures } from './measure-projects.ts'
import { type ProjectNoise, perThousandLines, summariseNoise } from './protocols.ts'
import type { ReliabilityRow, SeparationRow } from './reliability.ts'

export interface Target {
  readonly measure: string
  readonly assay: string
  readonly target: string
  readonly pass: boolean
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

const isNumbered = (name: string): boolean => name.startsWith('SWC-')

export const modernTargets = ({ modern }: ProjectMeasures): Target[] => {
  if (modern === null) return []
  const { total, byClass, fixed } = modern.score
  const numbered = byClass.filter((row) => isNumbered(row.class))
  const labels = numbered.reduce((sum, row) => sum + row.labels, 0)
  const found = numbered.reduce((sum, row) => sum + row.found, 0)
  return [
    {
      measure: `modern weaknesses found (${total.found} of ${total.labels} labels)`,
      assay: share(total.found, total.labels),
      target: '≥ 55 %',
      pass: total.found >= 0.55 * total.labels,
    },
    {
      measure: `of those with an SWC number (${found} of ${labels})`,
      assay: share(found, labels),
      target: '≥ 70 %',
      pass: found >= 0.7 * labels,
    },
    {
      measure: 'fixed twins of modern vulnerabilities flagged',
      assay: `${fixed.flagged.length} of ${fixed.twins}`,
      target: '0',
      pass: fixed.flagged.length === 0,
    },
  ]
}

const noiseTargets = (projects: readonly ProjectNoise[], how: string): Target[] => {
  const { overall, median, worst, withAdvisories } = summariseNoise(projects)
  const measure = `audited protocols, ${how}: critical and high without SWC-103 per 1000 lines`
  return [
    { measure, assay: overall.toFixed(2), target: '≤ 0.3', pass: overall <= 0.3 },
    { measure: `… median project`, assay: median.toFixed(2), target: '≤ 0.3', pass: median <= 0.3 },
    { measure: `… worst project`, assay: worst.toFixed(2), target: '≤ 1', pass: worst <= 1 },
    {
      measure: `… critical and high advisories with them`,
      assay: withAdvisories.toFixed(2),
      target: '≤ 0.5',
      pass: withAdvisories <= 0.5,
    },
  ]
}

export const cleanTargets = ({ clean }: ProjectMeasures): Target[] =>
  clean === null
    ? []
    : [...noiseTargets(clean.noiseTogether, 'whole project'), ...noiseTargets(clean.noiseAlone, 'each file alone')]

export const modernHead = ['class', 'labels', 'found', 'recall', 'by']

export const modernRows = ({ modern }: ProjectMeasures): string[][] =>
  (modern?.score.byClass ?? []).map((row) => [
    row.class,
    String(row.labels),
    String(row.found),
    share(row.found, row.labels),
    row.by.join(' ') || '–',
  ])

export const noiseHead = [
  'project',
  'scanned',
  'lines',
  'critical and high',
  'without SWC-103',
  'per 1000',
  'advisories at these',
  'for review',
  'all',
]

export const noiseRows = ({ clean }: ProjectMeasures): string[][] => {
  const rowsOf = (projects: readonly ProjectNoise[], how: string): string[][] =>
    projects.map((noise) => [
      noise.project,
      how,
      String(noise.lines),
      String(noise.severe),
      String(noise.severeWithout103),
      perThousandLines(noise.severeWithout103, noise.lines).toFixed(2),
      String(noise.severeAdvisories),
      String(noise.reviews),
      String(noise.all),
    ])
  return clean === null ? [] : [...rowsOf(clean.noiseTogether, 'together'), ...rowsOf(clean.noiseAlone, 'alone')]
}

export const separationHead = ['right findings of', 'right', 'wrong anywhere', 'a right one is marked surer (AUC)']

export const separationCells = (rows: readonly SeparationRow[]): string[][] =>
  rows.map(({ group, right, wrong, auc }) => [group, String(right), String(wrong), auc === null ? '–' : auc.toFixed(2)])

export const reliabilityHead = ['set', 'confidence', 'right', 'wrong', 'right of judged', 'not labelled']

export const reliabilityCells = (rows: readonly ReliabilityRow[]): string[][] =>
  rows
    .filter(({ right, wrong, unlabelled }) => right + wrong + unlabelled > 0)
    .map(({ set, confidence, right, wrong, unlabelled }) => [
      set,
      confidence,
      String(right),
      String(wrong),
      share(right, right + wrong),
      String(unlabelled),
    ])
