import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ComparedScanResult, compareScans, type ScanResult } from '@assay/engine'
import { reasonOf } from './input/collect-files.ts'
import { Complaint } from './io.ts'

/** Earlier results by path of the file. */
export type Baseline = ReadonlyMap<string, ScanResult>

/** Reads what `assay scan --format json` wrote. */
export function readBaseline(path: string, folder: string): Baseline {
  const content = parse(path, folder)
  if (!isBaseline(content)) {
    throw new Complaint(`--baseline ${path}: this is not a result of \`assay scan --format json\`.`)
  }
  return new Map(content.files.filter(hasFindings).map((entry) => [entry.path, entry]))
}

function parse(path: string, folder: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(folder, path), 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error as NodeJS.ErrnoException)
    throw new Complaint(`--baseline ${path}: ${reason}.`)
  }
}

type Entry = ScanResult & { readonly path: string }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isBaseline = (content: unknown): content is { files: object[] } =>
  isObject(content) && Array.isArray(content.files) && content.files.every(isObject)

/** A file that could not be scanned then has nothing to compare with. */
const hasFindings = (entry: object): entry is Entry =>
  'path' in entry && 'dataVulnerabilities' in entry && Array.isArray(entry.dataVulnerabilities)

/** A file that the baseline does not know is new as a whole. */
export function compareWith(baseline: Baseline, path: string, current: ScanResult): ComparedScanResult {
  const nothing: ScanResult = { ...current, scanId: '', dataVulnerabilities: [], advisories: [] }
  return compareScans({ ...nothing, ...baseline.get(path) }, current)
}
