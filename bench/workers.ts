/**
 * How throughput grows with worker processes, and that none of it is lost or done twice: batches on one PostgreSQL, one service that only takes
 * them in, and one, two and three workers; then a large batch over three of which one is killed in the middle. All on loopback.
 *   npm run bench:workers [-- --jobs 10000 --sample 1000]
 * Ends by itself and prints what it saw; the exit code says whether each contract had its result once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { operate, type SpawnedServer, spawnServer, spawnWorker } from '../server/src/testing/spawn-server.ts'
import { textTable } from './text-table.ts'
import { createThrowawayPostgres } from './throwaway-postgres.ts'

const WORKERS = 3
const LOOK_MS = 100

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '1000' }, sample: { type: 'string', default: '300' } },
})

/** Each another text, so that nothing can be remembered from one to the next. */
const contract = (n: number): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

contract Vault${n} {
    mapping(address => uint256) public balances;
    address public immutable owner = msg.sender;

    function put() external payable {
        balances[msg.sender] += msg.value;
    }

    function take(uint256 amount) external {
        require(balances[msg.sender] >= amount, "too much");
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent, "not sent");
        balances[msg.sender] -= amount;
    }

    function version() external pure returns (uint256) {
        return ${n};
    }
}
`

const folder = mkdtempSync(path.join(tmpdir(), 'assay-workers-'))
const postgres = await createThrowawayPostgres()
const settings = { dataDir: folder, databaseUrl: postgres.url }
const database = new pg.Client(postgres.url)
let server: SpawnedServer | undefined
let workers: SpawnedServer[] = []
let made = 0

const startWorkers = async (count: number): Promise<void> => {
  workers = await Promise.all(Array.from({ length: count }, () => spawnWorker(settings, { SCAN_WORKERS: '1' })))
}
const stopWorkers = async (): Promise<void> => {
  await Promise.all(workers.map((worker) => (worker.process.exitCode === null ? worker.stop() : undefined)))
  workers = []
}

interface Counts {
  readonly queued: number
  readonly running: number
  readonly completed: number
}

async function countBatch(batchId: string): Promise<Counts> {
  const { rows } = await database.query<{ status: string; n: string }>(
    'select status, count(*) as n from scan_requests where batch_id = $1 group by status',
    [batchId],
  )
  const of = (status: string): number => Number(rows.find((row) => row.status === status)?.n ?? 0)
  return { queued: of('queued'), running: of('running'), completed: of('completed') }
}

/** Queues a batch; the milliseconds it took to be accepted, and its id. */
async function queueBatch(url: string, key: string, count: number): Promise<{ batchId: string; acceptedMs: number }> {
  const sources = Object.fromEntries(
    Array.from({ length: count }, () => {
      made += 1
      return [`Vault${made}.sol`, { content: contract(made) }]
    }),
  )
  const started = performance.now()
  const answer = await fetch(`${url}/api/v1/scans/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ sources }),
  })
  const body = (await answer.json()) as { batchId: string; error?: string }
  if (answer.status !== 202) throw new Error(`the batch was refused: ${body.error}\n${server?.output()}`)
  return { batchId: body.batchId, acceptedMs: performance.now() - started }
}

/** Seconds until nothing of the batch is left; `look` sees each count in between. */
async function workOff(batchId: string, look: (counts: Counts) => Promise<void> = async () => {}): Promise<number> {
  const started = performance.now()
  for (;;) {
    const counts = await countBatch(batchId)
    await look(counts)
    if (counts.queued + counts.running === 0) return (performance.now() - started) / 1000
    await pause(LOOK_MS)
  }
}

try {
  // A large batch is taken apart in a worker, whose deadline must not depend on what else runs on this machine.
  server = await spawnServer(settings, { SCAN_WORKERS: '1', QUEUED_SCANS: 'workers', SCAN_TIMEOUT_MS: '120000' })
  const { url } = server
  await database.connect()
  const printed = await operate(
    settings,
    ['create-account', 'bench@example.com', '--plan', 'pro'],
    ['create-key', 'bench@example.com'],
    ['limits', 'bench@example.com', '--scans-per-day', '1000000', '--max-file-bytes', '10000000'],
  )
  const key = printed.find((line) => line.startsWith('assay_live_')) ?? ''
  const rows: string[][] = []
  let alone = 0
  for (let count = 1; count <= WORKERS; count++) {
    await startWorkers(count)
    const size = Number(values.sample)
    // What is done once in a process is not what is measured.
    await workOff((await queueBatch(url, key, 20 * count)).batchId)
    const { batchId } = await queueBatch(url, key, size)
    const seconds = await workOff(batchId)
    await stopWorkers()
    const perSecond = size / seconds
    if (count === 1) alone = perSecond
    rows.push([String(count), String(size), seconds.toFixed(1), perSecond.toFixed(1), (perSecond / alone).toFixed(2)])
    console.log(`${count} workers: ${perSecond.toFixed(1)} contracts/s`)
  }
  console.log(textTable(['workers', 'contracts', 'seconds', 'per second', 'of one'], rows))

  const size = Number(values.jobs)
  await startWorkers(WORKERS)
  const { batchId, acceptedMs } = await queueBatch(url, key, size)
  console.log(`a batch of ${size} contracts was accepted in ${(acceptedMs / 1000).toFixed(1)} s`)
  let killedAt: number | undefined
  const seconds = await workOff(batchId, async ({ completed }) => {
    if (killedAt !== undefined || completed < size / 3) return
    killedAt = completed
    await workers[0]?.kill()
    console.log(`a worker was killed after ${completed} contracts`)
  })
  const { rows: held } = await database.query<Record<'requested' | 'results' | 'names' | 'jobs', string>>(
    `select (select count(*) from scan_requests where batch_id = $1) as requested,
       (select count(*) from scans s join scan_requests r on r.id = s.id where r.batch_id = $1 and r.status = 'completed') as results,
       (select count(distinct s.file_name) from scans s join scan_requests r on r.id = s.id where r.batch_id = $1) as names,
       (select count(*) from scan_uploads) as jobs`,
    [batchId],
  )
  const { rows: charged } = await database.query<{ n: string }>('select sum(n) as n from scan_counts')
  const [all] = held
  const isHeld =
    killedAt !== undefined &&
    [all?.requested, all?.results, all?.names].every((n) => Number(n) === size) &&
    Number(all?.jobs) === 0 &&
    Number(charged[0]?.n) === made
  console.log(
    `${size} contracts over ${WORKERS} workers, one killed: ${seconds.toFixed(1)} s, ${(size / seconds).toFixed(1)} per second`,
  )
  console.log(
    `${isHeld ? 'held' : 'LOST'}  each result once: ${all?.results} results of ${all?.names} contracts, ${charged[0]?.n} scans charged of ${made} requested, ${all?.jobs} sources left waiting`,
  )
  if (!isHeld) process.exitCode = 1
} finally {
  for (const worker of workers) if (worker.process.exitCode === null) await worker.kill()
  if (server && server.process.exitCode === null) await server.kill()
  await database.end().catch(() => {})
  postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}
