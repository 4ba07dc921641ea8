#!/usr/bin/env node
// Starts the bundle; in a checkout builds it first when a source has changed. Plain JavaScript, so that it can be linked at
// install time, before anything is built.
import { existsSync } from 'node:fs'
import module from 'node:module'

if (existsSync(new URL('../src/main.ts', import.meta.url))) {
  const { prepareBundle } = await import('../../tools/prepare-bundle.mjs')
  await prepareBundle('cli')
}
// From Node 22 on the compiled bundle is kept between calls.
module.enableCompileCache?.()
await import('../dist/main.js')
