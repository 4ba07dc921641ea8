/**
 * Scores the engine on the labelled corpus and on audited code, and says which targets are met.
 *   npm run bench:accuracy -- [--missed] [--swc SWC-107,SWC-101] [--source smartbugs,dappscan] [--advisories] [--no-clean]
 *   npm run bench:accuracy -- --projects [--missed]      the modern weaknesses and the audited protocols alone
 * A run narrowed by --swc, --source or --projects prints only; a full run also writes bench/results/accuracy.json and
 * docs/reference/accuracy.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Finding, type Report, scan, scanFiles } from '@assay/engine'
import {
  type CleanCount,
  type CleanFinding,
  classHead,
  classRows,
  cleanHead,
  cleanRows,
  fromTarget,
  type Measure,
  measureHead,
  measureRows,
  page,
  percent,
  ratio,
  sourceClassRows,
} from './accuracy-page.ts'
import { type CleanPackage, readCleanPackages } from './clean-code.ts'
import {
  type CorpusFile,
  type CorpusFinding,
  corpusFolder,
  hasCorpus,
  readCorpusText,
  readTruth,
  type Score,
  scoreFindings,
} from './corpus.ts'
import { judgeCorpus, judgeProjects, measureProjects, type ProjectMeasures } from './measure-projects.ts'
import {
  cleanTargets,
  modernHead,
  modernRows,
  modernTargets,
  noiseHead,
  noiseRows,
  reliabilityCells,
  reliabilityHead,
  separationCells,
  separationHead,
} from './project-tables.ts'
import { isCountedNoise, isSevere, type ProjectFindings } from './protocols.ts'
import {
  isCountedClass,
  type ReliabilityRow,
  reliabilityRows,
  type SeparationRow,
  separationRows,
} from './reliability.ts'
import { textTable } from './text-table.ts'

const toCorpusFindings = (findings: readonly Finding[]): CorpusFinding[] =>
  findings.flatMap((finding) =>
    [finding, ...(finding.places ?? [])].map(({ line, endLine }, i) => ({
      swc: finding.swc ?? 'SWC-000',
      line,
      endLine,
      confidence: finding.confidence,
      ...(finding.function && i === 0 ? { function: finding.function } : {}),
    })),
  )

const scanCorpus = (files: readonly CorpusFile[], sources: ReadonlySet<string> | null) => {
  const findings: Record<string, CorpusFinding[]> = {}
  const reviews: Record<string, CorpusFinding[]> = {}
  const lines = new Map<string, number>()
  for (const file of files) {
    if (sources && !sources.has(file.source)) continue
    const report = scan(readCorpusText(file), { path: file.path })
    findings[file.path] = toCorpusFindings(report.findings)
    reviews[file.path] = toCorpusFindings(report.advisories.filter(({ kind }) => kind === 'review'))
    lines.set(file.source, (lines.get(file.source) ?? 0) + file.sloc)
  }
  return { findings, reviews, lines }
}

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
    counted: found.filter(({ rule }) => isCountedClass(rule)),
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

const recallMeasure = (name: string, assay: number, target: number, slither: string, peer = '–'): Measure => ({
  measure: name,
  assay: percent(assay),
  target: `≥ ${target} %`,
  pass: 100 * assay >= target - 1e-9,
  slither,
  peer,
})

const fixedMeasure = (score: Score, source: string, name: string, slither: string): Measure => {
  const { flagged, files } = fixedOf(score, source)
  return { measure: name, assay: `${flagged} of ${files}`, target: '0', pass: flagged === 0, slither, peer: '–' }
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
    assay: below === 0 ? String(open) : `${falsePositives.length}, ${below} of them argued below`,
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
    assay: noise.toFixed(2),
    target: '< 0.5',
    pass: noise < 0.5,
    slither: '7.1 (3.7 at High and Medium)',
    peer: '1.1 (solhint)',
  }
}

const parseOptions = () =>
  parseArgs({
    options: {
      missed: { type: 'boolean', default: false },
      swc: { type: 'string' },
      source: { type: 'string' },
      advisories: { type: 'boolean', default: false },
      'no-clean': { type: 'boolean', default: false },
      projects: { type: 'boolean', default: false },
    },
  }).values

const describe = ({ rule, place, message }: CleanFinding): string => `${rule}\t${place}\t${message}`

const section = (title: string, body: string): void => console.log(`\n# ${title}\n${body}`)

const write = (
  date: string,
  measures: readonly Measure[],
  score: Score,
  clean: readonly CleanCount[],
  projects: ProjectMeasures,
  worth: { readonly reliability: readonly ReliabilityRow[]; readonly separation: readonly SeparationRow[] },
): void => {
  const results = new URL('results/', import.meta.url)
  mkdirSync(results, { recursive: true })
  const data = {
    date,
    measures,
    classes: score.bySwc,
    sources: score.bySource,
    clean: clean.map((count) => ({ ...count, all: count.all.length, advisories: count.advisories.length })),
    falsePositives: score.falsePositives,
    modern: projects.modern?.score.byClass ?? null,
    protocols: { together: projects.clean?.noiseTogether ?? null, alone: projects.clean?.noiseAlone ?? null },
    ...worth,
  }
  writeFileSync(new URL('accuracy.json', results), `${JSON.stringify(data, null, 2)}\n`)
  const docs = new URL('../docs/reference/', import.meta.url)
  mkdirSync(docs, { recursive: true })
  writeFileSync(
    new URL('accuracy.md', docs),
    page(date, measures, score, clean, projects, worth.reliability, worth.separation),
  )
  console.log('\nWritten: bench/results/accuracy.json, docs/reference/accuracy.md')
}

/** Findings at critical or high in audited protocols, advisories too, one line each. */
const describeNoise = (findings: ProjectFindings): string =>
  Object.entries(findings)
    .flatMap(([file, list]) =>
      list
        .filter((finding) => isCountedNoise(finding) || (isSevere(finding) && finding.swc === undefined))
        .map(({ id, swc, line, confidence, message }) => `${swc ?? id}\t${file}:${line}\t${confidence}\t${message}`),
    )
    .sort()
    .join('\n') || 'none'

const printProjects = (projects: ProjectMeasures, isMissedWanted: boolean): void => {
  for (const set of projects.missing)
    console.log(`\nNo ${set}/truth.json at ${corpusFolder()}: nothing is measured on it.`)
  if (projects.modern !== null) {
    section('modern weaknesses', textTable(modernHead, modernRows(projects)))
    const missed = projects.modern.score.labels.filter(({ found }) => !found)
    if (isMissedWanted)
      section(
        'modern labels missed',
        missed
          .map(
            (label) =>
              `${label.class}\t${label.path}:${label.lines[0]}\t${label.function ?? ''}\t${label.others.join(' ')}`,
          )
          .join('\n'),
      )
  }
  if (projects.clean !== null) {
    section('critical and high in audited protocols, whole project', describeNoise(projects.clean.together))
    section('critical and high in audited protocols, each file alone', describeNoise(projects.clean.alone))
    section('audited protocols', textTable(noiseHead, noiseRows(projects)))
  }
}

const noCorpus = (): number => {
  console.error(`No corpus at ${corpusFolder()}: it holds licensed test input and is not part of this repository.`)
  console.error('Set CORPUS_DIR to a folder with dev/truth.json, score.mjs, modern/, clean/ and score-modern.mjs.')
  return 2
}

const projectTargets = (projects: ProjectMeasures): Measure[] =>
  [...modernTargets(projects), ...cleanTargets(projects)].map(fromTarget)

const runProjects = (isMissedWanted: boolean): number => {
  const projects = measureProjects()
  printProjects(projects, isMissedWanted)
  section(
    'what a confidence is worth',
    textTable(reliabilityHead, reliabilityCells(reliabilityRows(judgeProjects(projects)))),
  )
  section('targets', textTable(measureHead, measureRows(projectTargets(projects))))
  return 0
}

const printNoise = (clean: readonly CleanCount[], options: ReturnType<typeof parseOptions>): void => {
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

const main = (): number => {
  const options = parseOptions()
  if (!hasCorpus()) return noCorpus()
  if (options.projects) return runProjects(options.missed)
  const narrowed = options.swc !== undefined || options.source !== undefined
  const files = readTruth()
  const { findings, reviews, lines } = scanCorpus(files, options.source ? new Set(options.source.split(',')) : null)
  const score = scoreFindings(findings, [
    ...(options.swc ? ['--swc', options.swc] : []),
    ...(options.source ? ['--source', options.source] : []),
  ])
  const withClean = !options['no-clean'] && options.source === undefined
  const clean = withClean
    ? readCleanPackages().flatMap((each) => [countClean(each, 'alone'), countClean(each, 'together')])
    : []
  section('by class', textTable(classHead, classRows(score)))
  section('by source and class', textTable(['source', 'class', 'labels', 'hits', 'recall'], sourceClassRows(score)))
  if (options.missed) section('missed labels', score.missed.join('\n'))
  section('false positives in files labelled complete', score.falsePositives.join('\n') || 'none')
  if (withClean) printNoise(clean, options)
  if (narrowed) return 0
  const measures = corpusMeasures(score, lines)
  if (!withClean) {
    section('targets', textTable(measureHead, measureRows(measures)))
    return 0
  }
  const projects = measureProjects()
  printProjects(projects, options.missed)
  const judged = [...judgeCorpus(files, findings), ...judgeCorpus(files, reviews), ...judgeProjects(projects)]
  const reliability = reliabilityRows(judged)
  const separation = separationRows(judged)
  section('what a confidence is worth', textTable(reliabilityHead, reliabilityCells(reliability)))
  section('how well it tells right from wrong', textTable(separationHead, separationCells(separation)))
  measures.push(cleanMeasure(clean, 'alone'), cleanMeasure(clean, 'together'), ...projectTargets(projects))
  section('targets', textTable(measureHead, measureRows(measures)))
  write(new Date().toISOString().slice(0, 10), measures, score, clean, projects, { reliability, separation })
  return 0
}

process.exitCode = main()
