/**
 * Makes one fault at a time in small protocols (bench/protocols-small) and counts how many `assay hunt` executes, by kind of fault.
 *   npm run bench:hunt -- [--seconds 20] [--protocol Bank] [--only 'lock removed'] [--list]
 * Executed: a report that the unchanged protocol does not give. A report of an unchanged protocol ends it with 1. Seconds are CPU time per program.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { InputFile } from '@assay/engine'
import { type HuntReport, hunt, isInstalled } from '@assay/prover'
import { buildModel } from '../engine/src/model/index.ts'
import { type Fault, operators } from './faults/fault.ts'
import { findFaults } from './faults/find-faults.ts'
import { changedFiles } from './faults/judge.ts'
import { textTable } from './text-table.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    protocol: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const folder = fileURLToPath(new URL('protocols-small/', import.meta.url))

const huntIn = async (files: readonly InputFile[]): Promise<readonly HuntReport[] | undefined> => {
  const units = files.map(({ path }) => ({ path, files, remappings: [] }))
  const { reports, searched } = await hunt(units, { milliseconds: 1000 * Number(options.seconds) })
  return searched.length > 0 ? reports : undefined
}

interface Hunted {
  readonly fault: Fault
  /** Undefined: it does not compile. */
  readonly reports: readonly HuntReport[] | undefined
}

const describe = ({ oracle, contract, function: fn, evidence }: HuntReport): string =>
  `${oracle} ${contract}.${fn}: ${evidence.summary}`

const huntFaults = async (files: readonly InputFile[]): Promise<Hunted[]> => {
  const faults = findFaults(buildModel(files), () => true).filter(
    ({ operator }) => !options.only || operator.includes(options.only),
  )
  const hunted: Hunted[] = []
  for (const fault of faults) {
    const reports = await huntIn(changedFiles(files, fault))
    hunted.push({ fault, reports })
    if (!options.list) continue
    const outcome = reports?.[0] ? describe(reports[0]) : reports ? 'nothing' : 'does not compile'
    console.log(`${fault.operator}: ${fault.contract}.${fault.function}:${fault.line} → ${outcome}`)
  }
  return hunted
}

const main = async (): Promise<number> => {
  if (!isInstalled()) {
    console.error('The prover is not installed: npm run setup:prover')
    return 2
  }
  const hunted: Hunted[] = []
  const untrue: HuntReport[] = []
  for (const name of readdirSync(folder).filter((each) => !options.protocol || each.includes(options.protocol))) {
    const files = [{ path: name, text: readFileSync(`${folder}${name}`, 'utf8') }]
    untrue.push(...((await huntIn(files)) ?? []))
    hunted.push(...(await huntFaults(files)))
  }
  const compiled = hunted.filter(({ reports }) => reports !== undefined)
  const rowOf = (title: string, rows: readonly Hunted[]): string[] => [
    title,
    String(rows.length),
    String(rows.filter(({ reports = [] }) => reports.length > 0).length),
  ]
  const rows = operators
    .map((operator) =>
      rowOf(
        operator,
        compiled.filter(({ fault }) => fault.operator === operator),
      ),
    )
    .filter(([, count]) => count !== '0')
  console.log(`\n${textTable(['fault', 'planted', 'executed'], [...rows, rowOf('all', compiled)])}`)
  console.log(`\nReports of unchanged protocols: ${untrue.length}`)
  for (const report of untrue) console.log(describe(report))
  return untrue.length > 0 ? 1 : 0
}

process.exitCode = await main()
