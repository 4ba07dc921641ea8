import { type Report, scanFiles } from '@assay/engine'
import type { Program } from './programs.ts'

export interface RunOptions {
  readonly suppressions: 'honour' | 'ignore'
}

/** Scans a program and gives the reports of the files that were asked for, in their order. */
export function runProgram({ files, reported, importTargets }: Program, options: RunOptions): Report[] {
  const reports = new Map(scanFiles(files, { importTargets, ...options }).map((report) => [report.path, report]))
  return reported.map((path) => {
    const report = reports.get(path)
    if (!report) throw new Error(`${path} went into the scan and did not come out`)
    return report
  })
}
