#!/usr/bin/env node
// Starts the bundle; in a checkout builds it first when a source has changed. This file is plain JavaScript so that it can
// be linked at install time, before anything is built.
import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = dirname(dirname(fileURLToPath(import.meta.url)))
const root = dirname(cli)

/** Looks at the times and sizes noted by the build: about a millisecond. Only if one differs are contents hashed. */
function looksFresh() {
  try {
    const { seen } = JSON.parse(readFileSync(join(cli, 'dist', '.stamp.json'), 'utf8'))
    return seen.every(([path, mtimeMs, size]) => {
      const stat = statSync(join(root, path), { throwIfNoEntry: false })
      return stat !== undefined && stat.mtimeMs === mtimeMs && stat.size === size
    })
  } catch {
    return false
  }
}

async function prepare() {
  if (!existsSync(join(cli, 'src')) || looksFresh()) return
  const { build } = await import('../../tools/build.mjs')
  await build(['cli'])
}

try {
  await prepare()
} catch (error) {
  process.stderr.write(`assay: could not build the command: ${error.message}\n`)
  process.exit(2)
}
// From Node 22 on the compiled bundle is kept between calls.
module.enableCompileCache?.()
await import('../dist/main.js')
