import {
  chooseCompilerVersion,
  fixProgram,
  type InputFile,
  type ScanResult,
  scanFiles,
  toScanResult,
  unifiedDiff,
  type WireFinding,
} from '@assay/engine'
import { unpack } from '../core/stored.ts'
import { readSources } from './read-sources.ts'
import type { FixTask } from './tasks.ts'

/** Patches that were scanned again and hold, and what they change, as JSON. */
export async function fixFindings({ source, result, withUnsafe }: FixTask): Promise<string> {
  const { files: summaries, fileName, file } = JSON.parse(unpack(result).toString()) as ScanResult
  const { files, remappings } = readSources(source, summaries !== undefined)
  const reported = summaries?.map(({ path }) => path) ?? files.map(({ path }) => path)
  const nameOf = (path: string): string => (summaries ? path : (fileName ?? file))
  const fixed = await fixProgram<WireFinding>(
    { files, reported },
    {
      compilerVersion: chooseCompilerVersion(files.map(({ text }) => text)),
      withUnsafe,
      isWanted: () => true,
      scan: (now) => findingsIn(now, remappings, reported),
    },
  )
  const before = new Map(files.map(({ path, text }) => [path, text]))
  return JSON.stringify({
    patches: fixed.applied.map(({ path, finding, fix }) => ({
      file: nameOf(path),
      line: finding.line,
      column: finding.column,
      fingerprint: finding.fingerprint,
      detector: finding.detector,
      title: fix.title,
      isSafe: fix.safety === 'safe',
    })),
    files: [...fixed.texts].map(([path, text]) => ({
      path: nameOf(path),
      diff: unifiedDiff(nameOf(path), before.get(path) ?? '', text),
    })),
    refused: fixed.refused.length,
    notTried: fixed.untriedCount,
  })
}

function findingsIn(
  files: readonly InputFile[],
  remappings: readonly string[],
  reported: readonly string[],
): Map<string, readonly WireFinding[] | undefined> {
  return new Map(
    scanFiles(files, { remappings, reported }).map((report) => {
      if (report.unreadable || report.parseErrors.length > 0) return [report.path, undefined]
      const { dataVulnerabilities, advisories } = toScanResult(report, { scanId: '', file: report.path })
      return [report.path, [...dataVulnerabilities, ...advisories]]
    }),
  )
}
