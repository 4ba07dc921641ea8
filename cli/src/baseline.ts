import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Report } from '@assay/engine'
import { reasonOf } from './input/collect-files.ts'
import { Complaint } from './io.ts'
import type { Comparison, FixedFinding } from './scan-outcome.ts'

/** Earlier findings by path of the file. */
export type Baseline = ReadonlyMap<string, readonly FixedFinding[]>

/** Reads what `assay scan --format json` wrote, or one scan result of the service. */
export function readBaseline(path: string, folder: string): Baseline {
  const entries = entriesOf(parse(path, folder))
  if (!entries) throw new Complaint(`--baseline ${path}: this is not a result of \`assay scan --format json\`.`)
  return new Map(entries.map((entry) => [String(entry.path ?? entry.file ?? ''), findingsOf(entry)]))
}

type Entry = Readonly<Record<string, unknown>>

function parse(path: string, folder: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(folder, path), 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error as NodeJS.ErrnoException)
    throw new Complaint(`--baseline ${path}: ${reason}.`)
  }
}

function entriesOf(content: unknown): readonly Entry[] | undefined {
  if (!isObject(content)) return undefined
  if (Array.isArray(content.files) && content.files.every(isObject)) return content.files
  return Array.isArray(content.dataVulnerabilities) ? [content] : undefined
}

function findingsOf(entry: Entry): FixedFinding[] {
  const lists = [entry.dataVulnerabilities, entry.advisories].filter((list) => Array.isArray(list))
  return lists.flat().filter((item): item is FixedFinding => isObject(item) && typeof item.fingerprint === 'string')
}

const isObject = (value: unknown): value is Entry => typeof value === 'object' && value !== null

/** A finding is known by its fingerprint, which survives edits elsewhere in the file. */
export function compareWith(baseline: Baseline, report: Report): Comparison {
  const before = baseline.get(report.path) ?? []
  const known = new Set(before.map(({ fingerprint }) => fingerprint))
  const now = new Set(
    [...report.findings, ...report.advisories, ...report.suppressed].map(({ fingerprint }) => fingerprint),
  )
  return {
    isNew: ({ fingerprint }) => !known.has(fingerprint),
    fixed: before.filter(({ fingerprint }) => !now.has(fingerprint)),
  }
}
