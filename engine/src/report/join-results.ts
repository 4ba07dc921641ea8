import type { FurtherPlace } from './finding.ts'
import { joinCauses } from './join-causes.ts'
import { scoreFindings } from './security-score.ts'
import type { ScanResult, WireFinding } from './wire.ts'

/** The results of all files of a project with each cause once, in the first file that shows it; scores follow from what is left. */
export function joinResults<T extends ScanResult>(results: readonly T[]): T[] {
  if (results.length < 2) return [...results]
  const vulnerabilities = byFile(results, ({ dataVulnerabilities }) => dataVulnerabilities)
  const advisories = byFile(results, ({ advisories }) => advisories)
  return results.map((result) => {
    const dataVulnerabilities = vulnerabilities.get(result.file) ?? []
    return {
      ...result,
      dataVulnerabilities,
      advisories: advisories.get(result.file) ?? [],
      vulnerabilitiesCount: dataVulnerabilities.length,
      securityScore: scoreFindings(dataVulnerabilities),
    }
  })
}

function byFile<T extends WireFinding>(
  results: readonly ScanResult[],
  pick: (result: ScanResult) => readonly T[],
): Map<string, T[]> {
  const located = results.flatMap((result) =>
    pick(result).map((finding) => ({ ...finding, file: result.file, ...placesIn(result.file, finding) })),
  )
  const files = new Map<string, T[]>()
  for (const { file, ...finding } of joinCauses(located)) {
    const own = files.get(file)
    if (own) own.push(finding as unknown as T)
    else files.set(file, [finding as unknown as T])
  }
  return files
}

const placesIn = (file: string, { places }: WireFinding): { places?: readonly FurtherPlace[] } =>
  places === undefined ? {} : { places: places.map((place) => ({ file, ...place })) }
