import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { detectorExamples } from '../engine/src/detectors/generated/examples.ts'
import { refusedIn } from '../engine/src/detectors/refused-words.ts'
import { scan } from '../engine/src/index.ts'
import { weaknesses } from '../engine/src/report/weaknesses.ts'
import { isOneContract } from '../web/src/compare/is-one-contract.ts'
import {
  generateCrosswalk,
  generateDetectorDocs,
  generateDetectorExamples,
  generateDetectorIndex,
  listDetectorIds,
} from './generate-detectors.ts'
import { detectorSource, fixtureSource, pageSource } from './new-detector.ts'

const contentOf = (files: readonly { path: string; content: string }[], path: string): string => {
  const file = files.find((candidate) => candidate.path === path)
  if (!file) throw new Error(`${path} is not generated`)
  return file.content
}

test('the index imports every detector once, in alphabetical order', () => {
  const content = contentOf(generateDetectorIndex(), 'engine/src/detectors/index.ts')
  const imported = [...content.matchAll(/from '\.\/([a-z0-9-]+)\/detector\.ts'/g)].map(([, id]) => id)
  expect(imported).toEqual(listDetectorIds())
  expect(listDetectorIds()).toEqual([...listDetectorIds()].sort())
})

test('a page shows both fixtures, in words instead of marks', async () => {
  const page = contentOf(await generateDetectorDocs(), 'docs/reference/detectors/locked-ether.md')
  expect(page).toContain('← reported here')
  expect(page).toContain('// not reported: ')
  expect(page).not.toMatch(/\/\/ (?:expect|safe|miss):/)
})

test('what a fixture admits to miss stands under known limits, and nowhere else', async () => {
  const docs = await generateDetectorDocs()
  for (const { path, content } of docs) {
    const admitted = /\/\/ missed: /.test(content)
    if (admitted) expect(content, path).toContain('## Known limits')
  }
})

test('the table lists every detector', async () => {
  const table = contentOf(await generateDetectorDocs(), 'docs/reference/detectors/README.md')
  for (const id of listDetectorIds()) expect(table).toContain(`(${id}.md)`)
})

test('the crosswalk has a row for every class', async () => {
  const content = contentOf(await generateCrosswalk(), 'docs/reference/weaknesses.md')
  for (const swc of Object.keys(weaknesses)) expect(content).toContain(`| ${swc} |`)
})

test('every detector has examples for the catalogue', () => {
  const content = contentOf(generateDetectorExamples(), 'engine/src/detectors/generated/examples.ts')
  for (const id of listDetectorIds()) expect(content).toContain(`"${id}": {"vulnerable":"`)
})

test.each(Object.entries(detectorExamples))(
  '%s shows one contract twice, and its fix is clean',
  (id, { vulnerable, safe }) => {
    expect(isOneContract(vulnerable, safe), 'fixtures/fixed.sol is vulnerable.sol with its fix').toBe(true)
    const found = (source: string) => {
      const { findings, advisories } = scan(source)
      return [...findings, ...advisories].filter(({ severity }) => severity !== 'info')
    }
    const fixed = found(safe)
    expect(fixed.filter(({ severity }) => severity === 'critical' || severity === 'high')).toEqual([])
    const before = new Set(found(vulnerable).map(({ detector }) => detector))
    expect(fixed.map(({ detector }) => detector).filter((other) => other === id || !before.has(other))).toEqual([])
  },
)

test('a new detector says nothing of the fixtures of others, in no refused word', () => {
  const claimed = /\bbuiltins\('(\w+)'\)/.exec(detectorSource('unchecked-send', null))?.[1]
  const calls = new RegExp(`\\b${claimed}\\(`)
  expect(fixtureSource('unchecked-send', 'expect')).toMatch(calls)
  expect(Object.values(detectorExamples).flatMap(({ vulnerable, safe }) => [vulnerable, safe])).not.toContainEqual(
    expect.stringMatching(calls),
  )
  expect(refusedIn(`${detectorSource('unchecked-send', null)} ${pageSource}`)).toEqual([])
})

test('a new detector compiles, and its fixtures parse', async () => {
  const source = detectorSource('unchecked-send', 'SWC-104')
  expect(source).toContain("id: 'unchecked-send'")
  expect(source).toContain("swc: 'SWC-104'")
  await expect(transform(source, { loader: 'ts' })).resolves.toMatchObject({ warnings: [] })
  for (const mark of ['expect', 'safe'] as const) {
    const report = scan(fixtureSource('unchecked-send', mark))
    expect(report.parseErrors).toEqual([])
    expect([...report.findings, ...report.advisories].map(({ detector }) => detector)).toEqual([])
  }
})
