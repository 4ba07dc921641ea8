/**
 * Plays the levels of Ethernaut and Damn Vulnerable DeFi: every finding is attacked, and where none is verified, the contracts are searched without a
 * finding. Prints what was executed, level by level.
 *   npm run bench:levels -- --packages <folder> [--game ethernaut] [--match Vault] [--seconds 10] [--for 120]
 * Dependencies come from a folder where npm installed them. Results are kept in .cache/levels by the content of the files and of our code, so parts join:
 * --for ends after so many seconds.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type InputFile, scanFiles } from '@assay/engine'
import { hunt, isInstalled, isProvable, prove } from '@assay/prover'
import { closureOf } from '../prover/src/compile/import-closure.ts'
import { hashFiles, listSources } from '../tools/content-hash.mjs'
import { corpusFolder } from './corpus.ts'
import { keep, readKept } from './kept-results.ts'
import { readPackageFile } from './package-files.ts'
import { textTable } from './text-table.ts'

const { values: options } = parseArgs({
  options: {
    packages: { type: 'string' },
    game: { type: 'string' },
    match: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    for: { type: 'string' },
  },
})

const cacheFolder = fileURLToPath(new URL('../.cache/levels/', import.meta.url))
const codeHash = hashFiles(listSources(['prover/src', 'prover/packages/package-lock.json']).files)
const milliseconds = 1000 * Number(options.seconds)

interface Level {
  readonly game: string
  readonly name: string
  readonly root: string
  /** Below the root. */
  readonly files: readonly string[]
}

const listFolder = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])

const ethernaut = (): Level[] => {
  const root = path.join(corpusFolder(), 'modern-projects/ethernaut')
  return listFolder(path.join(root, 'levels'))
    .filter((name) => name.endsWith('.sol') && !/Factory|^Dummy/.test(name))
    .map((name) => ({ game: 'ethernaut', name: name.slice(0, -4), root, files: [`levels/${name}`] }))
}

const defi = (): Level[] => {
  const root = path.join(corpusFolder(), 'modern-projects/damn-vulnerable-defi')
  return listFolder(root)
    .filter((name) => !name.endsWith('.sol'))
    .map((name) => {
      const files = listFolder(path.join(root, name)).filter((file) => file.endsWith('.sol'))
      return { game: 'damn-vulnerable-defi', name, root, files: files.map((file) => `${name}/${file}`) }
    })
}

/** Levels that hold no asset, role, lock or secret, and whose state any caller may set: nobody can lose anything there, so there is nothing to verify. */
const withoutLoss: ReadonlySet<string> = new Set([
  'BetHouse',
  'CoinFlip',
  'Force',
  'GatekeeperOne',
  'GatekeeperTwo',
  'Instance',
  'MagicAnimalCarousel',
  'MagicNum',
  'UniqueNFT',
])

/** What was executed, and by which command; `without harm`: as flagged, and nobody lost anything; null: nothing. */
interface Played {
  readonly by: 'prove' | 'hunt' | 'without harm' | null
  readonly seen: string
}

const read = (root: string, file: string): InputFile | undefined => {
  const place = path.join(root, file)
  return existsSync(place) ? { path: file, text: readFileSync(place, 'utf8') } : readPackageFile(options.packages, file)
}

const filesOf = ({ root, files }: Level): InputFile[] => {
  const all = files.flatMap((file) => closureOf(file, (wanted) => read(root, wanted), []))
  return [...new Map(all.map((file) => [file.path, file])).values()]
}

const play = async ({ files: own }: Level, files: readonly InputFile[]): Promise<Played> => {
  const reports = scanFiles(files).filter((report) => own.includes(report.path))
  const findings = reports.flatMap((report) =>
    [...report.findings, ...report.advisories].filter(isProvable).map((finding) => ({ path: report.path, finding })),
  )
  const evidence = await prove(files, findings, {
    limits: { millisecondsPerScan: 3 * milliseconds, millisecondsPerFinding: milliseconds },
  })
  const at = evidence.findIndex(({ status }) => status === 'confirmed')
  if (at >= 0) return { by: 'prove', seen: `${findings[at]?.finding.detector}: ${evidence[at]?.summary}` }
  const units = own.map((file) => ({ path: file, files, remappings: [] }))
  const { reports: found, notSearched } = await hunt(units, { milliseconds: 2 * milliseconds })
  const [first] = found
  if (first) return { by: 'hunt', seen: `${first.oracle}: ${first.evidence.summary}` }
  const executed = evidence.findIndex(({ status }) => status === 'executed')
  if (executed >= 0)
    return { by: 'without harm', seen: `${findings[executed]?.finding.detector}: ${evidence[executed]?.summary}` }
  return { by: null, seen: notSearched[0]?.reason ?? evidence[0]?.summary ?? 'nothing was found' }
}

const summaryOf = (rows: readonly (readonly string[])[]): string => {
  const isVerified = ([, , by]: readonly string[]) => by === 'prove' || by === 'hunt'
  const fitting = rows.filter(([, name = '']) => !withoutLoss.has(name))
  const executed = rows.filter(([, , by]) => by === 'without harm').length
  return (
    `${rows[0]?.[0]}: ${rows.filter(isVerified).length} verified and ${executed} executed without harm of ${rows.length}; ` +
    `${fitting.filter(isVerified).length} verified of the ${fitting.length} in which someone can lose something`
  )
}

const main = async (): Promise<number> => {
  const levels = [...ethernaut(), ...defi()].filter(
    ({ game, name }) => game.includes(options.game ?? '') && name.includes(options.match ?? ''),
  )
  if (!isInstalled() || levels.length === 0) {
    console.error('The prover or the corpus is missing: npm run setup:prover, CORPUS_DIR')
    return 2
  }
  const until = options.for ? Date.now() + 1000 * Number(options.for) : Number.POSITIVE_INFINITY
  const rows: string[][] = []
  let left = 0
  for (const level of levels) {
    const files = filesOf(level)
    const input = [codeHash, options.seconds, files]
    if (Date.now() > until && readKept(cacheFolder, input) === undefined) {
      left++
      continue
    }
    const { result } = await keep(cacheFolder, input, () => play(level, files))
    rows.push([level.game, level.name, result.by ?? '', result.seen.slice(0, 120)])
    console.error(rows.at(-1)?.join('  '))
  }
  console.log(textTable(['game', 'level', 'executed by', 'what was seen'], rows))
  for (const game of new Set(rows.map(([name]) => name))) console.log(summaryOf(rows.filter(([name]) => name === game)))
  if (left > 0) console.log(`${left} levels are left`)
  return 0
}

process.exitCode = await main()
