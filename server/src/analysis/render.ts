import { engineVersion, type ScanResult, splitByFile, toHtml, toMarkdown, toSarif } from '@assay/engine'
import { toLegacy } from './legacy-shape.ts'
import { asSuppressed, withScoreWithout } from './set-aside.ts'
import type { AnswerFormat, SetAside } from './tasks.ts'

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
      return JSON.stringify(toSarif(splitByFile(asSuppressed(result, setAside)), { version: engineVersion }))
    case 'markdown':
      return toMarkdown(splitByFile(result), { scannedAt })
    case 'html':
      return toHtml(splitByFile(result), { scannedAt })
  }
}
