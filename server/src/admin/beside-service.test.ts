// Operator commands beside a service that serves an embedded database: what was acknowledged stays, whichever command runs and whichever process is killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { lockDataDirectory } from '../stores/data-directory-lock.ts'
import { openDatabase } from '../stores/database.ts'
import { type SpawnedServer, serverEnvironment, spawnServer, upload } from '../testing/spawn-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

/** The bundle, which the start of a server has updated. */
const program = fileURLToPath(new URL('../../dist/admin/main.js', import.meta.url))
const PATIENCE_MS = 600_000
const running: SpawnedServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) if (server.process.exitCode === null) await server.kill()
})

async function serve(dataDir: string): Promise<SpawnedServer> {
  const server = await spawnServer({ dataDir })
  running.push(server)
  return server
}

/** As an operator types it, in a process of its own. */
async function command(dataDir: string, args: readonly string[], input = ''): Promise<{ code: number; said: string }> {
  const words = args[0] === 'admin' ? args.slice(1) : args
  const child = spawn(process.execPath, [program, ...words], { env: serverEnvironment({ dataDir }) })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

/** Whether the process holds a lock on the file, which tells others that its log is in use; where the system cannot say, it does. */
function isHeldBy(server: SpawnedServer, path: string): boolean {
  if (!existsSync('/proc/locks')) return true
  const held = new RegExp(` ${server.process.pid} \\S+:${statSync(path).ino} `)
  return held.test(readFileSync('/proc/locks', 'utf8'))
}

const createAccount = (email: string) => ['admin', 'create-account', email, '--plan', 'pro']

/** Scans without a pause until it is stopped; every id in it was acknowledged. */
function startLoad(server: SpawnedServer, key: string) {
  const answered: string[] = []
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      const answer = await upload(server, key, 'contract A { uint x; }').catch(() => undefined)
      if (answer?.ok) answered.push(((await answer.json()) as { scanId: string }).scanId)
    }
  }
  const clients = [client(), client()]
  return {
    answered,
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

async function readAll(dataDir: string) {
  const database = await openDatabase({ dataDir })
  const { db } = database
  const ids = (await db.selectFrom('scans').select('id').execute()).map(({ id }) => id)
  const emails = (await db.selectFrom('accounts').select('email').execute()).map(({ email }) => email)
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  await database.close()
  return { ids: new Set(ids), emails, integrity: rows.map((row) => row.integrity_check) }
}

test(
  'a restarted service, every operator command beside it under load, and kill -9: nothing acknowledged is lost',
  async () => {
    const dataDir = join(temporaryFolder(), 'data')
    await (await serve(dataDir)).stop()
    let server = await serve(dataDir)
    expect((await command(dataDir, createAccount('ada@example.com'))).code).toBe(0)
    const made = await command(dataDir, ['admin', 'create-key', 'ada@example.com'])
    const key = /assay_live_\S+/.exec(made.said)?.[0] ?? ''
    const scans: string[] = []
    const emails = ['ada@example.com']
    for (const round of ['first', 'second']) {
      const load = startLoad(server, key)
      const folder = join(temporaryFolder(), 'backup')
      const commands = [
        ['backup', folder],
        createAccount(`${round}@example.com`),
        ['doctor'],
        ['admin', 'limits', 'ada@example.com', '--scans-per-day', '100000'],
        ['admin', 'set-plan', 'ada@example.com', 'pro'],
        ['admin', 'remove-second-factors', 'ada@example.com'],
        ['admin', 'reseal'],
      ]
      const outcomes = await Promise.all(commands.map(async (args) => ({ args, ...(await command(dataDir, args)) })))
      expect(outcomes.filter(({ code }) => code !== 0)).toEqual([])
      const refused = await command(dataDir, ['restore', folder])
      expect(refused.code).toBe(1)
      expect(refused.said).toContain('is using')
      await expect.poll(() => load.answered.length).toBeGreaterThan(5)
      expect((await fetch(`${server.url}/ready`)).status).toBe(200)
      expect(isHeldBy(server, join(dataDir, 'assay.db'))).toBe(true)
      await server.kill()
      await load.stop()
      scans.push(...load.answered)
      emails.push(`${round}@example.com`)
      const found = await readAll(dataDir)
      expect(found.integrity).toEqual(['ok'])
      expect(scans.filter((id) => !found.ids.has(id))).toEqual([])
      expect(found.emails).toEqual(expect.arrayContaining(emails))
      // The copy is of its moment, not of an earlier one.
      const copy = await readAll(folder)
      expect(copy.integrity).toEqual(['ok'])
      expect(copy.emails).toEqual(expect.arrayContaining(emails.slice(0, -1)))
      server = await serve(dataDir)
    }
    expect(readdirSync(dataDir).filter((file) => file.includes('.copy'))).toEqual([])
  },
  PATIENCE_MS,
)

test('a password on standard input reaches the service, and a failed command says why', async () => {
  const dataDir = temporaryFolder()
  const server = await serve(dataDir)
  const args = [...createAccount('eve@example.com'), '--password-stdin']
  expect((await command(dataDir, args, 'correct horse battery staple\n')).code).toBe(0)
  const logIn = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'eve@example.com', password: 'correct horse battery staple' }),
  })
  expect(logIn.status).toBe(200)
  const again = await command(dataDir, createAccount('eve@example.com'))
  expect([again.code, again.said]).toEqual([1, 'eve@example.com is already an account.\n'])
  const socket = join(dataDir, 'operator.sock')
  expect(statSync(socket).mode & 0o777).toBe(0o600)
  await server.stop()
  expect(existsSync(socket)).toBe(false)
})

test('a process that holds the folder and does not answer: refused in words', async () => {
  const dataDir = temporaryFolder()
  expect((await command(dataDir, createAccount('ada@example.com'))).code).toBe(0)
  const lock = lockDataDirectory(dataDir)
  const { code, said } = await command(dataDir, createAccount('eve@example.com'))
  lock.release()
  expect(code).toBe(1)
  expect(said).toContain('does not answer operator commands')
})

test('a log that is taken away under the service: 503 at once, and the log says what happened', async () => {
  const dataDir = temporaryFolder()
  const server = await serve(dataDir)
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
  renameSync(join(dataDir, 'assay.db-wal'), join(dataDir, 'taken-away'))
  await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(503)
  const answer = await fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'late@example.com', password: 'a long enough password', name: 'Late' }),
  })
  expect(answer.status).toBe(503)
  await expect.poll(() => server.output()).toContain('assay.db-wal is no longer the file this process has open')
  await server.kill()
  expect(readFileSync(join(dataDir, 'taken-away')).length).toBeGreaterThan(0)
})
