/**
 * Speed as ratios within one run, so that the machine does not matter: against our own parser, against peers, against
 * the size of the input. What is measured is the engine as it ships, bundled: a loader that keeps names slows the parser
 * fourfold and would flatter every ratio against it. All sides are warmed until a round gets no faster. Scan and parse take
 * turns, one run each, so that the parse finds the caches as the one inside a scan does: in a tight loop it is faster than
 * it ever is in use (the figure for that is noted beside). Against peers our side runs a few times for each run of theirs, as each tool would on a folder of
 * files: one run of theirs is hundreds of Assay's and leaves nothing of Assay in the caches.
 *   npm run bench:speed -- [--files 60]
 * Prints a table and writes bench/results/speed.json.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { corpusFolder, hasCorpus, readCorpusText, readTruth } from './corpus.ts'
import { generateContract } from './generate-contract.ts'
import { textTable } from './text-table.ts'

interface Row {
  readonly measure: string
  readonly value: number | null
  /** null: printed for those who want to know, judged by nobody. */
  readonly target: number | null
  readonly unit: '×' | 'MB'
  readonly note: string
}

const require = createRequire(import.meta.url)
const peer = require('@solidity-parser/parser') as { parse(text: string, options: object): unknown }
const solhint = require('solhint') as { processStr(text: string, config: object): unknown }
const project = fileURLToPath(new URL('..', import.meta.url))

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const timed = (work: () => unknown): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** The peers throw on texts that they cannot read; such a file is left out of their comparison. */
const canDo = (work: () => unknown): boolean => {
  try {
    work()
    return true
  } catch {
    return false
  }
}

const sampleTexts = (count: number): string[] => {
  const files = readTruth()
  const step = Math.max(1, files.length / count)
  return Array.from({ length: Math.min(count, files.length) }, (_, i) => readCorpusText(files[Math.floor(i * step)]!))
}

const lintRules = { extends: 'solhint:recommended' }

interface Engine {
  readonly scan: (text: string) => unknown
  readonly parse: (text: string) => unknown
}

/** The engine as one file, as the command and the server carry it. */
const bundleEngine = async (folder: string): Promise<{ engine: Engine; file: string }> => {
  const file = path.join(folder, 'engine.mjs')
  const contents = `export { scan } from './index.ts'\nexport { parse } from './syntax/index.ts'\n`
  const stdin = { contents, resolveDir: path.join(project, 'engine/src'), loader: 'ts' as const }
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', outfile: file, logLevel: 'silent' })
  return { engine: (await import(pathToFileURL(file).href)) as Engine, file }
}

const doPeer = (text: string) => () => peer.parse(text, { loc: true, range: true })
const doLint = (text: string) => () => solhint.processStr(text, lintRules)

/** Median over files of time(a) ÷ time(b), each the median over rounds of so many runs of either side. */
const compareOn = (
  texts: readonly string[],
  a: (text: string) => () => unknown,
  b: (text: string) => () => unknown,
  rounds: { readonly count: number; readonly a: number; readonly b: number },
): number => {
  const ratios: number[] = []
  for (const text of texts) {
    const workA = a(text)
    const workB = b(text)
    if (!canDo(workA) || !canDo(workB)) continue
    const timesA: number[] = []
    const timesB: number[] = []
    for (let round = 0; round < rounds.count; round++) {
      for (let i = 0; i < rounds.a; i++) timesA.push(timed(workA))
      for (let i = 0; i < rounds.b; i++) timesB.push(timed(workB))
    }
    ratios.push(median(timesA) / median(timesB))
  }
  return median(ratios)
}

/** The same with each side in a loop of its own, where the parse finds nothing but itself in the caches. */
const compareLoops = (
  texts: readonly string[],
  a: (text: string) => () => unknown,
  b: (text: string) => () => unknown,
  count: number,
): number =>
  median(
    texts.map((text) => {
      const [workA, workB] = [a(text), b(text)]
      const timesA = Array.from({ length: count }, () => timed(workA))
      const timesB = Array.from({ length: count }, () => timed(workB))
      return median(timesA) / median(timesB)
    }),
  )

/** With fewer, the first runs on a file, which find it cold, have too much of a say in the median. */
const scanRounds = 41

const fewestWarmScans = 12_000
const warmMilliseconds = 90_000

/** Rounds over the sample, scan and parse in turn, until five rounds bring no better one: the compiler has settled. */
const warmUp = (texts: readonly string[], { scan, parse }: Engine): number => {
  const start = performance.now()
  let best = Number.POSITIVE_INFINITY
  let since = 0
  let rounds = 0
  while (performance.now() - start < warmMilliseconds && (rounds * texts.length < fewestWarmScans || since < 5)) {
    const time = timed(() => {
      for (const text of texts) {
        scan(text)
        parse(text)
      }
    })
    since = time < best * 0.98 ? 0 : since + 1
    best = Math.min(best, time)
    rounds += 1
  }
  for (const text of texts.slice(0, 20)) canDo(doLint(text))
  return rounds
}

/**
 * Interleaved, so that a busy moment of the machine falls on both sizes. The smaller one is scanned ten times in a row: as
 * much text as the larger one, and what it leaves to be collected is collected within its time as well.
 */
const growth = ({ scan }: Engine, smaller: number, rounds: number): number => {
  const small = generateContract(smaller)
  const large = generateContract(smaller * 10)
  const tenSmall = (): void => {
    for (let i = 0; i < 10; i++) scan(small)
  }
  tenSmall()
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = timed(tenSmall)
    const time = timed(() => scan(large))
    const after = timed(tenSmall)
    ratios.push((time * 20) / (before + after))
  }
  return median(ratios)
}

/** Wall time of the command from nothing, against a process that does nothing. */
const coldStart = (folder: string): Row => {
  const command = path.join(project, 'cli/bin/assay.mjs')
  const row = { measure: 'assay scan one-file.sol, cold ÷ node -e 0', target: 4, unit: '×' } as const
  if (!existsSync(command)) return { ...row, value: null, note: 'the command does not exist yet' }
  const file = path.join(folder, 'one-file.sol')
  writeFileSync(file, generateContract(8_000))
  const scanOnce = () => spawnSync(process.execPath, [command, 'scan', file], { stdio: 'ignore', cwd: folder })
  const first = scanOnce()
  if (first.status !== 0 && first.status !== 1)
    return { ...row, value: null, note: `the command ends with ${first.status}` }
  const assayTimes: number[] = []
  const nothing: number[] = []
  for (let round = 0; round < 11; round++) {
    assayTimes.push(timed(scanOnce))
    nothing.push(timed(() => execFileSync(process.execPath, ['-e', '0'])))
  }
  return {
    ...row,
    value: median(assayTimes) / median(nothing),
    note: `${median(assayTimes).toFixed(0)} ms ÷ ${median(nothing).toFixed(0)} ms`,
  }
}

const workerCode = (engine: string, text: string): string => `
import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
if (isMainThread) {
  const worker = new Worker(fileURLToPath(import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 512 } })
  let before = 0
  worker.on('message', (message) => {
    if (message === 'ready') {
      before = process.memoryUsage.rss()
      worker.postMessage('go')
    } else {
      const peak = process.resourceUsage().maxRSS * 1024
      process.stdout.write(JSON.stringify({ mb: (peak - before) / 1048576, ...message }))
      worker.terminate()
    }
  })
  worker.on('error', (error) => process.stdout.write(JSON.stringify({ problem: error.message })))
} else {
  const { scan } = await import(${JSON.stringify(engine)})
  parentPort.on('message', () => {
    const text = readFileSync(${JSON.stringify(text)}, 'utf8')
    const { findings, completeness } = scan(text)
    parentPort.postMessage({ findings: findings.length, completeness })
  })
  parentPort.postMessage('ready')
}
`

/** What a whole scan of five megabytes with weaknesses in each contract adds to a process at its peak, in a worker with the default limit. */
const peakMemory = (folder: string, engine: string): Row => {
  const row = { measure: 'peak memory for a 5 MB file in a worker of 512 MB', target: 450, unit: 'MB' } as const
  const text = path.join(folder, 'large.sol')
  writeFileSync(text, generateContract(5_000_000, { isWeak: true }))
  const script = path.join(folder, 'peak.mjs')
  writeFileSync(script, workerCode(engine, text))
  const { stdout, signal } = spawnSync(process.execPath, [script], { encoding: 'utf8', timeout: 120_000 })
  if (!stdout) return { ...row, value: null, note: `ended by ${signal ?? 'itself'} without a result` }
  const { mb, findings, completeness, problem } = JSON.parse(stdout) as {
    readonly mb: number
    readonly findings: number
    readonly completeness: string
    readonly problem?: string
  }
  if (problem !== undefined) return { ...row, value: null, note: problem }
  if (completeness !== 'full' || findings === 0)
    return { ...row, value: null, note: `not what is meant: ${findings} findings of a ${completeness} scan` }
  return { ...row, value: mb, note: `${findings} findings` }
}

const show = ({ value, unit }: Pick<Row, 'value' | 'unit'>): string => {
  if (value === null) return '–'
  if (unit === 'MB') return `${value.toFixed(0)} MB`
  return value < 0.2 ? `1 / ${(1 / value).toFixed(0)}` : value.toFixed(2)
}

const passes = ({ value, target }: Row): boolean => value !== null && (target === null || value <= target)

/** A whole run takes minutes: each result is printed when it is there. */
const measured = (measure: () => Row): Row => {
  const row = measure()
  console.error(`${row.measure}: ${show(row)}`)
  return row
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { files: { type: 'string', default: '60' } } })
  if (!hasCorpus()) {
    console.error(`No corpus at ${corpusFolder()}. Set CORPUS_DIR to the folder that holds dev/truth.json.`)
    process.exitCode = 2
    return
  }
  const texts = sampleTexts(Number(values.files))
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-speed-'))
  try {
    const { engine, file } = await bundleEngine(folder)
    const doParse = (text: string) => () => engine.parse(text)
    const doScan = (text: string) => () => engine.scan(text)
    console.error('warming up, at most 90 s')
    const files = `${texts.length} files of the corpus, after ${warmUp(texts, engine)} warm rounds`
    const measures: (() => Row)[] = [
      () => ({
        measure: 'full scan ÷ our parse, median',
        value: compareOn(texts, doScan, doParse, { count: scanRounds, a: 1, b: 1 }),
        target: null,
        unit: '×',
        note: `${files}; ${compareLoops(texts, doScan, doParse, scanRounds).toFixed(2)} with each in a loop of its own`,
      }),
      () => ({
        measure: 'our parse ÷ @solidity-parser, median',
        value: compareOn(texts, doParse, doPeer, { count: 3, a: 9, b: 1 }),
        target: 1 / 300,
        unit: '×',
        note: files,
      }),
      () => ({
        measure: 'full scan ÷ solhint in-process, median',
        value: compareOn(texts, doScan, doLint, { count: 3, a: 3, b: 1 }),
        target: 1 / 15,
        unit: '×',
        note: files,
      }),
      () => ({
        measure: 'scan time 500 KB ÷ 50 KB',
        value: growth(engine, 50_000, 11),
        target: 12,
        unit: '×',
        note: 'generated',
      }),
      () => ({
        measure: 'scan time 5 MB ÷ 500 KB',
        value: growth(engine, 500_000, 5),
        target: 12,
        unit: '×',
        note: 'generated',
      }),
      () => coldStart(folder),
      () => peakMemory(folder, file),
    ]
    const rows = measures.map(measured)
    const table = rows.map((row) => [
      row.measure,
      show(row),
      show({ value: row.target, unit: row.unit }),
      row.value === null ? 'not measured' : row.target === null ? '' : passes(row) ? 'pass' : 'FAIL',
      row.note,
    ])
    console.log(textTable(['measure', 'ours', 'at most', '', 'how'], table))
    const results = path.join(project, 'bench/results')
    mkdirSync(results, { recursive: true })
    const report = {
      date: new Date().toISOString().slice(0, 10),
      rows: rows.map((row) => ({ ...row, pass: passes(row) })),
    }
    writeFileSync(path.join(results, 'speed.json'), `${JSON.stringify(report, null, 2)}\n`)
    if (!rows.every(passes)) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
