import module from 'node:module'
import { dirname } from 'node:path'

/** Absent before Node 22. */
const { getCompileCacheDir } = module as { getCompileCacheDir?: () => string | undefined }

/**
 * The setting with which a thread keeps its compiled code where this one does: by itself it compiles the engine at every start.
 * Nothing where no code is kept.
 */
export function compiledCode(folder = getCompileCacheDir?.()): { NODE_COMPILE_CACHE?: string } {
  // Node adds the folder of its own version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
