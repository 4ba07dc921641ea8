import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { floating, keepFolder } from './testing/captured-io.ts'

const workspace = fileURLToPath(new URL('..', import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = (command: string, words: readonly string[], cwd: string): Promise<Ended> =>
  // A registry that does not exist: whatever is needed must be in the package.
  promisify(execFile)(command, [...words], {
    cwd,
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_audit: 'false', NODE_ENV: '' },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  )

const home = keepFolder({ 'package.json': '{}', 'src/Box.sol': floating })
let tarball = ''
const assay = (...words: string[]) => run(join(home, 'node_modules', '.bin', 'assay'), words, home)

beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', home], workspace)
  tarball = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? 'no tarball was made'
  const installed = await run('npm', ['install', '--engine-strict', `./${tarball}`], home)
  if (installed.code !== 0) throw new Error(installed.stderr)
}, 180_000)

describe('the package', () => {
  test('is named after the command, scoped, and stands alone', () => {
    expect(tarball).toMatch(/^assay-cli-\d+\.\d+\.\d+\.tgz$/)
    const manifest = JSON.parse(readFileSync(join(home, 'node_modules/@assay/cli/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: '@assay/cli', publishConfig: { access: 'public', provenance: true } })
    expect([manifest.private, manifest.dependencies]).toEqual([undefined, undefined])
    expect(readdirSync(join(home, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@assay'])
  })

  test('holds the licences of what it bundles, and no source', () => {
    const folder = join(home, 'node_modules/@assay/cli')
    expect(readdirSync(folder)).not.toContain('src')
    const notices = readFileSync(join(folder, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    expect(notices).toContain('smol-toml')
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(workspace, '../LICENSE'), 'utf8'))
  })

  test('scans', async () => {
    const { code, stdout } = await assay('scan', 'src', '--only', '103', '--format', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).files).toMatchObject([{ path: 'src/Box.sol', vulnerabilitiesCount: 1 }])
  })

  test('explains, lists and tells its version', async () => {
    expect((await assay('explain', 'reentrancy')).stdout).toContain('SWC-107')
    expect((await assay('detectors')).stdout.split('\n').length).toBeGreaterThan(30)
    expect((await assay('--version')).stdout).toBe(`${/\d+\.\d+\.\d+/.exec(tarball)?.[0]}\n`)
  })
})
