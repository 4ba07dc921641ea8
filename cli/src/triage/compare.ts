import type { ComparedScanResult, ScanResult, WireFinding, WireSuppressed, WireVulnerability } from '@assay/engine'
import { countByBaseline, isAboutFile, scoreFindings } from '@assay/engine/results'
import { isScanned, type Outcome, type Scanned } from '../scan/outcome.ts'
import { countFiles, type KnownFinding } from './known-findings.ts'

/**
 * Marks what is new and sets aside what was judged. A known finding stands for one finding with its fingerprint: in the
 * same file, or, when that file is no longer there, anywhere: a renamed or moved file, or another working folder, brings
 * no news.
 */
export function compareWithKnown(
  outcomes: readonly Outcome[],
  known: readonly KnownFinding[],
  today: string,
): Outcome[] {
  const matches = matchAll(outcomes, known)
  const gone = known.filter((item) => item.finding && !matches.used.has(item))
  return outcomes.map((outcome) =>
    isScanned(outcome) ? { ...outcome, result: compareFile(outcome, matches.of, gone, today) } : outcome,
  )
}

interface Matches {
  readonly of: ReadonlyMap<WireFinding, KnownFinding>
  readonly used: ReadonlySet<KnownFinding>
}

function matchAll(outcomes: readonly Outcome[], known: readonly KnownFinding[]): Matches {
  const of = new Map<WireFinding, KnownFinding>()
  const used = new Set<KnownFinding>()
  const byFingerprint = groupByFingerprint(known)
  const current = outcomes
    .filter(isScanned)
    .flatMap(({ path, result }) =>
      [...result.dataVulnerabilities, ...result.advisories, ...result.suppressed].map((finding) => ({ path, finding })),
    )
  const present = new Set(outcomes.map(({ path }) => path))
  const isSame = (known: string, path: string) => known === path
  const isMoved = (known: string) => !present.has(known)
  for (const isWanted of [isSame, isMoved]) {
    for (const { path, finding } of current) {
      if (of.has(finding)) continue
      const alike = byFingerprint.get(finding.fingerprint) ?? []
      const match = alike.find((item) => !used.has(item) && isWanted(item.path, path))
      if (!match || isCopied(finding, alike)) continue
      of.set(finding, match)
      used.add(match)
    }
  }
  for (const { finding } of current) {
    const shared = isAboutFile(finding) ? known.filter(({ aboutFiles }) => aboutFiles === finding.detector) : []
    if (shared[0] !== undefined && !of.has(finding)) of.set(finding, shared[0])
    for (const item of shared) used.add(item)
  }
  return { of, used }
}

/** A copy in one more file is news, although it is the same cause. */
const isCopied = (finding: WireFinding, alike: readonly KnownFinding[]): boolean =>
  !isAboutFile(finding) &&
  countFiles(finding) > alike.reduce((sum, { files = Number.POSITIVE_INFINITY }) => sum + files, 0)

function groupByFingerprint(known: readonly KnownFinding[]): Map<string, KnownFinding[]> {
  const groups = new Map<string, KnownFinding[]>()
  for (const item of known) {
    const group = groups.get(item.fingerprint)
    if (group) group.push(item)
    else groups.set(item.fingerprint, [item])
  }
  return groups
}

function compareFile(
  { path, result }: Scanned,
  matches: Matches['of'],
  gone: readonly KnownFinding[],
  today: string,
): ComparedScanResult {
  const judged = (finding: WireFinding) => holds(matches.get(finding), today)
  const mark = <T extends WireFinding>(finding: T) => ({
    ...finding,
    baselineState: matches.has(finding) ? ('unchanged' as const) : ('new' as const),
  })
  const dataVulnerabilities = result.dataVulnerabilities.filter((finding) => !judged(finding)).map(mark)
  const advisories = result.advisories.filter((finding) => !judged(finding)).map(mark)
  const setAside = [...result.dataVulnerabilities, ...result.advisories].flatMap((finding) =>
    setAsideBy(finding, matches.get(finding), today),
  )
  const fixed = gone.flatMap((item) => (item.path === path && item.finding ? [item.finding] : []))
  return {
    ...withFindings(result, dataVulnerabilities),
    dataVulnerabilities,
    advisories,
    suppressed: [...result.suppressed, ...setAside],
    baseline: {
      baselineScanId: '',
      ...countByBaseline(dataVulnerabilities),
      advisories: countByBaseline(advisories),
      fixedCount: fixed.length,
      fixed,
    },
  }
}

const withFindings = (result: ScanResult, findings: readonly WireVulnerability[]): ScanResult => ({
  ...result,
  vulnerabilitiesCount: findings.length,
  securityScore: scoreFindings(findings),
})

/** A decision that is out of date, or that says the finding is open, sets nothing aside. */
const holds = (known: KnownFinding | undefined, today: string): boolean =>
  known?.triage !== undefined &&
  known.triage.state !== 'open' &&
  (known.triage.until === null || known.triage.until >= today)

function setAsideBy(
  finding: WireFinding & { readonly vulnerabilityId?: string },
  known: KnownFinding | undefined,
  today: string,
): WireSuppressed[] {
  if (!known?.triage || !holds(known, today)) return []
  const { state, reason } = known.triage
  return [{ ...finding, suppression: { kind: 'external', comment: `triage: ${state}`, reason, line: finding.line } }]
}
