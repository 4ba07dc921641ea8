import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * Balancers for loopback that know nothing of the backends but whether they accept connections: none reads `/ready`, and none sends a request
 * twice.
 */
export interface Balancer {
  readonly name: string
  readonly url: string
  /** Why it gave up requests, in words of its own; refused connections are left out, since they go on to the next backend. */
  complaints?(): readonly string[]
  close(): Promise<void>
}

/** As `deploy/nginx.conf` has it: shorter than the notice that a replica gives before it stops. */
const IDLE_MS = 1000

/** Takes turns, and goes on to the next backend only when a connection was refused. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64, timeout: IDLE_MS })
  let turn = 0
  const refuse = (response: http.ServerResponse, words: string): void =>
    void response.writeHead(502).end(JSON.stringify({ error: words }))
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress, connection: 'keep-alive' }
    const first = turn++
    // Each backend once, whatever other requests do meanwhile.
    const send = (tried: number): void => {
      const port = ports[(first + tried) % ports.length]
      const options = { host: '127.0.0.1', port, path: request.url, method: request.method, headers, agent, timeout: 0 }
      const onward = http.request(options, (answer) => {
        const { connection: _, ...kept } = answer.headers
        response.writeHead(answer.statusCode ?? 502, kept)
        answer.pipe(response)
      })
      onward.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && tried + 1 < ports.length) return send(tried + 1)
        if (response.headersSent) response.destroy()
        else refuse(response, `The replica went away: ${error.code}.`)
      })
      onward.end(body)
    }
    send(0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    name: 'a round robin',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}

/** nginx with the configuration that is shipped; undefined where it is not installed. */
export async function startNginx(ports: readonly number[]): Promise<Balancer | undefined> {
  const program = ['nginx', '/usr/sbin/nginx'].find(isInstalled)
  if (!program) return undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-nginx-'))
  chmodSync(folder, 0o755)
  mkdirSync(path.join(folder, 'logs'))
  const port = await freePort()
  writeFileSync(path.join(folder, 'nginx.conf'), configure(ports, port))
  const globals = 'daemon off; pid nginx.pid; error_log logs/error.log error;'
  const nginx = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', globals], { stdio: 'inherit' })
  const exited = once(nginx, 'exit')
  const url = `http://127.0.0.1:${port}`
  while (
    nginx.exitCode === null &&
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(50)
  return {
    name: 'nginx as shipped',
    url,
    complaints: () =>
      readFileSync(path.join(folder, 'logs', 'error.log'), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.includes('(111: Connection refused)')),
    async close() {
      nginx.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The shipped text with addresses instead of a name that only compose knows. */
function configure(ports: readonly number[], port: number): string {
  const shipped = readFileSync(fileURLToPath(new URL('../deploy/nginx.conf', import.meta.url)), 'utf8')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `  ${kind}_temp_path ${kind};\n`)
  return shipped
    .replace(/^ *resolver .*\n/m, `  access_log off;\n${temporary.join('')}`)
    .replace(/server assay:3000 resolve(.*);/, (_all, options: string) =>
      ports.map((each) => `server 127.0.0.1:${each}${options};`).join(' '),
    )
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
