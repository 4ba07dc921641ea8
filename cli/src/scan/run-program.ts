import { dirname } from 'node:path'
import { type Detector, type Report, scanFiles } from '@assay/engine'
import { runProgram as texts } from '../messages/scan.ts'
import { loadRules } from '../rules/load-rules.ts'
import { explainFailures, type RuleFailure, toRuleFailure } from '../rules/rule-failure.ts'
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
  const failures = new Map<string, RuleFailure>()
  const observer = {
    failed: ({ id }: Detector, cause: unknown) =>
      void failures.set(id, toRuleFailure(cause, rules, dirname(rules[0] ?? ''))),
  }
  const own = rules.length > 0 ? { rules: await loadRules(rules), observer } : {}
  const reportsOf = scanFiles(files, { importTargets, suppressions, reported, ...own })
  const scanned = failures.size > 0 ? reportsOf.map((report) => explainFailures(report, failures)) : reportsOf
  const reports = new Map(scanned.map((report) => [report.path, report]))
  return reported.map((path) => {
    const report = reports.get(path)
    if (!report) throw new Error(texts.wentIntoScanDid(path))
    return report
  })
}
