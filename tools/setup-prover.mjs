// Installs the compilers and the EVM of the prover, and only when they are not there yet. They have a lock file of their own,
// so that nothing else waits for them.
//   npm run setup:prover
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashFiles } from './content-hash.mjs'
import { exclusively } from './exclusive.mjs'
import { Failure, isMain, main, root, say } from './project.mjs'
import { runNpm } from './setup.mjs'

const folder = join(root, 'prover', 'packages')
const stampFile = join(folder, 'node_modules', '.assay-install.json')

/** Makes sure that the packages of the prover are installed. */
export async function setupProver() {
  const hash = hashFiles([join(folder, 'package.json'), join(folder, 'package-lock.json')], process.version)
  if (isInstalled(hash)) return
  await exclusively('install-prover', async () => {
    if (isInstalled(hash)) return
    say('installing the compilers and the EVM of the prover (about 120 MB)')
    const code = await runNpm(['ci', '--no-audit', '--no-fund', '--ignore-scripts'], folder)
    if (code !== 0) throw new Failure(`npm ci failed with code ${code} in prover/packages; its reason stands above.`)
    writeFileSync(stampFile, `${JSON.stringify({ hash })}\n`)
  })
}

function isInstalled(hash) {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).hash === hash
  } catch {
    return false
  }
}

if (isMain(import.meta.url)) await main(setupProver)
