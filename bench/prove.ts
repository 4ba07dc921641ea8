/**
 * Runs the prover over the labelled corpus and says which targets are met.
 *   npm run bench:prove -- [--swc SWC-107,SWC-105] [--source smartbugs] [--match text] [--sample 5] [--no-tests] [--list] [--jobs 2]
 * --sample takes so many findings of each source and class, --list prints every finding, --no-tests leaves out the execution of
 * the written Foundry tests. Two processes share the files. Compiled output and finished files are kept in .cache/prover, by the content
 * of the file and of our code: a run that was interrupted goes on where it stood.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isInstalled } from '@assay/prover'
import { type CorpusFile, corpusFolder, hasCorpus, readTruth } from './corpus.ts'
import { type BenchFinding, countedFindings, type Row, type Task } from './prove-rows.ts'
import { classHead, classRows, describeRow, targetRows } from './prove-tables.ts'
import { textTable } from './text-table.ts'

const { values: options } = parseArgs({
  options: {
    swc: { type: 'string' },
    source: { type: 'string' },
    match: { type: 'string' },
    sample: { type: 'string' },
    'no-tests': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    calls: { type: 'string' },
    jobs: { type: 'string', default: '2' },
  },
})

interface Answer {
  readonly rows: Row[]
  readonly isKnown: boolean
}

/** At most so many true findings of each source and class. */
const createSampler = (most: number) => {
  const taken = new Map<string, number>()
  return ({ source }: CorpusFile, { swc, verdict }: BenchFinding): boolean => {
    const key = `${source} ${swc}`
    const count = taken.get(key) ?? 0
    if (verdict === 'true' && count >= most) return false
    taken.set(key, count + 1)
    return true
  }
}

const tasks = function* (files: readonly CorpusFile[]): Generator<Task> {
  const isTaken = createSampler(options.sample ? Number(options.sample) : Number.POSITIVE_INFINITY)
  const classes = options.swc?.split(',') ?? null
  for (const file of files) {
    const findings = countedFindings(file, classes).filter((finding) => isTaken(file, finding))
    if (findings.length === 0) continue
    yield {
      source: file.source,
      path: file.path,
      findings,
      withTests: !options['no-tests'],
      calls: options.calls ? Number(options.calls) : null,
    }
  }
}

const startWorker = (): ChildProcess =>
  fork(fileURLToPath(new URL('prove-worker.ts', import.meta.url)), [], { execArgv: ['--import', 'tsx'] })

const runTask = (worker: ChildProcess, task: Task): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${task.path}: the process ended with code ${code}`))
    worker.once('exit', onExit)
    worker.once('message', (answer) => {
      worker.off('exit', onExit)
      resolve(answer as Answer)
    })
    worker.send(task)
  })

const secondsBetweenReports = 10

/** Says now and then how far it is; on standard error, so that the tables stand alone. */
const createReporter = () => {
  const started = Date.now()
  let last = started
  const counts = { files: 0, known: 0, findings: 0, confirmed: 0 }
  return ({ rows, isKnown }: Answer) => {
    counts.files++
    counts.known += isKnown ? 1 : 0
    counts.findings += rows.length
    counts.confirmed += rows.filter(({ evidence }) => evidence.status === 'confirmed').length
    if (Date.now() - last < secondsBetweenReports * 1000) return
    last = Date.now()
    const { files, known, findings, confirmed } = counts
    console.error(
      `${((last - started) / 1000).toFixed(0)} s: ${files} files (${known} as kept from an earlier run), ${findings} findings, ${confirmed} confirmed; now ${rows[0]?.path ?? ''}`,
    )
  }
}

const proveAll = async (files: readonly CorpusFile[]): Promise<Row[]> => {
  const queue = tasks(files)
  const report = createReporter()
  const answers: { readonly at: number; readonly rows: Row[] }[] = []
  let next = 0
  const work = async (): Promise<void> => {
    const worker = startWorker()
    try {
      for (let task = queue.next(); !task.done; task = queue.next()) {
        const at = next++
        const answer = await runTask(worker, task.value)
        answers.push({ at, rows: answer.rows })
        report(answer)
      }
    } finally {
      worker.kill()
    }
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, work))
  return answers.sort((a, b) => a.at - b.at).flatMap(({ rows }) => rows)
}

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
  const rows = await proveAll(files)
  if (options.list) for (const row of rows) console.log(describeRow(row))
  console.log(`\n${textTable(classHead, classRows(rows))}`)
  console.log(`\n${textTable(['measure', 'ours', 'target', ''], targetRows(rows))}`)
  return 0
}

process.exitCode = await main()
