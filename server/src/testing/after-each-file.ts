// Runs before each file of tests. Files of one worker share what is loaded, so each puts back what it replaced and removes what it made.
import { afterAll, vi } from 'vitest'
import { removeTemporaryFolders } from './temporary-folder.ts'

// Registered first and so run last: whatever a suite closes in the end is closed by then.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  removeTemporaryFolders()
})
