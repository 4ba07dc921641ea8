import { loadDetectorExamples, toSarif } from '@assay/engine'
import { createFixFinder } from '../fix/verified-fixes.ts'
import type { Io } from '../io.ts'
import { isScanned, type ProjectScan } from '../scan/outcome.ts'
import { publishedPages, version } from '../version.ts'
import { folderInCheckout } from './in-checkout.ts'
import { provenanceOf } from './provenance.ts'
import { scanNotes } from './scan-notes.ts'

/** SARIF with the help of the pages and with patches that were scanned again. */
export async function renderSarif(scan: ProjectScan, io: Io, pages = publishedPages): Promise<string> {
  const results = scan.outcomes.filter(isScanned).map(({ result }) => result)
  const notScanned = scan.outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome]))
  const options = {
    version,
    ...(pages ? { informationUri: pages } : {}),
    provenance: provenanceOf(scan, io.environment),
    notScanned,
    settings: scanNotes(scan),
    fixOf: await createFixFinder(scan),
    pages,
    examples: await loadDetectorExamples(),
  }
  return `${JSON.stringify(toSarif(results, options), fromRoot(folderInCheckout(io)), 2)}\n`
}

/** Puts the folder before every path: code scanning takes them from the root of the checkout. */
const fromRoot = (folder: string) => (_: string, value: unknown) =>
  isPlace(value) ? { ...value, uri: encodeURI(folder) + value.uri } : value

const isPlace = (value: unknown): value is { uri: string; uriBaseId: string } =>
  typeof value === 'object' &&
  value !== null &&
  'uriBaseId' in value &&
  'uri' in value &&
  value.uriBaseId === '%SRCROOT%'
