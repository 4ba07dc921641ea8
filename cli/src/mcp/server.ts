import { resolve } from 'node:path'
import {
  aliasesOf,
  detectorPage,
  detectors,
  loadDetectorExamples,
  scan as scanSource,
  toScanResult,
} from '@assay/engine'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { readProjectSources } from '../input/read-project.ts'
import { Complaint, type Io } from '../io.ts'
import { server as texts } from '../messages/mcp.ts'
import { createBoundary } from '../project/boundary.ts'
import { scopes } from '../project/scope.ts'
import { settingLine } from '../project/setting.ts'
import { loadProver } from '../prove/load-prover.ts'
import { byGravity, confidenceRankOf, type Located, locate, rankOf } from '../scan/causes.ts'
import { filterFindings } from '../scan/filter-findings.ts'
import { findDetectors, unknownDetector } from '../scan/find-detectors.ts'
import { joinScan } from '../scan/join-scan.ts'
import { isScanned, type Outcome, type ProjectScan } from '../scan/outcome.ts'
import { proveFindings } from '../scan/prove-findings.ts'
import { scanProject } from '../scan/scan-project.ts'
import { toScanRequest } from '../scan/scan-request.ts'
import { totalsOf } from '../scan/totals.ts'
import { drawMermaid } from '../show/draw-mermaid.ts'
import { drawText } from '../show/draw-text.ts'
import { outlineOf, selectContracts } from '../show/outline-of.ts'
import { type ViewName, viewNames, viewsOf } from '../show/views.ts'
import { compareWithKnown } from '../triage/compare.ts'
import { version } from '../version.ts'

/** An agent pays for every word: whatever is asked, an answer stays below this. */
const maxAnswerLength = 60_000
const maxSourceLength = 1_000_000

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
const confidences = ['high', 'medium', 'low'] as const

const paths = z.array(z.string().max(4096)).max(100).optional().describe(texts.filesFoldersBelowFolder)

/** The tools and pages for an agent; files are read below the working folder alone. */
export function createMcpServer(io: Io): McpServer {
  const server = new McpServer(
    { name: 'assay', version },
    {
      instructions: texts.assayFindsVulnerabilitiesSolidity,
    },
  )
  registerScan(server, io)
  registerExplain(server)
  registerListDetectors(server)
  registerCompare(server)
  registerShow(server, io)
  registerProve(server, io)
  registerPages(server)
  return server
}

type Answer = { content: [{ type: 'text'; text: string }]; isError?: true }

const answer = (value: unknown): Answer => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const cut =
    text.length > maxAnswerLength ? texts.cutCharacters(text.slice(0, maxAnswerLength), maxAnswerLength) : text
  return { content: [{ type: 'text', text: cut }] }
}

/** What a person would read goes to the agent; anything else is a bug and is thrown. */
const orRefuse = async (work: () => Promise<Answer> | Answer): Promise<Answer> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    return { ...answer(error.message), isError: true }
  }
}

/** Links are followed before the question is asked. */
function below(words: readonly string[] | undefined, io: Io): string[] {
  const { holds } = createBoundary({ paths: [], root: io.folder }, io)
  for (const word of words ?? []) {
    if (!holds(resolve(io.folder, word))) throw new Complaint(texts.onlyWhatLiesBelow(word))
  }
  return words && words.length > 0 ? [...words] : ['.']
}

const toFinding = ({ path, finding, isAdvisory }: Located) => ({
  detector: finding.detector,
  swc: finding.vulnerabilityId ?? null,
  ...(isAdvisory ? { advisory: true } : {}),
  title: finding.title,
  severity: finding.severity,
  confidence: finding.confidence,
  place: `${path}:${finding.line}:${finding.column}`,
  scope: [finding.contract, finding.function].filter(Boolean).join('.'),
  message: finding.message,
  snippet: finding.snippet.slice(0, 400),
  trace: finding.trace.slice(0, 8).map((step) => `${step.file ?? path}:${step.line}: ${step.message}`),
  recommendation: finding.recommendation,
  fingerprint: finding.fingerprint,
})

function scanAnswer(scan: ProjectScan, limit: number): object {
  const found = locate(scan.outcomes).sort(byGravity)
  const findings: object[] = []
  let length = 0
  for (const located of found.slice(0, limit)) {
    const entry = toFinding(located)
    length += JSON.stringify(entry).length
    if (length > maxAnswerLength * 0.8) break
    findings.push(entry)
  }
  return {
    totals: totalsOf(scan),
    notScanned: scan.outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome])).slice(0, 20),
    settings: scan.settings.map(settingLine).slice(0, 20),
    refused: scan.refused.slice(0, 20),
    missingImports: [...new Set(scan.missingImports.map(({ wanted }) => wanted))].slice(0, 20),
    findings,
    omitted: found.length - findings.length,
  }
}

const requestFor = (words: readonly string[], scope: (typeof scopes)[number], io: Io) =>
  toScanRequest(words, { scope, include: [], exclude: [], remappings: [], root: io.folder })

function registerScan(server: McpServer, io: Io): void {
  server.registerTool(
    'scan',
    {
      title: texts.scanSolidityVulnerabilities,
      description: texts.scansFilesFoldersSource,
      inputSchema: z.object({
        paths,
        source: z.string().max(maxSourceLength).optional().describe(texts.solidityTextScanInstead),
        scope: z.enum(scopes).default('product'),
        minSeverity: z.enum(severities).default('info'),
        minConfidence: z.enum(confidences).default('low'),
        limit: z.number().int().min(1).max(200).default(30),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ paths: words, source, scope, minSeverity, minConfidence, limit }) =>
      orRefuse(async () => {
        const scanned =
          source === undefined
            ? joinScan(await scanProject(requestFor(below(words, io), scope, io), io))
            : scanText('source.sol', source)
        const floor = { minSeverity: rankOf(minSeverity), minConfidence: confidenceRankOf(minConfidence) }
        return answer(scanAnswer(filterFindings(scanned, floor), limit))
      }),
  )
}

function scanText(path: string, text: string): ProjectScan {
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

function registerExplain(server: McpServer): void {
  server.registerTool(
    'explain',
    {
      title: texts.explainVulnerability,
      description: texts.whatVulnerabilityHowExploited,
      inputSchema: z.object({
        id: z.string().max(100).describe('`reentrancy`, `SWC-107`, `reentrancy-eth` or `first depositor`'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ id }) =>
      orRefuse(async () => {
        const found = findDetectors(id)
        if (found.length === 0) throw new Complaint(`${id}: ${unknownDetector(id)}`)
        const examples = await loadDetectorExamples()
        return answer(found.map((detector) => detectorPage(detector, examples[detector.id])).join('\n\n---\n\n'))
      }),
  )
}

function registerListDetectors(server: McpServer): void {
  server.registerTool(
    'list_detectors',
    {
      title: 'List detectors',
      description: texts.allDetectorsIdSwc,
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      answer(
        detectors.map((detector) => ({
          id: detector.id,
          swc: detector.swc,
          severity: detector.severity,
          title: detector.title,
          aliases: aliasesOf(detector),
        })),
      ),
  )
}

function registerCompare(server: McpServer): void {
  const source = z.string().max(maxSourceLength)
  server.registerTool(
    'compare',
    {
      title: texts.compareTwoVersions,
      description: texts.scansTwoVersionsFile,
      inputSchema: z.object({ before: source.describe('Solidity text'), after: source.describe('Solidity text') }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ before, after }) =>
      orRefuse(() => {
        const old = locate(scanText('source.sol', before).outcomes)
        const now = scanText('source.sol', after)
        const known = old.map(({ path, finding }) => ({ path, fingerprint: finding.fingerprint }))
        const compared = locate(compareWithKnown(now.outcomes, known, '')).sort(byGravity)
        const remaining = new Set(compared.map(({ finding }) => finding.fingerprint))
        const ofState = (state: string) =>
          compared.filter(({ finding }) => finding.baselineState === state).map(toFinding)
        return answer({
          new: ofState('new').slice(0, 50),
          unchanged: ofState('unchanged').slice(0, 50),
          fixed: old
            .filter(({ finding }) => !remaining.has(finding.fingerprint))
            .map(toFinding)
            .slice(0, 50),
        })
      }),
  )
}

function registerShow(server: McpServer, io: Io): void {
  server.registerTool(
    'show',
    {
      title: texts.showStructureContracts,
      description: texts.rolesWhoMayCall,
      inputSchema: z.object({
        view: z.enum(viewNames),
        paths,
        contracts: z.array(z.string().max(200)).max(50).default([]),
        as: z.enum(['text', 'mermaid', 'json']).default('text'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ view, paths: words, contracts, as }) =>
      orRefuse(async () => {
        const sources = await readProjectSources(requestFor(below(words, io), 'product', io), io)
        const views = viewsOf(view as ViewName, selectContracts(await outlineOf(sources), contracts))
        return answer(as === 'json' ? views : views.map(as === 'mermaid' ? drawMermaid : drawText).join('\n'))
      }),
  )
}

function registerProve(server: McpServer, io: Io): void {
  server.registerTool(
    'prove',
    {
      title: texts.verifyFindingsExecutingAttacks,
      description: texts.scansCompilesDeploysLocal,
      inputSchema: z.object({ paths, limit: z.number().int().min(1).max(50).default(20) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ paths: words, limit }) =>
      orRefuse(async () => {
        const files = below(words, io)
        await loadProver(io)
        const proven = await proveFindings(
          await scanProject(requestFor(files, 'product', io), io),
          {
            seconds: 10,
            seed: 1,
          },
          io,
        )
        const found = locate(proven.outcomes)
          .filter(({ isAdvisory }) => !isAdvisory)
          .sort(byGravity)
        const findings = found.slice(0, limit).map((located) => {
          const { place, title, severity, message } = toFinding(located)
          return {
            place,
            title,
            severity,
            message,
            evidence: (located.finding as { evidence?: unknown }).evidence ?? null,
          }
        })
        return answer({ findings, omitted: found.length - findings.length })
      }),
  )
}

const pageUri = (id: string): string => `assay://detectors/${id}`

function registerPages(server: McpServer): void {
  const template = new ResourceTemplate('assay://detectors/{id}', {
    list: () => ({
      resources: detectors.map(({ id, title }) => ({ uri: pageUri(id), name: id, title, mimeType: 'text/markdown' })),
    }),
    complete: {
      id: (typed) =>
        detectors
          .map(({ id }) => id)
          .filter((id) => id.startsWith(typed))
          .slice(0, 100),
    },
  })
  server.registerResource(
    'detector',
    template,
    { title: 'Detector pages', description: texts.whatEachDetectorReports, mimeType: 'text/markdown' },
    async (uri, { id }) => {
      const detector = detectors.find((each) => each.id === id)
      if (!detector) throw new Error(texts.thereNoDetector(String(id)))
      const examples = await loadDetectorExamples()
      return {
        contents: [{ uri: uri.href, mimeType: 'text/markdown', text: detectorPage(detector, examples[detector.id]) }],
      }
    },
  )
}
