import { scan as scanSource, toScanResult } from '@assay/engine'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Complaint, type Io } from '../io.ts'
import { server as texts } from '../messages/mcp.ts'
import { scopes } from '../project/scope.ts'
import { settingLine } from '../project/setting.ts'
import { loadProver } from '../prove/load-prover.ts'
import { byGravity, confidenceRankOf, locate, rankOf } from '../scan/causes.ts'
import { filterFindings } from '../scan/filter-findings.ts'
import { joinScan } from '../scan/join-scan.ts'
import { isScanned, type Outcome, type ProjectScan } from '../scan/outcome.ts'
import { proveFindings } from '../scan/prove-findings.ts'
import { scanProject } from '../scan/scan-project.ts'
import { toScanRequest } from '../scan/scan-request.ts'
import { totalsOf } from '../scan/totals.ts'
import { compareWithKnown } from '../triage/compare.ts'
import { sinceCommit } from '../triage/since-commit.ts'
import { answer, below, maxSourceLength, orRefuse, paths, thatFit } from './answer.ts'
import { confidences, findingSchema, severities, toFinding } from './finding.ts'

const count = z.number().int()
const findings = z.array(findingSchema)
const texted = z.array(z.string())

const scanned = z.object({
  totals: z.object({
    files: count,
    lines: count,
    notScanned: count,
    findings: count,
    bySeverity: z.record(z.enum(severities), count),
    vulnerabilities: count.describe(texts.findingsSwcNumberAlone),
    advisories: count,
    needsReview: count,
    suppressed: count,
    score: count.optional().describe(texts.scoreWholeScan),
    rating: z.string().optional(),
  }),
  compared: z.string().optional().describe(texts.whatComparisonFound),
  notScanned: z.array(z.object({ path: z.string(), error: z.string() })),
  settings: texted.describe(texts.settingsProjectApplied),
  refused: texted.describe(texts.pathsLeadOutsideFolder),
  missingImports: z.array(z.object({ from: z.string(), count })).describe(texts.byPackageFolder),
  findings,
  omitted: count.describe(texts.findingsLeftOutAnswer),
})

const requestFor = (words: readonly string[], scope: (typeof scopes)[number], io: Io) =>
  toScanRequest(words, { scope, include: [], exclude: [], remappings: [], root: io.folder })

function scanAnswer(scan: ProjectScan, limit: number, changedSince?: string): z.infer<typeof scanned> {
  const found = locate(scan.outcomes).sort(byGravity)
  const shown = thatFit(found.slice(0, limit).map(toFinding))
  const unread = scan.outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome]))
  return {
    ...totalsFor(scan, changedSince),
    notScanned: unread.slice(0, 20).map(({ path, error }) => ({ path, error })),
    settings: scan.settings.map(settingLine).slice(0, 20),
    refused: scan.refused.slice(0, 20),
    missingImports: byPackage(scan.missingImports.map(({ wanted }) => wanted)).slice(0, 20),
    findings: shown,
    omitted: found.length - shown.length,
  }
}

/** What a change adds says nothing about the rest: it has no score. */
function totalsFor(scan: ProjectScan, changedSince: string | undefined) {
  const { score, rating, ...counts } = totalsOf(scan)
  return changedSince === undefined
    ? { totals: { ...counts, score, rating } }
    : { totals: counts, compared: texts.newSince(counts.findings, changedSince, counts.files) }
}

/** Missing imports by the package, or the folder, that all of them are in; the most wanted first. */
function byPackage(wanted: readonly string[]): { from: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const path of new Set(wanted)) {
    const from = /^(?:@[^/]+\/[^/]+|(?:\.{1,2}\/)+[^/]+|[^/]+)/.exec(path)?.[0] ?? path
    counts.set(from, (counts.get(from) ?? 0) + 1)
  }
  return [...counts].map(([from, many]) => ({ from, count: many })).sort((a, b) => b.count - a.count)
}

export function registerScan(server: McpServer, io: Io): void {
  server.registerTool(
    'scan',
    {
      title: texts.scanSolidityVulnerabilities,
      description: texts.scansFilesFoldersSource,
      inputSchema: z.object({
        paths,
        source: z.string().max(maxSourceLength).optional().describe(texts.solidityTextScanInstead),
        changedSince: z.string().max(200).optional().describe(texts.onlyFindingsChangeAdded),
        scope: z.enum(scopes).default('product'),
        minSeverity: z.enum(severities).default('info'),
        minConfidence: z.enum(confidences).default('low'),
        limit: z.number().int().min(1).max(200).default(30),
      }),
      outputSchema: scanned,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ paths: words, source, changedSince, scope, minSeverity, minConfidence, limit }) =>
      orRefuse(async () => {
        const scan = source === undefined ? await scanFiles(words, scope, changedSince, io) : scanText(source)
        const floor = { minSeverity: rankOf(minSeverity), minConfidence: confidenceRankOf(minConfidence) }
        return answer(scanAnswer(filterFindings(scan, floor), limit, source === undefined ? changedSince : undefined))
      }),
  )
}

async function scanFiles(
  words: readonly string[] | undefined,
  scope: (typeof scopes)[number],
  changedSince: string | undefined,
  io: Io,
): Promise<ProjectScan> {
  const request = requestFor(below(words, io), scope, io)
  const scan = await scanProject(request, io)
  return joinScan(changedSince === undefined ? scan : await sinceCommit(scan, changedSince, request, io))
}

function scanText(text: string): ProjectScan {
  const path = 'source.sol'
  const report = scanSource(text, { path })
  if (report.unreadable)
    throw new Complaint(texts.textNotValidSolidity(report.unreadable.line, report.unreadable.reason))
  const outcomes: Outcome[] = [{ path, text, result: toScanResult(report, { scanId: '', file: path }) }]
  return {
    project: undefined,
    outcomes,
    importedCount: 0,
    leftOut: new Map(),
    settings: [],
    refused: [],
    hiddenCount: 0,
    missingImports: [],
    programs: [],
    rememberedCount: 0,
    milliseconds: 0,
  }
}

export function registerCompare(server: McpServer): void {
  const source = z.string().max(maxSourceLength)
  server.registerTool(
    'compare',
    {
      title: texts.compareTwoVersions,
      description: texts.scansTwoVersionsFile,
      inputSchema: z.object({ before: source.describe('Solidity text'), after: source.describe('Solidity text') }),
      outputSchema: z.object({ new: findings, unchanged: findings, fixed: findings, omitted: count }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ before, after }) =>
      orRefuse(() => {
        const old = locate(scanText(before).outcomes)
        const known = old.map(({ path, finding }) => ({ path, fingerprint: finding.fingerprint }))
        const compared = locate(compareWithKnown(scanText(after).outcomes, known, '')).sort(byGravity)
        const remaining = new Set(compared.map(({ finding }) => finding.fingerprint))
        const ofState = (state: string) => compared.filter(({ finding }) => finding.baselineState === state)
        const groups = {
          new: ofState('new'),
          unchanged: ofState('unchanged'),
          fixed: old.filter(({ finding }) => !remaining.has(finding.fingerprint)),
        }
        const shown = Object.fromEntries(
          Object.entries(groups).map(([state, group]) => [state, thatFit(group.map(toFinding), 0.27)]),
        )
        const sum = (lists: Record<string, readonly unknown[]>) =>
          Object.values(lists).reduce((total, list) => total + list.length, 0)
        return answer({ ...shown, omitted: sum(groups) - sum(shown) })
      }),
  )
}

const evidenceOf = (finding: object): Record<string, unknown> | null =>
  ((finding as { evidence?: Record<string, unknown> }).evidence ?? null) as Record<string, unknown> | null

export function registerProve(server: McpServer, io: Io): void {
  const proven = findingSchema.pick({ place: true, title: true, severity: true, message: true })
  server.registerTool(
    'prove',
    {
      title: texts.verifyFindingsExecutingAttacks,
      description: texts.scansCompilesDeploysLocal,
      inputSchema: z.object({ paths, limit: z.number().int().min(1).max(50).default(20) }),
      outputSchema: z.object({
        findings: z.array(proven.extend({ evidence: z.record(z.string(), z.unknown()).nullable() })),
        omitted: count,
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ paths: words, limit }) =>
      orRefuse(async () => {
        const request = requestFor(below(words, io), 'product', io)
        await loadProver(io)
        const { outcomes } = await proveFindings(await scanProject(request, io), { seconds: 10, seed: 1 }, io)
        const found = locate(outcomes).sort(byGravity)
        const shown = thatFit(
          found.slice(0, limit).map((located) => {
            const { place, title, severity, message } = toFinding(located)
            return { place, title, severity, message, evidence: evidenceOf(located.finding) }
          }),
        )
        return answer({ findings: shown, omitted: found.length - shown.length })
      }),
  )
}
