import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const workspaces = ['engine', 'prover', 'server', 'cli', 'web', 'client', 'bench']

/** A checkout with the plain tools and manifests that ask for nothing, so that npm needs no network. */
function makeCheckout(engines = '>=20.19'): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay setup '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const tools = fileURLToPath(new URL('.', import.meta.url))
  for (const name of readdirSync(tools).filter((file) => file.endsWith('.mjs'))) {
    cpSync(join(tools, name), join(folder, 'tools', name))
  }
  const manifest = (name: string, more: object = {}) =>
    JSON.stringify({ name, version: '1.0.0', private: true, ...more })
  writeFileSync(join(folder, 'package.json'), manifest('made-up', { workspaces, engines: { node: engines } }))
  for (const name of workspaces) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'package.json'), manifest(`made-up-${name}`))
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockFor(engines)))
  return folder
}

const lockFor = (engines: string) => ({
  name: 'made-up',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: Object.fromEntries([
    ['', { name: 'made-up', version: '1.0.0', workspaces, engines: { node: engines } }],
    ...workspaces.map((name) => [name, { name: `made-up-${name}`, version: '1.0.0' }]),
    ...workspaces.map((name) => [`node_modules/made-up-${name}`, { resolved: name, link: true }]),
  ]),
})

function setup(folder: string, scope: 'start' | 'all'): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const script = join(folder, 'tools', 'setup.mjs')
    execFile(process.execPath, [script, scope], { cwd: tmpdir() }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })
}

const stampOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'node_modules/.assay-install.json'), 'utf8'))

test('serving installs its part once, tests complete it, and neither asks again', async () => {
  const folder = makeCheckout()
  const first = await setup(folder, 'start')
  expect([first.code, first.said]).toEqual([0, expect.stringContaining('installing packages for serving')])
  expect(stampOf(folder).scope).toBe('start')
  expect(existsSync(join(folder, 'node_modules/made-up-server'))).toBe(true)
  expect(existsSync(join(folder, 'node_modules/made-up-bench'))).toBe(false)
  expect((await setup(folder, 'start')).said).toBe('')

  expect((await setup(folder, 'all')).said).toContain('installing packages for tests and serving')
  expect(existsSync(join(folder, 'node_modules/made-up-bench'))).toBe(true)
  expect((await setup(folder, 'all')).said).toBe('')
  expect((await setup(folder, 'start')).said).toBe('')
})

test('packages that npm ci put there by hand are accepted', async () => {
  const folder = makeCheckout()
  await setup(folder, 'all')
  rmSync(join(folder, 'node_modules/.assay-install.json'))
  expect(await setup(folder, 'start')).toEqual({ code: 0, said: '' })
})

test('a changed script is no reason to install, a changed dependency is', async () => {
  const folder = makeCheckout()
  await setup(folder, 'all')
  const file = join(folder, 'cli/package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, scripts: { hello: 'echo' } }))
  expect((await setup(folder, 'all')).said).toBe('')
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies: { 'made-up-engine': '2.0.0' } }))
  const { code, said } = await setup(folder, 'all')
  expect(said).toContain('assay: npm ci failed with code 1; its reason stands above.')
  expect(code).toBe(1)
})

test('a Node that is too old gets an explanation', async () => {
  const { code, said } = await setup(makeCheckout('>=99.0'), 'start')
  expect(code).toBe(1)
  expect(said).toMatch(/^assay: Node 99\.0 or newer is needed; this is Node \d+\.\d+\.\d+ \(.+\)\.\n$/)
})

test('what the service packs for download needs nothing that serving does not install', () => {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const sources = ['tools/build.mjs', 'tools/package-extension.ts', 'editors/vscode/src/extension.ts']
  const imported = sources.flatMap((path) =>
    [...read(path).matchAll(/^import .*from '((?:@[^/']+\/)?[^./'][^/']*)/gm)].map(([, name]) => name!),
  )
  const declared = ['', 'engine/', 'prover/', 'server/', 'cli/', 'web/'].flatMap((folder) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${folder}package.json`))
    return [...Object.keys(dependencies), ...Object.keys(devDependencies)]
  })
  const packages = imported.filter((name) => !name.startsWith('node:') && name !== 'vscode')
  expect(packages).toContain('fflate')
  expect(packages.filter((name) => !declared.includes(name))).toEqual([])
})
