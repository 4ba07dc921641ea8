export interface AccuracyRow {
  readonly measure: string
  readonly ours: string
  readonly slither: string
  readonly other: string
}

/** Those that a reader can weigh without knowing the benchmarks, the ones that we miss among them. */
const told: readonly (readonly [RegExp, string])[] = [
  [/^smartbugs recall$/, 'SmartBugs: labelled weaknesses found'],
  [/^solidifi recall$/, 'SolidiFI: injected weaknesses found'],
  [/^swc-registry recall$/, 'SWC registry: samples found'],
  [/^swc-registry fixed samples flagged$/, 'SWC registry: fixed samples flagged all the same'],
  [/^jiuzhou recall$/, 'JiuZhou: labelled weaknesses found'],
  [/^dappscan recall/, 'DAppSCAN: what auditors found, found'],
  [/^modern weaknesses found/, 'Weaknesses of recent audits found'],
  [/^clean code, each file alone/, 'Findings per 1000 lines of well-kept libraries'],
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
