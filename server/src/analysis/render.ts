import { type ScanResult, toHtml, toMarkdown, toSarif } from '@assay/engine'
import type { ReportFormat } from './tasks.ts'

const VERSION = '0.1.0'

/** A result as a report of its own. */
export function renderReport(result: ScanResult, format: ReportFormat, scannedAt: string): string {
  switch (format) {
    case 'json':
      return JSON.stringify(result)
    case 'sarif':
      return JSON.stringify(toSarif([result], { version: VERSION }))
    case 'markdown':
      return toMarkdown([result], { scannedAt })
    case 'html':
      return toHtml([result], { scannedAt })
  }
}
