/** What `npm pack` makes is installed in an empty folder, run by Node and compiled against, as a stranger would. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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
import { AssayError, createClient, type Client } from '@assay/client'

const assay: Client = createClient({ baseUrl: 'https://assay.example.com', apiKey: 'key' })

export async function walk(form: FormData): Promise<number> {
  try {
    const result = await assay.postScan({ body: form })
    const first: string | undefined = result.dataVulnerabilities[0]?.vulnerabilityId
    // @ts-expect-error no such operation
    await assay.postNothing()
    return result.securityScore.score + (first ? 1 : 0)
  } catch (error) {
    return error instanceof AssayError ? error.status : 0
  }
}
`

describe('the packed client', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }))
    run('npm', ['pack', '--silent', '--pack-destination', folder], packageFolder)
    const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${archive}`])
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('holds compiled code and types, and neither sources nor tests', () => {
    const installed = join(folder, 'node_modules', '@assay', 'client')
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json'])
    const files = readdirSync(join(installed, 'dist'))
    expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name) || name.includes('test'))).toEqual([])
    expect(files).toContain('index.js')
  })

  test('runs in Node without anything else', () => {
    const program =
      "import { createClient, AssayError } from '@assay/client'; console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:9' }).postScan, AssayError.name)"
    expect(run(process.execPath, ['--input-type=module', '-e', program]).trim()).toBe('function AssayError')
  })

  test.each(['bundler', 'nodenext'])(
    'is typed for moduleResolution %s',
    (moduleResolution) => {
      writeFileSync(join(folder, 'walk.ts'), consumer)
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution,
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['walk.ts'] }))
      const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
      expect(run(process.execPath, [compiler, '-p', '.'])).toBe('')
    },
    120_000,
  )
})
