/**
 * npm run bench:jobs [-- <folder> …]: a scan from nothing by one thread and by two, and whether both report the same.
 *
 * On a machine that others use, wall time says how busy it is. The processor time of the busiest thread is what a quiet machine would wait for,
 * beside the start of the command. It is read from `/proc`, so only on Linux.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fetchProject } from './fetch-project.ts'
import { textTable } from './text-table.ts'

const command = fileURLToPath(new URL('../cli/bin/assay.mjs', import.meta.url))
const packages = ['@openzeppelin/contracts@5.7.0', '@aave/core-v3@1.19.3', 'synthetix@2.102.1']
/** Of several runs the least counts: whatever else the machine does only adds. */
const runs = 3
const lookMilliseconds = 20

interface Run {
  readonly stdout: string
  /** Seconds. */
  readonly wall: number
  readonly cpu: number
  readonly busiest: number
}

/** Of each thread of a process, the seconds on a processor so far; nothing once it has ended. */
function threadTimes(pid: number | undefined): [thread: string, seconds: number][] {
  try {
    const folder = `/proc/${pid}/task`
    return readdirSync(folder).map((thread) => {
      const [nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')
      return [thread, Number(nanoseconds) / 1e9]
    })
  } catch {
    return []
  }
}

async function scan(folder: string, jobs: number): Promise<Run> {
  const started = performance.now()
  const child = spawn(process.execPath, [command, 'scan', '--format', 'json', '--no-cache', '-j', `${jobs}`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const seconds = new Map<string, number>()
  const timer = setInterval(() => {
    for (const [thread, time] of threadTimes(child.pid)) seconds.set(thread, time)
  }, lookMilliseconds)
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  await new Promise((resolve) => child.once('close', resolve))
  clearInterval(timer)
  const times = [...seconds.values()]
  return {
    stdout,
    wall: (performance.now() - started) / 1000,
    cpu: times.reduce((sum, time) => sum + time, 0),
    busiest: Math.max(...times),
  }
}

async function measure(name: string, folder: string): Promise<string[]> {
  const one: Run[] = []
  const two: Run[] = []
  // In turns: a machine that becomes busier does so for both.
  for (let run = 0; run < runs; run++) {
    one.push(await scan(folder, 1))
    two.push(await scan(folder, 2))
  }
  const isEqual = [...one, ...two].every(({ stdout }) => stdout === one[0]!.stdout)
  const figures = (['wall', 'busiest', 'cpu'] as const).flatMap((kind) => {
    const least = (of: readonly Run[]): number => Math.min(...of.map((run) => run[kind]))
    return [
      `${least(one).toFixed(1)} s`,
      `${least(two).toFixed(1)} s`,
      `${((least(two) / least(one)) * 100).toFixed(0)} %`,
    ]
  })
  return [name, ...figures, isEqual ? 'yes' : 'NO']
}

// Built once, before anything is measured.
spawnSync(process.execPath, [command, '--version'])
const rows: string[][] = []
const given = process.argv.slice(2)
for (const name of given.length > 0 ? given : packages) {
  const folder = given.length > 0 ? name : fetchProject(name)
  if (folder === undefined) console.log(`${name} could not be fetched`)
  else rows.push(await measure(name, folder))
  if (folder !== undefined) console.log(rows.at(-1)!.join('  '))
}
const kinds = ['wall', 'busiest thread', 'CPU']
console.log(textTable(['project', ...kinds.flatMap((kind) => [`${kind}, -j 1`, '-j 2', 'share']), 'same result'], rows))
