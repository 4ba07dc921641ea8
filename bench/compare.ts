/**
 * Scans the same code with the engines of two checkouts and lists every finding that only one of them makes.
 *   npm run bench:compare -- <other checkout> [<this checkout>] [--only dev,modern,clean,packages] [--all]
 * Every file alone, and the projects of `clean`, `modern` and the packages as wholes. `-` is the other checkout's,
 * `+` this one's. `--all` compares advice, diagnostics and parse errors too. Exits 1 when anything differs.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Finding, InputFile, Report } from '@assay/engine'
import { build } from 'esbuild'
import { readCleanPackages } from './clean-code.ts'
import { corpusFolder } from './corpus.ts'

type ScanFiles = (files: readonly InputFile[]) => Report[]

/** Files that are scanned in one go. */
interface Job {
  readonly name: string
  readonly files: readonly InputFile[]
}

/** Bundled, so that either engine is loaded with its own modules whatever the workspace links say. */
const loadEngine = async (checkout: string, folder: string, name: string): Promise<ScanFiles> => {
  const outfile = path.join(folder, `${name}.mjs`)
  await build({
    entryPoints: [path.resolve(checkout, 'engine/src/index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  })
  return ((await import(pathToFileURL(outfile).href)) as { scanFiles: ScanFiles }).scanFiles
}

const readFolder = (folder: string): InputFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => ({ path: file.split(path.sep).join('/'), text: readFileSync(path.join(folder, file), 'utf8') }))

const eachAlone = (group: string, files: readonly InputFile[]): Job[] =>
  files.map((file) => ({ name: `${group}/${file.path}`, files: [file] }))

/** The folders of a group that are projects; a folder of separate lessons is none. */
const asProjects = (group: string, files: readonly InputFile[], folderOf: (file: string) => string | null): Job[] => {
  const projects = new Map<string, InputFile[]>()
  for (const file of files) {
    const project = folderOf(file.path)
    if (project !== null) projects.set(project, [...(projects.get(project) ?? []), file])
  }
  return [...projects].map(([project, inside]) => ({ name: `${group}/${project} as a whole`, files: inside }))
}

const firstFolders = (count: number) => (file: string) => {
  const folders = file.split('/')
  return folders.length > count ? folders.slice(0, count).join('/') : null
}

const corpusJobs = (group: string): Job[] => {
  const files = readFolder(path.join(corpusFolder(), group))
  if (group === 'dev') return eachAlone(group, files)
  const depth = group === 'clean' ? 1 : 2
  return [...eachAlone(group, files), ...asProjects(group, files, firstFolders(depth))]
}

const packageJobs = (): Job[] => {
  try {
    return readCleanPackages().flatMap(({ name, all }) => [
      ...eachAlone('packages', all),
      { name: `packages/${name} as a whole`, files: all },
    ])
  } catch {
    console.log('The packages of audited code are not installed: left out.')
    return []
  }
}

const groups: Readonly<Record<string, () => Job[]>> = {
  dev: () => corpusJobs('dev'),
  modern: () => corpusJobs('modern'),
  clean: () => corpusJobs('clean'),
  packages: packageJobs,
}

const describeFinding = (finding: Finding): string => {
  const { line, column, endLine, endColumn, detector, severity, confidence, message, trace } = finding
  const steps = trace.map((step) => `\n      ${step.file ?? ''}:${step.line}:${step.column} ${step.message}`).join('')
  return `${line}:${column}-${endLine}:${endColumn} ${detector} (${severity}, ${confidence}) ${message}${steps}`
}

const describeRest = ({ diagnostics, parseErrors, bestPractices, completeness }: Report): string[] => [
  completeness,
  ...diagnostics.map(({ code, line, message }) => `diagnostic ${code} ${line}: ${message}`),
  ...parseErrors.map(({ line, column, message }) => `parse error ${line}:${column} ${message}`),
  JSON.stringify(bestPractices),
]

const describeReport = (report: Report, all: boolean): string[] =>
  [
    ...[...report.findings, ...report.advisories].map(describeFinding),
    ...report.suppressed.map((finding) => `suppressed ${describeFinding(finding)}`),
    ...(all ? describeRest(report) : []),
  ].map((line) => `${report.path}:${line}`)

/** Lines of `a` that are not in `b`, as often as they are missing. */
const without = (a: readonly string[], b: readonly string[]): string[] => {
  const left = new Map<string, number>()
  for (const line of b) left.set(line, (left.get(line) ?? 0) + 1)
  return a.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}

const run = (scanFiles: ScanFiles, { files }: Job, all: boolean): string[] => {
  try {
    return scanFiles(files).flatMap((report) => describeReport(report, all))
  } catch (error) {
    return [`threw ${error}`]
  }
}

const compare = (jobs: readonly Job[], other: ScanFiles, own: ScanFiles, all: boolean): number => {
  let differences = 0
  for (const job of jobs) {
    const before = run(other, job, all)
    const after = run(own, job, all)
    const lines = [
      ...without(before, after).map((line) => `  - ${line}`),
      ...without(after, before).map((line) => `  + ${line}`),
    ]
    if (lines.length > 0) console.log(`${job.name}\n${lines.join('\n')}`)
    differences += lines.length
  }
  return differences
}

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, all: { type: 'boolean', default: false } },
  })
  const [other, own = fileURLToPath(new URL('..', import.meta.url))] = positionals
  const wanted = values.only?.split(',') ?? Object.keys(groups)
  const unknown = wanted.filter((name) => groups[name] === undefined)
  if (other === undefined || unknown.length > 0) {
    console.error('bench:compare <other checkout> [<this checkout>] [--only dev,modern,clean,packages] [--all]')
    return 2
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-compare-'))
  try {
    const engines = [await loadEngine(other, folder, 'other'), await loadEngine(own, folder, 'own')] as const
    const jobs = wanted.flatMap((name) => groups[name]!())
    const differences = compare(jobs, ...engines, values.all)
    console.log(`${jobs.length} scans, ${differences} differing lines`)
    return differences > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
