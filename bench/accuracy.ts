/**
 * Scores the engine on the labelled corpus and on audited code, and says which targets are met.
 *   npm run bench:accuracy -- [--missed] [--swc SWC-107,SWC-101] [--source smartbugs,dappscan] [--advisories] [--no-clean]
 * A run narrowed by --swc or --source prints only; a full run also writes bench/results/accuracy.json and
 * docs/reference/accuracy.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Finding, type Report, scan, scanFiles } from '@assay/engine'
import { type CleanPackage, readCleanPackages } from './clean-code.ts'
import {
  type CorpusFinding,
  corpusFolder,
  hasCorpus,
  readCorpusText,
  readTruth,
  type Score,
  scoreFindings,
} from './corpus.ts'
import { markdownTable, textTable } from './text-table.ts'

const fifteen = [101, 103, 104, 105, 106, 107, 112, 113, 114, 115, 116, 118, 120, 123, 132].map((n) => `SWC-${n}`)

interface Measure {
  readonly measure: string
  readonly ours: string
  readonly target: string
  readonly pass: boolean
  readonly slither: string
  readonly peer: string
}

interface CleanCount {
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

interface CleanFinding {
  /** The class, or the detector's id for an advisory. */
  readonly rule: string
  readonly place: string
  readonly message: string
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b)

const toCorpusFindings = (report: Report): CorpusFinding[] =>
  report.findings.map((finding) => ({
    swc: finding.swc ?? 'SWC-000',
    line: finding.line,
    endLine: finding.endLine,
    ...(finding.function ? { function: finding.function } : {}),
  }))

const scanCorpus = (sources: ReadonlySet<string> | null) => {
  const findings: Record<string, CorpusFinding[]> = {}
  const lines = new Map<string, number>()
  for (const file of readTruth()) {
    if (sources && !sources.has(file.source)) continue
    findings[file.path] = toCorpusFindings(scan(readCorpusText(file), { path: file.path }))
    lines.set(file.source, (lines.get(file.source) ?? 0) + file.sloc)
  }
  return { findings, lines }
}

const isCounted = (rule: string): boolean => rule !== 'SWC-103' && fifteen.includes(rule)

const countClean = ({ name, version, all, counted }: CleanPackage, mode: CleanCount['mode']): CleanCount => {
  const paths = new Set(counted.map((file) => file.path))
  const reports =
    mode === 'alone'
      ? counted.map((file) => scan(file.text, { path: file.path }))
      : scanFiles(all.map(({ path, text }) => ({ path, text }))).filter((report) => paths.has(report.path))
  const list = (pick: (report: Report) => readonly Finding[]): CleanFinding[] =>
    reports.flatMap((report) =>
      pick(report).map((finding) => ({
        rule: finding.swc ?? finding.detector,
        place: `${report.path}:${finding.line}`,
        message: finding.message,
      })),
    )
  const found = list((report) => report.findings)
  return {
    name,
    version,
    mode,
    files: counted.length,
    lines: counted.reduce((sum, file) => sum + file.codeLines, 0),
    counted: found.filter(({ rule }) => isCounted(rule)),
    all: found,
    advisories: list((report) => report.advisories),
  }
}

const perThousand = (counts: readonly CleanCount[], pick: (count: CleanCount) => number): number =>
  ratio(
    1000 * counts.reduce((sum, count) => sum + pick(count), 0),
    counts.reduce((sum, { lines }) => sum + lines, 0),
  )

const rowsOf = (score: Score, source: string) => score.rows.filter((row) => row.source === source && row.labels > 0)

const recallOf = (score: Score, source: string, without: readonly string[] = []): number => {
  const rows = rowsOf(score, source).filter(({ swc }) => !without.includes(swc))
  return ratio(
    rows.reduce((sum, { hits }) => sum + hits, 0),
    rows.reduce((sum, { labels }) => sum + labels, 0),
  )
}

const macroRecallOf = (score: Score, source: string): number => {
  const rows = rowsOf(score, source)
  return ratio(
    rows.reduce((sum, { recall }) => sum + (recall ?? 0), 0),
    rows.length,
  )
}

const fixedOf = (score: Score, source: string): { flagged: number; files: number } => {
  const row = score.bySource.find((candidate) => candidate.source === source)
  return { flagged: row?.fixedFlagged ?? 0, files: row?.fixedFiles ?? 0 }
}

const recallMeasure = (name: string, ours: number, target: number, slither: string, peer = '–'): Measure => ({
  measure: name,
  ours: percent(ours),
  target: `≥ ${target} %`,
  pass: 100 * ours >= target - 1e-9,
  slither,
  peer,
})

const fixedMeasure = (score: Score, source: string, name: string, slither: string): Measure => {
  const { flagged, files } = fixedOf(score, source)
  return { measure: name, ours: `${flagged} of ${files}`, target: '0', pass: flagged === 0, slither, peer: '–' }
}

const corpusMeasures = (score: Score, lines: ReadonlyMap<string, number>): Measure[] => {
  const dappscanFindings = score.rows
    .filter(({ source, swc }) => source === 'dappscan' && swc !== 'SWC-100' && swc !== 'SWC-102')
    .reduce((sum, { findings }) => sum + findings, 0)
  const dappscanNoise = ratio(1000 * dappscanFindings, lines.get('dappscan') ?? 0)
  return [
    recallMeasure('smartbugs recall', recallOf(score, 'smartbugs'), 97, '71.9 %', '82.8 % (Remix)'),
    recallMeasure('smartbugs macro recall', macroRecallOf(score, 'smartbugs'), 90, '31.0 %', '43.3 % (Remix)'),
    recallMeasure('solidifi recall', recallOf(score, 'solidifi'), 98, '64.0 %', '49.6 % (Remix)'),
    recallMeasure('solidifi macro recall', macroRecallOf(score, 'solidifi'), 98, '69.1 %', '57.1 % (Remix)'),
    recallMeasure('swc-registry recall', recallOf(score, 'swc-registry'), 95, '34.4 %'),
    fixedMeasure(score, 'swc-registry', 'swc-registry fixed samples flagged', '6 of 42'),
    recallMeasure('jiuzhou recall', recallOf(score, 'cgt-jiuzhou'), 95, '30.6 %'),
    fixedMeasure(score, 'cgt-jiuzhou', 'jiuzhou fixed samples flagged', '4 of 18'),
    recallMeasure('not-so-smart recall', recallOf(score, 'not-so-smart'), 95, '67.7 %'),
    recallMeasure(
      `dappscan recall without SWC-100 and 102 (${dappscanNoise.toFixed(1)} findings per 1000 lines)`,
      recallOf(score, 'dappscan', ['SWC-100', 'SWC-102']),
      50,
      '38 % of the 43 files that compile alone',
    ),
    falsePositiveMeasure(score),
  ]
}

/** Source and class of those for which the caveats of the generated page say why they are none. */
const argued = ['swc-registry\tSWC-125\t']

const falsePositiveMeasure = ({ falsePositives }: Score): Measure => {
  const open = falsePositives.filter((line) => !argued.some((start) => line.startsWith(start))).length
  const below = falsePositives.length - open
  return {
    measure: 'false positives in files labelled complete',
    ours: below === 0 ? String(open) : `${falsePositives.length}, ${below} of them argued below`,
    target: '0, or argued',
    pass: open === 0,
    slither: '4',
    peer: '5 (Remix), 0 (solhint)',
  }
}

const cleanMeasure = (counts: readonly CleanCount[], mode: CleanCount['mode']): Measure => {
  const noise = perThousand(
    counts.filter((count) => count.mode === mode),
    ({ counted }) => counted.length,
  )
  const how = mode === 'alone' ? 'each file alone' : 'imports resolved'
  return {
    measure: `clean code, ${how}: findings of the fifteen without SWC-103 per 1000 lines`,
    ours: noise.toFixed(2),
    target: '< 0.5',
    pass: noise < 0.5,
    slither: '7.1 (3.7 at High and Medium)',
    peer: '1.1 (solhint)',
  }
}

const measureRows = (measures: readonly Measure[]): string[][] =>
  measures.map(({ measure, ours, target, pass, slither, peer }) => [
    measure,
    ours,
    target,
    pass ? 'pass' : 'FAIL',
    slither,
    peer,
  ])

const measureHead = ['measure', 'ours', 'target', '', 'Slither 0.11.5', 'best other peer']

const classHead = ['class', 'labels', 'hits', 'recall', 'on the line', 'false positives', 'fixed flagged']

const classRows = (score: Score): string[][] =>
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

const sourceClassRows = (score: Score): string[][] =>
  score.rows
    .filter(({ labels }) => labels > 0)
    .map((row) => [row.source, row.swc, String(row.labels), String(row.hits), percent(ratio(row.hits, row.labels))])

const cleanHead = ['package', 'scanned', 'files', 'lines', 'of the fifteen', 'per 1000', 'all classes', 'advisories']

const cleanRows = (counts: readonly CleanCount[]): string[][] =>
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

const page = (
  date: string,
  measures: readonly Measure[],
  score: Score,
  clean: readonly CleanCount[],
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

const parseOptions = () =>
  parseArgs({
    options: {
      missed: { type: 'boolean', default: false },
      swc: { type: 'string' },
      source: { type: 'string' },
      advisories: { type: 'boolean', default: false },
      'no-clean': { type: 'boolean', default: false },
    },
  }).values

const describe = ({ rule, place, message }: CleanFinding): string => `${rule}\t${place}\t${message}`

const section = (title: string, body: string): void => console.log(`\n# ${title}\n${body}`)

const write = (date: string, measures: readonly Measure[], score: Score, clean: readonly CleanCount[]): void => {
  const results = new URL('results/', import.meta.url)
  mkdirSync(results, { recursive: true })
  const data = {
    date,
    measures,
    classes: score.bySwc,
    sources: score.bySource,
    clean: clean.map((count) => ({ ...count, all: count.all.length, advisories: count.advisories.length })),
    falsePositives: score.falsePositives,
  }
  writeFileSync(new URL('accuracy.json', results), `${JSON.stringify(data, null, 2)}\n`)
  const docs = new URL('../docs/reference/', import.meta.url)
  mkdirSync(docs, { recursive: true })
  writeFileSync(new URL('accuracy.md', docs), page(date, measures, score, clean))
  console.log('\nWritten: bench/results/accuracy.json, docs/reference/accuracy.md')
}

const main = (): number => {
  const options = parseOptions()
  if (!hasCorpus()) {
    console.error(`No corpus at ${corpusFolder()}: it holds licensed test input and is not part of this repository.`)
    console.error('Set CORPUS_DIR to a folder with dev/truth.json and score.mjs.')
    return 2
  }
  const narrowed = options.swc !== undefined || options.source !== undefined
  const { findings, lines } = scanCorpus(options.source ? new Set(options.source.split(',')) : null)
  const score = scoreFindings(findings, [
    ...(options.swc ? ['--swc', options.swc] : []),
    ...(options.source ? ['--source', options.source] : []),
  ])
  const withClean = !options['no-clean'] && options.source === undefined
  const clean = withClean
    ? readCleanPackages().flatMap((each) => [countClean(each, 'alone'), countClean(each, 'together')])
    : []
  const measures = narrowed ? [] : corpusMeasures(score, lines)
  if (!narrowed && withClean) measures.push(cleanMeasure(clean, 'alone'), cleanMeasure(clean, 'together'))

  section('by class', textTable(classHead, classRows(score)))
  section('by source and class', textTable(['source', 'class', 'labels', 'hits', 'recall'], sourceClassRows(score)))
  if (options.missed) section('missed labels', score.missed.join('\n'))
  section('false positives in files labelled complete', score.falsePositives.join('\n') || 'none')
  if (withClean) {
    const wanted = options.swc?.split(',')
    const pick = (count: CleanCount): readonly CleanFinding[] =>
      wanted ? [...count.all, ...count.advisories].filter(({ rule }) => wanted.includes(rule)) : count.counted
    const noise = new Set(clean.flatMap((count) => pick(count).map(describe)))
    const what = wanted ? options.swc : 'the fifteen (without SWC-103)'
    section(`findings of ${what} in audited code`, [...noise].sort().join('\n') || 'none')
    if (options.advisories) {
      const advice = new Set(clean.flatMap((count) => count.advisories.map(describe)))
      section('advisories in audited code', [...advice].sort().join('\n') || 'none')
    }
    section('audited code', textTable(cleanHead, cleanRows(clean)))
  }
  if (!narrowed) section('targets', textTable(measureHead, measureRows(measures)))
  if (!narrowed && withClean) write(new Date().toISOString().slice(0, 10), measures, score, clean)
  return 0
}

process.exitCode = main()
