import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'
import { createThrowawayPostgres } from '../throwaway-postgres.ts'
import { type Act, checkScans, newCaller, newFolder, startLoad, until } from './stage.ts'

export const stopPostgres: Act = async (report) => {
  const { hold } = report
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
    report.say(`${await load.stop()}`)
    hold('the process outlives its database', child.exitCode === null, child.exitCode === null ? 'alive' : 'gone')
    await checkScans(report, settings, load.answered)
  } finally {
    await server?.kill()
    postgres.remove()
  }
}

export const fillDisk: Act = async (report) => {
  const { hold } = report
  const folder = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    report.say('left out: this user may not mount a small disk')
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
    report.say(`${await load.stop()}`)
    await server.stop()
    await checkScans(report, settings, load.answered)
  } finally {
    // Lazily: a worker that is just ending may still hold a file.
    execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  }
}
