/**
 * What a confidence is worth: of findings marked so, how many are right. Right: it hits a label. Wrong: it lies in a fixed
 * sample or twin of its class, in a file labelled completely for its class, or is critical or high in audited code. A
 * finding elsewhere proves nothing and is counted apart.
 */
import type { Confidence } from '@assay/engine'

export interface Judged {
  readonly set: string
  readonly confidence: Confidence
  readonly verdict: 'right' | 'wrong' | 'unlabelled'
}

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

const levels: readonly Confidence[] = ['high', 'medium', 'low']

export const reliabilityRows = (judged: readonly Judged[]): ReliabilityRow[] =>
  [...new Set(judged.map(({ set }) => set))].flatMap((set) =>
    levels.map((confidence) => {
      const count = (verdict: Judged['verdict']): number =>
        judged.filter((each) => each.set === set && each.confidence === confidence && each.verdict === verdict).length
      return { set, confidence, right: count('right'), wrong: count('wrong'), unlabelled: count('unlabelled') }
    }),
  )
