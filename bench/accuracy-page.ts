/** The shapes of the accuracy figures, their tables, and the page that shows them. */
import type { Score } from './corpus.ts'
import type { ProjectMeasures } from './measure-projects.ts'
import {
  modernHead,
  modernRows,
  noiseHead,
  noiseRows,
  reliabilityCells,
  reliabilityHead,
  separationCells,
  separationHead,
  type Target,
} from './project-tables.ts'
import type { ReliabilityRow, SeparationRow } from './reliability.ts'
import { markdownTable } from './text-table.ts'

export interface Measure {
  readonly measure: string
  readonly assay: string
  readonly target: string
  readonly pass: boolean
  readonly slither: string
  readonly peer: string
}

export interface CleanCount {
  readonly name: string
  readonly version: string
  readonly mode: 'alone' | 'together'
  readonly files: number
  readonly lines: number
  /** Findings of the fifteen without SWC-103. */
  readonly counted: readonly CleanFinding[]
  /** Findings of every class, the counted ones too, then the advisories. */
  readonly all: readonly CleanFinding[]
  readonly advisories: readonly CleanFinding[]
}

export interface CleanFinding {
  /** The class, or the detector's id for an advisory. */
  readonly rule: string
  readonly place: string
  readonly message: string
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

export const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b)

export const measureRows = (measures: readonly Measure[]): string[][] =>
  measures.map(({ measure, assay, target, pass, slither, peer }) => [
    measure,
    assay,
    target,
    pass ? 'pass' : 'FAIL',
    slither,
    peer,
  ])

export const measureHead = ['measure', 'ours', 'target', '', 'Slither 0.11.5', 'best other peer']

export const classHead = ['class', 'labels', 'hits', 'recall', 'on the line', 'false positives', 'fixed flagged']

export const classRows = (score: Score): string[][] =>
  score.bySwc
    .filter(({ labels }) => labels > 0)
    .map((row) => [
      row.swc,
      String(row.labels),
      String(row.hits),
      percent(ratio(row.hits, row.labels)),
      percent(ratio(row.lineHits, row.labels)),
      String(row.fp),
      `${row.fixedFlagged} of ${row.fixedFiles}`,
    ])

export const sourceClassRows = (score: Score): string[][] =>
  score.rows
    .filter(({ labels }) => labels > 0)
    .map((row) => [row.source, row.swc, String(row.labels), String(row.hits), percent(ratio(row.hits, row.labels))])

export const cleanHead = [
  'package',
  'scanned',
  'files',
  'lines',
  'of the fifteen',
  'per 1000',
  'all classes',
  'advisories',
]

export const cleanRows = (counts: readonly CleanCount[]): string[][] =>
  counts.map((count) => [
    `${count.name} ${count.version}`,
    count.mode,
    String(count.files),
    String(count.lines),
    String(count.counted.length),
    ratio(1000 * count.counted.length, count.lines).toFixed(2),
    String(count.all.length),
    String(count.advisories.length),
  ])

export const fromTarget = (target: Target): Measure => ({ ...target, slither: '–', peer: '–' })

export const page = (
  date: string,
  measures: readonly Measure[],
  score: Score,
  clean: readonly CleanCount[],
  projects: ProjectMeasures,
  reliability: readonly ReliabilityRow[],
  separation: readonly SeparationRow[],
): string => `# Accuracy

Measured on ${date} by \`npm run bench:accuracy\`. Generated; do not edit.

## Targets

${markdownTable(measureHead, measureRows(measures))}

## By class, all sources

${markdownTable(classHead, classRows(score))}

## By source and class

${markdownTable(['source', 'class', 'labels', 'hits', 'recall'], sourceClassRows(score))}

## Audited code

"Clean" means audited, not proven free of every weakness. Production folders only: no tests, no mocks, no files that hold interfaces alone.

${markdownTable(cleanHead, cleanRows(clean))}

## Audited protocols

Whole projects that are not libraries: what is reported there at critical or high is, with few exceptions, noise.

${markdownTable(noiseHead, noiseRows(projects))}

## Modern weaknesses

Lessons and bugs that auditors judged high in public contests; a class without an SWC number is found by an advisory that stands for it.
About a sixth of the labels is business logic that cannot be seen from source alone.

${markdownTable(modernHead, modernRows(projects))}

## What a confidence is worth

How sure a finding is follows from its own grounds (\`engine/src/detectors/confidence.ts\`): a witness, who decides on the callee or the
number, what is at stake, whether all files were there, and what was seen that often makes such a thing harmless. Low means a review: it
neither counts nor deducts. Right: the finding hits a label. Wrong: it lies in a mended sample, in a file labelled completely for its
class, or is of the fifteen (without SWC-103) in an audited protocol. What lies elsewhere proves nothing.

${markdownTable(reliabilityHead, reliabilityCells(reliability))}

Of the fifteen without SWC-103, how often a right finding is marked surer than a wrong one (a tie counts half; a coin gives 0.5):

${markdownTable(separationHead, separationCells(separation))}

## How to read this

- A finding hits a label when the class is the same and its lines touch the label's, lie within two lines of them in the same function, or lie
  anywhere in the labelled function. A label counts once.
- A finding is a false positive only in a file that is labelled completely for its class; in other files an unlabelled finding proves nothing.
- Most labels (1773 of 2347) come from SolidiFI, which injects the same few dozen snippets into every file: look at each source and class, or
  at the macro average.
- Precision on SmartBugs and SolidiFI says little: a handful of regular expressions reaches 100 % there. The evidence on false positives is the
  fixed samples and the audited code.
- DAppSCAN labels are noisy (of 26 read by hand, the class was plainly visible in about 15), and most of its files import others that are not
  there. A recall far below 100 % is to be expected from any tool.
- Exact duplicates were removed and labels merged, so these numbers cannot be compared with published ones on the same datasets.
- The one sample of SWC-125 is labelled at the \`approve\` of its token, which has nothing to do with the order of bases. We report the contract
  that lists the two crowdsales as bases, and let it count as a false positive and a miss.
- The labelled files were read while the detectors were written, so these are development numbers, not held-out ones.
`
