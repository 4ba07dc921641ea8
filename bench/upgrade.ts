/**
 * Upgrades a real older program: builds it from its commit, lets people use it, then starts the present program on the same data, on both
 * databases, and looks whether everything is still there.
 *   npm run upgrade [-- --from <commit or tag>]
 * Loopback only, bounded, ends by itself; the exit code says whether everything held. Needs the history of the repository.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ServerSettings } from '../server/src/testing/spawn-server.ts'
import { buildOldProgram, buildPresentProgram, OLDEST, root, runAdmin, startProgram } from './old-program.ts'
import { createThrowawayPostgres } from './throwaway-postgres.ts'

const SCANS = 12
const source = `pragma solidity ^0.8.20;
contract Vault {
  mapping(address => uint256) balances;
  function withdraw() external {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}
`

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const from = values.from ?? OLDEST
const results: boolean[] = []
const hold = (check: string, isHeld: boolean, saw: string): void => {
  results.push(isHeld)
  console.log(`  ${isHeld ? 'held' : 'LOST'}  ${check}: ${saw}`)
}

function admin(program: string, settings: ServerSettings, args: readonly string[]): string {
  const { stdout, stderr } = runAdmin(program, settings, args)
  if (stderr) console.log(`  ${stderr.trim()}`)
  return stdout
}

async function scan(url: string, key: string, n: number): Promise<{ status: number; scanId: string }> {
  const body = new FormData()
  body.set('file', new Blob([source]), `Vault${n}.sol`)
  const headers = { 'x-api-key': key, 'idempotency-key': `upgrade-${n}` }
  for (;;) {
    const answer = await fetch(`${url}/api/v1/scan`, { method: 'POST', headers, body })
    const { scanId = '' } = (await answer.json()) as { scanId?: string }
    if (answer.status !== 503) return { status: answer.status, scanId }
    await sleep(500)
  }
}

async function upgrade(old: string, settings: ServerSettings): Promise<void> {
  admin(old, settings, ['create-account', 'ada@example.com', '--plan', 'pro'])
  const key = admin(old, settings, ['create-key', 'ada@example.com']).trim()
  const before = await startProgram(old, settings)
  const made: string[] = []
  for (let n = 0; n < SCANS; n++) made.push((await scan(before.url, key, n)).scanId)
  await before.stop()

  const after = await startProgram(root, settings)
  const get = async (address: string) => {
    const answer = await fetch(`${after.url}${address}`, { headers: { 'x-api-key': key } })
    return { status: answer.status, body: (await answer.json()) as { data?: Record<string, unknown[]> } }
  }
  const listed = ((await get('/api/v1/scans?limit=100')).body.data?.scans ?? []) as { scanId: string }[]
  const missing = made.filter((id) => !listed.some(({ scanId }) => scanId === id)).length
  hold('scans and the key are there', missing === 0, `${made.length} made, ${missing} missing`)
  const sources = await Promise.all(
    made.map(
      async (id) => (await fetch(`${after.url}/api/v1/scans/${id}/source`, { headers: { 'x-api-key': key } })).ok,
    ),
  )
  hold('their sources are there', sources.every(Boolean), `${sources.filter(Boolean).length} of ${made.length}`)
  const repeated = await scan(after.url, key, 0)
  hold(
    'an Idempotency-Key of before repeats its answer',
    repeated.scanId === made[0],
    `${repeated.status} ${repeated.scanId}`,
  )
  const total = ((await get('/api/v1/scans?limit=100')).body.data?.scans ?? []).length
  hold('and scans nothing again', total === SCANS, `${total} scans`)
  let findings: { firstScanId: string }[] = []
  for (let waited = 0; waited < 120_000; waited += 1000) {
    findings = ((await get('/api/v1/findings?limit=100')).body.data?.findings ?? []) as { firstScanId: string }[]
    if (new Set(findings.map(({ firstScanId }) => firstScanId)).size === SCANS) break
    await sleep(1000)
  }
  const scans = new Set(findings.map(({ firstScanId }) => firstScanId)).size
  hold('records are filled from what was stored', scans === SCANS, `${findings.length} records of ${scans} scans`)
  const doctor = admin(root, settings, ['doctor'])
  hold(
    'the doctor finds nothing wrong',
    !doctor.includes('PROBLEM'),
    /.*records.*/.exec(doctor)?.[0] ?? 'nothing of records',
  )
  await after.stop()
  await refusesNewer(old, settings)
}

async function refusesNewer(old: string, settings: ServerSettings): Promise<void> {
  const said = await startProgram(old, settings).then(
    (running) => running.stop().then(() => 'it started'),
    (error: Error) => error.message,
  )
  hold('the older program refuses the newer database', said.includes('newer version'), said.split('\n').at(-2) ?? said)
}

buildPresentProgram()
const old = buildOldProgram(from)
const postgres = await createThrowawayPostgres()
try {
  const data = path.dirname(old.folder)
  console.log(`from ${from}, embedded database`)
  await upgrade(old.folder, { dataDir: path.join(data, 'data') })
  console.log(`from ${from}, PostgreSQL`)
  await upgrade(old.folder, { dataDir: path.join(data, 'data-postgres'), databaseUrl: postgres.url })
} finally {
  postgres.remove()
  old.remove()
}
console.log(`${results.filter(Boolean).length} of ${results.length} held`)
if (results.length === 0 || results.includes(false)) process.exitCode = 1
