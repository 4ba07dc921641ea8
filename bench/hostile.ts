/**
 * What one account can do to the others: a default server, an account on the free plan that attacks it in every way known, and beside it someone
 * who asks `/health` and scans a small file. The attacker's numbers of the plan are lifted, so that nothing but the service itself stops it.
 *   npm run bench:hostile -- [--seconds 5] [--only <part of a name>] [--untimed]
 * Targets: `/health` waits at most 250 ms longer than idle, a small scan of another account 500 ms at the median and
 * at most 2 s. `--untimed` judges refusals alone, on a machine that is busy otherwise.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildSync } from 'esbuild'
import { type AttackOrder, attacks } from './hostile-client.ts'
import { percentile, type Served, serve, timed, upload } from './served.ts'
import { textTable } from './text-table.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
    untimed: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const MAX_HEALTH_MS = 250
const MAX_SCAN_MS = 2_000
const MEDIAN_SCAN_MS = 500
const small = 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n'
const root = fileURLToPath(new URL('..', import.meta.url))

interface Seen {
  readonly name: string
  readonly health: readonly number[]
  readonly scans: readonly number[]
  /** Statuses of small scans that were not answered 200. */
  readonly refused: readonly number[]
}

const helpers = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
const client = join(helpers, 'hostile-client.mjs')
buildSync({
  entryPoints: [join(root, 'bench', 'hostile-client.ts')],
  outfile: client,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
})
const server = await serve()
try {
  const hostile = server.account('hostile@example.com')
  const victim = server.account('victim@example.com')
  for (let i = 0; i < 20; i++) await timed(() => upload(server.url, victim, small))
  const idle = await watch(server, victim, 'idle', seconds)
  const names = Object.keys(attacks).filter((name) => name.includes(values.only ?? ''))
  const seen: Seen[] = []
  for (const attack of names) seen.push(await under({ attack, url: server.url, key: hostile }, victim))
  report(idle, seen)
} finally {
  await server.stop()
  rmSync(helpers, { recursive: true, force: true })
}

async function under(order: AttackOrder, victim: string): Promise<Seen> {
  const child = spawn(process.execPath, [client, JSON.stringify(order)], { stdio: 'ignore' })
  try {
    return await watch(server, victim, order.attack, seconds)
  } finally {
    child.kill('SIGKILL')
    // What it left behind in the line is not the next one's doing.
    await pause(Math.min(2_000, 1_000 * seconds))
  }
}

async function watch({ url }: Served, key: string, name: string, forSeconds: number): Promise<Seen> {
  const until = performance.now() + forSeconds * 1000
  const health: number[] = []
  const scans: number[] = []
  const refused: number[] = []
  const repeat = async (pauseMs: number, act: () => Promise<void>): Promise<void> => {
    while (performance.now() < until) {
      await act()
      await pause(pauseMs)
    }
  }
  await Promise.all([
    repeat(20, async () => void health.push((await timed(() => fetch(`${url}/health`))).ms)),
    repeat(100, async () => {
      const { ms, status } = await timed(() => upload(url, key, small))
      scans.push(ms)
      if (status !== 200) refused.push(status)
    }),
  ])
  return { name, health, scans, refused }
}

function report(idle: Seen, seen: readonly Seen[]): void {
  const idleHealth = percentile(idle.health, 0.5)
  const rows = [idle, ...seen].map(({ name, health, scans, refused }) => {
    const later = percentile(health, 1) - idleHealth
    const slowest = percentile(scans, 1)
    const isInTime = later <= MAX_HEALTH_MS && slowest <= MAX_SCAN_MS && percentile(scans, 0.5) <= MEDIAN_SCAN_MS
    const isOk = (values.untimed || isInTime) && refused.length === 0
    return [
      isOk || name === 'idle' ? 'ok' : 'MISSED',
      name,
      ...[percentile(health, 0.5), percentile(health, 1), percentile(scans, 0.5), slowest].map((ms) => ms.toFixed(1)),
      refused.length === 0 ? '0' : `${refused.length} (${[...new Set(refused)].sort().join(', ')})`,
    ]
  })
  const head = ['', 'attack', '/health p50 ms', 'max', 'small scan p50 ms', 'max', 'refused']
  process.stdout.write(`${textTable(head, rows)}\n`)
  mkdirSync(join(root, 'bench', 'results'), { recursive: true })
  writeFileSync(join(root, 'bench', 'results', 'hostile.json'), `${JSON.stringify({ seconds, rows }, null, 2)}\n`)
  if (rows.some(([verdict]) => verdict === 'MISSED')) process.exitCode = 1
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
