/**
 * Several services on one store, and a scheduler that drops clients, repeats requests, delays jobs, moves the clock and kills services, all by one
 * seed. Between two bursts everything comes to rest, and the promises are looked at: nothing is held, every accepted scan has ended, a result is charged
 * once, no finding is called fixed whose file was never fixed, and every service still takes a scan.
 *   npm run simulate -- [--seed 1] [--minutes 1] [--services 3]
 * Loopback only; ends by itself, at the first promise that is broken or when the time is over, and prints the seed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { createAnalysis } from '../server/src/analysis/analysis.ts'
import { buildApp } from '../server/src/app.ts'
import { testClock } from '../server/src/core/clock.ts'
import { readConfig } from '../server/src/core/config.ts'
import { heldBy } from '../server/src/core/gauges.ts'
import { createLog } from '../server/src/core/log.ts'
import type { Randomness } from '../server/src/core/randomness.ts'
import { createDeps, type Deps } from '../server/src/deps.ts'
import { bindJobs } from '../server/src/jobs/index.ts'
import { routes } from '../server/src/routes/index.ts'
import { startInstance } from '../server/src/services/scan-quota.ts'
import { reviveScans } from '../server/src/services/tend-scan-queue.ts'
import { openDatabase } from '../server/src/stores/database.ts'
import { form } from '../server/src/testing/form.ts'
import { findBrokenPromises } from '../server/src/testing/invariants.ts'
import { seededRandom } from '../server/src/testing/seeded-random.ts'
import { operate, serverEnvironment } from '../server/src/testing/spawn-server.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    services: { type: 'string', default: '3' },
  },
})
const random = seededRandom(values.seed)
const BURST = 12
const REST_MS = 30_000
const END_MS = 10_000
/** However slow the machine is: fewer would prove nothing. */
const LEAST_RESTS = 3
const projects = ['vault', 'token']
const files = ['A', 'B', 'C'] as const
/** Never sent in a fixed form: whatever says that its findings are fixed is wrong. */
const NEVER_FIXED = 'C'

const folder = mkdtempSync(path.join(tmpdir(), 'assay-simulate-'))
const environment = { ...serverEnvironment({ dataDir: folder }), SCAN_WORKERS: '1' }
const [, key = ''] = await operate(
  { dataDir: folder },
  ['create-account', 'ada@example.com', '--plan', 'pro'],
  ['create-key', 'ada@example.com'],
).then((lines) => [lines[0], lines.find((line) => line.startsWith('assay_live_'))])
const config = readConfig(environment)
const clock = testClock(new Date())
const database = await openDatabase({ dataDir: folder })
const randomness: Randomness = {
  bytes: (count) => Buffer.from(Array.from({ length: count }, () => random.integer(256))),
  integer: (below) => random.integer(below),
}

interface Service {
  readonly deps: Deps
  readonly app: FastifyInstance
  readonly port: number
  readonly beat: { stop(): Promise<void> }
}

async function startService(): Promise<Service> {
  const analysis = createAnalysis(config)
  const log = createLog({ level: 'silent' })
  const deps = await createDeps(config, { database, clock, randomness, log, analysis, pause: async () => {} })
  const onBeat = () => reviveScans(deps)
  const beat = await startInstance(deps, { isAlone: false, onError: () => {}, onBeat })
  const unhurried = { maxDelayMs: Number.POSITIVE_INFINITY, maxEnteringMs: Number.POSITIVE_INFINITY }
  const app = await buildApp<Deps>({ ...deps, pressure: unhurried } as Deps, routes)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { deps, app, port: Number(new URL(address).port), beat }
}

/** Its clients are cut off, and its work is given up. */
async function kill({ app, deps, beat }: Service): Promise<void> {
  app.server.closeAllConnections()
  await app.close()
  await beat.stop()
  await deps.close()
}

const sourceOf = (file: string, isFixed: boolean): string =>
  `pragma solidity 0.8.26;\ncontract ${file} { function end() external { ${isFixed ? '' : 'selfdestruct(payable(msg.sender));'} } }\n`

function scanRequest(): Buffer {
  const project = random.pick(projects)
  const file = random.pick(files)
  const isFixed = file !== NEVER_FIXED && random.integer(2) === 0
  const { payload, headers } = form(
    { name: 'file', fileName: `${file}.sol`, bytes: sourceOf(file, isFixed) },
    { name: 'project', value: project },
  )
  const more =
    random.integer(4) === 0 ? { 'idempotency-key': `key-${random.integer(5)}-${project}-${file}-${isFixed}` } : {}
  return bytesOf(random.integer(3) === 0 ? '/api/v1/scan?async=true' : '/api/v1/scan', { ...headers, ...more }, payload)
}

function batchRequest(): Buffer {
  const scans = files.map((file) => ({ sources: { [`${file}.sol`]: { content: sourceOf(file, false) } } }))
  const payload = Buffer.from(JSON.stringify({ project: random.pick(projects), scans }))
  return bytesOf('/api/v1/scans/batch', { 'content-type': 'application/json' }, payload)
}

function bytesOf(url: string, headers: Record<string, string>, payload: Buffer): Buffer {
  const all = { host: 'here', 'x-api-key': key, 'content-length': String(payload.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${url} HTTP/1.1\r\n${lines.join('')}\r\n`), payload])
}

/** Sends it, and stays for the answer or hangs up at some moment. */
async function send(port: number, bytes: Buffer): Promise<void> {
  const moment = random.pick(['stays', 'stays', 'during upload', 'after sending', 'while waiting'])
  const cut = 1 + random.integer(bytes.length - 1)
  const waitMs = random.integer(80)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const sent = new Promise<void>((resolve) => {
    socket.resume().write(moment === 'during upload' ? bytes.subarray(0, cut) : bytes, () => resolve())
  })
  if (moment === 'stays') await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
  else if (moment !== 'after sending') await pause(waitMs)
  else await Promise.race([sent, closed])
  socket.destroy()
  await closed
}

const services: Service[] = []
const seen = { requests: 0, killed: 0, rests: 0 }

async function burst(): Promise<void> {
  const work: Promise<unknown>[] = []
  for (let step = 0; step < BURST; step++) {
    const at = random.integer(services.length)
    const service = services[at] as Service
    const act = random.integer(20)
    if (act < 13) {
      const one = act < 11 ? scanRequest() : batchRequest()
      const bytes = random.integer(4) === 0 ? Buffer.concat([one, scanRequest()]) : one
      const repeats = random.integer(5) === 0 ? 2 : 1
      for (let n = 0; n < repeats; n++) work.push(send((services[(at + n) % services.length] as Service).port, bytes))
      seen.requests += repeats
    } else if (act < 17) work.push(service.deps.queue.runDue(bindJobs(service.deps)).catch(() => {}))
    else if (act < 19) clock.travel(`PT${1 + random.integer(20)}S`)
    else {
      seen.killed += 1
      work.push(kill(service))
      services[at] = await startService()
    }
    await pause(random.integer(30))
  }
  await Promise.all(work)
}

async function restOf(look: () => Promise<string[]>): Promise<string[]> {
  let broken = await look()
  for (const end = Date.now() + REST_MS; broken.length > 0 && Date.now() < end; broken = await look()) {
    clock.travel('PT20S')
    for (const { deps } of services) {
      await reviveScans(deps)
      await deps.queue.runDue(bindJobs(deps))
    }
    await pause(100)
  }
  return broken
}

async function findBroken(): Promise<string[]> {
  const held = services.map(({ deps }) => heldBy(deps.gauges)).filter((one) => Object.keys(one).length > 0)
  const wrong = await database.db
    .selectFrom('findings')
    .select(['project', 'file'])
    .where('state', '=', 'fixed')
    .where('file', '=', `${NEVER_FIXED}.sol`)
    .execute()
  return [
    ...held.map((one) => `held by an idle service: ${JSON.stringify(one)}`),
    ...(await findBrokenPromises(database.db)),
    ...wrong.map(({ project, file }) => `a finding in ${file} of ${project} is called fixed; it never was`),
  ]
}

let started = Date.now()
let broken: string[] = []
try {
  for (let n = 0; n < Number(values.services); n++) services.push(await startService())
  started = Date.now()
  const isOver = (): boolean => seen.rests >= LEAST_RESTS && Date.now() - started > Number(values.minutes) * 60_000
  while (broken.length === 0 && !isOver()) {
    await burst()
    broken = await restOf(findBroken)
    seen.rests += 1
  }
} catch (error) {
  broken = [`the simulation itself failed: ${error instanceof Error ? error.stack : error}`]
}
const count = async (table: 'scans' | 'findings'): Promise<number> =>
  (await database.db.selectFrom(table).select('id').execute()).length
if ((await count('scans')) === 0) broken.push('no scan gave a result')
const results = `${await count('scans')} results, ${await count('findings')} findings`
const stored = `${seen.requests} requests, ${results}, ${seen.killed} services killed, ${seen.rests} times at rest`
console.log(`seed ${random.seed}: ${stored}, ${Math.round((Date.now() - started) / 1000)} s`)
for (const line of broken) console.log(`BROKEN  ${line}`)
console.log(broken.length === 0 ? 'every promise held' : `repeat with: npm run simulate -- --seed ${random.seed}`)
await Promise.race([Promise.all(services.map((service) => kill(service).catch(() => {}))), pause(END_MS)])
rmSync(folder, { recursive: true, force: true })
process.exit(broken.length === 0 ? 0 : 1)
