/**
 * Which detectors never report anything on real code, and which excuses never silence anything there?
 *   npm run bench:idle [-- <folder of Solidity> …] [--all]
 * Scans the files of the corpus alone and its projects as wholes, then every given folder as one project. An excuse is needed where
 * it alone silences a candidate and the detector reports nothing else at that place. `--all` prints the counts of the others too.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Detector, Excuse, InputFile } from '@assay/engine'
import { detectors } from '../engine/src/detectors/index.ts'
import { Behaviour } from '../engine/src/ir/index.ts'
import { buildModel } from '../engine/src/model/index.ts'
import { runDetectors } from '../engine/src/report/run-detectors.ts'
import { corpusFolder } from './corpus.ts'
import { textTable } from './text-table.ts'

interface Place {
  readonly start: number
  readonly end: number
}

/** What one detector did on all files so far. */
class Tally {
  reported = 0
  readonly alone = new Map<string, number>()
  readonly #silenced = new Map<string, Set<string>>()
  readonly #places = new Set<string>()

  silence(excuse: string, { start, end }: Place): void {
    const places = this.#silenced.get(excuse) ?? new Set()
    this.#silenced.set(excuse, places.add(`${start}-${end}`))
  }

  report({ start, end }: Place): void {
    this.#places.add(`${start}-${end}`)
  }

  /** Counts what was seen in one scan. */
  close(): void {
    this.reported += this.#places.size
    for (const [excuse, places] of this.#silenced) {
      const count = [...places].filter((place) => !this.#places.has(place)).length
      this.alone.set(excuse, (this.alone.get(excuse) ?? 0) + count)
    }
    this.#silenced.clear()
    this.#places.clear()
  }
}

const records = new Map(detectors.map(({ id }) => [id, new Tally()]))

/** The detector with one excuse that asks all of its own, and notes the one that holds alone. */
const probed = (detector: Detector): Detector => {
  const excuses = detector.excuses ?? []
  const record = records.get(detector.id)!
  const any: Excuse<unknown> = {
    name: 'any',
    sentence: 'one of them holds',
    holds(candidate) {
      const holding = excuses.filter((each) => each.holds(candidate))
      if (holding.length === 1) record.silence(holding[0]!.name, detector.finding(candidate).at)
      return holding.length > 0
    },
  }
  return { ...detector, excuses: [any] }
}

const probes = detectors.map(probed)

const scan = (files: readonly InputFile[]): void => {
  const { raw } = runDetectors(new Behaviour(buildModel(files)), probes)
  for (const { detector, hit } of raw) records.get(detector.id)!.report(hit.at)
  for (const record of records.values()) record.close()
}

const readFolder = (folder: string): InputFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol') && statSync(path.join(folder, file)).isFile())
    .sort()
    .map((file) => ({ path: file.split(path.sep).join('/'), text: readFileSync(path.join(folder, file), 'utf8') }))

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(folder, name))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
})
const corpus = corpusFolder()
const alone = ['dev', 'modern', 'clean'].flatMap((set) => readFolder(path.join(corpus, set)).map((file) => [file]))
const projects = [
  ...foldersIn(path.join(corpus, 'clean')),
  ...foldersIn(path.join(corpus, 'modern-projects')).flatMap((set) =>
    set.endsWith('web3bugs') ? foldersIn(set) : [set],
  ),
  ...positionals,
].map(readFolder)
const jobs = [...alone, ...projects]
for (const [index, files] of jobs.entries()) {
  scan(files)
  if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${jobs.length}`)
}

const rows = detectors.flatMap(({ id, swc, excuses = [] }) => {
  const { reported, alone: silenced } = records.get(id)!
  return [
    [id, swc ?? '', String(reported)],
    ...excuses.map(({ name }) => [`${id}/${name}`, '', String(silenced.get(name) ?? 0)]),
  ]
})
const idle = rows.filter(([, , count]) => count === '0')
console.log(textTable(['detector, excuse', 'class', 'reported, needed'], values.all ? rows : idle))
const silent = idle.filter(([name]) => !name!.includes('/')).length
const files = jobs.reduce((sum, each) => sum + each.length, 0)
console.log(
  `${files} files in ${jobs.length} scans: ${silent} of ${detectors.length} detectors, ${idle.length - silent} of ${rows.length - detectors.length} excuses idle`,
)
