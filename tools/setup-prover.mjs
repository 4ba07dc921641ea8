// Installs the compilers and the EVM of the prover, and only when they are not there yet. They have a lock file of their own,
// so that nothing else waits for them.
//   npm run setup:prover
import { join } from 'node:path'
import { isMain, main, root } from './project.mjs'
import { setupFolder } from './setup-folder.mjs'

/** Makes sure that the packages of the prover are installed. */
export const setupProver = () =>
  setupFolder(join(root, 'prover', 'packages'), 'the compilers and the EVM of the prover (about 120 MB)')

if (isMain(import.meta.url)) await main(setupProver)
