import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

const MEMORY = '/dev/shm'
const MEMORY_BYTES = 2 * 1024 ** 3

/** In memory where there is room: a suite syncs a disk about a thousand times, and no test reads after a power cut. */
const parentFolder = (): string => {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= MEMORY_BYTES ? MEMORY : tmpdir()
}

/** A folder of a test's own. It is gone when all tests of the file are over, failed ones too. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(parentFolder(), 'assay-test-'))
  folders.push(folder)
  return folder
}

export const removeTemporaryFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
