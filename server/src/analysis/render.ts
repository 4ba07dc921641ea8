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

/** What a reader of a report knows it by, and the score of the scan, whatever was dismissed since. */
function headOf(result: ScanResult, listed: ScanResult, scannedAt: string, labels: Labels | undefined) {
  const { project, ref, commit } = provenanceOf({ ...result, ...belonging(labels) })
  const revision = [ref, commit].filter(Boolean).join(' ')
  return {
    title: `Security report of ${project}`,
    scannedAt,
    ...(listed.suppressed.length > result.suppressed.length ? { whole: result.securityScore } : {}),
    ...(revision === '' ? {} : { revision }),
  }
}

/** A result as an answer or a report of its own. */
export function renderReport(
  result: ScanResult,
  format: AnswerFormat,
  scannedAt: string,
  setAside: readonly SetAside[] = [],
  labels?: Labels,
): string {
  const listed = asSuppressed(result, setAside)
  switch (format) {
    case 'json':
      return JSON.stringify({ ...withStates(withScoreWithout(result, setAside), setAside), ...belonging(labels) })
    case 'legacy':
      return JSON.stringify(toLegacy(result))
    case 'sarif':
      return JSON.stringify(
        toSarif(splitByFile(listed), {
          version: engineVersion,
          provenance: provenanceOf({ ...result, ...belonging(labels) }),
        }),
      )
    case 'markdown':
      return toMarkdown(splitByFile(listed), headOf(result, listed, scannedAt, labels))
    case 'html':
      return toHtml(splitByFile(listed), headOf(result, listed, scannedAt, labels))
  }
}
