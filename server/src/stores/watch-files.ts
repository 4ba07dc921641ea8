import { statSync } from 'node:fs'
import { DatabaseAway } from '../core/errors.ts'

export interface FileWatch {
  readonly isTakenAway: boolean
  /** Compares what was opened with what the folder holds now; throws when that is something else. */
  look(): void
  /** Throws once a look has found it so. */
  refuseTakenAway(): void
}

/**
 * Knows files by their inodes, which no other file can have while they are open. A database whose log was deleted or replaced goes on without any
 * error, and everything it acknowledges is gone with the process.
 */
export function watchFiles(paths: readonly string[], onTakenAway: (error: Error) => void = () => {}): FileWatch {
  const opened = paths.map(inodeOf)
  let failure: DatabaseAway | undefined
  return {
    get isTakenAway() {
      return failure !== undefined
    },
    look() {
      const at = paths.findIndex((path, index) => inodeOf(path) !== opened[index])
      if (at < 0) return
      const error = new Error(
        `${paths[at]} is no longer the file this process has open: it was deleted, moved or replaced. Nothing is stored from now on. Stop the service, and start it again or restore a backup; what was stored since the file was taken away is lost.`,
      )
      failure = new DatabaseAway(error)
      onTakenAway(error)
      throw failure
    },
    refuseTakenAway() {
      if (failure) throw failure
    },
  }
}

function inodeOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
