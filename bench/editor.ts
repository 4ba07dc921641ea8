/**
 * npm run bench:editor [-- <folder> <file>]: how long after a key the findings of a file are on the screen. The server runs as
 * an editor starts it, in the folder of a project; each key adds a statement, a comment or takes them away again. The first key
 * is pressed when the findings of the project are known. On a busy machine the processor time is the honest figure (Linux only).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { fetchProject } from './fetch-project.ts'
import { textTable } from './text-table.ts'

const command = fileURLToPath(new URL('../cli/bin/assay.mjs', import.meta.url))
const [givenFolder, givenFile] = process.argv.slice(2)
const source = givenFolder ?? fetchProject('@aave/core-v3@1.19.3')
const file = givenFile ?? 'contracts/protocol/libraries/logic/ValidationLogic.sol'
const keys = 12

if (source === undefined) throw new Error('the project could not be fetched')
const work = mkdtempSync(join(tmpdir(), 'assay-bench-editor-'))
const folder = join(work, 'project')
cpSync(source, folder, { recursive: true })
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sol'))
const text = readFileSync(join(folder, file), 'utf8')
const uri = pathToFileURL(join(folder, file)).href

const server = spawn(process.execPath, [command, 'lsp'], {
  cwd: folder,
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { ...process.env, ASSAY_CACHE_DIR: join(work, 'cache') },
})
const client = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin))
let arrived: (version: number) => void = () => {}
client.onNotification(PublishDiagnosticsNotification.type, (params) => {
  if (params.uri === uri && params.version !== undefined) arrived(params.version)
})
client.listen()

/** Milliseconds until the findings of this version of the text are published. */
const answered = (version: number): Promise<number> => {
  const started = performance.now()
  return new Promise((resolve) => {
    arrived = (published) => {
      if (published === version) resolve(performance.now() - started)
    }
  })
}

/** Milliseconds of the server's processor time, all threads; NaN where the system does not say. */
const processorTime = (): number => {
  try {
    const [, fields = ''] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13).map(Number)
    // In ticks of a hundredth of a second.
    return (user! + system!) * 10
  } catch {
    return Number.NaN
  }
}

/** Until the server works on nothing any more: the whole project is scanned in the background. */
async function settled(): Promise<void> {
  for (let before = -1, now = processorTime(); now - before > 20; now = processorTime()) {
    before = now
    await setTimeout(1000)
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

try {
  await client.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  })
  await client.sendNotification(InitializedNotification.type, {})
  const opening = answered(1)
  await client.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'solidity', version: 1, text },
  })
  const opened = await opening
  await settled()
  const spentBefore = processorTime()
  const times: { comment: number[]; statement: number[] } = { comment: [], statement: [] }
  for (let version = 2; version < keys + 2; version++) {
    const isComment = version % 2 === 0
    const added = isComment ? `// ${'x'.repeat(version)}\n` : `assert(${version} > 0);\n`
    const changed = isComment
      ? text.replace(/\{\n/, `{\n${added}`)
      : text.replace(/;(\s*\n {2,4}\}\s*\n)/, `;\n${added}$1`)
    const answer = answered(version)
    await client.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [{ text: changed }],
    })
    times[isComment ? 'comment' : 'statement'].push(await answer)
  }
  const spent = (processorTime() - spentBefore) / keys
  const shown = (value: number): string => `${value.toFixed(0)} ms`
  console.log(
    textTable(
      ['file', 'lines', 'files', 'opened', 'comment (median)', 'statement (median)', 'most', 'processor per key'],
      [
        [
          file,
          String(text.split('\n').length),
          String(files.length),
          shown(opened),
          shown(median(times.comment)),
          shown(median(times.statement)),
          shown(Math.max(...times.comment, ...times.statement)),
          shown(spent),
        ],
      ],
    ),
  )
} finally {
  client.dispose()
  const ended = once(server, 'exit')
  server.kill()
  await ended
  rmSync(work, { recursive: true, force: true })
}
