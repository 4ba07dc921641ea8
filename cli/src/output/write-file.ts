import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { reasonOf } from '../input/reason-of.ts'
import { Complaint } from '../io.ts'
import { writeFile as texts } from '../messages/output.ts'
import { type Boundary, realPath } from '../project/boundary.ts'

/**
 * Writes a file and never through a link: a repository could name any file of the machine by one. Where the path as written
 * lies in the project, so must the folder it really is.
 */
export function writeFile(path: string, text: string, boundary: Boundary, shown = path): void {
  const info = lstatSync(path, { throwIfNoEntry: false })
  const folder = realPath(dirname(resolve(path)))
  const isDevice = path.startsWith('/dev/') || (info !== undefined && !info.isFile() && !info.isSymbolicLink())
  if (isDevice) {
    attempt(shown, () => writeFileSync(path, text))
    return
  }
  if (info?.isSymbolicLink()) throw new Complaint(texts.linkNothingWrittenThrough(shown))
  if (boundary.names(dirname(resolve(path))) && !boundary.holds(folder))
    throw new Complaint(texts.leadsOutsideProjectNothing(shown, folder))
  attempt(shown, () => replace(join(folder, basename(path)), text, info?.mode))
}

/** By a new file in its place: a second name that the old one had elsewhere keeps the old text. */
function replace(target: string, text: string, mode: number | undefined): void {
  const fresh = join(dirname(target), `.${basename(target)}.${process.pid}.assay`)
  try {
    writeFileSync(fresh, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) })
    renameSync(fresh, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(fresh, { force: true })
    throw error
  }
}

function attempt(shown: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new Complaint(`${shown}: ${reasonOf(error as NodeJS.ErrnoException)}.`)
  }
}
