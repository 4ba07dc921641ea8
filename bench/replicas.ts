/**
 * Three replicas on one PostgreSQL behind a small balancer, all on loopback: they start together on an empty database, limits,
 * sessions and idempotent answers hold across them, and a rolling restart under load loses no request.
 *   npm run replicas [-- --rounds 1]
 * Ends by itself and prints what it saw; the exit code says whether all of it held.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { operate, type SpawnedServer, spawnServer } from '../server/src/testing/spawn-server.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { createThrowawayPostgres } from './throwaway-postgres.ts'

const REPLICAS = 3
const CLIENTS = 4
const source = 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n'
const password = 'a long enough password'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' } } })
const results: { check: string; isHeld: boolean; saw: string }[] = []
const hold = (check: string, isHeld: boolean, saw: string): void => {
  results.push({ check, isHeld, saw })
  console.log(`${isHeld ? 'held' : 'LOST'}  ${check}: ${saw}`)
}

const folder = mkdtempSync(path.join(tmpdir(), 'assay-replicas-'))
const postgres = await createThrowawayPostgres()
const settings = { dataDir: folder, databaseUrl: postgres.url }
const start = (): Promise<SpawnedServer> => spawnServer(settings, { SCAN_WORKERS: '1', TRUST_PROXY: '1' })
let replicas: SpawnedServer[] = []
let balancer: Balancer | undefined

try {
  replicas = await Promise.all(Array.from({ length: REPLICAS }, start))
  hold(
    'replicas start together on an empty database',
    replicas.length === REPLICAS,
    `${replicas.length} of ${REPLICAS}`,
  )
  const front = await startBalancer(() => replicas.map(({ url }) => url))
  balancer = front
  while (front.ready().length < REPLICAS) await new Promise((resolve) => setTimeout(resolve, 50))

  const newKey = async (email: string, ...limits: string[]): Promise<string> => {
    const [, key = ''] = await operate(
      settings,
      ['create-account', email, '--plan', 'pro'],
      ['create-key', email],
    ).then((lines) => [lines[0], lines.find((line) => line.startsWith('assay_live_'))])
    if (limits.length > 0) await operate(settings, ['limits', email, ...limits])
    return key
  }
  const scan = (key: string, headers: Record<string, string> = {}): Promise<Response> => {
    const body = new FormData()
    body.set('file', new Blob([source]), 'Vault.sol')
    return fetch(`${front.url}/api/v1/scan`, { method: 'POST', headers: { 'x-api-key': key, ...headers }, body })
  }
  const post = (url: string, body: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  const small = await newKey('quota@example.com', '--scans-per-day', '10')
  const answers = await Promise.all(Array.from({ length: 30 }, () => scan(small).then((answer) => answer.status)))
  const admitted = answers.filter((status) => status === 200).length
  hold('thirty parallel scans on a quota of ten', admitted === 10, `${admitted} admitted`)

  const key = await newKey('idempotent@example.com')
  const once = await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (;;) {
        const answer = await scan(key, { 'idempotency-key': 'the-same' })
        if (answer.status !== 409) return ((await answer.json()) as { scanId: string }).scanId
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }),
  )
  hold('six requests with one Idempotency-Key are one scan', new Set(once).size === 1, `${new Set(once).size} scans`)

  const email = `ada${Date.now()}@example.com`
  const { userId } = (await (await post(`${front.url}/api/register`, { email, password, name: 'Ada' })).json()) as {
    userId: string
  }
  const seen: number[] = []
  for (const { url } of replicas) {
    const plan = await fetch(`${url}/api/v1/user-plan?userId=${userId}`)
    seen.push(plan.status)
  }
  hold(
    'an unverified userId opens nothing at any replica',
    seen.every((status) => status === 401),
    seen.join(' '),
  )

  const statuses = new Map<string, number>()
  let isOver = false
  const note = (status: string): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const client = async (): Promise<void> => {
    while (!isOver) note(await scan(key).then(describe, (error: Error) => error.message))
  }
  const describe = async (answer: Response): Promise<string> =>
    answer.ok ? '200' : `${answer.status} ${((await answer.json()) as { error: string }).error}`
  const clients = Array.from({ length: CLIENTS }, client)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, replica] of replicas.entries()) {
      await replica.stop()
      replicas[index] = await start()
    }
  }
  isOver = true
  await Promise.all(clients)
  const lost = [...statuses].filter(([status]) => status !== '200')
  const total = [...statuses.values()].reduce((sum, n) => sum + n, 0)
  hold(
    `${Number(values.rounds) * REPLICAS} rolling restarts under load lose no request`,
    lost.length === 0 && total > 0,
    `${total} requests, ${lost.map(([status, n]) => `${n} × ${status}`).join(', ') || 'none lost'}`,
  )
} finally {
  await balancer?.close()
  for (const replica of replicas) if (replica.process.exitCode === null) await replica.kill()
  postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${results.filter(({ isHeld }) => isHeld).length} of ${results.length} held`)
if (results.some(({ isHeld }) => !isHeld) || results.length === 0) process.exitCode = 1
