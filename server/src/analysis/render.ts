import {
  engineVersion,
  type Provenance,
  type ScanResult,
  splitByFile,
  toHtml,
  toMarkdown,
  toSarif,
} from '@assay/engine'
import type { Labels } from '../core/sources/labels.ts'
import { toLegacy } from './legacy-shape.ts'
import { asSuppressed, withScoreWithout, withStates } from './set-aside.ts'
import type { AnswerFormat, SetAside } from './tasks.ts'

interface Labelled {
  readonly project?: string | null
  readonly ref?: string | null
  readonly commit?: string | null
  readonly origin?: { readonly kind: string; readonly repository?: string; readonly ref?: string | null }
}

/** Which code it was, from what is noted beside the result. */
function provenanceOf(result: ScanResult): Provenance {
  const { project, ref, commit, origin } = result as Labelled
  const branch = ref ?? origin?.ref
  return {
    project: project ?? result.fileName ?? result.file,
    ...(origin?.repository ? { repository: origin.repository } : {}),
    ...(commit ? { commit } : {}),
    ...(branch ? { ref: branch } : {}),
  }
}

/** Project, ref and commit of the scan, in the answer to its sender. */
const belonging = (labels: Labels | undefined): object =>
  labels ? { project: labels.project ?? null, ref: labels.ref ?? null, commit: labels.commit ?? null } : {}

/** A result as an answer or a report of its own. */
export function renderReport(
  result: ScanResult,
  format: AnswerFormat,
  scannedAt: string,
  setAside: readonly SetAside[] = [],
  labels?: Labels,
): string {
  switch (format) {
    case 'json':
      return JSON.stringify({ ...withStates(withScoreWithout(result, setAside), setAside), ...belonging(labels) })
    case 'legacy':
      return JSON.stringify(toLegacy(result))
    case 'sarif':
      return JSON.stringify(
        toSarif(splitByFile(asSuppressed(result, setAside)), {
          version: engineVersion,
          provenance: provenanceOf({ ...result, ...belonging(labels) }),
        }),
      )
    case 'markdown':
      return toMarkdown(splitByFile(asSuppressed(result, setAside)), { scannedAt })
    case 'html':
      return toHtml(splitByFile(asSuppressed(result, setAside)), { scannedAt })
  }
}
