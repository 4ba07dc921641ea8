import { availableParallelism } from 'node:os'
import { toScanResult } from '@assay/engine'
import { locate } from '../scan/causes.ts'
import type { Shown } from '../scan/outcome.ts'
import type { Program } from '../scan/programs.ts'
import { scanPrograms } from '../scan/scan-programs.ts'

/** Findings of the reported files of a program when its files say this; undefined for one that cannot be read. */
export async function scanFindings(
  program: Program,
  files: Program['files'],
  cacheFolder?: string,
): Promise<Map<string, readonly Shown[] | undefined>> {
  const jobs = availableParallelism()
  const scanning = { suppressions: 'honour', timeout: 30, jobs, onDone: () => {} } as const
  const kept = cacheFolder === undefined ? {} : { cacheFolder }
  const [reports = []] = await scanPrograms([{ ...program, files }], { ...scanning, ...kept })
  return new Map(
    reports.map((report) => {
      if ('error' in report || report.unreadable || report.parseErrors.length > 0) return [report.path, undefined]
      const result = toScanResult(report, { scanId: '', file: report.path })
      const outcome = { path: report.path, text: '', result }
      return [report.path, locate([outcome]).map(({ finding }) => finding)]
    }),
  )
}
