/** The published document, put through three generators; each client compiles strictly and does the whole walk with a live service. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Given, Seen } from '../client/generators/walks/walk.ts'
import { type Database, openDatabase } from '../server/src/stores/database.ts'
import { type ScanService, startScanService } from '../server/src/testing/scan-service.ts'
import { temporaryFolder } from '../server/src/testing/temporary-folder.ts'

const clientFolder = fileURLToPath(new URL('../client/', import.meta.url))
const generators = join(clientFolder, 'generators')
const isInstalled = existsSync(join(generators, 'node_modules', 'orval'))
const ofClient = createRequire(join(clientFolder, 'package.json'))
const documentFile = fileURLToPath(new URL('../docs/reference/openapi.json', import.meta.url))

const run = (folder: string, script: string, ...args: string[]): string => {
  try {
    return execFileSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${stdout}\n${stderr}`)
  }
}

const installed = (...path: string[]): string => join(generators, 'node_modules', ...path)

/** Writes each client into the folder where its walk imports it from. */
const generate: Record<string, (folder: string) => unknown> = {
  async 'openapi-fetch'(folder) {
    const { default: openapiTS, astToString } = await import(pathToFileURL(ofClient.resolve('openapi-typescript')).href)
    writeFileSync(join(folder, 'assay.d.ts'), astToString(await openapiTS(pathToFileURL(documentFile))))
  },
  'hey-api'(folder) {
    const command = installed('@hey-api', 'openapi-ts', 'bin', 'run.js')
    run(folder, command, '-i', documentFile, '-o', 'hey-api', '-c', '@hey-api/client-fetch', '--silent')
  },
  orval(folder) {
    const output = { target: './orval/assay.ts', client: 'fetch', mode: 'single' }
    writeFileSync(
      join(folder, 'orval.config.cjs'),
      `module.exports = ${JSON.stringify({ assay: { input: documentFile, output } })}`,
    )
    run(folder, installed('orval', 'dist', 'bin', 'orval.js'), '--config', 'orval.config.cjs')
  },
}

describe.skipIf(!isInstalled && !process.env.TEST_REQUIRE_ALL)('clients made by', () => {
  let folder: string
  let database: Database
  let service: ScanService
  let baseUrl: string
  beforeAll(async () => {
    folder = mkdtempSync(join(temporaryFolder(), 'generated-'))
    cpSync(join(generators, 'walks'), folder, { recursive: true })
    mkdirSync(join(folder, 'node_modules'))
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      symlinkSync(dirname(ofClient.resolve(`${name}/package.json`)), join(folder, 'node_modules', name))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    database = await openDatabase({ dataDir: temporaryFolder(), databaseUrl: undefined })
    service = await startScanService(database)
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await service?.close()
    await database?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(Object.keys(generate))(
    '%s compile strictly and do the whole walk',
    async (name) => {
      await generate[name]?.(folder)
      compile(folder, name)
      const walk = await load(folder, name, baseUrl)
      const email = `${name}@example.com`
      const given: Given = {
        baseUrl,
        email,
        async readCode() {
          await service.runJobs()
          return service.lastCode(email)
        },
        tick: () => service.runJobs(),
      }
      expect(await walk(given)).toEqual({
        scanned: ['SWC-106'],
        project: ['SWC-106'],
        state: 'false-positive',
        sarif: '2.1.0',
        refused: 'Scan not found.',
      })
    },
    300_000,
  )
})

function compile(folder: string, name: string): void {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [`${name}.ts`] }))
  expect(run(folder, join(dirname(ofClient.resolve('typescript/package.json')), 'bin', 'tsc'), '-p', '.')).toBe('')
}

async function load(folder: string, name: string, baseUrl: string): Promise<(given: Given) => Promise<Seen>> {
  const outfile = join(folder, `${name}.bundle.mjs`)
  // orval's functions call the global fetch with a path alone.
  const banner = `const fetch = (url, init) => globalThis.fetch(typeof url === 'string' ? new URL(url, ${JSON.stringify(baseUrl)}) : url, init);`
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    banner: name === 'orval' ? { js: banner } : {},
    logLevel: 'silent',
  })
  return ((await import(pathToFileURL(outfile).href)) as { walk: (given: Given) => Promise<Seen> }).walk
}
