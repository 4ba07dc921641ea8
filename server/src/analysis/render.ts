import { type ScanResult, toHtml, toMarkdown, toSarif } from '@assay/engine'
import { toLegacy } from './legacy-shape.ts'
import type { AnswerFormat } from './tasks.ts'

const VERSION = '0.1.0'

/** A result as an answer or a report of its own. */
export function renderReport(result: ScanResult, format: AnswerFormat, scannedAt: string): string {
  switch (format) {
    case 'json':
      return JSON.stringify(result)
    case 'legacy':
      return JSON.stringify(toLegacy(result))
    case 'sarif':
      return JSON.stringify(toSarif([result], { version: VERSION }))
    case 'markdown':
      return toMarkdown([result], { scannedAt })
    case 'html':
      return toHtml([result], { scannedAt })
  }
}
