#!/usr/bin/env node
// Starts the bundle; in a checkout builds it first when a source has changed. Plain JavaScript, so that it can be linked at
// install time, before anything is built.
//   assay-server          serves
//   assay-server worker   does the queued work of a service on PostgreSQL
//   assay-server admin …  operator commands, also while the service runs
import { existsSync } from 'node:fs'

const usage = `Usage:
  assay-server                 serve; settings come from the environment, see docs/reference/config.md
  assay-server worker          do queued work beside the service, without serving; needs DATABASE_URL
  assay-server doctor          look at settings, database, mail, clock and secrets; changes no data
  assay-server backup <folder> a consistent copy, also while the service runs
  assay-server restore <folder> put a backup in place; the service must be stopped
  assay-server admin <command> operator commands, also while the service runs; \`assay-server admin\` lists them
`
const [, , word] = process.argv
const isAdmin = ['admin', 'backup', 'restore', 'doctor'].includes(word)
if (word !== undefined && word !== 'worker' && !isAdmin) {
  const isHelp = ['help', '--help', '-h'].includes(word)
  process[isHelp ? 'stdout' : 'stderr'].write(usage)
  process.exit(isHelp ? 0 : 2)
}
if (existsSync(new URL('../src/main.ts', import.meta.url))) {
  const { prepareBundle } = await import('../../tools/prepare-bundle.mjs')
  await prepareBundle('server')
}
if (word === 'admin') process.argv.splice(2, 1)
await import(isAdmin ? '../dist/admin/main.js' : '../dist/main.js')
