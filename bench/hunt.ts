/**
 * Makes one fault at a time in small protocols (bench/protocols-small) and counts how many `assay hunt` executes, by kind of fault.
 *   npm run bench:hunt -- [--seconds 20] [--protocol Bank] [--only 'lock removed'] [--for 90] [--list]
 * Executed: a report that the unchanged protocol does not give. A report of an unchanged protocol ends it with 1. --seconds is CPU time per
 * program. Results are kept in .cache/hunt by the content of the program and of our code, so parts join: --for ends after so many seconds, and
 * the next run goes on from there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { InputFile } from '@assay/engine'
import { type HuntReport, hunt, isInstalled } from '@assay/prover'
import { buildModel } from '../engine/src/model/index.ts'
import { hashFiles, listSources } from '../tools/content-hash.mjs'
import { type Operator, operators } from './faults/fault.ts'
import { findFaults } from './faults/find-faults.ts'
import { changedFiles } from './faults/judge.ts'
import { keep, readKept } from './kept-results.ts'
import { textTable } from './text-table.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    protocol: { type: 'string' },
    only: { type: 'string' },
    for: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const folder = fileURLToPath(new URL('protocols-small/', import.meta.url))
const cacheFolder = fileURLToPath(new URL('../.cache/hunt/', import.meta.url))
const codeHash = hashFiles(listSources(['prover/src', 'prover/packages/package-lock.json']).files)

/** A protocol as it is, or with one fault. */
interface Program {
  readonly name: string
  readonly operator: Operator | null
  readonly files: readonly InputFile[]
}

/** What was seen, a line for each report; null: it does not compile. */
type Seen = readonly string[] | null

const programsOf = (name: string): Program[] => {
  const files = [{ path: name, text: readFileSync(`${folder}${name}`, 'utf8') }]
  const faults = findFaults(buildModel(files), () => true).filter(
    ({ operator }) => !options.only || operator.includes(options.only),
  )
  return [
    { name, operator: null, files },
    ...faults.map((fault) => ({
      name: `${fault.contract}.${fault.function}:${fault.line}`,
      operator: fault.operator,
      files: changedFiles(files, fault),
    })),
  ]
}

const describe = ({ oracle, contract, function: fn, evidence }: HuntReport): string =>
  `${oracle} ${contract}.${fn}: ${evidence.summary}`

const huntIn = async ({ files }: Program): Promise<Seen> => {
  const units = files.map(({ path }) => ({ path, files, remappings: [] }))
  const { reports, searched } = await hunt(units, { milliseconds: 1000 * Number(options.seconds) })
  return searched.length > 0 ? reports.map(describe) : null
}

const inputOf = ({ files }: Program): unknown => [codeHash, options.seconds, files]

const outcomeOf = (seen: Seen): string => (seen === null ? 'does not compile' : (seen[0] ?? 'nothing'))

const printTable = (programs: readonly Program[], seen: ReadonlyMap<Program, Seen>): void => {
  const planted = programs.filter((each) => each.operator !== null && (seen.get(each) ?? null) !== null)
  const rowOf = (title: string, rows: readonly Program[]): string[] => [
    title,
    String(rows.length),
    String(rows.filter((each) => (seen.get(each) ?? []).length > 0).length),
  ]
  const rows = operators
    .map((operator) =>
      rowOf(
        operator,
        planted.filter((each) => each.operator === operator),
      ),
    )
    .filter(([, count]) => count !== '0')
  console.log(`\n${textTable(['fault', 'planted', 'executed'], [...rows, rowOf('all', planted)])}`)
}

const main = async (): Promise<number> => {
  if (!isInstalled()) {
    console.error('The prover is not installed: npm run setup:prover')
    return 2
  }
  const names = readdirSync(folder).filter((each) => !options.protocol || each.includes(options.protocol))
  const programs = names.flatMap(programsOf)
  const until = options.for ? Date.now() + 1000 * Number(options.for) : Number.POSITIVE_INFINITY
  const seen = new Map<Program, Seen>()
  for (const program of programs) {
    const known = readKept<Seen>(cacheFolder, inputOf(program))
    if (known === undefined && Date.now() > until) continue
    const { result } = await keep(cacheFolder, inputOf(program), () => huntIn(program))
    seen.set(program, result)
    if (options.list) console.log(`${program.operator ?? 'unchanged'}: ${program.name} → ${outcomeOf(result)}`)
  }
  printTable(programs, seen)
  const unchanged = programs.filter(({ operator }) => operator === null)
  const untrue = unchanged.flatMap((each) => seen.get(each) ?? [])
  console.log(`\nReports of ${unchanged.filter((each) => seen.has(each)).length} unchanged protocols: ${untrue.length}`)
  for (const report of untrue) console.log(report)
  if (seen.size < programs.length) console.log(`${programs.length - seen.size} of ${programs.length} programs are left`)
  return untrue.length > 0 ? 1 : 0
}

process.exitCode = await main()
