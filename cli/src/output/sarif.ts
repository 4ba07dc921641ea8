import { loadDetectorExamples, toSarif } from '@assay/engine'
import { createFixFinder } from '../fix/verified-fixes.ts'
import { isScanned, type ProjectScan } from '../scan/outcome.ts'
import { publishedPages, version } from '../version.ts'
import { scanNotes } from './scan-notes.ts'

/** SARIF with the help of the pages and with patches that were scanned again. */
export async function renderSarif(scan: ProjectScan, pages = publishedPages): Promise<string> {
  const results = scan.outcomes.filter(isScanned).map(({ result }) => result)
  const notScanned = scan.outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome]))
  const fixOf = createFixFinder(scan, scan.programs)
  const examples = await loadDetectorExamples()
  const settings = scanNotes(scan)
  return `${JSON.stringify(toSarif(results, { version, notScanned, settings, fixOf, pages, examples }), null, 2)}\n`
}
