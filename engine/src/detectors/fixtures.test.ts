/**
 * The test of every detector: its fixtures carry marks on their lines, and the lines reported must equal the lines marked.
 *   // expect: <id> [<id> …]   reported on this line
 *   // safe: <reason>          a near miss, not reported
 *   // miss: <id> <reason>     should be reported and is not: printed as a known limit
 * Marks are read here alone; comments never influence the analysis.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { scan } from '../index.ts'
import { findWeakness } from '../report/index.ts'
import { detectors } from './index.ts'

const detectorFolder = fileURLToPath(new URL('.', import.meta.url))

interface Marks {
  /** `<line> <detector>` */
  readonly expected: string[]
  readonly missed: string[]
  readonly ids: ReadonlySet<string>
}

const readMarks = (text: string): Marks => {
  const expected: string[] = []
  const missed: string[] = []
  const ids = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    const expect = /\/\/ expect: ([a-z0-9 -]+)/.exec(line)
    for (const id of expect?.[1]?.trim().split(/\s+/) ?? []) {
      expected.push(`${index + 1} ${id}`)
      ids.add(id)
    }
    const miss = /\/\/ miss: ([a-z0-9-]+) \S/.exec(line)
    if (miss?.[1]) missed.push(`${index + 1} ${miss[1]}`)
  }
  return { expected, missed, ids }
}

const listFixtures = (id: string): string[] => {
  const folder = path.join(detectorFolder, id, 'fixtures')
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.sol')) : []
}

const readFixture = (id: string, file: string): string =>
  readFileSync(path.join(detectorFolder, id, 'fixtures', file), 'utf8')

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
    test(`${id}: says who it is`, () => {
      expect(existsSync(path.join(detectorFolder, id, 'detector.ts')), 'the id is the folder').toBe(true)
      expect(detector.title.length).toBeGreaterThan(5)
      expect(detector.description.length, 'description').toBeGreaterThan(40)
      expect(detector.recommendation.length, 'recommendation').toBeGreaterThan(15)
      expect(detector.references.length, 'references').toBeGreaterThan(0)
      for (const reference of detector.references) expect(reference).toMatch(/^https:\/\/\S+$/)
      for (const cwe of detector.cwe) expect(cwe).toMatch(/^CWE-\d+$/)
      if (detector.swc) expect(findWeakness(detector.swc), detector.swc).toBeDefined()
      if (detector.swc && fixedSeverity[detector.swc]) expect(detector.severity).toBe(fixedSeverity[detector.swc])
    })

    test(`${id}: has a vulnerable and a safe fixture`, () => {
      const files = listFixtures(id)
      expect(files).toContain('vulnerable.sol')
      expect(files).toContain('safe.sol')
      const vulnerable = readFixture(id, 'vulnerable.sol')
      expect(vulnerable.trimEnd().split('\n').length, 'the first fixture shows one thing').toBeLessThanOrEqual(30)
      expect(readMarks(vulnerable).ids.has(id), `vulnerable.sol marks a line with // expect: ${id}`).toBe(true)
      expect(readMarks(readFixture(id, 'safe.sol')).ids.has(id), 'safe.sol expects nothing').toBe(false)
    })

    for (const file of listFixtures(id)) {
      test(`${id}: ${file} is reported on the marked lines and on no other`, () => {
        const text = readFixture(id, file)
        const marks = readMarks(text)
        const report = scan(text, { path: `${id}/${file}` })
        expect(report.parseErrors, 'a fixture is valid Solidity').toEqual([])
        expect(report.diagnostics.filter(({ code }) => code === 'detector-failed')).toEqual([])
        const reported = [...report.findings, ...report.advisories]
          .filter((finding) => finding.detector === id || marks.ids.has(finding.detector))
          .map((finding) => `${finding.line} ${finding.detector}`)
        const order = (lines: readonly string[]): string[] =>
          [...new Set(lines)].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
        expect(order(reported)).toEqual(order(marks.expected))
        for (const missed of marks.missed)
          expect(reported, 'a miss that is found becomes an expect').not.toContain(missed)
      })
    }
  })
}

test('every folder is a detector of the index', () => {
  const folders = readdirSync(detectorFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name)
  expect(detectors.map(({ id }) => id)).toEqual(folders.sort())
})
