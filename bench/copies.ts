/**
 * How often real projects are lowered: operations per place of the source, files that a budget cut and why, CPU time.
 *   npm run bench:copies [-- <part of a name> …] [--dependencies <node_modules>] [--by-callee]
 * Uses the projects of the corpus. With `--dependencies` what they import from there is read too, as the command does.
 * `--by-callee` lists the functions that most copied operations come from.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { InputFile, Report, ScanOptions } from '@assay/engine'
import { build } from 'esbuild'
import type { Behaviour, Context, Flow, Site } from '../engine/src/ir/index.ts'
import type { Model } from '../engine/src/model/index.ts'
import { corpusFolder } from './corpus.ts'
import { textTable } from './text-table.ts'

/** Small and large, old and new, with and without imports from npm. */
const projects = [
  'clean/clean-aave-v3',
  'clean/clean-compound-v2',
  'modern-projects/web3bugs/23',
  'modern-projects/web3bugs/115',
  'modern-projects/web3bugs/122',
  'modern-projects/web3bugs/131',
]

interface Engine {
  readonly scanFiles: (files: readonly InputFile[], options?: Omit<ScanOptions, 'path'>) => Report[]
  readonly buildModel: (files: readonly InputFile[]) => Model
  readonly Behaviour: new (
    model: Model,
    budget?: undefined,
    length?: undefined,
    without?: undefined,
    isWanted?: (definition: { readonly file: { readonly path: string } }) => boolean,
  ) => Behaviour
}

/** Bundled, as the command and the server carry it. */
const bundleEngine = async (folder: string): Promise<Engine> => {
  const outfile = path.join(folder, 'engine.mjs')
  const contents = [
    `export { scanFiles } from './index.ts'`,
    `export { buildModel } from './model/index.ts'`,
    `export { Behaviour } from './ir/index.ts'`,
  ].join('\n')
  const resolveDir = fileURLToPath(new URL('../engine/src', import.meta.url))
  await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
  })
  return (await import(pathToFileURL(outfile).href)) as Engine
}

const readProject = (folder: string): InputFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => ({ path: file.split(path.sep).join('/'), text: readFileSync(path.join(folder, file), 'utf8') }))

const importsOf = ({ text }: InputFile): string[] =>
  [...text.matchAll(/\bimport\b[^;]*?["']([^"']+)["']/g)].map(([, target]) => target!)

/** What files import from installed packages, and what that imports. */
const readDependencies = (files: readonly InputFile[], packages: string): InputFile[] => {
  const known = new Map<string, InputFile>()
  const work = [...files]
  for (let file = work.pop(); file !== undefined; file = work.pop())
    for (const target of importsOf(file)) {
      const name = target.startsWith('.') ? path.posix.join(path.posix.dirname(file.path), target) : target
      const found = path.join(packages, name)
      if (known.has(name) || !name.startsWith('@') || !existsSync(found)) continue
      known.set(name, { path: name, text: readFileSync(found, 'utf8') })
      work.push(known.get(name)!)
    }
  return [...known.values()]
}

interface Lowered {
  readonly flows: number
  readonly operations: number
  readonly inlined: number
  readonly places: number
  readonly cuts: ReadonlyMap<string, number>
  readonly byCallee: ReadonlyMap<string, number>
}

const nameOf = ({ fn }: Site): string => `${fn.contract?.name ?? ''}.${fn.name}`

const countFlow = ({ ir }: Flow, places: Set<string>, byCallee: Map<string, number>): number => {
  let inlined = 0
  for (const { ops } of ir.blocks)
    for (const op of ops) {
      places.add(`${op.kind} ${op.operator} ${op.node?.start} ${op.node?.end} ${op.site?.fn.file.path}`)
      if (op.site === null) continue
      inlined++
      const name = nameOf(op.site)
      byCallee.set(name, (byCallee.get(name) ?? 0) + 1)
    }
  return inlined
}

const measureLowering = (engine: Engine, files: readonly InputFile[], reported: ReadonlySet<string>): Lowered => {
  const isWanted = ({ file }: { readonly file: { readonly path: string } }): boolean => reported.has(file.path)
  const behaviour = new engine.Behaviour(engine.buildModel(files), undefined, undefined, undefined, isWanted)
  const places = new Set<string>()
  const cuts = new Map<string, number>()
  const byCallee = new Map<string, number>()
  let [flows, operations, inlined] = [0, 0, 0]
  for (let part: Context | null = behaviour.next(); part !== null; part = behaviour.next())
    for (const flow of part.functions) {
      flows++
      for (const { ops } of flow.ir.blocks) operations += ops.length
      inlined += countFlow(flow, places, byCallee)
    }
  for (const { message } of behaviour.diagnostics) {
    const reason = message.replace(/ at .*/, '').replace(/\d+/g, 'n')
    cuts.set(reason, (cuts.get(reason) ?? 0) + 1)
  }
  return { flows, operations, inlined, places: places.size, cuts, byCallee }
}

/** The first scan of a project, then the fastest of three more. */
const measureTime = (scan: () => Report[]): { cold: number; warm: number; reports: Report[] } => {
  const cpu = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const once = (): number => {
    const start = cpu()
    reports = scan()
    return cpu() - start
  }
  let reports: Report[] = []
  const cold = once()
  return { cold, warm: Math.min(once(), once(), once()), reports }
}

const isCut = ({ diagnostics }: Report): boolean => diagnostics.some(({ code }) => code === 'budget-exhausted')

const describeCuts = (cuts: ReadonlyMap<string, number>): string =>
  [...cuts].map(([reason, count]) => `${count} × ${reason}`).join(', ')

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { dependencies: { type: 'string' }, 'by-callee': { type: 'boolean' } },
  })
  const temporary = mkdtempSync(path.join(tmpdir(), 'assay-copies-'))
  const rows: string[][] = []
  let [files, cutFiles] = [0, 0]
  try {
    const engine = await bundleEngine(temporary)
    for (const project of projects.filter(
      (each) => positionals.length === 0 || positionals.includes(path.basename(each)),
    )) {
      const own = readProject(path.join(corpusFolder(), project))
      const all = values.dependencies ? [...own, ...readDependencies(own, values.dependencies)] : own
      const reported = own.map((file) => file.path)
      const { cold, warm, reports } = measureTime(() => engine.scanFiles(all, { reported }))
      const lowered = measureLowering(engine, all, new Set(reported))
      const cut = reports.filter(isCut).length
      files += own.length
      cutFiles += cut
      rows.push([
        path.basename(project),
        `${own.length} of ${all.length}`,
        ...[lowered.flows, lowered.operations].map(String),
        `${Math.round((100 * lowered.inlined) / lowered.operations)} %`,
        (lowered.operations / lowered.places).toFixed(2),
        String(reports.reduce((sum, { findings }) => sum + findings.length, 0)),
        String(cut),
        cold.toFixed(2),
        warm.toFixed(2),
        describeCuts(lowered.cuts),
      ])
      if (values['by-callee']) {
        console.log(project)
        const most = [...lowered.byCallee].sort(([, a], [, b]) => b - a).slice(0, 25)
        for (const [name, count] of most) console.log(`  ${String(count).padStart(6)}  ${name}`)
      }
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  const head = 'project,files,flows,operations,inlined,per place,findings,partial,first,warm,cut'.split(',')
  console.log(textTable(head, rows))
  console.log(`partial: ${cutFiles} of ${files} files; first, warm: seconds of CPU`)
}

await main()
