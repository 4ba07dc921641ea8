import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { InputFile, SetUpHint } from '@assay/engine'
import type { Boundary } from '../project/boundary.ts'
import type { Project } from '../project/project.ts'

const maxFiles = 100
const maxBytes = 200_000

const sourcesIn = (folder: string, boundary: Boundary): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => boundary.holds(path) && statSync(path).size <= maxBytes)
      .sort()
  } catch {
    // A project need not have tests or scripts.
    return []
  }
}

/** How a project deploys its contracts, by its own scripts and tests; scripts first, they deploy for good. */
export async function readHints(project: Project | undefined, boundary: Boundary): Promise<SetUpHint[]> {
  const folders = project ? [...project.scripts, ...project.tests] : []
  const paths = [...new Set(folders.flatMap((folder) => sourcesIn(folder, boundary)))].slice(0, maxFiles)
  if (paths.length === 0) return []
  const { setUpHints } = await import('@assay/engine')
  return setUpHints(paths.flatMap(readIfAllowed))
}

/** A hint that cannot be read is none. */
const readIfAllowed = (path: string): InputFile[] => {
  try {
    return [{ path, text: readFileSync(path, 'utf8') }]
  } catch {
    return []
  }
}
