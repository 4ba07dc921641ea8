/** What `npm pack` makes is installed in an empty folder, run by Node and compiled against, as a new user would. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const require = createRequire(import.meta.url)
const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'assay-client-'))

const run = (command: string, args: readonly string[], cwd = folder): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const consumer = `
import { AssayError, createClient, type Client, type ErrorCode } from '@assay/client'

const assay: Client = createClient({ baseUrl: 'https://assay.example.com', apiKey: 'key' })

export async function walk(source: string): Promise<number> {
  try {
    const result = await assay.scans.create({ file: { name: 'Vault.sol', content: source }, project: 'vault' })
    const first: string | undefined = result.dataVulnerabilities[0]?.vulnerabilityId
    for await (const finding of assay.findings.list({ state: 'open' })) if (finding.severity === 'critical') return 1
    const page = await assay.findings.list({ limit: 1 })
    const sarif = await assay.scans.report(result.scanId, { format: 'sarif' })
    // @ts-expect-error no such operation
    await assay.scans.nothing()
    // @ts-expect-error a limit is a number
    await assay.findings.list({ limit: 'all' })
    return result.securityScore.score + (first ? 1 : 0) + page.items.length + (sarif.runs[0]?.results.length ?? 0)
  } catch (error) {
    const code: ErrorCode | null | undefined = error instanceof AssayError ? error.code : undefined
    return code === 'quota-spent' ? 429 : 0
  }
}
`

/** What the examples take as given. */
const surroundings = `
declare const source: string, vault: string, token: string, zip: Blob, password: string, rawBody: string
declare const request: { headers: Record<string, string | string[] | undefined> }
declare const process: { env: { ASSAY_API_KEY: string; ASSAY_WEBHOOK_SECRET: string } }
`

function compile(file: string, code: string, moduleResolution: string, module: string): void {
  for (const name of readdirSync(folder).filter((one) => /^(walk|readme)\./.test(one))) rmSync(join(folder, name))
  writeFileSync(join(folder, file), code)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module,
    moduleResolution,
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [file] }))
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  expect(run(process.execPath, [compiler, '-p', '.'])).toBe('')
}

describe('the packed client', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }))
    run('npm', ['pack', '--silent', '--pack-destination', folder], packageFolder)
    const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${archive}`])
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('holds compiled code, types and the licence, and neither sources nor tests', () => {
    const installed = join(folder, 'node_modules', '@assay', 'client')
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    for (const kind of ['esm', 'cjs']) {
      const files = readdirSync(join(installed, 'dist', kind)).filter((name) => name !== 'package.json')
      expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name) || name.includes('test'))).toEqual([])
      expect(files).toContain('index.js')
    }
  })

  test.each([
    ['module', "import { createClient, AssayError } from '@assay/client'"],
    ['commonjs', "const { createClient, AssayError } = require('@assay/client')"],
  ])('runs in Node as %s without anything else', (type, line) => {
    const program = `${line}; console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:9' }).scans.create, AssayError.name)`
    expect(run(process.execPath, [`--input-type=${type}`, '-e', program]).trim()).toBe('function AssayError')
  })

  test('the examples of its README compile', () => {
    const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8')
    const [first = '', ...others] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? '')
    expect(others.length).toBeGreaterThan(3)
    compile(
      'readme.mts',
      [surroundings, first, ...others.map((code) => `{\n${code}}`)].join('\n'),
      'nodenext',
      'nodenext',
    )
  }, 120_000)

  test.each([
    ['bundler', 'esnext', 'walk.ts'],
    ['nodenext', 'nodenext', 'walk.mts'],
    ['nodenext', 'nodenext', 'walk.cts'],
    ['node16', 'node16', 'walk.mts'],
    ['node16', 'node16', 'walk.cts'],
  ])(
    'is typed for moduleResolution %s, module %s, in %s',
    (moduleResolution, module, file) => compile(file, consumer, moduleResolution, module),
    120_000,
  )
})
