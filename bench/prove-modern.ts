/**
 * Runs the prover over the labelled modern contracts and projects, with dependencies from a folder where npm installed them, and prints what became of
 * each class and why nothing came of the rest.
 *   npm run bench:prove-modern -- --packages <folder> [--source defivulnlabs] [--match text] [--only unprotected-setting] [--for 120] [--list]
 * Counted are findings and advisories that hit a label of their class. Results are kept in .cache/prove-modern by the content of the files and of our
 * code, so parts join: --for ends after so many seconds.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Evidence, type Finding, type InputFile, scanFiles } from '@assay/engine'
import { isInstalled, isProvable, prove } from '@assay/prover'
import { closureOf } from '../prover/src/compile/import-closure.ts'
import { hashFiles, listSources } from '../tools/content-hash.mjs'
import { corpusFolder } from './corpus.ts'
import { keep, readKept } from './kept-results.ts'
import { readPackageFile } from './package-files.ts'
import type { ModernLabel, ProjectFile } from './protocols.ts'
import { touches } from './reliability.ts'
import { textTable } from './text-table.ts'

const { values: options } = parseArgs({
  options: {
    packages: { type: 'string' },
    source: { type: 'string' },
    match: { type: 'string' },
    only: { type: 'string' },
    for: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const cacheFolder = fileURLToPath(new URL('../.cache/prove-modern/', import.meta.url))
const codeHash = hashFiles(listSources(['prover/src', 'prover/packages/package-lock.json']).files)
const limits = { millisecondsPerScan: 120_000, millisecondsPerFinding: 20_000 }

/** Labels, and the detectors whose findings show the same: those that a person would read as the labelled vulnerability. */
const detectorsOf: Readonly<Record<string, readonly string[]>> = {
  'access-control': [
    'unauthorized-debit',
    'unbacked-mint',
    'unprotected-payout',
    'unprotected-role-change',
    'unprotected-setting',
    'untrusted-authorization',
    'unprotected-initializer',
    'arbitrary-transfer-from',
    'SWC-105',
    'SWC-106',
  ],
  'unauthenticated-callback': ['unauthenticated-callback', 'arbitrary-transfer-from', 'SWC-105'],
  'unprotected-initializer': ['unprotected-initializer', 'repeatable-initializer'],
  'uninitialized-proxy': ['unprotected-initializer', 'repeatable-initializer', 'SWC-112'],
  'uninitialized-state': ['uninitialized-state'],
  'incomplete-override': ['incomplete-override'],
  'arbitrary-call': ['arbitrary-call', 'SWC-105', 'SWC-112', 'arbitrary-transfer-from'],
  'arbitrary-transfer-from': ['arbitrary-transfer-from'],
  'missing-state-update': ['missing-state-update'],
  'memory-not-storage': ['memory-not-storage'],
  'SWC-117': ['SWC-117', 'SWC-121'],
  'SWC-121': ['SWC-121', 'signature-without-domain'],
  'unchecked-ecrecover': ['unchecked-ecrecover', 'missing-signature-check', 'SWC-122'],
  'vault-inflation': ['vault-share-inflation'],
  'price-oracle-manipulation': ['price-oracle-manipulation', 'vault-share-inflation'],
  'flash-loan-governance': ['flash-loan-governance'],
  'fee-on-transfer': ['fee-on-transfer-assumption'],
  'msg-value-loop': ['msg-value-in-loop', 'delegatecall-in-loop'],
  'self-transfer': ['self-transfer'],
  'id-uniqueness': ['id-uniqueness', 'repeated-element'],
  'transfer-from-self': ['transfer-from-self'],
  'strict-balance': ['strict-token-balance', 'SWC-132'],
  'SWC-112': ['SWC-112'],
  'SWC-113': ['SWC-113'],
  'SWC-128': ['SWC-128', 'SWC-132'],
}

const sets = ['modern', 'modern-projects'] as const

interface LabelledFile extends ProjectFile {
  readonly set: (typeof sets)[number]
}

const readTruth = (): LabelledFile[] =>
  sets.flatMap((set) => {
    const truth = path.join(corpusFolder(), set, 'truth.json')
    if (!existsSync(truth)) return []
    return (JSON.parse(readFileSync(truth, 'utf8')) as ProjectFile[]).map((file) => ({ ...file, set }))
  })

/** Where the imports of a project start. */
const rootOf = ({ set, source, project }: LabelledFile): string => path.join(corpusFolder(), set, source, project ?? '')

const listSolidity = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .map((file) => file.split(path.sep).join('/'))
    .sort()

interface Task {
  readonly file: LabelledFile
  readonly path: string
  readonly files: readonly InputFile[]
  readonly findings: readonly { readonly label: ModernLabel; readonly finding: Finding }[]
}

const isWanted = ({ class: name }: ModernLabel): boolean =>
  name in detectorsOf && (!options.only || options.only.split(',').includes(name))

const hitsOf = (file: LabelledFile, findings: readonly Finding[]): Task['findings'] =>
  (file.labels ?? []).filter(isWanted).flatMap((label) => {
    const accepted = detectorsOf[label.class] ?? []
    const finding = findings.find(
      (each) =>
        (accepted.includes(each.detector) || accepted.includes(each.swc ?? '')) &&
        isProvable(each) &&
        touches(each, label),
    )
    return finding ? [{ label, finding }] : []
  })

const tasksOf = function* (files: readonly LabelledFile[]): Generator<Task> {
  const roots = new Map<string, LabelledFile[]>()
  for (const file of files.filter(({ labels = [] }) => labels.some(isWanted)))
    roots.set(rootOf(file), [...(roots.get(rootOf(file)) ?? []), file])
  for (const [root, members] of roots) {
    const inputs = listSolidity(root).map((each) => ({ path: each, text: readFileSync(path.join(root, each), 'utf8') }))
    const byPath = new Map(inputs.map((each) => [each.path, each]))
    const isAlone = members[0]?.project === undefined
    const relativeOf = (file: LabelledFile) => path.relative(root, path.join(corpusFolder(), file.set, file.path))
    const reports = isAlone
      ? members.flatMap((file) => scanFiles(inputs.filter((each) => each.path === relativeOf(file))))
      : scanFiles(inputs)
    for (const file of members) {
      const own = relativeOf(file)
      const report = reports.find((each) => each.path === own)
      const findings = hitsOf(file, [...(report?.findings ?? []), ...(report?.advisories ?? [])])
      if (findings.length === 0) continue
      yield {
        file,
        path: own,
        findings,
        files: closureOf(own, (wanted) => byPath.get(wanted) ?? readPackageFile(options.packages, wanted), []),
      }
    }
  }
}

interface Row {
  readonly path: string
  readonly class: string
  readonly detector: string
  readonly line: number
  readonly function: string | null
  readonly status: Evidence['status']
  readonly summary: string
}

const proveTask = async ({ file, path: own, files, findings }: Task): Promise<Row[]> => {
  const proven = await prove(
    files,
    findings.map(({ finding }) => ({ path: own, finding })),
    { limits },
  )
  return findings.map(({ label, finding }, index) => ({
    path: file.path,
    class: label.class,
    detector: finding.detector,
    line: finding.line,
    function: finding.function,
    status: proven[index]?.status ?? 'not-attempted',
    summary: proven[index]?.summary ?? '',
  }))
}

const isCompiled = ({ summary }: Row): boolean => !summary.includes('do not compile')

/** A reason without its numbers and names. */
const causeOf = ({ status, summary }: Row): string =>
  `${status}: ${summary.replace(/\d+/g, 'n').replace(/^\w+ could/, 'a contract could')}`

const countBy = <T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

const main = async (): Promise<number> => {
  if (!isInstalled()) {
    console.error('The prover is not installed: npm run setup:prover')
    return 2
  }
  const truth = readTruth()
  if (truth.length === 0) {
    console.error(`No corpus at ${corpusFolder()}: set CORPUS_DIR to a folder with modern/truth.json.`)
    return 2
  }
  const files = truth
    .filter(({ source }) => !options.source || options.source.split(',').includes(source))
    .filter((file) => !options.match || file.path.includes(options.match))
  const until = options.for ? Date.now() + 1000 * Number(options.for) : Number.POSITIVE_INFINITY
  const rows: Row[] = []
  let left = 0
  for (const task of tasksOf(files)) {
    const input = [codeHash, task.files, task.findings.map(({ finding }) => [finding.detector, finding.line])]
    if (Date.now() > until && readKept(cacheFolder, input) === undefined) {
      left++
      continue
    }
    const { result } = await keep(cacheFolder, input, () => proveTask(task))
    rows.push(...result)
    if (options.list)
      for (const row of result)
        console.log(
          `${row.status}  ${row.class}  ${row.detector}  ${row.path}:${row.line} ${row.function}  ${row.summary}`,
        )
  }
  const compiled = rows.filter(isCompiled)
  const rowOf = (title: string, some: readonly Row[]): string[] => {
    const of = (status: Row['status']) => some.filter((each) => each.status === status).length
    const verified = of('confirmed')
    const shareOf = (all: number): string => (all === 0 ? '–' : `${((100 * verified) / all).toFixed(1)} %`)
    return [
      title,
      String(some.length),
      String(verified),
      String(of('executed')),
      String(of('not-reproduced')),
      String(of('not-attempted')),
      shareOf(some.length),
      shareOf(some.length - of('not-attempted')),
    ]
  }
  const table = [
    ...countBy(compiled, (row) => row.class).map(([name, some]) => rowOf(name, some)),
    rowOf('all', compiled),
  ]
  console.log(
    `\n${textTable(['class', 'compiling', 'verified', 'executed', 'not reproduced', 'not attempted', 'of all', 'of attempted'], table)}`,
  )
  console.log(`\n${rows.length - compiled.length} further findings are in files that do not compile\n`)
  const causes = countBy(
    rows.filter(({ status }) => status !== 'confirmed'),
    causeOf,
  )
  console.log(
    textTable(
      ['findings', 'cause'],
      causes.map(([cause, some]) => [String(some.length), cause.slice(0, 160)]),
    ),
  )
  if (left > 0) console.log(`\n${left} files are left`)
  return 0
}

process.exitCode = await main()
