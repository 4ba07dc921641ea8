// Freshness by content: a checkout, a copy or a clock change alters times, never what a file says.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { root } from './project.mjs'

const isSource = (name) => !/\.test\.[a-z]+$/.test(name) && !name.startsWith('.')
const isFolder = (name) => !['node_modules', 'dist', 'fixtures'].includes(name)

/** Every source file below the given paths, and the folders that hold them; a path that does not exist adds nothing. */
export function listSources(paths) {
  const files = []
  const folders = []
  const visit = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile()) files.push(path)
    if (!stat?.isDirectory()) return
    folders.push(path)
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory() ? isFolder(entry.name) : isSource(entry.name)) visit(join(path, entry.name))
    }
  }
  for (const path of paths) visit(join(root, path))
  return { files: files.sort(), folders: folders.sort() }
}

export function hashFiles(files, salt = '') {
  const hash = createHash('sha256').update(salt)
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`\0${relative(root, file).split(sep).join('/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
