import {
  engineVersion,
  type Provenance,
  type ScanResult,
  splitByFile,
  toHtml,
  toMarkdown,
  toSarif,
} from '@assay/engine'
import { toLegacy } from './legacy-shape.ts'
import { asSuppressed, withScoreWithout } from './set-aside.ts'
import type { AnswerFormat, SetAside } from './tasks.ts'

/** A name: which address the service has is not known here. */
const informationUri = 'urn:assay:tool'

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

/** A result as an answer or a report of its own. */
export function renderReport(
  result: ScanResult,
  format: AnswerFormat,
  scannedAt: string,
  setAside: readonly SetAside[] = [],
): string {
  switch (format) {
    case 'json':
      return JSON.stringify(withScoreWithout(result, setAside))
    case 'legacy':
      return JSON.stringify(toLegacy(result))
    case 'sarif':
      return JSON.stringify(
        toSarif(splitByFile(asSuppressed(result, setAside)), {
          version: engineVersion,
          informationUri,
          provenance: provenanceOf(result),
        }),
      )
    case 'markdown':
      return toMarkdown(splitByFile(result), { scannedAt })
    case 'html':
      return toHtml(splitByFile(result), { scannedAt })
  }
}
