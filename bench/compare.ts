/**
 * Scans the same code with the engine of an earlier state and with this one, and lists every finding that only one of them makes.
 *   npm run bench:compare -- <commit or checkout> [<commit or checkout>] [--only dev,modern,projects,clean,packages] [--all]
 * Every file alone, and the projects of `clean`, `modern`, `modern-projects` and the packages as wholes; more folders of Solidity
 * with `--project`. Grouped by detector: `-` is a finding of the earlier state, `+` one of this. `--all` compares advice, diagnostics and
 * parse errors too. Exits 1 when anything differs.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

const root = fileURLToPath(new URL('..', import.meta.url))

/** A checkout as it is; the engine of a commit is written to a folder of the cache, below the packages that are installed here. */
const checkoutOf = (name: string): string => {
  if (existsSync(path.join(name, 'engine/src/index.ts'))) return name
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: root, maxBuffer: 1 << 30 })
  const commit = git('rev-parse', '--verify', `${name}^{commit}`).toString().trim()
  const folder = path.join(root, '.cache', 'compare', commit)
  if (existsSync(path.join(folder, 'engine/src/index.ts'))) return folder
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit, 'engine', ':(exclude,glob)**/*.test.ts') })
  return folder
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

const projectJobs = (): Job[] => {
  const files = readFolder(path.join(corpusFolder(), 'modern-projects'))
  const folderOf = (file: string): string | null => firstFolders(file.startsWith('web3bugs/') ? 2 : 1)(file)
  return asProjects('modern-projects', files, folderOf)
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
  projects: projectJobs,
  clean: () => corpusJobs('clean'),
  packages: packageJobs,
}

/** What a report says in one place; `detector` is what lines are grouped by. */
interface Said {
  readonly detector: string
  readonly line: string
}

const describeFinding = (finding: Finding): string => {
  const { line, column, endLine, endColumn, severity, confidence, message, trace } = finding
  const steps = trace.map((step) => `\n      ${step.file ?? ''}:${step.line}:${step.column} ${step.message}`).join('')
  return `${line}:${column}-${endLine}:${endColumn} (${severity}, ${confidence}) ${message}${steps}`
}

const describeRest = ({ diagnostics, parseErrors, bestPractices, completeness }: Report): string[] => [
  completeness,
  ...diagnostics.map(({ code, line, message }) => `diagnostic ${code} ${line}: ${message}`),
  ...parseErrors.map(({ line, column, message }) => `parse error ${line}:${column} ${message}`),
  JSON.stringify(bestPractices),
]

const describeReport = (report: Report, all: boolean): Said[] =>
  [
    ...[...report.findings, ...report.advisories].map((each) => [each.detector, describeFinding(each)] as const),
    ...report.suppressed.map((each) => [each.detector, `suppressed ${describeFinding(each)}`] as const),
    ...(all ? describeRest(report) : []).map((line) => ['rest of the report', line] as const),
  ].map(([detector, line]) => ({ detector, line: `${report.path}:${line}` }))

/** Lines of `a` that are not in `b`, as often as they are missing. */
const without = (a: readonly Said[], b: readonly Said[]): Said[] => {
  const left = new Map<string, number>()
  const keyOf = ({ detector, line }: Said): string => `${detector} ${line}`
  for (const said of b) left.set(keyOf(said), (left.get(keyOf(said)) ?? 0) + 1)
  return a.filter((said) => {
    const count = left.get(keyOf(said)) ?? 0
    left.set(keyOf(said), count - 1)
    return count <= 0
  })
}

const run = (scanFiles: ScanFiles, { files }: Job, all: boolean): Said[] => {
  try {
    return scanFiles(files).flatMap((report) => describeReport(report, all))
  } catch (error) {
    return [{ detector: 'scans that threw', line: `threw ${error}` }]
  }
}

interface Difference {
  readonly lost: string[]
  readonly added: string[]
}

const compare = (jobs: readonly Job[], other: ScanFiles, own: ScanFiles, all: boolean): Map<string, Difference> => {
  const differences = new Map<string, Difference>()
  const differenceOf = (detector: string): Difference => {
    const known = differences.get(detector) ?? { lost: [], added: [] }
    differences.set(detector, known)
    return known
  }
  for (const job of jobs) {
    const before = run(other, job, all)
    const after = run(own, job, all)
    for (const { detector, line } of without(before, after)) differenceOf(detector).lost.push(`${job.name}: ${line}`)
    for (const { detector, line } of without(after, before)) differenceOf(detector).added.push(`${job.name}: ${line}`)
  }
  return differences
}

const printDifferences = (differences: ReadonlyMap<string, Difference>): void => {
  for (const [detector, { lost, added }] of [...differences].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${detector}: ${lost.length} lost, ${added.length} new`)
    for (const line of lost) console.log(`  - ${line}`)
    for (const line of added) console.log(`  + ${line}`)
  }
}

const usage =
  'bench:compare <commit or checkout> [<commit or checkout>] [--only dev,modern,projects,clean,packages] [--project <folder> …] [--all]'

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      project: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean', default: false },
    },
  })
  const [other, own = root] = positionals
  const wanted = values.only?.split(',').filter((name) => name !== '') ?? Object.keys(groups)
  if (other === undefined || wanted.some((name) => groups[name] === undefined)) {
    console.error(usage)
    return 2
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-compare-'))
  try {
    const engines = [
      await loadEngine(checkoutOf(other), folder, 'other'),
      await loadEngine(checkoutOf(own), folder, 'own'),
    ] as const
    const given = values.project.map((project): Job => ({ name: project, files: readFolder(project) }))
    const jobs = [...wanted.flatMap((name) => groups[name]!()), ...given]
    const differences = compare(jobs, ...engines, values.all)
    printDifferences(differences)
    const count = (side: keyof Difference): number =>
      [...differences.values()].reduce((sum, each) => sum + each[side].length, 0)
    console.log(`${jobs.length} scans: ${count('lost')} findings lost, ${count('added')} new`)
    return differences.size > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
