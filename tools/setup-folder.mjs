// Installs a folder that has a lock file of its own, and only when it is not installed yet: nothing else waits for it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hashFiles } from './content-hash.mjs'
import { exclusively } from './exclusive.mjs'
import { Failure, root, say } from './project.mjs'
import { runNpm } from './setup.mjs'

export async function setupFolder(folder, words, options = []) {
  const stampFile = join(folder, 'node_modules', '.assay-install.json')
  const hash = hashFiles([join(folder, 'package.json'), join(folder, 'package-lock.json')], process.version)
  const isInstalled = () => {
    try {
      return JSON.parse(readFileSync(stampFile, 'utf8')).hash === hash
    } catch {
      return false
    }
  }
  if (isInstalled()) return
  const name = relative(root, folder)
  await exclusively(`install-${name.replace(/\W+/g, '-')}`, async () => {
    if (isInstalled()) return
    say(`installing ${words}`)
    const code = await runNpm(['ci', '--no-audit', '--no-fund', '--ignore-scripts', ...options], folder)
    if (code !== 0) throw new Failure(`npm ci failed with code ${code} in ${name}; its reason stands above.`)
    writeFileSync(stampFile, `${JSON.stringify({ hash })}\n`)
  })
}
