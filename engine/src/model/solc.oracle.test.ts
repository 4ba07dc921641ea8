/**
 * solc's typed tree is the judge: every name, every member and every order of bases, on sources of our own for each
 * version (they hold what is special about it) and on audited packages.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { InputFile } from './index.ts'
import { compareWithSolc, type SolcOutput } from './testing/solc-oracle.ts'
import { oracleSamples } from './testing/solc-oracle-samples.ts'

const load = createRequire(import.meta.url)

const compile = (version: string, files: readonly InputFile[]): SolcOutput => {
  const solc = load(`solc-${version}`) as Record<string, (input: string) => string>
  const run = solc.compileStandardWrapper ?? solc.compile
  const sources = Object.fromEntries(files.map(({ path, text }) => [path, { content: text }]))
  const settings = { outputSelection: { '*': { '': ['ast'] } } }
  return JSON.parse(run?.(JSON.stringify({ language: 'Solidity', sources, settings })) ?? '{}')
}

const expectAgreement = (version: string, files: readonly InputFile[], atLeast: number) => {
  const comparison = compareWithSolc(compile(version, files), files)
  expect(comparison.errors).toEqual([])
  expect(comparison.identifiers + comparison.members).toBeGreaterThanOrEqual(atLeast)
  expect(comparison.differences).toEqual([])
}

for (const { name, versions, files, atLeast } of oracleSamples) {
  for (const version of versions) {
    test(`${name}, solc ${version}`, { timeout: 60_000 }, () => {
      expectAgreement(version, files, atLeast)
    })
  }
}

const packageFolder = (name: string): string => dirname(load.resolve(`${name}/package.json`))

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : path.endsWith('.sol') ? [path] : []
  })

const sourcesOf = (name: string, folder: string, prefix: string): InputFile[] => {
  const root = join(packageFolder(name), folder)
  if (!existsSync(root)) throw new Error(`${name} has no ${folder}`)
  return filesBelow(root)
    .filter((path) => !path.includes('/test/'))
    .map((path) => ({ path: prefix + path.slice(root.length), text: readFileSync(path, 'utf8') }))
}

test('@openzeppelin/contracts, all of it', { timeout: 240_000 }, () => {
  const files = sourcesOf('@openzeppelin/contracts', '.', '@openzeppelin/contracts')
  expectAgreement('0.8', files, 15_000)
})

test('solmate', { timeout: 120_000 }, () => {
  expectAgreement('0.8', sourcesOf('solmate', 'src', 'src'), 1_000)
})

test('@uniswap/v2-core, its pinned pragma widened to the compiler at hand', { timeout: 120_000 }, () => {
  const files = sourcesOf('@uniswap/v2-core', 'contracts', 'contracts')
  const widened = files.map(({ path, text }) => ({ path, text: text.replace('=0.5.16', '^0.5.16') }))
  expectAgreement('0.5', widened, 500)
})
