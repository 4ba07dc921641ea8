/**
 * Ten times more scans than can be served: what is accepted must keep a bounded latency, the rest must be reported at once, better plans must come
 * first, and it must recover by itself.
 *   npm run bench:overload -- [--seconds 15] [--full] [--times 10] [--bytes 20000]      --full: a minute
 * First finds out how many scans a second the server can do with a few clients, then sends that many times ten at fixed moments, whether or not
 * earlier ones have been answered. Speaks HTTP by hand on plain sockets and goes before everything else where the system lets it: what is
 * measured is the service, not a client that waits for the machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { generateContract } from './generate-contract.ts'
import { readAnswer, toRequest } from './load-client.ts'
import { percentile, serve } from './served.ts'
import { textTable } from './text-table.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    full: { type: 'boolean', default: false },
    times: { type: 'string', default: '10' },
    bytes: { type: 'string', default: '20000' },
  },
})
const seconds = values.full ? 60 : Number(values.seconds)
const times = Number(values.times)
const CAPACITY_SECONDS = 5
const CLIENTS = 4
/** What waits for a worker (5 s at most), is scanned and stored. */
const MAX_ACCEPTED_MS = 8_000
const MAX_REFUSED_MS = 2_000

const plans = ['free', 'basic', 'pro'] as const

interface Answer {
  readonly status: number
  readonly ms: number
}

const server = await serve()
const source = generateContract(Number(values.bytes))
const idle: Socket[] = []
const requests = new Map<string, Buffer>()
goFirst()
try {
  const keys = plans.map((plan) => server.account(`${plan}@example.com`, plan))
  for (const key of keys) requests.set(key, toRequest(source, { key, port: server.port }))
  const perSecond = await findCapacity(keys[2] ?? '')
  process.stdout.write(`can do ${perSecond.toFixed(1)} scans/s; now ${(perSecond * times).toFixed(0)} a second\n`)
  const answers = await overload(keys, perSecond * times)
  const recovered = await scan(keys[0] ?? '')
  report(perSecond, answers, recovered)
} finally {
  for (const socket of idle) socket.destroy()
  await server.stop()
}

async function findCapacity(key: string): Promise<number> {
  const lane = async (until: number): Promise<number> => {
    let done = 0
    while (performance.now() < until) if ((await scan(key)).status === 200) done += 1
    return done
  }
  const run = async (forSeconds: number): Promise<number> => {
    const until = performance.now() + forSeconds * 1000
    const done = await Promise.all(Array.from({ length: CLIENTS }, () => lane(until)))
    return done.reduce((sum, n) => sum + n, 0) / forSeconds
  }
  await run(CAPACITY_SECONDS)
  return run(CAPACITY_SECONDS)
}

async function overload(keys: readonly string[], perSecond: number): Promise<Answer[][]> {
  const all: Promise<Answer>[][] = keys.map(() => [])
  const total = Math.ceil(perSecond * seconds)
  const began = performance.now()
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * perSecond))
    for (; sent < due; sent++) all[sent % keys.length]?.push(scan(keys[sent % keys.length] ?? ''))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return Promise.all(all.map((answers) => Promise.all(answers)))
}

async function scan(key: string): Promise<Answer> {
  const socket = idle.pop() ?? open()
  const started = performance.now()
  socket.write(requests.get(key) ?? Buffer.alloc(0))
  const { status, isLast } = await readAnswer(socket).catch(() => ({ status: 0, isLast: true }))
  const ms = performance.now() - started
  if (isLast) socket.destroy()
  else idle.push(socket)
  return { status, ms }
}

function open(): Socket {
  const socket = connect(server.port, '127.0.0.1').setNoDelay(true)
  return socket
    .on('error', () => {})
    .once('close', () => {
      const at = idle.indexOf(socket)
      if (at >= 0) idle.splice(at, 1)
    })
}

/** Most systems allow that to their administrator alone. */
function goFirst(): void {
  try {
    setPriority(-10)
  } catch {
    // It will do at the priority it has.
  }
}

function report(perSecond: number, answers: readonly (readonly Answer[])[], recovered: Answer): void {
  const rows = answers.map((ofPlan, i) => {
    const accepted = ofPlan.filter(({ status }) => status === 200).map(({ ms }) => ms)
    const refused = ofPlan.filter(({ status }) => status === 503).map(({ ms }) => ms)
    const lost = ofPlan.length - accepted.length - refused.length
    return [
      plans[i] ?? '',
      String(ofPlan.length),
      String(accepted.length),
      ...[0.5, 0.99, 1].map((share) => (accepted.length ? percentile(accepted, share).toFixed(0) : '–')),
      String(refused.length),
      ...[0.5, 1].map((share) => (refused.length ? percentile(refused, share).toFixed(0) : '–')),
      String(lost),
    ]
  })
  const head = [
    'plan',
    'sent',
    'accepted',
    'p50 ms',
    'p99 ms',
    'max ms',
    'refused',
    'p50 ms',
    'max ms',
    'other or lost',
  ]
  const flat = answers.flat()
  const most = (status: number): number =>
    Math.max(0, ...flat.filter((answer) => answer.status === status).map(({ ms }) => ms))
  const lost = flat.filter(({ status }) => status !== 200 && status !== 503).length
  const done = flat.filter(({ status }) => status === 200).length / seconds
  const checks: [string, number, number][] = [
    ['slowest accepted, ms', most(200), MAX_ACCEPTED_MS],
    ['slowest refusal, ms', most(503), MAX_REFUSED_MS],
    ['lost or failed', lost, 0],
    ['share of the capacity lost under overload', Math.max(0, 1 - done / perSecond), 0.7],
    ['first scan afterwards, ms', recovered.status === 200 ? recovered.ms : Number.POSITIVE_INFINITY, 3_000],
  ]
  const verdicts = checks.map(([measure, value, target]) => [
    value <= target ? 'ok' : 'MISSED',
    measure,
    value.toFixed(2),
    `≤ ${target}`,
  ])
  process.stdout.write(`${textTable(head, rows)}\n\n${textTable(['', 'measure', 'value', 'target'], verdicts)}\n`)
  const results = join(fileURLToPath(new URL('.', import.meta.url)), 'results')
  mkdirSync(results, { recursive: true })
  writeFileSync(
    join(results, 'overload.json'),
    `${JSON.stringify({ perSecond, times, seconds, rows, checks }, null, 2)}\n`,
  )
  if (verdicts.some(([verdict]) => verdict === 'MISSED')) process.exitCode = 1
}
