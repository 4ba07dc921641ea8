import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ServerSettings, serverEnvironment } from '../server/src/testing/spawn-server.ts'

/** The folder of the present program. */
export const root = fileURLToPath(new URL('..', import.meta.url))
/** The last one before findings were records. */
export const OLDEST = '4ce50dc'

/** A program by the folder it was built in. */
export interface OldProgram {
  readonly folder: string
  remove(): void
}

/** A checkout of its own with the packages that are installed here; the project's own ones are those of the commit. */
export function buildOldProgram(from: string): OldProgram {
  const parent = mkdtempSync(path.join(tmpdir(), 'assay-upgrade-'))
  const folder = path.join(parent, 'old')
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, from], { cwd: root, stdio: 'ignore' })
  const modules = path.join(folder, 'node_modules')
  mkdirSync(path.join(modules, '@assay'), { recursive: true })
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (name !== '@assay' && name !== '.vite')
      symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name))
  for (const name of readdirSync(path.join(root, 'node_modules', '@assay')))
    symlinkSync(path.join(folder, name), path.join(modules, '@assay', name))
  execFileSync(process.execPath, ['tools/build.mjs', 'server'], { cwd: folder, stdio: 'ignore' })
  return {
    folder,
    remove() {
      execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root, stdio: 'ignore' })
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

export const buildPresentProgram = (): void =>
  void execFileSync(process.execPath, ['tools/build.mjs', 'server'], { cwd: root, stdio: 'ignore' })

export interface Running {
  readonly url: string
  stop(): Promise<void>
  kill(): Promise<void>
}

const START_MS = 60_000

export async function startProgram(program: string, settings: ServerSettings): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [path.join(program, 'server/dist/main.js')], {
    cwd: program,
    env: serverEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = once(child, 'exit')
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  for (let waited = 0; !/serving on (http:[^\s"]+)/.test(output); waited += 100) {
    if (waited > START_MS || child.exitCode !== null)
      throw new Error(`the program of ${program} did not start:\n${output}`)
    await sleep(100)
  }
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child.kill(signal)
    await exited
  }
  return { url: /serving on (http:[^\s"]+)/.exec(output)?.[1] ?? '', stop: end('SIGTERM'), kill: end('SIGKILL') }
}

export interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `assay-server <args>` of that program. */
export function runAdmin(program: string, settings: ServerSettings, args: readonly string[]): Said {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(program, 'server/dist/admin/main.js'), ...args],
    { cwd: program, env: serverEnvironment(settings), encoding: 'utf8' },
  )
  return { code: status, stdout, stderr }
}
