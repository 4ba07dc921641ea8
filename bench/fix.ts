/**
 * npm run bench:fix [-- <part of a name> …]: `assay fix --write` on real projects.
 * Each is compiled before and after with its own compiler version and settings, scanned before and after, and the time of `fix`
 * is compared with that of one scan. Packages, dependencies and compilers come from npm; no script of theirs is run.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { corpusFolder } from './corpus.ts'
import { fetchProject } from './fetch-project.ts'
import { type FixProject, fixProjects } from './fix-projects.ts'
import { textTable } from './text-table.ts'

const command = fileURLToPath(new URL('../cli/bin/assay.mjs', import.meta.url))
const compiler = fileURLToPath(new URL('./compile-project.ts', import.meta.url))

interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly cpu: number
}

function assay(folder: string, ...words: string[]): Run {
  const timed = 'TIMEFORMAT="%U %S"; { time "$@" 2>&4; } 2>&3'
  const line = ['-c', timed, 'bash', process.execPath, command, ...words]
  const { status, stdout, output } = spawnSync('bash', line, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  })
  const [user = 0, system = 0] = (output[3] ?? '').trim().split(' ').map(Number)
  return { status, stdout, stderr: output[4] ?? '', cpu: user + system }
}

interface Found {
  readonly path: string
  readonly detector: string
  readonly severity: string
  readonly contract: string | null
  readonly function: string | null
}

interface ScannedFile {
  readonly path: string
  readonly dataVulnerabilities?: readonly Omit<Found, 'path'>[]
  readonly advisories?: readonly Omit<Found, 'path'>[]
}

function scan(folder: string): { found: Found[]; cpu: number } {
  const { stdout, cpu } = assay(folder, 'scan', '--no-cache', '--format', 'json')
  const { files } = JSON.parse(stdout) as { files: ScannedFile[] }
  const found = files.flatMap(({ path, dataVulnerabilities = [], advisories = [] }) =>
    [...dataVulnerabilities, ...advisories].map((finding) => ({ ...finding, path })),
  )
  return { found, cpu }
}

const mediumOrMore = new Set(['critical', 'high', 'medium'])

/** By file, detector and function: a patch changes lines. */
function newFindings(before: readonly Found[], after: readonly Found[]): string[] {
  const keyOf = ({ path, detector, contract, function: fn }: Found) =>
    `${path}: ${detector} in ${contract ?? ''}.${fn ?? ''}`
  const counts = new Map<string, number>()
  for (const finding of before) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1)
  return after
    .filter(({ severity }) => mediumOrMore.has(severity))
    .flatMap((finding) => {
      const left = (counts.get(keyOf(finding)) ?? 0) - 1
      counts.set(keyOf(finding), left)
      return left < 0 ? [keyOf(finding)] : []
    })
}

/** The first error; undefined when everything compiles. In a process of its own: a compiler keeps its memory. */
function whyNotCompiled(folder: string, { solc, sources, settings = {} }: FixProject): string | undefined {
  const task = JSON.stringify({ folder, solc: fetchProject(`solc@${solc}`), sources, settings })
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', compiler, task], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() || undefined : `the compiler failed: ${stderr.trim().split('\n').at(-1)}`
}

/** A copy with its dependencies, and with the settings that its repository has where the package leaves them out. */
function layOut(work: string, { name, dependencies, solc, hasSettings }: FixProject): string | undefined {
  const source = name.startsWith('clean/') ? join(corpusFolder(), name) : fetchProject(name)
  if (source === undefined || !existsSync(source)) return undefined
  const folder = join(work, 'project')
  cpSync(source, folder, { recursive: true })
  if (!hasSettings) writeFileSync(join(folder, 'hardhat.config.js'), `module.exports = { solidity: "${solc}" }\n`)
  if (dependencies.length === 0) return folder
  rmSync(join(folder, 'package.json'), { force: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...dependencies]
  return spawnSync('npm', words, { cwd: folder }).status === 0 ? folder : undefined
}

const rows: string[][] = []
/** A run takes half an hour: each row is shown when it is known, and the table in the end. */
const add = (...row: string[]): void => {
  rows.push(row)
  console.log(row.join('  '))
}

function measure(project: FixProject): void {
  const work = mkdtempSync(join(tmpdir(), 'assay-bench-fix-'))
  try {
    const folder = layOut(work, project)
    const failure = folder === undefined ? 'could not be fetched' : whyNotCompiled(folder, project)
    if (folder === undefined || failure) {
      add(project.name, `not measured: ${failure}`)
      return
    }
    const before = scan(folder)
    const fix = assay(folder, 'fix', '--write')
    const after = scan(folder)
    const [patches = '0'] = /\d+(?= patch)/.exec(fix.stderr.trim().split('\n').at(-1) ?? '') ?? []
    const others = fix.stderr.split('\n').filter((line) => /^assay: .+:\d+: /.test(line) && !line.includes('SWC-103'))
    const broken = whyNotCompiled(folder, project)
    const fresh = newFindings(before.found, after.found)
    for (const line of [...(broken ? [broken] : []), ...fresh]) console.log(`${project.name}: ${line}`)
    add(
      project.name,
      project.solc,
      patches,
      String(others.length),
      broken ? 'no' : 'yes',
      String(fresh.length),
      before.cpu.toFixed(1),
      fix.cpu.toFixed(1),
      (fix.cpu / before.cpu).toFixed(1),
    )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

// What drives the compilers comes with the prover.
const driver = new URL('../prover/packages/node_modules/solc-0.8/wrapper.js', import.meta.url)
if (!existsSync(driver)) throw new Error('the compilers are not installed: npm run setup:prover')
// Built once, before anything is measured.
assay(tmpdir(), '--version')
const wanted = process.argv.slice(2)
for (const project of fixProjects)
  if (wanted.length === 0 || wanted.some((word) => project.name.includes(word))) measure(project)
const head = 'project,solc,patches,not pragmas,compiles after,new ≥ medium,scan CPU s,fix CPU s,fix / scan'.split(',')
console.log(textTable(head, rows))
