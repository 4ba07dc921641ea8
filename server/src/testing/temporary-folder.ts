import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A folder of a test's own. It is gone when all tests of the file are over, failed ones too. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
  folders.push(folder)
  return folder
}

export const removeTemporaryFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
