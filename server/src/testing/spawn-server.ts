import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../admin/run-command.ts'
import { readConfig } from '../core/config.ts'

/** The service as a user starts it, a process of its own, that a test may kill. */
export interface SpawnedServer {
  readonly url: string
  readonly process: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** The part of it on standard output. */
  log(): string
  /** Resident memory now. */
  memoryBytes(): number
  kill(): Promise<void>
  stop(): Promise<number | null>
}

/** Builds what is stale first. */
const launcher = fileURLToPath(new URL('../../bin/assay-server.mjs', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const START_MS = 240_000

export interface ServerSettings {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  /** The folder it is started in; absent: the project's. */
  readonly cwd?: string
}

export const serverEnvironment = ({ dataDir, databaseUrl }: ServerSettings): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'warn',
  SCAN_WORKERS: '2',
  STOP_DELAY_MS: '0',
  MASTER_SECRET: 'a master secret for tests only',
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
})

export const spawnServer = (settings: ServerSettings, more: Record<string, string> = {}): Promise<SpawnedServer> =>
  spawnProcess(settings, more, [], /serving on (http:[^\s"]+)/)

/** A process that does queued work and serves nobody. */
export const spawnWorker = (settings: ServerSettings, more: Record<string, string> = {}): Promise<SpawnedServer> =>
  spawnProcess(settings, more, ['worker'], /(working) on what is queued/)

async function spawnProcess(
  settings: ServerSettings,
  more: Record<string, string>,
  args: readonly string[],
  ready: RegExp,
): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: settings.cwd ?? root,
    env: { ...serverEnvironment(settings), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let log = ''
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not start:\n${output}`)), START_MS)
    const read = (chunk: Buffer): void => {
      output += chunk
      const address = ready.exec(output)?.[1]
      if (!address) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk
      read(chunk)
    })
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}:\n${output}`)))
  })
  return {
    url,
    process: child,
    output: () => output,
    log: () => log,
    memoryBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

/** Runs operator commands as an operator would, beside the spawned processes. */
export async function operate(
  settings: ServerSettings,
  ...commands: readonly (readonly string[])[]
): Promise<string[]> {
  const config = readConfig(serverEnvironment(settings))
  const printed: string[] = []
  for (const args of commands) printed.push(...(await runCommand(config, args)))
  return printed
}

/** Uploads one file as a client would. */
export async function upload(server: SpawnedServer, key: string, source: string): Promise<Response> {
  const body = new FormData()
  body.set('file', new Blob([source]), 'Vault.sol')
  return whenThereIsRoom(() =>
    fetch(`${server.url}/api/v1/scan`, { method: 'POST', headers: { 'x-api-key': key }, body }),
  )
}

/** On a busy machine the service sheds uploads, and a refused client asks again. */
export async function whenThereIsRoom(sendRequest: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await sendRequest()
    if (answer.status !== 503 || !answer.headers.has('retry-after')) return answer
    await answer.arrayBuffer()
  }
}
