import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Boundary, readSettingsFile } from './boundary.ts'

/** Deeper packages are copies, and a repository with more folders is read as far as this. */
const maxDepth = 5
const maxFolders = 20_000

/** The folders of a repository whose package.json has this name. The repository is searched once, at the first lookup. */
export function createPackageIndex(boundary: Boundary): (name: string) => readonly string[] {
  let index: Map<string, string[]> | undefined
  return (name) => {
    index ??= indexPackages(boundary)
    return index.get(name) ?? []
  }
}

function indexPackages(boundary: Boundary): Map<string, string[]> {
  const index = new Map<string, string[]>()
  const queue = boundary.roots.map((folder) => ({ folder, depth: 0 }))
  // The queue grows while it is walked.
  for (const { folder, depth } of queue) {
    const entries = list(folder)
    if (entries.some((entry) => entry.isFile() && entry.name === 'package.json')) {
      const name = nameIn(join(folder, 'package.json'), boundary)
      if (name !== undefined) index.set(name, [...(index.get(name) ?? []), folder])
    }
    if (depth === maxDepth) continue
    for (const entry of entries)
      if (isOwnFolder(entry) && queue.length < maxFolders)
        queue.push({ folder: join(folder, entry.name), depth: depth + 1 })
  }
  return index
}

const isOwnFolder = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')

function nameIn(file: string, boundary: Boundary): string | undefined {
  try {
    const { name } = JSON.parse(readSettingsFile(file, boundary)) as { name?: unknown }
    return typeof name === 'string' ? name : undefined
  } catch {
    // What is not valid names no package.
    return undefined
  }
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
