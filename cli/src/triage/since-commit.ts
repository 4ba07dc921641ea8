import { resolve } from 'node:path'
import type { Io } from '../io.ts'
import { locate } from '../scan/causes.ts'
import type { ProjectScan } from '../scan/outcome.ts'
import { scanProject } from '../scan/scan-project.ts'
import type { ScanRequest } from '../scan/scan-request.ts'
import { compareWithKnown } from './compare.ts'
import { keepChanged } from './keep-changed.ts'

/**
 * The scan with only the findings that a change added or touched; the earlier ones come from the same files as the commit has them. Not
 * joined yet: of a cause that many files share only the changed places are shown.
 */
export async function sinceCommit(
  scanned: ProjectScan,
  ref: string,
  request: ScanRequest,
  io: Io,
): Promise<ProjectScan> {
  const { findChanges } = await import('./git-changes.ts')
  const files = scanned.programs
    .flatMap((program) => program.files)
    .map(({ path, text }) => ({ location: resolve(io.folder, path), text }))
  const changes = await findChanges(io.folder, ref, files)
  const before = new Map(changes.map(({ location, before: text }) => [location, text ?? '']))
  const earlier = await scanProject({ ...request, unsaved: before }, io)
  const known = locate(earlier.outcomes).map(({ path, finding }) => ({ path, fingerprint: finding.fingerprint }))
  const today = new Date().toISOString().slice(0, 10)
  const compared = compareWithKnown(scanned.outcomes, known, today)
  return { ...scanned, outcomes: keepChanged(compared, changes, io.folder) }
}
