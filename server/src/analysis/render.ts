import { engineVersion, type ScanResult, splitByFile, toHtml, toMarkdown, toSarif } from '@assay/engine'
import { toLegacy } from './legacy-shape.ts'
import type { AnswerFormat } from './tasks.ts'

/** A result as an answer or a report of its own. */
export function renderReport(result: ScanResult, format: AnswerFormat, scannedAt: string): string {
  switch (format) {
    case 'json':
      return JSON.stringify(result)
    case 'legacy':
      return JSON.stringify(toLegacy(result))
    case 'sarif':
      return JSON.stringify(toSarif(splitByFile(result), { version: engineVersion }))
    case 'markdown':
      return toMarkdown(splitByFile(result), { scannedAt })
    case 'html':
      return toHtml(splitByFile(result), { scannedAt })
  }
}
