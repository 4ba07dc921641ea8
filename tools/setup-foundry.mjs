// Installs the forge that runs the tests which the prover writes.
//   npm run setup:foundry
import { join } from 'node:path'
import { isMain, main, root } from './project.mjs'
import { setupFolder } from './setup-folder.mjs'

/** npm has no build of forge for Linux on ARM: the one for x64 is fetched, and runs under qemu (`qemu-x86_64-static`). */
const isForeign = process.platform === 'linux' && process.arch === 'arm64'

export const setupFoundry = () =>
  setupFolder(join(root, 'prover', 'foundry'), 'forge (about 90 MB)', isForeign ? ['--os=linux', '--cpu=x64'] : [])

if (isMain(import.meta.url)) await main(setupFoundry)
