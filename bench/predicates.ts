/**
 * Which predicates of the analysis does no fixture hold? Forces every function that answers with a boolean in `detectors/`, `facts/`
 * and `idioms/` to `true` and to `false`, and scans the fixtures as `fixtures.test.ts` does: all detectors together, and each
 * excuse of the folder's detector switched off.
 *   npm run bench:predicates [-- <part of a path or name> …]
 * Prints those whose answer no reported line depends on; `(words)`: messages or confidences do. Exits 1 when there are any
 * without a reason in `unheld`.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Detector, Finding, Report } from '@assay/engine'
import { build, type Plugin } from 'esbuild'
import { findPredicates, type Predicate } from './find-predicates.ts'

/** Predicates that no fixture can hold, `<path>:<name>=<forced answer>` → why. */
const unheld: Readonly<Record<string, string>> = {
  'detectors/insufficient-gas-griefing/detector.ts:isTested=true':
    'a short cut: a mark that no condition tests is not found among the guards of a call either',
  'facts/arithmetic.ts:isUnsettled=true': 'what is not final is worked out anew: doing so more often changes no answer',
  'facts/arithmetic.ts:isInnerUnsettled=true': 'as above, for the limits of state',
  'facts/arithmetic.ts:isInnerUnsettled=false':
    'limits that are kept too early are wider than the final ones; whether anybody asks again depends on which were asked first',
  'facts/sender-checks.ts:isLeftOut=false':
    'only past the budget, which no fixture is large enough for; a unit test holds it',
  'facts/intervals.ts:isWide=true':
    'a short cut: exact bounds of what can be anything lie outside of the range, which gives the range again',
  'facts/intervals.ts:isWide=false': 'as above',
}

/** What detectors list under `needs` says where a claim need not be asked, and never decides one: `fixtures.test.ts` holds that. */
const needNames = (): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const id of readdirSync(detectorFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const file = path.join(detectorFolder, id.name, 'detector.ts')
    if (!existsSync(file)) continue
    for (const [, list = ''] of readFileSync(file, 'utf8').matchAll(/\bneeds: \[([^\]]*)\]/g))
      for (const name of list.split(',')) names.add(name.trim())
  }
  return names
}

const engineFolder = fileURLToPath(new URL('../engine/src/', import.meta.url))
const detectorFolder = path.join(engineFolder, 'detectors')
const rooms = /^(detectors|facts|idioms)\//

/** More calls than any fixture needs: a loop that asks until the answer changes ends here. */
const mostCalls = 1_000_000

interface Forced {
  readonly predicate: number
  readonly answer: boolean
}

/** What the woven-in code talks to: it hears every answer, and gives the forced one. */
class Probe {
  forced: Forced | undefined
  /** `2 * predicate + answer` */
  heard = new Set<number>()
  #calls = 0

  start(forced: Forced | undefined): void {
    this.forced = forced
    this.heard = new Set()
    this.#calls = 0
  }

  record(predicate: number, answer: () => boolean): boolean {
    if (this.forced?.predicate === predicate) {
      if (++this.#calls > mostCalls) throw new Error('asked without end')
      return this.forced.answer
    }
    const given = answer()
    this.heard.add(2 * predicate + Number(given))
    return given
  }
}

interface Engine {
  readMarks(text: string): { readonly confident: readonly string[] }
  readonly detectors: readonly Detector[]
  scan(text: string, selected: readonly Detector[], withoutExcuses: ReadonlySet<string>): Report
}

const entry = `
import { Behaviour } from './ir/index.ts'
import { buildModel } from './model/index.ts'
import { buildReports } from './report/index.ts'
export { readMarks } from './detectors/fixture-marks.ts'
export { detectors } from './detectors/index.ts'
const observer = { failed({ id }, cause) { throw new Error('the detector ' + id + ' failed', { cause }) } }
export const scan = (text, asked, withoutExcuses) => {
  const model = buildModel([{ path: 'fixture.sol', text }])
  return buildReports({ files: model.files, behaviour: new Behaviour(model), detectors: asked, withoutExcuses, observer })[0]
}`

/** Weaves a question to the probe around the body of every predicate. */
const weave = (source: string, found: readonly Predicate[], first: number): string => {
  const edits = found.flatMap(({ start, end, isBlock }, index) => {
    const record = `globalThis.predicateProbe.record(${first + index}, () => `
    return isBlock
      ? [
          { at: start, text: `{ return ${record}` },
          { at: end, text: ') }' },
        ]
      : [
          { at: start, text: `${record}(` },
          { at: end, text: '))' },
        ]
  })
  let text = source
  for (const edit of edits.sort((a, b) => b.at - a.at)) text = text.slice(0, edit.at) + edit.text + text.slice(edit.at)
  return text
}

interface NamedPredicate {
  readonly file: string
  readonly name: string
  readonly line: number
}

const loadWoven = async (probe: Probe): Promise<{ engine: Engine; predicates: NamedPredicate[] }> => {
  const predicates: NamedPredicate[] = []
  const weaver: Plugin = {
    name: 'weave',
    setup: ({ onLoad }) =>
      void onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const name = path.relative(engineFolder, file).split(path.sep).join('/')
        const source = readFileSync(file, 'utf8')
        if (!rooms.test(name)) return { contents: source, loader: 'ts' }
        const found = findPredicates(source)
        const contents = weave(source, found, predicates.length)
        predicates.push(...found.map((one) => ({ file: name, name: one.name, line: one.line })))
        return { contents, loader: 'ts' }
      }),
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-predicates-'))
  try {
    const outfile = path.join(folder, 'engine.mjs')
    await build({
      stdin: { contents: entry, resolveDir: engineFolder, loader: 'js' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'error',
      plugins: [weaver],
    })
    Object.assign(globalThis, { predicateProbe: probe })
    return { engine: (await import(pathToFileURL(outfile).href)) as Engine, predicates }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One scan of the harness, and what it gave with every predicate as it is. */
interface Trial {
  readonly detector: string
  readonly run: () => Report
  readonly confident: readonly string[]
  readonly lines: string
  readonly words: string
  readonly heard: ReadonlySet<number>
}

/** What the marks speak of: lines, and confidences where one is named. */
const linesOf = ({ findings, advisories }: Report, confident: readonly string[]): string => {
  const all = [...findings, ...advisories]
  return [
    ...all.flatMap((finding) => [finding, ...(finding.places ?? [])].map(({ line }) => `${line} ${finding.detector}`)),
    ...all
      .map(({ line, detector, confidence }) => `${line} ${detector} ${confidence}`)
      .filter((words) => confident.includes(words)),
  ]
    .sort()
    .join('\n')
}

const wordsOf = ({ findings, advisories }: Report): string =>
  JSON.stringify(
    [...findings, ...advisories].map(({ message, confidence, trace }: Finding) => [message, confidence, trace]),
  )

const listTrials = (engine: Engine, probe: Probe): Trial[] =>
  engine.detectors.flatMap((detector) => {
    const folder = path.join(detectorFolder, detector.id, 'fixtures')
    const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'))
    const excuses = (detector.excuses ?? []).map(({ name }) => new Set([`${detector.id}/${name}`]))
    return texts.flatMap((text) => {
      const { confident } = engine.readMarks(text)
      return [
        () => engine.scan(text, engine.detectors, new Set()),
        ...excuses.map((without) => () => engine.scan(text, [detector], without)),
      ].map((run) => {
        probe.start(undefined)
        const report = run()
        return {
          detector: detector.id,
          run,
          confident,
          lines: linesOf(report, confident),
          words: wordsOf(report),
          heard: probe.heard,
        }
      })
    })
  })

type Effect = 'lines' | 'words' | 'none'

const effectOn = ({ run, confident, lines, words }: Trial): Effect => {
  try {
    const report = run()
    return linesOf(report, confident) !== lines ? 'lines' : wordsOf(report) !== words ? 'words' : 'none'
  } catch {
    return 'lines'
  }
}

/** Only scans in which the predicate gave the other answer can differ; those of its own detector are asked first. */
const effectOf = (forced: Forced, file: string, trials: readonly Trial[], probe: Probe): Effect => {
  const otherAnswer = 2 * forced.predicate + Number(!forced.answer)
  const concerned = trials.filter(({ heard }) => heard.has(otherAnswer))
  const own = file.split('/')[1]
  concerned.sort((a, b) => Number(b.detector === own) - Number(a.detector === own))
  let most: Effect = 'none'
  for (const trial of concerned) {
    probe.start(forced)
    const effect = effectOn(trial)
    if (effect === 'lines') return effect
    if (effect === 'words') most = effect
  }
  return most
}

const main = async (): Promise<number> => {
  const filters = process.argv.slice(2)
  const probe = new Probe()
  const { engine, predicates } = await loadWoven(probe)
  const trials = listTrials(engine, probe)
  const needs = needNames()
  let tried = 0
  const counts = { true: 0, false: 0 }
  let unexplained = 0
  for (const [predicate, { file, name, line }] of predicates.entries()) {
    const key = `${file}:${name}`
    if (filters.length > 0 && !filters.some((filter) => key.includes(filter))) continue
    tried++
    for (const answer of [true, false]) {
      const effect = effectOf({ predicate, answer }, file, trials, probe)
      if (effect === 'lines') continue
      const reason = unheld[`${key}=${answer}`] ?? (answer && needs.has(name) ? 'a need' : undefined)
      counts[`${answer}`]++
      if (reason === undefined) unexplained++
      console.log(
        `${file}:${line} ${name} = ${answer}${effect === 'words' ? ' (words)' : ''}${reason ? `: ${reason}` : ''}`,
      )
    }
  }
  console.log(
    `${tried} predicates, ${trials.length} scans; unnoticed: ${counts.true} forced true, ${counts.false} forced false`,
  )
  return unexplained > 0 ? 1 : 0
}

process.exitCode = await main()
