/** A server as a user starts it, in a folder of its own, for benches that ask it as clients do. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = join(root, 'server', 'bin', 'assay-server.mjs')

export interface Served {
  readonly port: number
  readonly url: string
  readonly process: ChildProcess
  /** Makes an account with limits that a bench does not run into; gives its key. */
  account(email: string, plan?: 'free' | 'basic' | 'pro'): string
  stop(): Promise<void>
}

export async function serve(more: Record<string, string> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', TEST_DATABASE_URL: '', LOG_LEVEL: 'warn', ...more }
  const log = join(folder, 'output.log')
  const output = openSync(log, 'w')
  const server = spawn(process.execPath, [launcher], { cwd: root, env, stdio: ['ignore', output, output] })
  process.once('exit', () => server.kill('SIGKILL'))
  const port = await portOf(server, log)
  const admin = (...args: string[]): string =>
    execFileSync(process.execPath, [launcher, 'admin', ...args], { cwd: root, env })
      .toString()
      .trim()
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    process: server,
    account(email, plan = 'free') {
      admin('create-account', email)
      if (plan !== 'free') admin('set-plan', email, plan)
      const many = '1000000000'
      admin(
        'limits',
        email,
        '--scans-per-day',
        many,
        '--requests-per-hour',
        many,
        '--max-contract-bytes',
        String(512_000),
      )
      return admin('create-key', email)
    },
    async stop() {
      server.kill('SIGTERM')
      await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function portOf(server: ChildProcess, log: string): Promise<number> {
  for (let waited = 0; waited < 600 && server.exitCode === null; waited++) {
    const port = /serving on http:\/\/[^:]+:(\d+)/.exec(readFileSync(log, 'utf8'))?.[1]
    if (port) return Number(port)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the server did not start:\n${readFileSync(log, 'utf8')}`)
}

/** Milliseconds from asking to the last byte, and the status; 0 when the connection failed. */
export async function timed(sendRequest: () => Promise<Response>): Promise<{ ms: number; status: number }> {
  const started = performance.now()
  try {
    const response = await sendRequest()
    await response.arrayBuffer()
    return { ms: performance.now() - started, status: response.status }
  } catch {
    return { ms: performance.now() - started, status: 0 }
  }
}

export function upload(url: string, key: string, source: string, more: Record<string, string> = {}): Promise<Response> {
  const body = new FormData()
  body.set('file', new Blob([source]), 'Bench.sol')
  return fetch(`${url}/api/v1/scan`, { method: 'POST', headers: { 'x-api-key': key, ...more }, body })
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
