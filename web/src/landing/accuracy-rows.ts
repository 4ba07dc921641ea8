export interface AccuracyRow {
  readonly measure: string
  readonly ours: string
  readonly slither: string
  readonly other: string
}

/** Those that a reader can weigh without knowing the benchmarks, the ones that we miss among them. */
const told: readonly (readonly [RegExp, string])[] = [
  [/^smartbugs recall$/, 'SmartBugs: recall on labeled vulnerabilities'],
  [/^solidifi recall$/, 'SolidiFI: recall on injected vulnerabilities'],
  [/^swc-registry recall$/, 'SWC registry: recall on samples'],
  [/^swc-registry fixed samples flagged$/, 'SWC registry: false positives on fixed samples'],
  [/^jiuzhou recall$/, 'JiuZhou: recall on labeled vulnerabilities'],
  [/^dappscan recall/, 'DAppSCAN: recall on audit findings'],
  [/^modern weaknesses found/, 'Recall on recent audit findings'],
  [/^clean code, each file alone/, 'Findings per 1,000 lines in audited libraries'],
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
  return told.flatMap(([sign, measure]) => {
    const row = rows.find(([name = '']) => sign.test(name))
    const [, ours = '', , , slither = '', other = ''] = row ?? []
    return row ? [{ measure, ours, slither, other }] : []
  })
}
