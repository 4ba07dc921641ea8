/**
 * Makes one fault at a time in audited protocols and counts how many the scanner finds, by kind of fault.
 *   npm run bench:faults -- [--seed text] [--most 12] [--list] [--only 'lock removed'] [--protocol aave] [--half looking] [--jobs 2] [--fresh] [folder …]
 * Found: a finding of medium or more that the unchanged protocol has not, in the changed function, in an entry point that reaches it, or
 * naming either. Every changed program compiles. Protocols whose faults nobody has read are only counted: --list
 * shows the others alone. --fresh scans as in a fresh clone, without the packages that a protocol imports. Folders take the place of the corpus and
 * of the packages. Packages and compiled programs are kept in .cache/faults.
 */
import { parseArgs } from 'node:util'
import { buildModel } from '../engine/src/model/index.ts'
import { operators } from './faults/fault.ts'
import { findFaults } from './faults/find-faults.ts'
import type { Judgement } from './faults/judge.ts'
import { type Pool, startPool } from './faults/pool.ts'
import { type Half, readProtocols } from './faults/protocols.ts'
import { type Candidate, selectFaults } from './faults/select.ts'
import { textTable } from './text-table.ts'

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '12' },
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
    protocol: { type: 'string' },
    half: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    fresh: { type: 'boolean', default: false },
  },
})

type Judged = Candidate & Judgement

const findCandidates = (): Candidate[] =>
  readProtocols(folders)
    .filter(({ name, half }) => name.includes(options.protocol ?? '') && half.includes(options.half ?? ''))
    .flatMap(({ name, half, files, own }) =>
      findFaults(buildModel(files), (file) => own.has(file)).map((fault) => ({ protocol: name, half, fault })),
    )
    .filter(({ fault }) => !options.only || fault.operator.includes(options.only))

const judgeAll = async (pool: Pool, chosen: readonly Candidate[]): Promise<Judged[]> => {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of chosen) {
    const key = `${candidate.protocol}|${candidate.fault.path}`
    groups.set(key, [...(groups.get(key) ?? []), candidate])
  }
  const judged = await Promise.all(
    [...groups.values()].map(async (group) => {
      const answers = await pool.run(group.map(({ protocol, fault }) => ({ act: 'judge', protocol, fault })))
      return group.map((candidate, i): Judged => ({ ...candidate, ...(answers[i] as Judgement) }))
    }),
  )
  return judged.flat()
}

const share = (part: number, all: number): string => (all === 0 ? '–' : `${Math.round((100 * part) / all)} %`)

const rowOf = (name: string, judged: readonly Judged[]): string[] => {
  const count = (...verdicts: Judgement['verdict'][]): number =>
    judged.filter(({ verdict }) => verdicts.includes(verdict)).length
  const found = count('found')
  return [
    name,
    String(judged.length),
    String(found),
    share(found, judged.length),
    String(count('review')),
    String(count('other')),
  ]
}

const tableOf = (half: Half, judged: readonly Judged[]): string => {
  const mine = judged.filter((each) => each.half === half)
  const rows = operators.map((operator) =>
    rowOf(
      operator,
      mine.filter(({ fault }) => fault.operator === operator),
    ),
  )
  const head = [half, 'faults', 'found', 'share', 'review only', 'other']
  return textTable(head, [...rows, rowOf('all', mine)])
}

const describe = ({ protocol, fault, verdict, by }: Judged): string =>
  `${verdict.padEnd(6)} ${fault.operator}: ${protocol} ${fault.path}:${fault.line} ${fault.contract}.${fault.function} [${fault.removed.slice(0, 90)}] ${by.join(', ')}`

const main = async (): Promise<void> => {
  // Before the workers start: this fetches the packages that they read.
  const candidates = findCandidates()
  const pool = startPool(Number(options.jobs), folders, options.fresh)
  try {
    const isFit = async ({ protocol, fault }: Candidate): Promise<boolean> => {
      const [answer] = await pool.run([{ act: 'compile', protocol, fault }])
      return answer !== undefined && 'error' in answer && answer.error === ''
    }
    const chosen = await selectFaults(candidates, { seed: options.seed, most: Number(options.most), isFit })
    const judged = await judgeAll(pool, chosen)
    if (options.list) for (const each of judged) if (each.half === 'looking') console.log(describe(each))
    console.log(`seed ${options.seed}, at most ${options.most} faults of a kind and half`)
    for (const half of ['looking', 'counted'] as const) console.log(`\n${tableOf(half, judged)}`)
  } finally {
    pool.close()
  }
}

await main()
