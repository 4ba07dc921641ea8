// What only a process of its own can show: how it starts, refuses to start, and ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { operate, type SpawnedServer, serverEnvironment, spawnServer } from './testing/spawn-server.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const launcher = fileURLToPath(new URL('../bin/assay-server.mjs', import.meta.url))
const running: SpawnedServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) if (server.process.exitCode === null) await server.kill()
})

async function serve(dataDir: string, more: Record<string, string> = {}): Promise<SpawnedServer> {
  const server = await spawnServer({ dataDir }, more)
  running.push(server)
  return server
}

/** Starts a process that is expected to end by itself. */
async function tryToStart(environment: Record<string, string>): Promise<{ code: number; errors: string }> {
  const child = spawn(process.execPath, [launcher], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = (await once(child, 'exit')) as [number]
  return { code, errors }
}

test('a wrong configuration names every problem and ends with code 1', async () => {
  const { code, errors } = await tryToStart({
    ...serverEnvironment({ dataDir: temporaryFolder() }),
    PORT: 'abc',
    LOG_LEVEL: 'loud',
    BILLING_PROVIDER: 'stripe',
  })
  expect(code).toBe(1)
  expect(errors).toContain('The configuration has 6 problems:')
  expect(errors).toContain('  - PORT must be a whole number from 0 to 65535.')
  expect(errors).toContain('  - LOG_LEVEL must be one of')
  expect(errors).toContain('  - STRIPE_SECRET_KEY is required when BILLING_PROVIDER is stripe.')
  expect(errors).not.toMatch(/\n\s+at /)
})

test('a second service on the same folder, and one on a taken port, are refused in words', async () => {
  const dataDir = temporaryFolder()
  const server = await serve(dataDir)
  const second = await tryToStart(serverEnvironment({ dataDir }))
  expect(second.code).toBe(1)
  expect(second.errors).toContain('Another Assay process, a server or an operator command, is using')
  const { port } = new URL(server.url)
  const third = await tryToStart({ ...serverEnvironment({ dataDir: temporaryFolder() }), PORT: port })
  expect(third.code).toBe(1)
  expect(third.errors).toContain(`Port ${port} is already in use.`)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
})

test('a master secret that cannot open the stored keys is reported once at the start', async () => {
  const dataDir = temporaryFolder()
  await operate({ dataDir }, ['create-account', 'ada@example.com'], ['create-key', 'ada@example.com'])
  const changed = { MASTER_SECRET: 'another master secret for tests' }
  const warning = /1 API key does not work, because MASTER_SECRET is not the one/g
  const lost = await serve(dataDir, changed)
  expect(lost.output().match(warning)).toHaveLength(1)
  await lost.stop()
  const previous = serverEnvironment({ dataDir }).MASTER_SECRET ?? ''
  const both = await serve(dataDir, { ...changed, MASTER_SECRET_PREVIOUS: previous })
  expect(both.output()).not.toMatch(warning)
  await both.stop()
})

test('storage that cannot be used names the setting to look at', async () => {
  const file = join(temporaryFolder(), 'a-file')
  writeFileSync(file, '')
  const folder = await tryToStart(serverEnvironment({ dataDir: join(file, 'data') }))
  expect(folder).toEqual({ code: 1, errors: expect.stringMatching(/^DATA_DIR cannot be used: .*ENOTDIR/) })
  const database = await tryToStart({
    ...serverEnvironment({ dataDir: temporaryFolder() }),
    DATABASE_URL: 'postgres://assay:not-to-be-told@127.0.0.1:1/assay',
    MASTER_SECRET: 'a secret of the tests alone',
  })
  expect(database).toEqual({ code: 1, errors: expect.stringMatching(/^DATABASE_URL cannot be used: .*ECONNREFUSED/) })
  expect(database.errors).not.toContain('not-to-be-told')
})

/** As the console says. */
const mailsOf = (server: { output(): string }): string => /mails +(\S+)/.exec(server.output())?.[1] ?? ''

test('SIGTERM, even twice, lets requests finish and ends with code 0; a restart takes the folder up', async () => {
  const dataDir = temporaryFolder()
  const server = await serve(dataDir)
  // In flight: its headers have been read, and half of its body is on its way.
  const body = JSON.stringify({ email: 'ada@example.com', password: 'a long enough password', name: 'Ada' })
  const register = request(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  register.flushHeaders()
  await once(register, 'continue')
  register.write(body.slice(0, 20))
  const exited = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  server.process.kill('SIGTERM')
  server.process.kill('SIGINT')
  register.end(body.slice(20))
  const [answer] = (await once(register, 'response')) as [IncomingMessage]
  expect(answer.resume().statusCode).toBe(201)
  expect((await exited)[0]).toBe(0)
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()

  const again = await serve(dataDir)
  const { mails } = await until(
    async () => (await (await fetch(mailsOf(again))).json()) as { mails: { subject: string }[] },
    (answer) => answer.mails.length > 0,
  )
  expect(mails[0]?.subject).toMatch(/^\d{6} is your Assay verification code$/)
  expect(await again.stop()).toBe(0)
})

test('half a request and an upload of a byte a second do not hold up the end', async () => {
  const server = await serve(temporaryFolder())
  const { port } = new URL(server.url)
  const half = connect(Number(port), '127.0.0.1')
  half.on('error', () => {})
  half.write('GET /heal')
  await once(half, 'connect')
  const slow = request(`${server.url}/api/v1/scan`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-api-key': 'x', 'content-length': 5000 },
  })
  slow.on('error', () => {})
  const drip = setInterval(() => slow.write('-'), 300)
  const register = request(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 5000, expect: '100-continue' },
  })
  register.on('error', () => {})
  register.flushHeaders()
  await once(register, 'continue')
  register.write('{')
  expect(await server.stop()).toBe(0)
  clearInterval(drip)
})

test('a mail server that never answers does not hold up the end beyond its limit', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const server = await serve(temporaryFolder(), {
    SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    STOP_WITHIN_MS: '1000',
  })
  const called = once(silent, 'connection')
  const person = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${server.url}/api/register`, { method: 'POST', headers, body: JSON.stringify(person) })
  await called
  // The mail at work is waited for far longer than that: code 1 is the limit speaking.
  expect(await server.stop()).toBe(1)
  silent.close()
})

test('before it stops it says so, and still answers', async () => {
  const server = await spawnServer({ dataDir: temporaryFolder() }, { STOP_DELAY_MS: '3000' })
  running.push(server)
  const exited = once(server.process, 'exit')
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
  server.process.kill('SIGTERM')
  const ready = await until(
    () => fetch(`${server.url}/ready`),
    ({ status }) => status === 503,
  )
  expect(await ready.json()).toEqual({ error: 'The service is not ready.' })
  const health = await fetch(`${server.url}/health`)
  expect([health.status, health.headers.get('connection')]).toEqual([200, 'close'])
  expect((await exited)[0]).toBe(0)
})

test('standard output holds JSON lines alone, from the start to the stop', async () => {
  const server = await serve(temporaryFolder(), { LOG_LEVEL: 'debug' })
  const person = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${server.url}/api/register`, { method: 'POST', headers, body: JSON.stringify(person) })
  await until(async () => server.output().includes('mail to ada@example.com'), Boolean)
  expect(await server.stop()).toBe(0)
  const lines = server.log().trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) })
  expect(server.log()).not.toMatch(/mail to|token=/)
})

test('a person who tries it out finds the code on the console, and gets in with it', async () => {
  const dataDir = temporaryFolder()
  const { MASTER_SECRET: _unset, ...environment } = serverEnvironment({ dataDir })
  const server = await spawnServer({ dataDir }, { ...environment, MASTER_SECRET: '', CLOCK_OFFSET: 'P1D' })
  running.push(server)
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const person = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' }
  await post('/api/register', person)
  const code = await until(
    async () => /mail to ada@example\.com: (\d{6}) is your Assay verification code/.exec(server.output())?.[1],
    Boolean,
  )
  expect((await post('/api/verify-email', { email: person.email, otp: code })).status).toBe(200)
  const { email, password } = person
  const loggedIn = (await (await post('/api/login', { email, password })).json()) as Record<string, string>
  const { token, userId, expiresAt = '' } = loggedIn
  // Seven days of the session, and one by which the clock is ahead.
  expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(8, 1)
  const key = await post(
    '/api/generate-api-key',
    { userId, type: 'TEST', name: 'trial' },
    { authorization: `Bearer ${token}` },
  )
  expect(key.status).toBe(201)
  expect(existsSync(join(dataDir, 'master-secret'))).toBe(true)
  expect(server.output()).not.toContain(token)
  expect(await server.stop()).toBe(0)
})

async function until<T>(look: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const value = await look()
    if (isThere(value) || tries === 1200) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
