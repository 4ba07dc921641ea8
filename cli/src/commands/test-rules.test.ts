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

  test('2: a folder is named as such', async () => {
    const { code, err } = await assayIn(project(), ['test-rules', 'rules'])
    expect([code, err]).toEqual([2, expect.stringContaining('This is a folder. Name the files of the rules')])
  })

  test('2: no module, no fixtures', async () => {
    expect((await run(project())).code).toBe(2)
    expect((await run(project(), ruleFile, 'src/nowhere')).err).toContain('no such folder of fixtures')
  })
})

describe('rules without code', () => {
  const team = 'rules/team/rules.yaml'

  test('the examples of the documents hold', async () => {
    const { code, out } = await assayIn(project(), ['test-rules', team])
    expect([code, out]).toEqual([
      0,
      'ok  rules/team/fixtures/Treasury.sol\n5 rules, 1 fixture, 0 excuses proven, 0 problems\n',
    ])
  })

  test('are reported by a scan, and the page shows them as they are', async () => {
    const folder = project({ 'src/Treasury.sol': read('team/fixtures/Treasury.sol') })
    const { out } = await assayIn(folder, ['scan', 'src/Treasury.sol', '-q', '--rules', team, '--only', 'open-pause'])
    expect(out).toBe('src/Treasury.sol:54:9: high: open-pause: Any caller reaches `_unpause`().\n')
    const page = readFileSync(fileURLToPath(new URL('../../../docs/own-rules.md', import.meta.url)), 'utf8')
    expect(page).toContain(read('team/rules.yaml').trimEnd())
  })

  test('may be named by a settings file, because they are data; modules and files outside may not', async () => {
    const config = (path: string) => ({ 'assay.config.json': JSON.stringify({ rules: [path] }) })
    const given = { 'src/Treasury.sol': read('team/fixtures/Treasury.sol') }
    const { out } = await assayIn(project({ ...given, ...config(team) }), ['scan', 'src', '-q', '--only', 'open-pause'])
    expect(out).toContain('open-pause')
    for (const path of [ruleFile, '../elsewhere.yaml'])
      expect((await assayIn(project({ ...given, ...config(path) }), ['scan', 'src'])).code).toBe(2)
  })

  test.each([
    ['rules: [', 'line 1'],
    ['a: 1', 'needs a list of rules'],
    ['rules:\n  - id: x\n    severity: low\n    pattern: f()', 'line 2: a rule needs message'],
    ['x: &x f()\nrules:\n  - {id: y, message: *x, severity: low, pattern: f()}', 'line 3'],
    [`rules: [${'{}, '.repeat(300)}]`, 'more than 200 rules'],
    [`# ${'x'.repeat(600_000)}`, 'larger than'],
    [
      'rules:\n  - {id: reentrancy, message: m, severity: low, pattern: f()}',
      'there is a detector "reentrancy" already',
    ],
  ])('2: %s', async (text, reason) => {
    const { code, err } = await assayIn(project({ 'bad.yaml': text }), ['scan', 'src', '--rules', 'bad.yaml'])
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })
})

describe('a rule that throws', () => {
  const broken = `export default ({ defineDetector, nodesOf }) => defineDetector({
  id: 'broken', swc: null, title: 't', severity: 'low', confidence: 'high', description: 'd', recommendation: 'r', references: [], cwe: [],
  *candidatesInModel(model) {
    for (const { unit } of model.files) yield nodesOf(unit, 'Call').args.at
  },
  finding: () => ({}),
})
`
  test('is reported with message, line and stack of the rule, by test-rules and by a scan', async () => {
    const folder = project({ 'broken.mjs': broken })
    const tested = await assayIn(folder, ['test-rules', 'broken.mjs', 'rules/fixtures'])
    expect([tested.code, tested.err]).toEqual([
      2,
      expect.stringMatching(/The rule broken failed at broken\.mjs:4:\d+: TypeError: .*undefined/),
    ])
    expect(tested.err).not.toContain('internal error')
    const { out } = await assayIn(folder, ['scan', 'src', '-f', 'json', '--rules', 'broken.mjs'])
    expect(out).toMatch(/The rule broken failed at broken\.mjs:4:\d+: TypeError/)
  })
})

describe('assay new-rule', () => {
  test.each([
    [[], 'yaml'],
    [['--code'], 'mjs'],
  ])('%j: writes a rule that passes its own test', async (options, ending) => {
    const folder = makeFolder({ 'package.json': '{}' })
    const { code, out } = await assayIn(folder, ['new-rule', 'no-origin', ...options])
    expect([code, out]).toEqual([0, expect.stringContaining(`assay test-rules rules/no-origin/no-origin.${ending}`)])
    const tested = await assayIn(folder, ['test-rules', `rules/no-origin/no-origin.${ending}`])
    expect([tested.code, tested.out]).toEqual([0, expect.stringContaining('1 rule, 1 fixture')])
  })

  test.each([
    [['Not A Name'], 'kebab-case'],
    [[], 'Name the rule'],
    [['taken'], 'it is there already'],
    [['x', '--folder', '../..'], 'outside of the project'],
  ])('2: %j', async (words, reason) => {
    const folder = makeFolder({ 'package.json': '{}', 'rules/taken/x': '' })
    const { code, err } = await assayIn(folder, ['new-rule', ...words])
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })
})
