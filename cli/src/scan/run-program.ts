import { type Report, scanFiles } from '@assay/engine'
import { runProgram as texts } from '../messages/scan.ts'
import { loadRules } from '../rules/load-rules.ts'
import type { Program } from './programs.ts'

export interface RunOptions {
  readonly suppressions: 'honour' | 'ignore'
  /** Modules with rules of the user's own, absolute. */
  readonly rules?: readonly string[]
}

/** Scans a program and gives the reports of the files that were asked for, in their order. */
export async function runProgram(
  { files, reported, importTargets }: Program,
  { suppressions, rules = [] }: RunOptions,
): Promise<Report[]> {
  const own = rules.length > 0 ? { rules: await loadRules(rules) } : {}
  const scanned = scanFiles(files, { importTargets, suppressions, reported, ...own })
  const reports = new Map(scanned.map((report) => [report.path, report]))
  return reported.map((path) => {
    const report = reports.get(path)
    if (!report) throw new Error(texts.wentIntoScanDid(path))
    return report
  })
}
