/**
 * What a confidence is worth: of findings marked so, how many are right. Right: it hits a label. Wrong: it lies in a fixed
 * sample or twin of its class, in a file labelled completely for its class, or is of a counted class in an audited protocol,
 * reviews included. A finding elsewhere proves nothing and is counted apart.
 */
import type { Confidence } from '@assay/engine'

export interface Judged {
  readonly set: string
  /** The class, or the detector's id for an advisory. */
  readonly rule: string
  readonly confidence: Confidence
  readonly verdict: 'right' | 'wrong' | 'unlabelled'
}

const fifteen = [101, 103, 104, 105, 106, 107, 112, 113, 114, 115, 116, 118, 120, 123, 132].map((n) => `SWC-${n}`)

/** Of the fifteen; a library floats its pragma on purpose. */
export const isCountedClass = (rule: string): boolean => rule !== 'SWC-103' && fifteen.includes(rule)

export interface ReliabilityRow {
  readonly set: string
  readonly confidence: Confidence
  readonly right: number
  readonly wrong: number
  readonly unlabelled: number
}

export interface LabelledPlace {
  readonly lines?: readonly number[]
  readonly fnLines?: readonly [number, number] | null
  readonly moreFnLines?: readonly (readonly [number, number])[] | null
}

const longestSpan = 30
const nearLines = 2

/** The rule of the corpus's scorers: the labelled function, or within two lines of the label. */
export const touches = (finding: { line: number; endLine: number }, label: LabelledPlace): boolean => {
  const end = finding.endLine - finding.line > longestSpan ? finding.line : Math.max(finding.line, finding.endLine)
  const functions = [...(label.fnLines ? [label.fnLines] : []), ...(label.moreFnLines ?? [])]
  if (functions.length > 0) return functions.some(([first, last]) => end >= first && finding.line <= last)
  return (label.lines ?? []).some((line) => line >= finding.line - nearLines && line <= end + nearLines)
}

const worth: Record<Confidence, number> = { high: 2, medium: 1, low: 0 }

/** How often a right finding is marked surer than a wrong one, a tie counting half: 0.5 is a coin. Null without both. */
export const separation = (judged: readonly Judged[]): number | null => {
  const marks = (verdict: Judged['verdict']): number[] =>
    judged.filter((each) => each.verdict === verdict).map(({ confidence }) => worth[confidence])
  const right = marks('right')
  const wrong = marks('wrong')
  if (right.length === 0 || wrong.length === 0) return null
  const wins = right.reduce(
    (sum, mark) => sum + wrong.reduce((won, other) => won + (mark > other ? 1 : mark === other ? 0.5 : 0), 0),
    0,
  )
  return wins / right.length / wrong.length
}

/** The sets whose right findings are held against everything that is wrong anywhere: textbooks, and real code. */
const groups: readonly { readonly name: string; readonly sets: readonly string[] }[] = [
  { name: 'textbooks', sets: ['smartbugs', 'swc-registry', 'cgt-jiuzhou', 'not-so-smart'] },
  { name: 'real code', sets: ['dappscan', 'modern'] },
]

export interface SeparationRow {
  readonly group: string
  readonly right: number
  readonly wrong: number
  readonly auc: number | null
}

/** Of the counted classes: that a pragma floats is always right, and says nothing about how well the others are distinguished. */
export const separationRows = (all: readonly Judged[]): SeparationRow[] => {
  const judged = all.filter(({ rule }) => isCountedClass(rule))
  const wrong = judged.filter(({ verdict }) => verdict === 'wrong')
  return groups.map(({ name, sets }) => {
    const right = judged.filter(({ set, verdict }) => verdict === 'right' && sets.includes(set))
    return { group: name, right: right.length, wrong: wrong.length, auc: separation([...right, ...wrong]) }
  })
}

const levels: readonly Confidence[] = ['high', 'medium', 'low']

export const reliabilityRows = (judged: readonly Judged[]): ReliabilityRow[] =>
  ['all', ...new Set(judged.map(({ set }) => set))].flatMap((set) =>
    levels.map((confidence) => {
      const own = judged.filter((each) => (set === 'all' || each.set === set) && each.confidence === confidence)
      const count = (verdict: Judged['verdict']): number => own.filter((each) => each.verdict === verdict).length
      return { set, confidence, right: count('right'), wrong: count('wrong'), unlabelled: count('unlabelled') }
    }),
  )
