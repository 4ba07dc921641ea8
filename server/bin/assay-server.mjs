#!/usr/bin/env node
// Starts the bundle; in a checkout builds it first when a source has changed. Plain JavaScript, so that it can be linked at
// install time, before anything is built.
//   assay-server          serves
//   assay-server admin …  operator commands, also beside a running service
import { prepareBundle } from '../../tools/prepare-bundle.mjs'

await prepareBundle('server')
const isAdmin = process.argv[2] === 'admin'
if (isAdmin) process.argv.splice(2, 1)
await import(isAdmin ? '../dist/admin/main.js' : '../dist/main.js')
