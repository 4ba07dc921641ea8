import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type Act, checkScans, newCaller, newFolder, startLoad, until } from './stage.ts'

export const killServer: Act = async (report) => {
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
  report.say(`${await load.stop()}`)
  await server.stop()
  await checkScans(report, settings, load.answered)
}

/** Processes that this one started, by what the system knows of them. */
function childrenOf(pid: number): number[] {
  const parentOf = (id: string): number => {
    try {
      return Number(readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
    } catch {
      return 0
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

/** How many that were: one may have ended in between. */
function killOne(pid: number): number {
  try {
    process.kill(pid, 'SIGKILL')
    return 1
  } catch {
    return 0
  }
}

export const killWorkers: Act = async (report) => {
  const { hold } = report
  const settings = { dataDir: newFolder() }
  const key = await newCaller(settings)
  const server = await spawnServer(settings)
  const load = startLoad(() => server.url, key)
  let killed = 0
  for (let n = 0; n < 5; n++) {
    const before = load.answered.length
    await until(() => load.answered.length > before + 5)
    for (const worker of childrenOf(server.process.pid ?? 0)) killed += killOne(worker)
    await sleep(50)
  }
  const before = load.answered.length
  const goesOn = await until(() => load.answered.length > before + 5)
  report.say(`${killed} workers killed, ${await load.stop()}`)
  hold('the service goes on', goesOn && killed > 0 && server.process.exitCode === null, goesOn ? 'yes' : 'no')
  await server.stop()
  await checkScans(report, settings, load.answered)
}
