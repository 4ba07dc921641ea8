import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

/** As long as `expect.poll` waits: it ends what hangs, and judges nobody's speed. */
export const waitMs = 60_000

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Service {
  url: string
  dataDir: string
  stop(): Promise<void>
}

/** The service as a user starts it: the built bundle in a process of its own, on a new folder. */
export async function startService(env: Record<string, string> = {}, host = '127.0.0.1'): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-e2e-'))
  const port = await freePort()
  const url = `http://${host}:${port}`
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await untilHealthy(`http://127.0.0.1:${port}`, child, () => output)
  return {
    url,
    dataDir,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  // On a busy machine it takes its time; the test's own limit ends what hangs.
  while (child.exitCode === null) {
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok) return
    await pause(100)
  }
  throw new Error(`The service ended at its start:\n${output()}`)
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createSocketServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The six digits in the subject of the newest mail to this address that has them. */
export const mailedCode = (service: Service, email: string): Promise<string> =>
  findInMail(service, email, (mail) => /\b\d{6}\b/.exec(/^Subject:.*$/im.exec(mail)?.[0] ?? '')?.[0])

/** The token of the newest invitation to this address. */
export const mailedInvitation = (service: Service, email: string): Promise<string> =>
  findInMail(service, email, (mail) => (/invited/.test(mail) ? /^[0-9a-f]{64}$/m.exec(mail)?.[0] : undefined))

/** The address that turns off a kind of mail, as the newest mail with one names it. */
export const mailedUnsubscribe = (service: Service, email: string): Promise<string> =>
  findInMail(service, email, (mail) => /\/unsubscribe\?token=[\w.~-]+$/m.exec(mail)?.[0])

async function findInMail(
  service: Service,
  email: string,
  find: (mail: string) => string | undefined,
): Promise<string> {
  const outbox = join(service.dataDir, 'outbox')
  for (const until = Date.now() + waitMs; Date.now() < until; ) {
    const files = await readdir(outbox).catch(() => [])
    // A mail is written under another name first.
    const names = files
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse()
    for (const name of names) {
      const mail = (await readFile(join(outbox, name), 'utf8')).replaceAll('\r\n', '\n')
      const found = mail.includes(email) ? find(mail) : undefined
      if (found) return found
    }
    await pause(100)
  }
  throw new Error(`Nothing of the kind was mailed to ${email}.`)
}

export const launchBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
    ],
  })

export interface Receiver {
  url: string
  /** Bodies and headers in the order they came. */
  received: { headers: Record<string, string | string[] | undefined>; body: string }[]
  stop(): Promise<void>
}

/** A user's server, waiting for webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
