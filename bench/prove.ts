/**
 * Runs the prover over the labelled corpus and says which targets are met.
 *   npm run bench:prove -- [--swc SWC-107,SWC-105] [--source smartbugs] [--match text] [--sample 5] [--no-tests] [--list]
 * --sample takes so many findings of each source and class, --list prints every finding, --no-tests leaves out the execution of
 * the written Foundry tests. Compiled output is kept in .cache/prover.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Evidence, type Finding, scan } from '@assay/engine'
import { isInstalled, provableClasses, prove, selfContainedTest } from '@assay/prover'
import { loadPackages } from '../prover/src/packages.ts'
import { runFoundryTest } from '../prover/src/testing/run-foundry-test.ts'
import { type CorpusFile, corpusFolder, hasCorpus, readCorpusText, readTruth } from './corpus.ts'
import { touches } from './reliability.ts'
import { textTable } from './text-table.ts'

/** What the labels say about a finding: true, neutral, or, in a file labelled completely, false. */
type Verdict = 'true' | 'false' | 'neutral'

interface Row {
  readonly source: string
  readonly path: string
  readonly finding: Finding
  readonly verdict: Verdict
  readonly evidence: Evidence
  readonly cpuMs: number
  readonly test: string | null
}

const { values: options } = parseArgs({
  options: {
    swc: { type: 'string' },
    source: { type: 'string' },
    match: { type: 'string' },
    sample: { type: 'string' },
    'no-tests': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    calls: { type: 'string' },
  },
})

const strong = ['SWC-105', 'SWC-106', 'SWC-107', 'SWC-112', 'SWC-118']
const middle = ['SWC-101', 'SWC-104', 'SWC-113', 'SWC-115', 'SWC-120', 'SWC-132']

const judge = (file: CorpusFile, finding: Finding): Verdict => {
  const swc = finding.swc ?? ''
  const hits = (file.labels ?? []).filter(
    (label) => (label.swc === swc || label.altSwc?.includes(swc)) && touches(finding, label),
  )
  if (hits.some(({ quality }) => quality !== 'disputed')) return 'true'
  return hits.length === 0 && file.complete?.includes(swc) ? 'false' : 'neutral'
}

const wanted = (finding: Finding): boolean =>
  finding.swc !== null &&
  provableClasses.includes(finding.swc) &&
  (!options.swc || options.swc.split(',').includes(finding.swc))

const taken = new Map<string, number>()

/** Findings that are counted: those of a label, and those that must not be confirmed. */
const pick = (file: CorpusFile, findings: readonly Finding[]): Finding[] =>
  findings.filter((finding) => {
    if (!wanted(finding) || judge(file, finding) === 'neutral') return false
    const key = `${file.source} ${finding.swc}`
    const count = taken.get(key) ?? 0
    if (options.sample && judge(file, finding) === 'true' && count >= Number(options.sample)) return false
    taken.set(key, count + 1)
    return true
  })

const cacheFolder = fileURLToPath(new URL('../.cache/prover/', import.meta.url))

const runFile = async (file: CorpusFile): Promise<Row[]> => {
  const text = readCorpusText(file)
  const findings = pick(file, scan(text, { path: file.path }).findings)
  if (findings.length === 0) return []
  const times: number[] = []
  let last = process.cpuUsage()
  const evidence = await prove(
    [{ path: file.path, text }],
    findings.map((finding) => ({ path: file.path, finding })),
    {
      cacheFolder,
      limits: {
        millisecondsPerScan: 600_000,
        millisecondsPerFinding: 60_000,
        ...(options.calls ? { callsPerFinding: Number(options.calls) } : {}),
      },
      onEvidence: () => {
        const { user, system } = process.cpuUsage(last)
        times.push((user + system) / 1000)
        last = process.cpuUsage()
      },
    },
  )
  const rows: Row[] = []
  for (const [index, finding] of findings.entries()) {
    const proof = evidence[index] as Evidence
    const test =
      proof.foundryTest && !options['no-tests']
        ? await checkTest((await selfContainedTest(proof, [{ path: file.path, text }])) ?? '')
        : null
    rows.push({
      source: file.source,
      path: file.path,
      finding,
      verdict: judge(file, finding),
      evidence: proof,
      cpuMs: times[index] ?? 0,
      test,
    })
  }
  return rows
}

const checkTest = async (text: string): Promise<string> => {
  const run = await runFoundryTest(text, await loadPackages())
  return run.holds ? 'holds' : run.reason
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const percent = (part: number, all: number): string => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`)

const doesNotCompile = ({ evidence }: Row): boolean => evidence.summary.includes('do not compile')

const countRow = (name: string, rows: readonly Row[]): string[] => {
  const trueRows = rows.filter(({ verdict }) => verdict === 'true')
  const compiling = trueRows.filter((row) => !doesNotCompile(row))
  const of = (status: Evidence['status']) => compiling.filter(({ evidence }) => evidence.status === status)
  const confirmed = of('confirmed')
  return [
    name,
    String(trueRows.length),
    String(compiling.length),
    String(confirmed.length),
    String(of('not-reproduced').length),
    String(of('not-attempted').length),
    percent(confirmed.length, compiling.length),
    String(median(confirmed.map(({ evidence }) => evidence.callsTried))),
    median(confirmed.map(({ cpuMs }) => cpuMs)).toFixed(0),
  ]
}

const head = [
  'class',
  'findings',
  'compile',
  'confirmed',
  'not reproduced',
  'not attempted',
  'share',
  'calls (median)',
  'CPU ms (median)',
]

const shareOf = (rows: readonly Row[], classes: readonly string[]): number => {
  const counted = rows.filter(
    (row) => row.verdict === 'true' && classes.includes(row.finding.swc ?? '') && !doesNotCompile(row),
  )
  const confirmed = counted.filter(({ evidence }) => evidence.status === 'confirmed').length
  return counted.length === 0 ? 0 : confirmed / counted.length
}

const targets = (rows: readonly Row[]): string[][] => {
  const confirmed = rows.filter(({ evidence }) => evidence.status === 'confirmed')
  const falsely = confirmed.filter(({ verdict }) => verdict === 'false').length
  const tested = confirmed.filter(({ test }) => test !== null)
  const holding = tested.filter(({ test }) => test === 'holds').length
  const cpu = median(confirmed.map(({ cpuMs }) => cpuMs))
  const verdict = (isMet: boolean): string => (isMet ? 'pass' : 'FAIL')
  const [a, b] = [shareOf(rows, strong), shareOf(rows, middle)]
  return [
    ['true findings of 105, 106, 107, 112, 118 confirmed', `${(100 * a).toFixed(1)} %`, '70 %', verdict(a >= 0.7)],
    [
      'true findings of 101, 104, 113, 115, 120, 132 confirmed',
      `${(100 * b).toFixed(1)} %`,
      '45 %',
      verdict(b >= 0.45),
    ],
    [
      'confirmed findings without a label in files labelled fixed or complete',
      String(falsely),
      '0',
      verdict(falsely === 0),
    ],
    [
      'written Foundry tests that compile and hold',
      `${holding} of ${tested.length}`,
      '100 %',
      verdict(holding === tested.length),
    ],
    ['median CPU for one confirmation, compiler warm', `${cpu.toFixed(0)} ms`, '1000 ms', verdict(cpu <= 1000)],
  ]
}

const describe = ({ path, finding, verdict, evidence, cpuMs, test }: Row): string =>
  [
    evidence.status.padEnd(14),
    verdict.padEnd(5),
    finding.swc,
    `${path}:${finding.line}`,
    finding.function,
    `${cpuMs.toFixed(0)} ms`,
    evidence.summary,
    test ?? '',
  ].join('  ')

const main = async (): Promise<number> => {
  if (!hasCorpus()) {
    console.error(`No corpus at ${corpusFolder()}: it holds licensed test input and is not part of this repository.`)
    console.error('Set CORPUS_DIR to a folder with dev/truth.json.')
    return 2
  }
  if (!isInstalled()) {
    console.error('The prover is not installed: npm run setup:prover')
    return 2
  }
  const files = readTruth()
    .filter(({ source }) => !options.source || options.source.split(',').includes(source))
    .filter(({ path }) => !options.match || path.includes(options.match))
  const rows: Row[] = []
  for (const file of files) {
    const found = await runFile(file)
    if (options.list) for (const row of found) console.log(describe(row))
    rows.push(...found)
  }
  const classes = [...new Set(rows.map(({ finding }) => finding.swc ?? ''))].sort()
  console.log(
    `\n${textTable(
      head,
      classes.map((swc) =>
        countRow(
          swc,
          rows.filter(({ finding }) => finding.swc === swc),
        ),
      ),
    )}`,
  )
  console.log(`\n${textTable(['measure', 'ours', 'target', ''], targets(rows))}`)
  return 0
}

process.exitCode = await main()
