import { dirname } from 'node:path'
import { type Detector, type FileProgress, type Report, scanFiles } from '@assay/engine'
import { runProgram as texts } from '../messages/scan.ts'
import { loadRules } from '../rules/load-rules.ts'
import { explainFailures, type RuleFailure, toRuleFailure } from '../rules/rule-failure.ts'
import { type Cache, noCache } from './cache.ts'
import { openParts } from './part-cache.ts'
import type { Program } from './programs.ts'
import type { RunOptions } from './run-options.ts'

export interface Running {
  /** Where results of partitions are kept. */
  readonly cache?: Cache
  onProgress?(progress: FileProgress): void
}

/** Scans a program and gives the reports of the files that were asked for, in their order. */
export async function runProgram(
  program: Program,
  { suppressions, rules = [] }: RunOptions,
  { cache = noCache, onProgress }: Running = {},
): Promise<Report[]> {
  const { files, reported, importTargets } = program
  const failures = new Map<string, RuleFailure>()
  const observer = {
    failed: ({ id }: Detector, cause: unknown) =>
      void failures.set(id, toRuleFailure(cause, rules, dirname(rules[0] ?? ''))),
  }
  const own = rules.length > 0 ? { rules: await loadRules(rules), observer } : {}
  // What a rule imports is not known, so neither is what its result depends on.
  const parts = cache === noCache || rules.length > 0 ? undefined : openParts(cache, program)
  const reportsOf = scanFiles(files, {
    importTargets,
    suppressions,
    reported,
    ...own,
    ...(parts ? { memory: parts.memory } : {}),
    ...(onProgress ? { onProgress } : {}),
  })
  parts?.keep()
  const scanned = failures.size > 0 ? reportsOf.map((report) => explainFailures(report, failures)) : reportsOf
  const reports = new Map(scanned.map((report) => [report.path, report]))
  return reported.map((path) => {
    const report = reports.get(path)
    if (!report) throw new Error(texts.wentIntoScanDid(path))
    return report
  })
}
