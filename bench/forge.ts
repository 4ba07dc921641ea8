/**
 * Runs the Foundry tests that the prover writes for bench/textbook with the real forge: on the vulnerable source, where each must pass, and on
 * the fixed one, where each must fail; as it is written without forge-std and, from 0.6 on, with it. Prints a table; ends with 1 when a test
 * does otherwise.
 *   npm run test:forge -- [names…]
 * forge comes from npm (`npm run setup:foundry`), its compilers from the prover's packages: nothing is fetched while it runs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled } from '@assay/prover'
import { loadPackages } from '../prover/src/packages.ts'
import { textTable } from './text-table.ts'
import { type Case, compiles, type Form, proveTextbook, readTextbook } from './written-tests.ts'

const foundry = fileURLToPath(new URL('../prover/foundry/', import.meta.url))

/** The binary itself, under qemu where npm has none for this machine; undefined: it cannot run here. */
const findForge = (): readonly string[] | undefined => {
  const systems: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win32' }
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const binaryOf = (name: string): string => join(foundry, 'node_modules', '@foundry-rs', name, 'bin', 'forge')
  const own = binaryOf(`forge-${systems[process.platform]}-${processor}`)
  if (existsSync(own)) return [own]
  const foreign = binaryOf('forge-linux-amd64')
  const hasQemu = spawnSync('qemu-x86_64-static', ['--version']).status === 0
  return existsSync(foreign) && hasQemu ? ['qemu-x86_64-static', '-L', '/usr/x86_64-linux-gnu', foreign] : undefined
}

const forgeStd = join(foundry, 'node_modules', '@layerzerolabs', 'toolbox-foundry', 'lib', 'forge-std')
/** forge-std begins with 0.6.2. */
const formsOf = ({ line }: Case): Form[] => (line >= 6 ? ['plain', 'forge-std'] : ['plain'])

/** A forge project of one compiler line: sources of one version, and the tests. */
const writeProject = (folder: string, line: number, cases: readonly Case[], version: string, form: Form): void => {
  for (const each of ['src', 'test']) mkdirSync(join(folder, each), { recursive: true })
  const compiler = join(folder, 'solc')
  writeFileSync(compiler, `#!/bin/sh\nexec "${process.execPath}" "${join(foundry, 'solc.mjs')}" ${line} "$@"\n`)
  chmodSync(compiler, 0o755)
  const settings = `[profile.default]\nsolc = "${compiler}"\noffline = true\noptimizer = false\nremappings = ["forge-std/=${forgeStd}/"]\nallow_paths = ["${forgeStd}"]\n${line === 8 ? 'evm_version = "cancun"\n' : ''}`
  writeFileSync(join(folder, 'foundry.toml'), settings)
  for (const { name, tests } of cases) {
    writeFileSync(join(folder, 'src', `${name}.sol`), readTextbook(name, version))
    writeFileSync(join(folder, 'test', `${name}.t.sol`), tests[form])
  }
}

/** A fix may leave a test that does not compile; that forge says nothing is nobody's failure but its own, and wrong. */
type Result = 'passes' | 'fails' | 'does not compile' | 'no answer'

interface ForgeSuite {
  readonly test_results: Readonly<Record<string, { readonly status: string; readonly reason: string | null }>>
}

/** What became of each test, by the name of the case. */
const runForge = (forge: readonly string[], folder: string, cases: readonly Case[]): Map<string, Result> => {
  const [command = '', ...words] = forge
  const env = { ...process.env, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' }
  const { stdout, stderr } = spawnSync(command, [...words, 'test', '--json', '--root', folder], {
    cwd: folder,
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 28,
  })
  const text = stdout.split('\n').find((each) => each.startsWith('{"test/'))
  if (text === undefined) {
    if (process.env.FORGE_VERBOSE) console.error(stdout, stderr)
    return new Map(cases.map(({ name }) => [name, 'no answer']))
  }
  const suites = JSON.parse(text) as Readonly<Record<string, ForgeSuite>>
  return new Map(
    Object.entries(suites).map(([suite, { test_results }]) => {
      const name = /^test\/(.+)\.t\.sol:/.exec(suite)?.[1] ?? suite
      const runs = Object.values(test_results)
      return [name, runs.length > 0 && runs.every(({ status }) => status === 'Success') ? 'passes' : 'fails']
    }),
  )
}

const runAll = async (
  forge: readonly string[],
  cases: readonly Case[],
  version: string,
  form: Form,
): Promise<Map<string, Result>> => {
  const results = new Map<string, Result>()
  const packages = await loadPackages()
  const [ready, broken] = [true, false].map((wanted) =>
    cases.filter((each) => compiles(each, version, packages) === wanted),
  ) as [Case[], Case[]]
  for (const { name } of broken) results.set(name, 'does not compile')
  for (const line of new Set(ready.map((each) => each.line))) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-forge-'))
    const own = ready.filter((each) => each.line === line)
    try {
      writeProject(folder, line, own, version, form)
      for (const [name, result] of runForge(forge, folder, own)) results.set(name, result)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return results
}

const main = async (): Promise<number> => {
  const forge = findForge()
  if (!isInstalled() || !forge) {
    console.error('forge cannot run here: npm run setup:prover && npm run setup:foundry (and qemu-user-static on ARM)')
    return 2
  }
  const [command = '', ...words] = forge
  console.log(execFileSync(command, [...words, '--version'], { encoding: 'utf8' }).split('\n')[0])
  const cases = await proveTextbook(process.argv.slice(2))
  const rows: string[][] = []
  for (const form of ['plain', 'forge-std'] as const) rows.push(...(await runForm(forge, cases, form)))
  console.log(textTable(['contract', 'finding', 'solc', 'form', 'vulnerable', 'fixed', ''], rows))
  const right = rows.filter((row) => row.at(-1) === '').length
  console.log(`\n${right} of ${rows.length} tests pass on the vulnerable source and fail on the fixed one`)
  return right === rows.length && rows.length > 0 ? 0 : 1
}

const runForm = async (forge: readonly string[], all: readonly Case[], form: Form): Promise<string[][]> => {
  const cases = all.filter((each) => formsOf(each).includes(form))
  const vulnerable = await runAll(forge, cases, 'vulnerable', form)
  const fixed = await runAll(forge, cases, 'fixed', form)
  return cases.map(({ name, detector, line }) => {
    const [before = 'no answer', after = 'no answer'] = [vulnerable.get(name), fixed.get(name)]
    const isRight = before === 'passes' && (after === 'fails' || after === 'does not compile')
    return [name, detector, `0.${line}`, form, before, after, isRight ? '' : 'WRONG']
  })
}

process.exitCode = await main()
