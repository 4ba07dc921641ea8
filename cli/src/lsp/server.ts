import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chooseCompilerVersion, detectorPage, detectors, loadDetectorExamples, proposeFixes } from '@assay/engine'
import {
  type CodeAction,
  CodeActionKind,
  CodeLensRefreshRequest,
  type Connection,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  type Position,
  ProposedFeatures,
  type Range,
  TextDocumentSyncKind,
  TextDocuments,
  TextEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Io } from '../io.ts'
import { server as messages } from '../messages/lsp.ts'
import { printableName } from '../output/printable.ts'
import { type Setting, settingLine } from '../project/setting.ts'
import { locate } from '../scan/causes.ts'
import { isScanned, type Shown } from '../scan/outcome.ts'
import { scanProject } from '../scan/scan-project.ts'
import { type ScanRequest, toScanRequest } from '../scan/scan-request.ts'
import { version } from '../version.ts'
import { toDiagnostic, toRange } from './diagnostics.ts'
import { createProofs, proveCommand } from './proofs.ts'

/** While someone types, a scan waits for a pause: a part of what the last one took, at most this. */
const longestPause = 250
const pauseAfter = (milliseconds: number): number => Math.min(longestPause, milliseconds / 5)

interface Opened {
  readonly version: number
  readonly findings: readonly Shown[]
  /** To pin pragmas to; undefined: the files of the project agree on none. */
  readonly compilerVersion: string | undefined
}

/** Speaks the language server protocol on these streams until the client ends it or they do. */
export function serveStreams(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, io: Io): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, input, output)
  const ended = new Promise<void>((resolve) => {
    connection.onExit(() => resolve())
    input.once('end', () => resolve())
  })
  serveLanguage(connection, io)
  return ended
}

/** Speaks the language server protocol on a connection until it is closed. */
export function serveLanguage(connection: Connection, io: Io): void {
  const documents = new TextDocuments(TextDocument)
  const known = new Map<string, Opened>()
  const timers = new Map<string, NodeJS.Timeout>()

  const proofs = createProofs(io)
  let root: string | undefined
  let pages: string | undefined
  let canRefresh = false

  connection.onInitialize(({ rootUri, workspaceFolders, initializationOptions, capabilities }) => {
    root = pathOf(workspaceFolders?.[0]?.uri ?? rootUri ?? '')
    pages = pagesOf(initializationOptions)
    canRefresh = capabilities.workspace?.codeLens?.refreshSupport === true
    return {
      serverInfo: { name: 'assay', version },
      capabilities: {
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          save: { includeText: false },
        },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: {},
        executeCommandProvider: { commands: [proveCommand] },
      },
    }
  })

  const reported = new Set<string>()
  /** In the editor's log of this server; each once, not with every key that is pressed. */
  const reportOnce = (settings: readonly Setting[]): void => {
    for (const line of settings.map(settingLine)) if (!reported.has(line)) connection.console.info(printableName(line))
    for (const setting of settings) reported.add(settingLine(setting))
  }

  const check = async (uri: string): Promise<void> => {
    const document = documents.get(uri)
    if (!document) return
    const { version: scannedVersion } = document
    const { diagnostics, settings, ...scanned } = await scanDocument(document, documents, io, pages)
    reportOnce(settings)
    // Older than what is on the screen by now: the next scan is on its way.
    if (documents.get(uri)?.version !== scannedVersion) return
    known.set(uri, { version: scannedVersion, ...scanned })
    await connection.sendDiagnostics({ uri, version: scannedVersion, diagnostics })
  }

  /** Files that are being scanned; true: they have changed since. */
  const running = new Map<string, boolean>()
  const durations = new Map<string, number>()
  const checkNow = async (uri: string): Promise<void> => {
    if (running.has(uri)) {
      running.set(uri, true)
      return
    }
    running.set(uri, false)
    const started = performance.now()
    await check(uri).catch((error: Error) => connection.console.error(error.message))
    durations.set(uri, performance.now() - started)
    const hasChanged = running.get(uri)
    running.delete(uri)
    if (hasChanged) checkSoon(uri)
  }
  const checkSoon = (uri: string): void => {
    clearTimeout(timers.get(uri))
    timers.set(uri, setTimeout(checkNow, pauseAfter(durations.get(uri) ?? 0), uri))
  }

  /** Files of the project that are not open and had findings when they were last reported. */
  let reportedUris = new Set<string>()
  const checkProject = async (): Promise<void> => {
    if (root === undefined) return
    // One thread: the other processors are left to the file that someone edits meanwhile.
    const scan = await scanProject({ ...requestFor(root, documents), jobs: 1 }, io)
    const found = new Map(
      scan.outcomes.filter(isScanned).map((outcome) => {
        const uri = pathToFileURL(resolve(io.folder, outcome.path)).href
        const findings = locate([outcome]).map(({ finding }) => finding)
        return [uri, findings.map((finding) => toDiagnostic(finding, uri, io.folder, pages))] as const
      }),
    )
    const now = new Set([...found].flatMap(([uri, { length }]) => (length > 0 ? [uri] : [])))
    // An open file is reported as it stands in the editor.
    for (const uri of new Set([...reportedUris, ...now]))
      if (!documents.get(uri)) await connection.sendDiagnostics({ uri, diagnostics: found.get(uri) ?? [] })
    reportedUris = now
  }
  let projectTimer: NodeJS.Timeout | undefined
  const checkProjectSoon = (): void => {
    clearTimeout(projectTimer)
    projectTimer = setTimeout(() => {
      // What is open comes first.
      if (running.size > 0) checkProjectSoon()
      else checkProject().catch((error: Error) => connection.console.error(error.message))
    }, longestPause)
  }

  connection.onInitialized(checkProjectSoon)
  documents.onDidSave(checkProjectSoon)
  documents.onDidChangeContent(({ document }) => checkSoon(document.uri))
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri))
    timers.delete(uri)
    durations.delete(uri)
    known.delete(uri)
    void connection.sendDiagnostics({ uri, diagnostics: [] })
    checkProjectSoon()
  })
  connection.onShutdown(() => clearTimeout(projectTimer))

  connection.onCodeLens(({ textDocument: { uri } }) => proofs.lensesFor(known.get(uri)?.findings ?? [], uri))

  connection.onExecuteCommand(async ({ command, arguments: words = [] }) => {
    const path = command === proveCommand ? pathOf(String(words[0])) : undefined
    if (path === undefined) return
    await proofs.run(await scanProject(requestFor(path, documents), io))
    if (canRefresh) await connection.sendRequest(CodeLensRefreshRequest.type)
  })

  connection.onHover(({ textDocument: { uri }, position }) => hoverAt(known.get(uri)?.findings ?? [], position))

  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const document = documents.get(uri)
    const opened = known.get(uri)
    if (!document || !opened || opened.version !== document.version) return []
    return opened.findings
      .filter((finding) => overlaps(toRange(finding), range))
      .flatMap((finding) => actionsFor(finding, document, opened.compilerVersion))
  })

  documents.listen(connection)
  connection.listen()
}

const pathOf = (uri: string): string | undefined => (uri.startsWith('file:') ? fileURLToPath(uri) : undefined)

/** `{ "service": "https://assay.example.com" }`: whose pages are linked. Other addresses are none that an editor should open. */
function pagesOf(options: unknown): string | undefined {
  const service = (options as { service?: unknown } | null | undefined)?.service
  return typeof service === 'string' && /^https?:\/\/\S+$/.test(service)
    ? `${service.replace(/\/+$/, '')}/detectors/`
    : undefined
}

/** What stands in the editor counts, saved or not; also for files that import one another. */
function requestFor(path: string, documents: TextDocuments<TextDocument>): ScanRequest {
  const unsaved = new Map(
    documents.all().flatMap((open) => {
      const location = pathOf(open.uri)
      return location === undefined ? [] : [[location, open.getText()] as const]
    }),
  )
  return { ...toScanRequest([path], { scope: 'product', include: [], exclude: [], remappings: [] }), unsaved }
}

async function scanDocument(
  document: TextDocument,
  documents: TextDocuments<TextDocument>,
  io: Io,
  pages: string | undefined,
): Promise<Omit<Opened, 'version'> & { diagnostics: Diagnostic[]; settings: readonly Setting[] }> {
  const path = pathOf(document.uri)
  if (path === undefined) return { diagnostics: [], settings: [], findings: [], compilerVersion: undefined }
  const { outcomes, programs, project, settings } = await scanProject(requestFor(path, documents), io)
  const [outcome] = outcomes
  if (!outcome || !isScanned(outcome)) {
    const message = outcome?.error ?? 'not scanned'
    const start = { line: 0, character: 0 }
    // A file that is only begun is no fault to be shouted about.
    const diagnostic = {
      range: { start, end: start },
      severity: DiagnosticSeverity.Information,
      source: 'assay',
      message,
    }
    const diagnostics = document.getText().trim() === '' ? [] : [diagnostic]
    return { diagnostics, settings, findings: [], compilerVersion: undefined }
  }
  const findings = locate([outcome]).map(({ finding }) => finding)
  const texts = programs.flatMap(({ files }) => files.map(({ text }) => text))
  return {
    diagnostics: findings.map((finding) => toDiagnostic(finding, document.uri, io.folder, pages)),
    settings,
    findings,
    compilerVersion: chooseCompilerVersion(texts, project?.compilers),
  }
}

const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character)
const overlaps = (a: Range, b: Range): boolean => !isBefore(a.end, b.start) && !isBefore(b.end, a.start)

async function hoverAt(findings: readonly Shown[], position: Position): Promise<Hover | null> {
  const here = findings.filter((finding) => overlaps(toRange(finding), { start: position, end: position }))
  const examples = await loadDetectorExamples()
  const pages = [...new Set(here.map(({ detector }) => detector))].flatMap((id) => {
    const detector = detectors.find((each) => each.id === id)
    return detector ? [detectorPage(detector, examples[id])] : []
  })
  return pages.length === 0 ? null : { contents: { kind: 'markdown', value: pages.join('\n\n---\n\n') } }
}

function actionsFor(finding: Shown, document: TextDocument, compilerVersion: string | undefined): CodeAction[] {
  const [fix] = proposeFixes(document.getText(), finding, { compilerVersion })
  const diagnostics = [toDiagnostic(finding, document.uri, '')]
  const fixing: CodeAction[] = fix
    ? [
        {
          title: fix.safety === 'safe' ? fix.title : messages.unsafeChangesBehavior(fix.title),
          kind: CodeActionKind.QuickFix,
          diagnostics,
          isPreferred: fix.safety === 'safe',
          edit: {
            changes: {
              [document.uri]: fix.edits.map(({ start, end, text }) =>
                TextEdit.replace({ start: document.positionAt(start), end: document.positionAt(end) }, text),
              ),
            },
          },
        },
      ]
    : []
  return [...fixing, suppressing(finding, document, diagnostics)]
}

/** A comment above the line; the reason is for the person to write. */
function suppressing(finding: Shown, document: TextDocument, diagnostics: Diagnostic[]): CodeAction {
  const line = finding.line - 1
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } })
  const indent = /^\s*/.exec(text.replace(/\r?\n$/, ''))?.[0] ?? ''
  const id = finding.vulnerabilityId ?? finding.detector
  return {
    title: messages.suppressHereReason(id),
    kind: CodeActionKind.QuickFix,
    diagnostics,
    edit: {
      changes: {
        [document.uri]: [TextEdit.insert({ line, character: 0 }, messages.assayIgnoreWhyFalse(indent, id))],
      },
    },
  }
}
