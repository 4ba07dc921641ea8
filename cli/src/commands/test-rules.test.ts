import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { assayIn, clean, makeFolder } from '../testing/captured-io.ts'

const example = fileURLToPath(new URL('../../../docs/examples/own-rules', import.meta.url))
const ruleFile = 'rules/no-block-number.mjs'
const read = (path: string) => readFileSync(join(example, path), 'utf8')

function project(more: Record<string, string> = {}): string {
  const folder = makeFolder({
    'src/Auction.sol': read('fixtures/auction.sol').replace(/ \/\/ (expect|safe).*/g, ''),
    'src/Fine.sol': clean,
    ...more,
  })
  cpSync(example, join(folder, 'rules'), { recursive: true })
  return folder
}

describe('--rules', () => {
  test('findings of a rule of your own are reported as advisories, and may be named', async () => {
    const folder = project()
    const { out, code } = await assayIn(folder, ['scan', 'src', '-q', '--rules', ruleFile, '--only', 'no-block-number'])
    expect([out, code]).toEqual([
      'src/Auction.sol:7:20: medium: no-block-number: `block.number` does not count the blocks of this chain.\n',
      1,
    ])
    expect((await assayIn(folder, ['scan', 'src', '-q', '--rules', ruleFile, '--skip', 'no-block-number'])).out).toBe(
      '',
    )
    expect((await assayIn(folder, ['scan', 'src', '-f', 'sarif', '--rules', ruleFile])).out).toContain(
      '"id": "no-block-number"',
    )
  })

  test.each([
    ['export default {}', 'a detector lacks its id'],
    ['export default 5', 'its default export must be a detector'],
    [
      'export const apiVersion = 99; export default () => ({})',
      'it is written for version 99 of the API, and this is version 1',
    ],
    ['throw new Error("broken")', 'broken'],
    [
      `export default ({ defineDetector }) => defineDetector({ id: 'reentrancy', title: 't', description: 'd', recommendation: 'r', severity: 'low', candidates: () => [], finding: () => {} })`,
      'there is a detector "reentrancy" already',
    ],
    [
      `export default { id: 'x', title: 't', description: 'd', recommendation: 'r', severity: 'low' }`,
      'x needs a claim',
    ],
  ])('2: %s', async (module, reason) => {
    const { code, err } = await assayIn(project({ 'bad.mjs': module }), ['scan', 'src', '--rules', 'bad.mjs'])
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })

  test('a rule that throws costs its own findings alone, and that is reported', async () => {
    const folder = project({
      'bad.mjs': `export default { id: 'x', title: 't', description: 'd', recommendation: 'r', severity: 'low', candidatesInModel() { throw new Error('no') }, finding: () => {} }`,
    })
    const { out } = await assayIn(folder, ['scan', 'src', '-f', 'json', '--rules', 'bad.mjs', '--rules', ruleFile])
    const [auction] = JSON.parse(out).files
    expect(auction.diagnostics).toContainEqual(expect.objectContaining({ code: 'detector-failed' }))
    expect(auction.advisories).toContainEqual(expect.objectContaining({ detector: 'no-block-number' }))
  })
})

describe('assay test-rules', () => {
  const run = (folder: string, ...words: string[]) => assayIn(folder, ['test-rules', ...words])

  test('the example of the documents holds, and the documents show it as it is', async () => {
    const { code, out } = await run(project(), ruleFile)
    expect([code, out]).toEqual([0, 'ok  rules/fixtures/auction.sol\n1 rule, 1 fixture, 1 excuse proven, 0 problems\n'])
    const page = readFileSync(fileURLToPath(new URL('../../../docs/own-rules.md', import.meta.url)), 'utf8')
    expect(page).toContain(read('no-block-number.mjs').trimEnd())
  })

  test.each([
    [
      'a line that is not marked',
      (text: string) => text.replace(' // expect: no-block-number', ''),
      'auction.sol:7: no-block-number is reported and not marked',
    ],
    [
      'a mark that nothing reports',
      (text: string) => text.replace('uint256 public endBlock;', 'uint256 public endBlock; // expect: no-block-number'),
      'auction.sol:4: no-block-number is marked and not reported',
    ],
    [
      'an excuse that no line proves',
      (text: string) => text.replace(/ \/\/ safe:.*/, ''),
      'no-block-number/only-read is proven by no fixture',
    ],
    [
      'an excuse at the wrong line',
      (text: string) =>
        text
          .replace('external view', 'external')
          .replace(/ \/\/ safe:.*/, '')
          .replace('endBlock;\n\n', 'endBlock; // safe: no-block-number/only-read  here\n\n'),
      'is not what keeps this line silent',
    ],
  ])('1: %s', async (_what, change, problem) => {
    const folder = project({ 'other/auction.sol': change(read('fixtures/auction.sol')) })
    const { code, out } = await run(folder, ruleFile, 'other')
    expect([code, out]).toEqual([1, expect.stringContaining(problem)])
  })

  test('2: no module, no fixtures', async () => {
    expect((await run(project())).code).toBe(2)
    expect((await run(project(), ruleFile, 'src/nowhere')).err).toContain('no such folder of fixtures')
  })
})
