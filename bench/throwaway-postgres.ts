import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A PostgreSQL of one's own on loopback, to be stopped and started at will; gone in the end. */
export interface ThrowawayPostgres {
  readonly url: string
  start(): void
  /** `immediate` is a crash. */
  stop(mode: 'fast' | 'immediate'): void
  remove(): void
}

const findBinaries = (): string => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ]
  const found = folders.find(
    (folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'pg_ctl')),
  )
  if (!found) throw new Error('PostgreSQL is not installed: initdb and pg_ctl were not found.')
  return found
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

export async function createThrowawayPostgres(): Promise<ThrowawayPostgres> {
  const binaries = findBinaries()
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-postgres-'))
  chmodSync(folder, 0o711)
  // PostgreSQL refuses to run as root, so root hands it to another user.
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? userId() : undefined
  if (user !== undefined) chownSync(folder, user, user)
  const port = await freePort()
  const run = (tool: string, args: readonly string[]): void => {
    const command = path.join(binaries, tool)
    const [file, all] =
      user === undefined
        ? [command, args]
        : [
            'setpriv',
            [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', 'env', `HOME=${folder}`, command, ...args],
          ]
    execFileSync(file, all, { cwd: folder, stdio: 'ignore', timeout: 120_000 })
  }
  const data = path.join(folder, 'data')
  run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200`
  let isRunning = false
  const postgres: ThrowawayPostgres = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start() {
      run('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', path.join(folder, 'log'), '-o', options, 'start'])
      isRunning = true
    },
    stop(mode) {
      run('pg_ctl', ['-D', data, '-w', '-m', mode, 'stop'])
      isRunning = false
    },
    remove() {
      if (isRunning) postgres.stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  // However this process ends, the cluster goes with it.
  process.once('exit', () => postgres.remove())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  postgres.start()
  return postgres
}

function userId(): number {
  const id = (name: string): number => Number(execFileSync('id', ['-u', name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return id('postgres')
  } catch {
    return id('nobody')
  }
}
