/**
 * The service under load, started as a user starts it, with the load coming from a second process on this machine; beside it, in the
 * same run and on the same cores, what the engine alone needs for the same files.
 *   npm run bench:load -- [--seconds 20] [--full] [--connections 32] [--bytes 10240] [--warm-up 3000]
 *   --full: five minutes each. TEST_DATABASE_URL=postgres://…: PostgreSQL too.
 * Prints a table and writes bench/results/load.json.
 *
 * How the two are compared: CPU time, not wall time, of all threads of a process, so that garbage collection and compilation count on
 * both sides. The engine alone is one process for each core, all busy at once, each doing nothing but scanning texts that are in
 * memory already: no upload, no decoding, no JSON, no compression, no message between processes. It has the same bundled code, the same
 * young generation as a worker of the server and as many warm-up scans per thread, and it runs right before and right after the
 * server; the mean counts. The load generator's own CPU counts for neither, but it takes its share of the same cores.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildSync } from 'esbuild'
import pg from 'pg'
import type { LoadOrder, LoadReport } from './load-client.ts'
import { textTable } from './text-table.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    full: { type: 'boolean', default: false },
    connections: { type: 'string', default: '32' },
    bytes: { type: 'string', default: '10240' },
    'warm-up': { type: 'string', default: '3000' },
  },
})
const seconds = values.full ? 300 : Number(values.seconds)
const connections = Number(values.connections)
const contractBytes = Number(values.bytes)
/** For each worker: until then it, and the serving thread even longer, is still compiling. */
const warmUpScans = Number(values['warm-up'])
const cores = availableParallelism()
const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = join(root, 'server', 'bin', 'assay-server.mjs')
/** Bundled once, like the server: all of one run measure the same code. */
const helpers = mkdtempSync(join(tmpdir(), 'assay-load-helpers-'))
const engineHelper = bundle('load-engine')
const clientHelper = bundle('load-client')
/** As the workers have it. */
const SEMI_SPACE_MB = 16
const clockTicks = Number(execFileSync('getconf', ['CLK_TCK']).toString())

interface Measured {
  readonly database: 'SQLite' | 'PostgreSQL'
  readonly load: LoadReport
  readonly serverCpuMs: number
  /** The part of it that the serving thread needs: everything but the workers. */
  readonly servingCpuMs: number
  readonly engineCpuMs: number
  readonly memoryMb: { readonly start: number; readonly end: number; readonly max: number; readonly perMinute: number }
}

interface Check {
  readonly measure: string
  readonly value: number
  readonly target: number
  readonly unit: string
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const databases: Measured[] = [await measure('SQLite', {})]
const serverUrl = process.env.TEST_DATABASE_URL
if (serverUrl) {
  const name = `assay_bench_${process.pid}`
  await administer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  try {
    databases.push(
      await measure('PostgreSQL', { DATABASE_URL: url.href, MASTER_SECRET: 'a secret for this bench alone' }),
    )
  } finally {
    await administer(serverUrl, `drop database ${name} with (force)`)
  }
} else process.stdout.write('skipped: PostgreSQL (set TEST_DATABASE_URL=postgres://… to measure it too)\n')

rmSync(helpers, { recursive: true, force: true })
report(databases)

function bundle(name: string): string {
  const outfile = join(helpers, `${name}.mjs`)
  const entryPoints = [join(root, 'bench', `${name}.ts`)]
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20.19' })
  return outfile
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function measure(database: Measured['database'], more: Record<string, string>): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-load-'))
  const environment = { ...process.env, DATA_DIR: folder, PORT: '0', TEST_DATABASE_URL: '', ...more }
  process.stdout.write(`${database}: engine alone\n`)
  const engineBefore = await measureEngine()
  process.stdout.write(`${database}: ${connections} connections for ${seconds} s\n`)
  const { server, port } = await startServer(environment, folder)
  try {
    const key = prepareAccount(environment)
    const order: LoadOrder = { port, key, connections, warmUpScans: warmUpScans * cores, seconds, contractBytes }
    const { load, cpuMs, servingCpuMs, memory } = await putUnderLoad(server, order)
    const engineAfter = await measureEngine()
    process.stdout.write(
      `${database}: ${(load.scans / load.seconds).toFixed(1)} scans/s, p50 ${load.p50.toFixed(1)} ms\n`,
    )
    return {
      database,
      load,
      serverCpuMs: cpuMs / load.scans,
      servingCpuMs: servingCpuMs / load.scans,
      engineCpuMs: (engineBefore + engineAfter) / 2,
      memoryMb: describeMemory(memory),
    }
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** CPU milliseconds per scan with every core busy, as it is in the server's workers. */
async function measureEngine(): Promise<number> {
  const order = JSON.stringify({ seconds: Math.min(10, seconds), warmUpScans, contractBytes })
  const runs = await Promise.all(
    Array.from({ length: cores }, async () => {
      const child = spawn(process.execPath, [`--max-semi-space-size=${SEMI_SPACE_MB}`, engineHelper, order], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return JSON.parse(await textOf(child)) as { scans: number; cpuMs: number }
    }),
  )
  return sum(runs.map((run) => run.cpuMs)) / sum(runs.map((run) => run.scans))
}

async function startServer(env: NodeJS.ProcessEnv, folder: string): Promise<{ server: ChildProcess; port: number }> {
  const log = join(folder, 'output.log')
  const output = openSync(log, 'w')
  const server = spawn(process.execPath, [launcher], { cwd: root, env, stdio: ['ignore', output, output] })
  process.once('exit', () => server.kill('SIGKILL'))
  for (let waited = 0; waited < 600; waited++) {
    const port = /serving on http:\/\/[^:]+:(\d+)/.exec(readFileSync(log, 'utf8'))?.[1]
    if (port) return { server, port: Number(port) }
    if (server.exitCode !== null) break
    await pause(100)
  }
  throw new Error(`the server did not start:\n${readFileSync(log, 'utf8')}`)
}

function prepareAccount(env: NodeJS.ProcessEnv): string {
  const admin = (...args: string[]): string =>
    execFileSync(process.execPath, [launcher, 'admin', ...args], { cwd: root, env })
      .toString()
      .trim()
  const many = '1000000000'
  admin('create-account', 'load@example.com')
  admin(
    'limits',
    'load@example.com',
    '--scans-per-day',
    many,
    '--requests-per-hour',
    many,
    '--max-contract-bytes',
    '512000',
  )
  return admin('create-key', 'load@example.com')
}

/** Samples the server from the end of the warm-up to the end of the load. */
async function putUnderLoad(server: ChildProcess, order: LoadOrder) {
  const client = spawn(process.execPath, [clientHelper, JSON.stringify(order)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const answer = textOf(client)
  await once(client.stderr, 'data')
  const cpuBefore = cpuMsOf(server)
  const servingBefore = cpuMsOf(server, true)
  const memory: number[] = [memoryMbOf(server)]
  const sampling = setInterval(() => memory.push(memoryMbOf(server)), 1000)
  await pause(order.seconds * 1000)
  const cpuMs = cpuMsOf(server) - cpuBefore
  const servingCpuMs = cpuMsOf(server, true) - servingBefore
  clearInterval(sampling)
  return { load: JSON.parse(await answer) as LoadReport, cpuMs, servingCpuMs, memory }
}

/** User and system time of the service and its workers, or of the serving process alone. */
function cpuMsOf({ pid }: ChildProcess, isServingAlone = false): number {
  return sum((isServingAlone ? [Number(pid)] : familyOf(Number(pid))).map(cpuMsOfOne))
}

function cpuMsOfOne(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / clockTicks
}

/** A process and its workers. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(/\s+/).map(Number))]
}

function memoryMbOf({ pid }: ChildProcess): number {
  const rss = (one: number): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0)
  return sum(familyOf(Number(pid)).map(rss)) / 1024
}

/** Growth is the slope through the second half: the first holds what a young process still fills. */
function describeMemory(samples: readonly number[]): Measured['memoryMb'] {
  const late = samples.slice(samples.length >> 1)
  const middle = (late.length - 1) / 2
  const mean = sum(late) / late.length
  const spread = sum(late.map((_, i) => (i - middle) ** 2))
  const slope = spread === 0 ? 0 : sum(late.map((value, i) => (i - middle) * (value - mean))) / spread
  return { start: samples[0]!, end: samples.at(-1)!, max: Math.max(...samples), perMinute: slope * 60 }
}

function checksOf({ database, load, serverCpuMs, engineCpuMs, memoryMb }: Measured): Check[] {
  const errors = sum(Object.values(load.errors))
  return [
    {
      measure: `${database}: server CPU per scan beyond the engine's`,
      value: serverCpuMs - engineCpuMs,
      target: 2,
      unit: 'ms',
    },
    { measure: `${database}: p99 ÷ p50`, value: load.p99 / load.p50, target: 10, unit: '×' },
    { measure: `${database}: errors`, value: errors, target: 0, unit: '' },
    // In a short run memory is still being filled.
    ...(seconds < 300
      ? []
      : [{ measure: `${database}: memory growth, second half`, value: memoryMb.perMinute, target: 5, unit: 'MB/min' }]),
  ]
}

function report(all: readonly Measured[]): void {
  const head = [
    'database',
    'scans/s',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'errors',
    'server CPU ms',
    'of it serving',
    'engine CPU ms',
    'memory MB',
  ]
  const rows = all.map(({ database, load, serverCpuMs, servingCpuMs, engineCpuMs, memoryMb }) => [
    database,
    (load.scans / load.seconds).toFixed(1),
    ...[load.p50, load.p95, load.p99].map((ms) => ms.toFixed(1)),
    String(sum(Object.values(load.errors))),
    serverCpuMs.toFixed(2),
    servingCpuMs.toFixed(2),
    engineCpuMs.toFixed(2),
    `${memoryMb.start.toFixed(0)} → ${memoryMb.end.toFixed(0)}, max ${memoryMb.max.toFixed(0)}`,
  ])
  const checks = all.flatMap(checksOf)
  const verdicts = checks.map(({ measure, value, target, unit }) => [
    value <= target ? 'ok' : 'MISSED',
    measure,
    `${value.toFixed(2)} ${unit}`.trim(),
    `≤ ${target} ${unit}`.trim(),
  ])
  process.stdout.write(`\n${textTable(head, rows)}\n\n${textTable(['', 'measure', 'value', 'target'], verdicts)}\n`)
  mkdirSync(join(root, 'bench', 'results'), { recursive: true })
  const result = { connections, seconds, cores, contractBytes, databases: all, checks }
  writeFileSync(join(root, 'bench', 'results', 'load.json'), `${JSON.stringify(result, null, 2)}\n`)
  if (verdicts.some(([verdict]) => verdict === 'MISSED')) process.exitCode = 1
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`a helper process ended with code ${code}`)
  return text
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
