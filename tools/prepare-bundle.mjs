// What a launcher does before it starts its bundle: nothing, as quickly as possible, unless a source has changed.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/** Builds the workspace's bundle when it is stale; words and exit code 2 when that fails. */
export async function prepareBundle(workspace) {
  if (!existsSync(join(root, workspace, 'src')) || looksFresh(workspace)) return
  try {
    const { build } = await import('./build.mjs')
    await build([workspace])
  } catch (error) {
    process.stderr.write(`assay: could not build ${workspace}: ${error.message}\n`)
    process.exit(2)
  }
}

/** Compares the times and sizes noted by the build: about a millisecond. Only if one differs are contents hashed. */
function looksFresh(workspace) {
  try {
    const { seen } = JSON.parse(readFileSync(join(root, workspace, 'dist', '.stamp.json'), 'utf8'))
    return seen.every(([path, mtimeMs, size]) => {
      const stat = statSync(join(root, path), { throwIfNoEntry: false })
      return stat !== undefined && stat.mtimeMs === mtimeMs && stat.size === size
    })
  } catch {
    return false
  }
}
