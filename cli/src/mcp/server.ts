import { aliasesOf, detectorPage, detectors, loadDetectorExamples } from '@assay/engine'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { readProjectSources, toSourceRequest } from '../input/read-project.ts'
import { Complaint, type Io } from '../io.ts'
import { server as texts } from '../messages/mcp.ts'
import { searchDetectors, unknownDetector } from '../scan/find-detectors.ts'
import { drawMermaid } from '../show/draw-mermaid.ts'
import { drawText } from '../show/draw-text.ts'
import { outlineOf, selectContracts } from '../show/outline-of.ts'
import { type ViewName, viewNames, viewsOf } from '../show/views.ts'
import { version } from '../version.ts'
import { answer, below, orRefuse, paths, textAnswer } from './answer.ts'
import { severities } from './finding.ts'
import { registerFix } from './fix-tool.ts'
import { registerCompare, registerProve, registerScan } from './scan-tools.ts'

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
  registerFix(server, io)
  registerShow(server, io)
  registerProve(server, io)
  registerPages(server)
  return server
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
        const found = searchDetectors(id)
        if (found.length === 0) throw new Complaint(`${id}: ${unknownDetector(id)}`)
        const examples = await loadDetectorExamples()
        return textAnswer(found.map((detector) => detectorPage(detector, examples[detector.id])).join('\n\n---\n\n'))
      }),
  )
}

function registerListDetectors(server: McpServer): void {
  server.registerTool(
    'list_detectors',
    {
      title: 'List detectors',
      description: texts.allDetectorsIdSwc,
      inputSchema: z.object({ search: z.string().max(100).optional().describe(texts.onlyThoseWordsFind) }),
      outputSchema: z.object({
        detectors: z.array(
          z.object({
            id: z.string(),
            swc: z.string().nullable(),
            severity: z.enum(severities),
            title: z.string(),
            aliases: z.array(z.string()),
          }),
        ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ search }) =>
      answer({
        detectors: (search === undefined ? detectors : searchDetectors(search)).map((detector) => ({
          id: detector.id,
          swc: detector.swc,
          severity: detector.severity,
          title: detector.title,
          aliases: [...aliasesOf(detector)],
        })),
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
        const values = { scope: 'product', include: [], exclude: [], remappings: [], root: io.folder } as const
        const sources = await readProjectSources(toSourceRequest(below(words, io), values), io)
        const views = viewsOf(view as ViewName, selectContracts(await outlineOf(sources), contracts))
        if (as === 'json') return textAnswer(JSON.stringify(views))
        return textAnswer(views.map(as === 'mermaid' ? drawMermaid : drawText).join('\n'))
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
