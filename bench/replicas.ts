/**
 * Three replicas on one PostgreSQL behind a small balancer, all on loopback: they start together on an empty database, limits,
 * sessions, idempotent answers and recurring jobs hold across them, and a rolling restart under load loses no request and no event.
 *   npm run replicas [-- --rounds 1] [--short]      --short: two replicas behind one balancer, nginx where it is installed
 * Ends by itself and prints what it saw; the exit code says whether all of it held.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { refusalOf } from '../server/src/core/errors.ts'
import recurring from '../server/src/jobs/sweep-billing.ts'
import { operate, type SpawnedServer, spawnServer } from '../server/src/testing/spawn-server.ts'
import { type Balancer, freePort, startBalancer, startNginx } from './balancer.ts'
import { createThrowawayPostgres } from './throwaway-postgres.ts'

const CLIENTS = 4
const PATIENCE_MS = 60_000
const SHED = `503 ${refusalOf('scanQueueFull', 1).message}`
const source = 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n'
const password = 'a long enough password'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1' }, short: { type: 'boolean', default: false } },
})
const REPLICAS = values.short ? 2 : 3
const results: { check: string; isHeld: boolean; saw: string }[] = []
const hold = (check: string, isHeld: boolean, saw: string): void => {
  results.push({ check, isHeld, saw })
  console.log(`${isHeld ? 'held' : 'LOST'}  ${check}: ${saw}`)
}

const folder = mkdtempSync(path.join(tmpdir(), 'assay-replicas-'))
const postgres = await createThrowawayPostgres()
const settings = { dataDir: folder, databaseUrl: postgres.url }
/** An empty setting is its default: a replica gives notice before it stops. */
const start = (port: number): Promise<SpawnedServer> =>
  spawnServer(settings, { PORT: String(port), SCAN_WORKERS: '1', TRUST_PROXY: '1', STOP_DELAY_MS: '' })
let replicas: SpawnedServer[] = []
let balancers: Balancer[] = []
let receiver: Receiver | undefined

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Every replica knows of a step that another has answered. */
async function checkSessions({ url }: Balancer): Promise<void> {
  const person = { email: 'ada@example.com', password, name: 'Ada' }
  await post(`${url}/api/register`, person)
  let otp: string | undefined
  while (!otp) {
    await pause(50)
    otp = /mail to ada@example\.com: (\d{6})/.exec(replicas.map((replica) => replica.output()).join('\n'))?.[1]
  }
  await post(`${url}/api/verify-email`, { email: person.email, otp })
  const credentials = { email: person.email, password }
  const { token } = (await (await post(`${url}/api/login`, credentials)).json()) as { token: string }
  const atEach = (sendRequest: (base: string) => Promise<Response>) =>
    Promise.all(replicas.map(async (replica) => (await sendRequest(replica.url)).status))
  const headers = { authorization: `Bearer ${token}` }
  const me = (base: string) => fetch(`${base}/api/me`, { headers })
  const during = await atEach(me)
  await post(`${url}/api/logout`, {}, headers)
  const after = await atEach(me)
  hold(
    'a session is known to every replica until it ends',
    during.every((status) => status === 200) && after.every((status) => status === 401),
    `${during.join(' ')}, then ${after.join(' ')}`,
  )
  const guess = (base: string) => post(`${base}/api/login`, { ...credentials, password: 'not the password' })
  const guesses: number[] = []
  for (let round = 0; round < 5; round++) guesses.push(...(await atEach(guess)))
  const looked = guesses.filter((status) => status === 401).length
  hold('failed log-ins count over all replicas', looked === 10, `${looked} of ${guesses.length} looked at`)
}

/** Counts how often the most frequent recurring job is enqueued, by the moments at which it is due. */
async function watchRecurringJobs(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create table enqueued (at timestamptz not null default clock_timestamp());
    create function note_enqueued() returns trigger language plpgsql as
      $$ begin insert into enqueued default values; return null; end $$;
    create trigger note_enqueued after insert on pgboss.job for each row
      when (new.name = '${recurring.name}') execute function note_enqueued()`)
  const count = async () => {
    const { rows } = await client.query<{ n: string }>(
      `select count(*) as n from enqueued group by floor(extract(epoch from at) / ${recurring.everySeconds})`,
    )
    return { moments: rows.length, repeated: rows.filter(({ n }) => Number(n) > 1).length }
  }
  /** The restarts may take less time than lies between two moments. */
  return async () => {
    const end = Date.now() + PATIENCE_MS
    let counted = await count()
    for (; counted.moments < 2 && Date.now() < end; counted = await count()) await pause(200)
    await client.end()
    return counted
  }
}

/** What undici knows of a connection that failed. */
interface SocketFailure extends Error {
  readonly code?: string
  readonly socket?: { readonly bytesWritten: number; readonly bytesRead: number }
}

/** Why there is no answer, and whether the connection had carried one before: then the client reused what the other side was closing. */
function describeFailure(error: Error): string {
  const cause = error.cause as SocketFailure | undefined
  if (!cause) return error.message
  const { code = cause.name, socket } = cause
  const phase = !socket ? 'while connecting' : socket.bytesRead > 0 ? 'on a reused connection' : 'on a new connection'
  return `${error.message} (${code} ${phase}: ${cause.message})`
}

interface Receiver {
  readonly url: string
  /** The ids under which each scan's event came. */
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const seen = new Map<string, Set<string>>()
  const server = createServer(async (request, response) => {
    const { scanId } = JSON.parse(await text(request)) as { scanId: string }
    const ids = seen.get(scanId) ?? new Set()
    seen.set(scanId, ids.add(String(request.headers['webhook-id'])))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    seen,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

try {
  const ports = await Promise.all(Array.from({ length: REPLICAS }, freePort))
  replicas = await Promise.all(ports.map(start))
  hold(
    'replicas start together on an empty database',
    replicas.length === REPLICAS,
    `${replicas.length} of ${REPLICAS}`,
  )
  const front = await startBalancer(ports)
  const nginx = await startNginx(ports)
  balancers = nginx ? [front, nginx] : [front]
  const tried = values.short ? balancers.slice(-1) : balancers

  const newKey = async (email: string, ...limits: string[]): Promise<string> => {
    const [, key = ''] = await operate(
      settings,
      ['create-account', email, '--plan', 'pro'],
      ['create-key', email],
    ).then((lines) => [lines[0], lines.find((line) => line.startsWith('assay_live_'))])
    if (limits.length > 0) await operate(settings, ['limits', email, ...limits])
    return key
  }
  const scan = (key: string, headers: Record<string, string> = {}, { url } = front): Promise<Response> => {
    const body = new FormData()
    body.set('file', new Blob([source]), 'Vault.sol')
    return fetch(`${url}/api/v1/scan`, { method: 'POST', headers: { 'x-api-key': key, ...headers }, body })
  }
  const small = await newKey('quota@example.com', '--scans-per-day', '10')
  const answers = await Promise.all(Array.from({ length: 30 }, () => scan(small).then((answer) => answer.status)))
  const admitted = answers.filter((status) => status === 200).length
  hold('thirty parallel scans on a quota of ten', admitted === 10, `${admitted} admitted`)

  const key = await newKey('idempotent@example.com', '--scans-per-day', '1000000', '--requests-per-hour', '1000000')
  const once = await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (;;) {
        const answer = await scan(key, { 'idempotency-key': 'the-same' })
        if (answer.status !== 409) return ((await answer.json()) as { scanId: string }).scanId
        await pause(100)
      }
    }),
  )
  hold('six requests with one Idempotency-Key are one scan', new Set(once).size === 1, `${new Set(once).size} scans`)

  await checkSessions(front)
  const countEnqueued = await watchRecurringJobs(postgres.url)
  const events = await startReceiver()
  receiver = events
  await post(`${front.url}/api/v1/webhooks`, { url: events.url }, { 'x-api-key': key })

  const answered = new Set<string>()
  for (const balancer of tried) {
    const statuses = new Map<string, number>()
    let isOver = false
    const note = (status: string): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const describe = async (answer: Response): Promise<string> => {
      const text = await answer.text()
      // A balancer that gives up answers in words of its own.
      if (!text.startsWith('{')) return `${answer.status} by the balancer`
      const body = JSON.parse(text) as { error: string; scanId: string }
      if (answer.ok) answered.add(body.scanId)
      return answer.ok ? '200' : `${answer.status} ${body.error}`
    }
    const client = async (): Promise<void> => {
      while (!isOver) note(await scan(key, {}, balancer).then(describe).catch(describeFailure))
    }
    const clients = Array.from({ length: CLIENTS }, client)
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [index, port] of ports.entries()) {
        await replicas[index]?.stop()
        replicas[index] = await start(port)
      }
    }
    isOver = true
    await Promise.all(clients)
    // On a busy machine a replica sheds load in words of its own: reported, and not lost.
    const lost = [...statuses].filter(([status]) => status !== '200' && status !== SHED)
    const total = [...statuses.values()].reduce((sum, n) => sum + n, 0)
    if (lost.length > 0) for (const line of balancer.complaints?.() ?? []) console.log(`      ${line}`)
    hold(
      `${Number(values.rounds) * REPLICAS} rolling restarts behind ${balancer.name} lose no request`,
      lost.length === 0 && (statuses.get('200') ?? 0) > 0,
      `${total} requests, ${statuses.get(SHED) ?? 0} shed, ${lost.map(([status, n]) => `${n} × ${status}`).join(', ') || 'none lost'}`,
    )
  }
  for (const end = Date.now() + PATIENCE_MS; events.seen.size < answered.size && Date.now() < end; ) await pause(200)
  const silent = [...answered].filter((scanId) => !events.seen.has(scanId)).length
  const twoNames = [...events.seen.values()].filter((ids) => ids.size > 1).length
  hold(
    'each scan’s event arrives, under one id, whichever replica delivers it',
    silent === 0 && twoNames === 0,
    `${answered.size} scans, ${silent} without an event, ${twoNames} under several ids`,
  )
  const { moments, repeated } = await countEnqueued()
  hold('a recurring job is enqueued once', moments > 1 && repeated === 0, `${moments} times due, ${repeated} repeated`)
} finally {
  receiver?.close()
  for (const balancer of balancers) await balancer.close()
  for (const replica of replicas) if (replica.process.exitCode === null) await replica.kill()
  postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${results.filter(({ isHeld }) => isHeld).length} of ${results.length} held`)
if (results.some(({ isHeld }) => !isHeld) || results.length === 0) process.exitCode = 1
