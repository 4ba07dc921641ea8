/**
 * The test of every detector: its fixtures carry marks on their lines (`fixture-marks.ts`), and the lines that all detectors together
 * report must equal the lines marked. Every excuse is proven: switched off, it brings back exactly the lines that name it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { loadBundle } from '../../../tools/load-bundle.ts'
import type * as ir from '../ir/index.ts'
import type * as model from '../model/index.ts'
import type * as report from '../report/index.ts'
import type { Finding, Observer, Report, RunOptions } from '../report/index.ts'
import type { Detector, Excuse } from './define-detector.ts'
import { readMarks } from './fixture-marks.ts'
import { refusedIn, wordCount } from './refused-words.ts'

const detectorFolder = fileURLToPath(new URL('.', import.meta.url))

/** By their folders, not by the generated index: a detector is tested as soon as it is written. */
const detectorIds = readdirSync(detectorFolder)
  .filter((id) => existsSync(path.join(detectorFolder, id, 'detector.ts')))
  .sort()

const { Behaviour, buildModel, buildReports, findWeakness, ...byId } = loadBundle<
  Pick<typeof ir, 'Behaviour'> &
    Pick<typeof model, 'buildModel'> &
    Pick<typeof report, 'buildReports' | 'findWeakness'> &
    Record<string, Detector>
>(
  [
    "export { Behaviour } from '../ir/index.ts'",
    "export { buildModel } from '../model/index.ts'",
    "export { buildReports, findWeakness } from '../report/index.ts'",
    ...detectorIds.map((id, i) => `export { default as detector${i} } from './${id}/detector.ts'`),
  ].join('\n'),
  detectorFolder,
)

const detectors = detectorIds.map((_, i) => byId[`detector${i}`]!)

const listFixtures = (id: string): string[] => {
  const folder = path.join(detectorFolder, id, 'fixtures')
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.sol')) : []
}

const readFixture = (id: string, file: string): string =>
  readFileSync(path.join(detectorFolder, id, 'fixtures', file), 'utf8')

/** A witness: who acts, what they call, and what is gained or lost by it. */
const callerStep =
  /(An attacker|An attacker’s contract, called by a (?:privileged )?user,|A user|A privileged account|The `[^`]+` account|An account listed in `[^`]+`|A signature holder|An approved caller|A user \(some checks are in missing files\)) (calls|triggers|reaches) `[^`]+` and \w.+/

/** The same, or, of what is recognized by the text alone, who brings it about. */
const attackerStep = new RegExp(`${callerStep.source}|^An attacker \\w+ \\w.+`)

/** Words for what needs review; what is only that has at most medium severity. */
const leavesOpen = /(^|[.:;] )check (whether|who|which|that)\b|\bnot proven\b|\bneeds review\b/i

/** A floating pragma runs no code, and an update is lost for every caller. */
const withoutAttacker = new Set(['floating-pragma', 'memory-not-storage'])

const inOrder = (lines: Iterable<string>): string[] =>
  [...new Set(lines)].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))

const without = (lines: readonly string[], others: readonly string[]): string[] =>
  lines.filter((line) => !others.includes(line))

/** The headline says which mark is missing, or which is wrong: `<line> <detector>`. */
const sayUnmarked = (found: string): string => {
  const [line, id] = found.split(' ')
  return `line ${line} is reported by ${id}: mark it // expect: ${id}, or give a reason to stay silent`
}

const sayUnreported = (mark: string): string => {
  const [line, id] = mark.split(' ')
  return `line ${line} is marked // expect: ${id} and is not reported`
}

/** A failing detector fails the test with its own cause and stack, not with a sentence about it. */
const observer: Observer = {
  failed({ id }, cause) {
    throw new Error(`the detector ${id} failed`, { cause })
  },
}

/** One reading of a text for many runs: what is known of it by one run is known to the next. */
class Reading extends Behaviour {
  readonly #parts: ir.Part[] = []
  readonly #partitions = new Map<ir.Part, ir.Context>()
  #next = 0
  #isComplete = false

  override nextPart(): ir.Part | null {
    const known = this.#parts[this.#next++]
    if (known !== undefined) return known
    const part = this.#isComplete ? null : super.nextPart()
    if (part !== null) this.#parts.push(part)
    else {
      this.#isComplete = true
      this.#next = 0
    }
    return part
  }

  override open(part: ir.Part): ir.Context {
    const partition = this.#partitions.get(part) ?? super.open(part)
    this.#partitions.set(part, partition)
    return partition
  }
}

const readings = new Map<string, Reading>()

const readingOf = (text: string): Reading => {
  const known = readings.get(text) ?? new Reading(buildModel([{ path: 'fixture.sol', text }]))
  readings.set(text, known)
  return known
}

const scan = (text: string, selected: readonly Detector[], options: RunOptions = {}): Report => {
  const behaviour = readingOf(text)
  return buildReports({ files: behaviour.model.files, behaviour, detectors: selected, observer, ...options })[0]!
}

/** A finding is reported at every place where its cause shows. */
const placesOf = (finding: Finding): readonly { line: number }[] => [finding, ...(finding.places ?? [])]

/** What one detector reports by itself, with some of its excuses switched off. */
const linesOf = (detector: Detector, text: string, withoutExcuses: readonly string[] = []): string[] => {
  const names = new Set(withoutExcuses.map((name) => `${detector.id}/${name}`))
  const { findings, advisories } = scan(text, [detector], { withoutExcuses: names })
  return [...findings, ...advisories].flatMap((finding) => placesOf(finding).map(({ line }) => String(line)))
}

interface Probed {
  /** What a detector reports with all its excuses. */
  readonly lines: ReadonlySet<string>
  /** Excuses that are the only one for something: switched off, any other changes nothing. */
  readonly decisive: ReadonlySet<string>
}

/** Asks all excuses about every candidate in one run. */
const probe = (detector: Detector, text: string): Probed => {
  const decisive = new Set<string>()
  const excuses = detector.excuses ?? []
  const all: Excuse<unknown> = {
    name: 'all',
    sentence: 'one of them holds',
    holds(candidate) {
      const holding = excuses.filter((each) => each.holds(candidate))
      if (holding.length === 1) decisive.add(holding[0]!.name)
      return holding.length > 0
    },
  }
  return { lines: new Set(linesOf({ ...detector, excuses: [all] }, text)), decisive }
}

/** The fifteen of the written interface: their severity is not for a detector to choose. */
const fixedSeverity: Readonly<Record<string, string>> = {
  'SWC-101': 'critical',
  'SWC-103': 'high',
  'SWC-104': 'high',
  'SWC-105': 'critical',
  'SWC-106': 'critical',
  'SWC-107': 'critical',
  'SWC-112': 'critical',
  'SWC-113': 'high',
  'SWC-114': 'high',
  'SWC-115': 'high',
  'SWC-116': 'medium',
  'SWC-118': 'high',
  'SWC-120': 'high',
  'SWC-123': 'medium',
  'SWC-132': 'medium',
}

for (const detector of detectors) {
  const { id } = detector
  describe(id, () => {
    afterAll(() => readings.clear())

    test(`${id}: says who it is`, () => {
      expect(existsSync(path.join(detectorFolder, id, 'detector.ts')), 'the id is the folder').toBe(true)
      expect(detector.title.length).toBeGreaterThan(5)
      expect(detector.title.length, 'characters of the title').toBeLessThanOrEqual(60)
      for (const text of [detector.title, detector.description, detector.recommendation])
        expect(refusedIn(text), text).toEqual([])
      expect(detector.description.length, 'characters of the description').toBeGreaterThan(40)
      expect(detector.recommendation.length, 'characters of the recommendation').toBeGreaterThan(15)
      expect(detector.description, 'the words of the template').not.toMatch(
        /^What goes wrong, and what an attacker gains by it/,
      )
      expect(detector.recommendation, 'the words of the template').not.toBe('What to write instead.')
      expect(detector.references.length, 'references').toBeGreaterThan(0)
      for (const reference of detector.references) expect(reference).toMatch(/^https:\/\/\S+$/)
      for (const cwe of detector.cwe) expect(cwe).toMatch(/^CWE-\d+$/)
      if (detector.swc) expect(findWeakness(detector.swc), detector.swc).toBeDefined()
      if (detector.swc && fixedSeverity[detector.swc])
        expect(detector.severity, `the interface fixes the severity of ${detector.swc}`).toBe(
          fixedSeverity[detector.swc],
        )
    })

    test(`${id}: has a vulnerable and a safe fixture`, () => {
      const files = listFixtures(id)
      expect(files).toContain('vulnerable.sol')
      expect(files).toContain('safe.sol')
      const vulnerable = readFixture(id, 'vulnerable.sol')
      const marksOwn = (text: string) => readMarks(text).expected.some((mark) => mark.endsWith(` ${id}`))
      expect(vulnerable.trimEnd().split('\n').length, 'the first fixture shows one thing').toBeLessThanOrEqual(30)
      expect(marksOwn(vulnerable), `vulnerable.sol marks a line with // expect: ${id}`).toBe(true)
      expect(marksOwn(readFixture(id, 'safe.sol')), 'safe.sol expects nothing').toBe(false)
    })

    for (const file of listFixtures(id)) {
      test(`${id}: ${file} is reported on the marked lines and on no other`, () => {
        const text = readFixture(id, file)
        const marks = readMarks(text)
        const report = scan(text, detectors)
        expect(report.parseErrors, 'a fixture is valid Solidity').toEqual([])
        const reported = [...report.findings, ...report.advisories].flatMap((finding) =>
          placesOf(finding).map(({ line }) => `${line} ${finding.detector}`),
        )
        const surplus = inOrder(without(reported, marks.expected)).map(sayUnmarked)
        const missing = inOrder(without(marks.expected, reported)).map(sayUnreported)
        expect([...surplus, ...missing], [...surplus, ...missing].join('; ')).toEqual([])
        const confidences = [...report.findings, ...report.advisories].map(
          ({ line, detector, confidence }) => `${line} ${detector} ${confidence}`,
        )
        for (const confident of marks.confident)
          expect(confidences, 'marked with a confidence, reported with another').toContain(confident)
        for (const finding of [...report.findings, ...report.advisories]) {
          const { line, detector: own, severity, title, message, recommendation, trace } = finding
          expect(title.length, `characters of the title: ${title}`).toBeLessThanOrEqual(60)
          expect(message, 'the words of the template').not.toBe('Subject, defect and consequence.')
          expect(message.length, `characters of the message in line ${line}: ${message}`).toBeLessThanOrEqual(240)
          for (const step of trace)
            expect(wordCount(step.message), `words of the trace step: ${step.message}`).toBeLessThanOrEqual(15)
          for (const text of [title, message, recommendation, ...trace.map((step) => step.message)])
            expect(refusedIn(text), text).toEqual([])
          const words = trace.map((step) => step.message).join(' ')
          const question = `line ${line}, ${own} (${severity}): the trace needs a step by witnessStep(flow, op, consequence)`
          if (severity === 'critical' || severity === 'high')
            expect(message, 'a severe finding claims, and leaves nothing to be checked').not.toMatch(leavesOpen)
          if (severity === 'critical') expect(words, question).toMatch(callerStep)
          else if (severity === 'high' && !withoutAttacker.has(own)) expect(words, question).toMatch(attackerStep)
        }
        for (const missed of marks.missed)
          expect(reported, 'a miss that is found becomes an expect').not.toContain(missed)
      })
    }

    test(`${id}: what it needs of a function loses no finding and no candidate`, () => {
      if (detector.needs === undefined) return
      for (const file of listFixtures(id)) {
        const text = readFixture(id, file)
        const withoutExcuses = new Set((detector.excuses ?? []).map(({ name }) => `${id}/${name}`))
        for (const selected of [{}, { withoutExcuses }])
          expect(
            scan(text, [detector], selected),
            `${file}: \`needs\` leaves out a function that has a candidate`,
          ).toEqual(scan(text, [detector], { ...selected, ignoreNeeds: true }))
      }
    })

    const excuses = (detector.excuses ?? []).map(({ name }) => name)

    test(`${id}: excuses have names of their own, and marks name no other`, () => {
      expect(excuses).toEqual([...new Set(excuses)])
      for (const { name, sentence } of detector.excuses ?? []) {
        expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(sentence, `${name} completes "Stays silent when …": lower case, no full stop`).toMatch(
          /^[a-z`].{8,}[^.]$/,
        )
        expect(refusedIn(sentence), sentence).toEqual([])
      }
      const named = listFixtures(id).flatMap((file) => readMarks(readFixture(id, file)).excused)
      const known = new Set(excuses.map((name) => `${id}/${name}`))
      const unknown = named.filter((mark) => !known.has(mark.split(' ')[1]!))
      expect(unknown, `marks that name no excuse of ${id}: ${unknown.join(', ')}`).toEqual([])
    })

    const probed = new Map<string, Probed>()
    const probedIn = (file: string): Probed => {
      const known = probed.get(file) ?? probe(detector, readFixture(id, file))
      probed.set(file, known)
      return known
    }

    for (const name of excuses) {
      test(`${id}/${name}: switched off, the lines that name it are reported, and no other`, () => {
        let proven = 0
        for (const file of listFixtures(id)) {
          const text = readFixture(id, file)
          const own = readMarks(text).excused.filter((mark) => mark.endsWith(` ${id}/${name}`))
          const { lines, decisive } = probedIn(file)
          const added = decisive.has(name) ? linesOf(detector, text, [name]).filter((line) => !lines.has(line)) : []
          const named = own.map((mark) => mark.split(' ')[0]!)
          const problems = [
            ...inOrder(without(added, named)).map(
              (line) => `${file}:${line} is reported without it: mark it // safe: ${id}/${name}  <why it is harmless>`,
            ),
            ...inOrder(without(named, added)).map(
              (line) =>
                `${file}:${line} names ${id}/${name} and is not reported without it either: the mark proves nothing`,
            ),
          ]
          expect(problems, problems.join('; ')).toEqual([])
          proven += own.length
        }
        expect(proven, `no fixture line says // safe: ${id}/${name} …`).toBeGreaterThan(0)
      })
    }

    test(`${id}: gives way to detectors that exist`, () => {
      const names = detectors.flatMap(({ id, formerly = id }) => [id, formerly])
      for (const other of detector.yieldsTo ?? [])
        expect(names.includes(other), `yieldsTo names ${other}, which is no detector`).toBe(true)
    })
  })
}

test('every folder is a detector of the index', () => {
  const folders = readdirSync(detectorFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name)
  expect(detectors.map(({ id }) => id)).toEqual(folders.sort())
})
