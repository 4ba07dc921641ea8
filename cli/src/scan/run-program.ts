import { dirname } from 'node:path'
import { type Detector, type FileProgress, type Report, type ScanOptions, scanFiles } from '@assay/engine'
import { runProgram as texts } from '../messages/scan.ts'
import { loadRules } from '../rules/load-rules.ts'
import { explainFailures, type RuleFailure, toRuleFailure } from '../rules/rule-failure.ts'
import { type Cache, noCache } from './cache.ts'
import { type CrewTask, joinCrew, sendTo } from './crew.ts'
import { openParts, type PartCache } from './part-cache.ts'
import type { Program } from './programs.ts'
import type { RunOptions } from './run-options.ts'

export interface Running {
  /** Where results of partitions are kept. */
  readonly cache?: Cache
  /** Other threads analyze a part of it. */
  readonly crew?: CrewTask
  onProgress?(progress: FileProgress): void
}

/** Scans a program and gives the reports of the files that were requested, in their order; a helper gives none. */
export async function runProgram(
  program: Program,
  { suppressions, rules = [] }: RunOptions,
  { cache = noCache, crew, onProgress }: Running = {},
): Promise<Report[]> {
  const { files, reported, importTargets } = program
  const failures = new Map<string, RuleFailure>()
  const observer = {
    failed: ({ id }: Detector, cause: unknown) =>
      void failures.set(id, toRuleFailure(cause, rules, dirname(rules[0] ?? ''))),
  }
  const own = rules.length > 0 ? { rules: await loadRules(rules), observer } : {}
  // What a rule imports is not known, so neither is what its result depends on.
  const parts = (cache === noCache && !crew) || rules.length > 0 ? undefined : openParts(cache, program)
  const reportsOf = scanFiles(files, {
    importTargets,
    suppressions,
    reported,
    ...own,
    ...(parts ? sharing(parts, crew) : {}),
    ...(onProgress ? { onProgress } : {}),
  })
  if (crew?.isHelper) return []
  parts?.keep()
  const scanned = failures.size > 0 ? reportsOf.map((report) => explainFailures(report, failures)) : reportsOf
  const reports = new Map(scanned.map((report) => [report.path, report]))
  return reported.map((path) => {
    const report = reports.get(path)
    if (!report) throw new Error(texts.wentIntoScanDid(path))
    return report
  })
}

const sharing = ({ memory, add }: PartCache, crew: CrewTask | undefined): Pick<ScanOptions, 'memory' | 'crew'> => {
  if (!crew) return { memory }
  return { memory: crew.isHelper ? sendTo(memory, crew) : memory, crew: joinCrew(crew, add) }
}
