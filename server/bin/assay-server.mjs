#!/usr/bin/env node
// Starts the bundle; in a checkout builds it first when a source has changed. Plain JavaScript, so that it can be linked at
// install time, before anything is built.
//   assay-server          serves
//   assay-server admin …  operator commands, also beside a running service
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = dirname(dirname(fileURLToPath(import.meta.url)))
const root = dirname(server)

/** Looks at the times and sizes noted by the build; only if one differs are contents hashed. */
function looksFresh() {
  try {
    const { seen } = JSON.parse(readFileSync(join(server, 'dist', '.stamp.json'), 'utf8'))
    return seen.every(([path, mtimeMs, size]) => {
      const stat = statSync(join(root, path), { throwIfNoEntry: false })
      return stat !== undefined && stat.mtimeMs === mtimeMs && stat.size === size
    })
  } catch {
    return false
  }
}

async function prepare() {
  if (!existsSync(join(server, 'src')) || looksFresh()) return
  const { build } = await import('../../tools/build.mjs')
  await build(['server'])
}

const isAdmin = process.argv[2] === 'admin'
try {
  await prepare()
} catch (error) {
  process.stderr.write(`assay-server: could not build: ${error.message}\n`)
  process.exit(2)
}
if (isAdmin) process.argv.splice(2, 1)
await import(isAdmin ? '../dist/admin/main.js' : '../dist/main.js')
