/** Names in code use the trade's words: no symbol, file, fixture or excuse has one of `refused-names.ts`. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { detectors } from '../engine/src/detectors/index.ts'
import { refusedInName } from './refused-names.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const skipped = new Set(['node_modules', 'dist', 'results', 'generated', 'packages'])

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (entry.name.startsWith('.')) return []
    return entry.isDirectory() ? (skipped.has(entry.name) ? [] : filesIn(name)) : [name]
  })

const files = ['engine', 'prover', 'server', 'cli', 'web', 'bench', 'tools'].flatMap(filesIn)
const isCode = (file: string): boolean => /\.(ts|tsx|mjs)$/.test(file)
const languageOf = (file: string) => (file.endsWith('.tsx') ? 'tsx' : file.endsWith('.mjs') ? 'js' : 'ts')

interface Node {
  readonly type: string
  readonly name?: unknown
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Every identifier, declared or used, once. */
const symbolsOf = (text: string, file: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (node: Node): void => {
    if (node.type.endsWith('Identifier') && typeof node.name === 'string') found.add(node.name)
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
  }
  visit(parseAst(text, { lang: languageOf(file) }, file) as unknown as Node)
  return found
}

/** Names of excuses are texts in code. */
const excusesIn = (text: string): string[] =>
  [...text.matchAll(/\bexcuse(?:<[^(]*>)?\(\s*'([a-z\d-]+)'/g)].map(([, name = '']) => name)

const problemsOf = (names: Iterable<string>): string[] =>
  [...names].flatMap((name) => refusedInName(name).map((problem) => `${name}: ${problem}`))

const problemsIn = (text: string, file: string): string[] =>
  problemsOf([...symbolsOf(text, file), ...excusesIn(text)]).map((problem) => `${file}: ${problem}`)

/** Names that cannot change: those of the database, a stage of the interface, and former ones that rules of users still use. */
const fixed: readonly RegExp[] = [
  /^engine\/src\/rule-api\.ts: /,
  /^server\/migrations\//,
  /^server\/src\/stores\/(schema|sandbox-billing)\.ts: (told_once|books): /,
  /^web\/src\/components\/ai-scan-form\.tsx: asking: /,
]
const isFixed = (problem: string): boolean => fixed.some((name) => name.test(problem))

test('symbols and excuses', () => {
  const code = files.filter(isCode)
  expect(code.length).toBeGreaterThan(1000)
  const problems = code.flatMap((file) => problemsIn(readFileSync(path.join(root, file), 'utf8'), file))
  expect(problems.filter((problem) => !isFixed(problem))).toEqual([])
}, 120_000)

test('excuses of the detectors, however they are written', () => {
  const names = detectors.flatMap(({ id, excuses = [] }) => excuses.map(({ name }) => `${id}/${name}`))
  expect(names.length).toBeGreaterThan(300)
  expect(problemsOf(names)).toEqual([])
})

test('files and fixtures', () => {
  expect(files.filter((file) => file.includes('/fixtures/')).length).toBeGreaterThan(500)
  expect(problemsOf(files).filter((problem) => !isFixed(problem))).toEqual([])
})

test('a planted name is refused, as a symbol, a key, an excuse and a file', () => {
  const text =
    "const isToldInError = (x: { way: number }) => x.way\nexcuse('never-asked', 'a text that tells', isToldInError)"
  expect(problemsIn(text, 'a.ts')).toEqual([
    'a.ts: isToldInError: "told": write return, log, report, pass',
    'a.ts: way: "way": write path, edge, branch',
    'a.ts: never-asked: "asked": write check, query, read, request, require',
  ])
  expect(problemsOf(['engine/src/detectors/reentrancy/fixtures/put-down.sol', 'heirOf', 'isPutDown'])).toHaveLength(3)
  expect(problemsOf(['mask', 'gateway', 'bookmark', 'always', 'inputDown', 'hasTaskQueue', 'staker'])).toEqual([])
})
