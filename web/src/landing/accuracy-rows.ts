import { accuracyRows as texts } from '../messages/landing.ts'

export interface AccuracyRow {
  readonly measure: string
  readonly assay: string
  readonly slither: string
  readonly other: string
}

/** Those that a reader can weigh without knowing the benchmarks, the ones that we miss among them. */
const shownMeasures: readonly (readonly [RegExp, string])[] = [
  [/^smartbugs recall$/, texts.smartbugsRecallLabeledVulnerabilities],
  [/^solidifi recall$/, texts.solidifiRecallInjectedVulnerabilities],
  [/^swc-registry recall$/, texts.swcRegistryRecallSamples],
  [/^swc-registry fixed samples flagged$/, texts.swcRegistryFalsePositives],
  [/^jiuzhou recall$/, texts.jiuzhouRecallLabeledVulnerabilities],
  [/^dappscan recall/, texts.dappscanRecallAuditFindings],
  [/^modern weaknesses found/, texts.recallRecentAuditFindings],
  [/^clean code, each file alone/, texts.findingsPerLinesAudited],
]

/** The table of the accuracy bench, as its page prints it. */
export function readAccuracy(markdown: string): AccuracyRow[] {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  return shownMeasures.flatMap(([sign, measure]) => {
    const row = rows.find(([name = '']) => sign.test(name))
    const [, assay = '', , , slither = '', other = ''] = row ?? []
    return row ? [{ measure, assay, slither, other }] : []
  })
}
