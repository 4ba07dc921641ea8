/**
 * Breaks what the service stands on, under load, and looks afterwards whether its promises held: every scan that was answered exists,
 * the day's quota is exactly the scans that exist, every mail and every event arrives at least once under one id.
 *   npm run chaos [-- --only kill,postgres,webhooks,mail,clock,disk]
 * Loopback only, bounded, ends by itself; the exit code says whether everything held.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { openDatabase } from '../server/src/stores/database.ts'
import { operate, type ServerSettings, type SpawnedServer, spawnServer } from '../server/src/testing/spawn-server.ts'
import { createThrowawayPostgres } from './throwaway-postgres.ts'

const source = 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n'
const CLIENTS = 4
const PATIENCE_MS = 60_000

const results: boolean[] = []
const hold = (check: string, isHeld: boolean, saw: string): void => {
  results.push(isHeld)
  console.log(`  ${isHeld ? 'held' : 'LOST'}  ${check}: ${saw}`)
}
async function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(200)) if (await condition()) return true
  return false
}

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-chaos-'))
  folders.push(folder)
  return folder
}

async function newCaller(settings: ServerSettings): Promise<string> {
  const lines = await operate(
    settings,
    ['create-account', 'ada@example.com', '--plan', 'pro'],
    ['create-key', 'ada@example.com'],
  )
  return lines.find((line) => line.startsWith('assay_live_')) ?? ''
}

/** Clients that scan without a pause, wherever the service is just now. */
function startLoad(url: () => string, key: string) {
  const answered: string[] = []
  const others = new Map<string, number>()
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      const body = new FormData()
      body.set('file', new Blob([source]), 'Vault.sol')
      const outcome = await fetch(`${url()}/api/v1/scan`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body,
        signal: AbortSignal.timeout(30_000),
      })
        .then(async (answer) =>
          answer.ok
            ? { scanId: ((await answer.json()) as { scanId: string }).scanId }
            : { status: String(answer.status) },
        )
        .catch((error: Error) => ({ status: error.name }))
      if ('scanId' in outcome) answered.push(outcome.scanId)
      else {
        others.set(outcome.status, (others.get(outcome.status) ?? 0) + 1)
        await sleep(100)
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    answered,
    async stop(): Promise<string> {
      isOver = true
      await Promise.all(clients)
      const rest = [...others].map(([status, n]) => `${n} × ${status}`).join(', ')
      return `${answered.length} scans answered${rest && `, ${rest}`}`
    },
  }
}

/** Every answered scan exists, and the quota is what exists. */
async function checkScans(settings: ServerSettings, answered: readonly string[]): Promise<void> {
  const database = await openDatabase({ ...settings })
  const { db } = database
  const held = async () => (await db.selectFrom('scan_reservations').select('id').execute()).length
  const isSettled = await until(async () => (await held()) === 0)
  const stored = new Set((await db.selectFrom('scans').select('id').execute()).map(({ id }) => id))
  const counts = await db.selectFrom('scan_counts').select('n').execute()
  await database.close()
  const missing = answered.filter((id) => !stored.has(id)).length
  const counted = counts.reduce((sum, { n }) => sum + n, 0)
  hold('answered scans exist', missing === 0 && answered.length > 0, `${answered.length} answered, ${missing} missing`)
  hold('the quota is exact', isSettled && counted === stored.size, `${counted} counted, ${stored.size} stored`)
}

async function killServer(): Promise<void> {
  const settings = { dataDir: newFolder() }
  const key = await newCaller(settings)
  let server = await spawnServer(settings)
  const load = startLoad(() => server.url, key)
  for (let n = 0; n < 3; n++) {
    const before = load.answered.length
    await until(() => load.answered.length > before + 10)
    await server.kill()
    server = await spawnServer(settings)
  }
  await until(() => load.answered.length > 0)
  console.log(`  ${await load.stop()}`)
  await server.stop()
  await checkScans(settings, load.answered)
}

async function stopPostgres(): Promise<void> {
  const postgres = await createThrowawayPostgres()
  const settings = { dataDir: newFolder(), databaseUrl: postgres.url }
  let server: SpawnedServer | undefined
  try {
    const key = await newCaller(settings)
    server = await spawnServer(settings)
    const { url, process: child } = server
    const ready = async () => (await fetch(`${url}/ready`)).status
    const load = startLoad(() => url, key)
    for (const mode of ['fast', 'immediate'] as const) {
      const before = load.answered.length
      await until(() => load.answered.length > before + 10)
      postgres.stop(mode)
      const saysSo = await until(async () => (await ready()) === 503)
      postgres.start()
      hold(
        `PostgreSQL stopped (${mode}): /ready says so, and again when it is back`,
        saysSo && (await until(async () => (await ready()) === 200)),
        'yes',
      )
    }
    const before = load.answered.length
    await until(() => load.answered.length > before + 10)
    console.log(`  ${await load.stop()}`)
    hold('the process outlives its database', child.exitCode === null, child.exitCode === null ? 'alive' : 'gone')
    await checkScans(settings, load.answered)
  } finally {
    await server?.kill()
    postgres.remove()
  }
}

type Misbehaviour = 'hang' | 'reset' | 'garbage'

/** Speaks no protocol at all, in one of three ways. */
function misbehave(socket: Socket, how: Misbehaviour): void {
  socket.on('error', () => {})
  if (how === 'reset') socket.resetAndDestroy()
  if (how === 'garbage') socket.end('\u0000\u0001 this is no answer\r\n'.repeat(50))
}

async function breakReceiver(): Promise<void> {
  const settings = { dataDir: newFolder() }
  const key = await newCaller(settings)
  const modes: Misbehaviour[] = ['hang', 'reset', 'garbage']
  const seen = new Map<string, number>()
  let how: Misbehaviour | undefined = 'hang'
  const http = createHttpServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    request.resume().on('end', () => {
      seen.set(id, (seen.get(id) ?? 0) + 1)
      response.end('{"success":true}')
    })
  })
  const front: Server = createServer((socket) => (how ? misbehave(socket, how) : http.emit('connection', socket)))
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const server = await spawnServer(settings)
  try {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify({ url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/hook` })
    await fetch(`${server.url}/api/v1/webhooks`, { method: 'POST', headers, body })
    const scans: string[] = []
    for (const mode of modes) {
      how = mode
      const upload = new FormData()
      upload.set('file', new Blob([source]), 'Vault.sol')
      const answer = await fetch(`${server.url}/api/v1/scan`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: upload,
      })
      scans.push(((await answer.json()) as { scanId: string }).scanId)
      await sleep(1000)
    }
    how = undefined
    const isComplete = await until(() => seen.size >= scans.length)
    hold(
      'every event arrives at least once, each under one id',
      isComplete && seen.size === scans.length,
      `${scans.length} scans, ${seen.size} ids`,
    )
  } finally {
    await server.kill()
    front.close()
    http.closeAllConnections()
  }
}

async function breakMail(): Promise<void> {
  const settings = { dataDir: newFolder() }
  const ids = new Map<string, number>()
  let how: Misbehaviour | undefined = 'hang'
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        const id = /^message-id:\s*(\S+)/im.exec(text)?.[1] ?? ''
        ids.set(id, (ids.get(id) ?? 0) + 1)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const behind = (smtp.server.address() as AddressInfo).port
  const { connect } = await import('node:net')
  const front: Server = createServer((socket) => {
    if (how) return misbehave(socket, how)
    const onward = connect(behind, '127.0.0.1')
    for (const end of [socket, onward]) end.on('error', () => {})
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const server = await spawnServer(settings, { SMTP_URL: `smtp://127.0.0.1:${(front.address() as AddressInfo).port}` })
  try {
    let people = 0
    for (const mode of ['reset', 'garbage', 'hang'] as const) {
      how = mode
      people += 1
      await fetch(`${server.url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `person${people}@example.com`, password: 'a long enough password', name: 'P' }),
      })
      await sleep(1500)
    }
    how = undefined
    const isComplete = await until(() => ids.size >= people)
    hold(
      'every mail arrives at least once, each under one id',
      isComplete && ids.size === people,
      `${people} mails, ${ids.size} ids`,
    )
  } finally {
    await server.kill()
    front.close()
    smtp.close()
  }
}

async function moveClock(): Promise<void> {
  const settings = { dataDir: newFolder() }
  const register = async (server: SpawnedServer, email: string) =>
    (
      await fetch(`${server.url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'a long enough password', name: 'P' }),
      })
    ).status
  // Nobody listens on this port: mails wait.
  const ahead = await spawnServer(settings, { CLOCK_OFFSET: 'P1D', SMTP_URL: 'smtp://127.0.0.1:1' })
  await register(ahead, 'ahead@example.com')
  await sleep(1500)
  await ahead.stop()
  const right = await spawnServer(settings)
  const isSent = await until(() => /to ahead@example\.com|ahead@example\.com/.test(right.output()))
  hold(
    'a mail queued while the clock was a day ahead leaves once it is right',
    isSent,
    isSent ? 'sent' : 'still waiting',
  )
  hold('the service takes registrations', (await register(right, 'now@example.com')) === 201, 'yes')
  await right.stop()
}

async function fillDisk(): Promise<void> {
  const folder = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    console.log('  left out: this user may not mount a small disk')
    return
  }
  try {
    const settings = { dataDir: folder }
    const key = await newCaller(settings)
    const server = await spawnServer(settings)
    const ready = async () => (await fetch(`${server.url}/ready`)).status
    const load = startLoad(() => server.url, key)
    await until(() => load.answered.length > 10)
    const ballast = path.join(folder, 'ballast')
    try {
      writeFileSync(ballast, Buffer.alloc(64 * 1024 * 1024))
    } catch {
      // As full as it gets.
    }
    hold('/ready says that the disk is full', await until(async () => (await ready()) === 503), 'yes')
    rmSync(ballast, { force: true })
    hold('and that there is room again', await until(async () => (await ready()) === 200), 'yes')
    const before = load.answered.length
    await until(() => load.answered.length > before + 5)
    console.log(`  ${await load.stop()}`)
    await server.stop()
    await checkScans(settings, load.answered)
  } finally {
    execFileSync('umount', [folder], { stdio: 'ignore' })
  }
}

const acts = {
  kill: ['the server is killed three times under load', killServer],
  postgres: ['PostgreSQL is stopped and started under load', stopPostgres],
  webhooks: ['a receiver hangs, resets and answers garbage', breakReceiver],
  mail: ['the mail server hangs, resets and answers garbage', breakMail],
  clock: ['the clock is a day ahead for a while', moveClock],
  disk: ['the disk is full for a while, under load', fillDisk],
} as const

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const chosen = values.only?.split(',') ?? Object.keys(acts)
try {
  for (const [name, [words, act]] of Object.entries(acts)) {
    if (!chosen.includes(name)) continue
    console.log(words)
    await act()
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
console.log(`${results.filter(Boolean).length} of ${results.length} held`)
if (results.length === 0 || results.includes(false)) process.exitCode = 1
