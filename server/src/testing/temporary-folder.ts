import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folders: string[] = []

// Registered first and so run last: whatever a suite closes in the end is closed by then.
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of a test's own. It is gone when all tests of the file are over, failed ones too. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
  folders.push(folder)
  return folder
}
