import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Esbuild from 'esbuild'

/** The worker of this service: its bundle beside the served one or, from source, a bundle made on the spot. */
export function findWorkerFile(name: 'worker' | 'prove-worker' = 'worker'): string {
  if (import.meta.url.endsWith('.ts')) return bundleWorker(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)))
  const fromEntry = import.meta.url.includes('/admin/') ? `../analysis/${name}.js` : `./analysis/${name}.js`
  return fileURLToPath(new URL(fromEntry, import.meta.url))
}

/** What a process has bundled serves all its pools: its own modules are as old. */
const bundled = new Map<string, string>()

/** Node 20 strips no types, and loaders do not reach into a pool's threads: development and tests bundle first. */
export function bundleWorker(source: string): string {
  const made = bundled.get(source) ?? writeBundle(source)
  bundled.set(source, made)
  return made
}

function writeBundle(source: string): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    write: false,
    logLevel: 'warning',
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  const folder = join(tmpdir(), `assay-workers-${process.getuid?.() ?? 'user'}`)
  const target = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 24)}.mjs`)
  if (existsSync(target)) return target
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const aside = `${target}.${process.pid}`
  writeFileSync(aside, code)
  renameSync(aside, target)
  return target
}
