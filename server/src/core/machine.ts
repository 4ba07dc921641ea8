import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

/** What this process may use: the machine's, or less where a container says so. */
export interface Machine {
  readonly cores: number
  readonly memoryMb: number
}

type Read = (path: string) => string | undefined

const readFile: Read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The limits of the control groups that this process is in (version 2, or version 1), and of the machine. */
export function readMachine(
  read: Read = readFile,
  { cores, memoryMb }: Machine = { cores: availableParallelism(), memoryMb: Math.floor(totalmem() / 2 ** 20) },
): Machine {
  const groups = groupsOf(read)
  const quotas = groups.flatMap((folder) => quotaOf(folder, read) ?? [])
  const limits = groups.flatMap((folder) => limitOf(folder, read) ?? [])
  return {
    cores: Math.max(1, Math.ceil(Math.min(cores, ...quotas))),
    memoryMb: Math.floor(Math.min(memoryMb, ...limits.map((bytes) => bytes / 2 ** 20))),
  }
}

const ROOT = '/sys/fs/cgroup'

/** A limit may stand on any folder above the process's own; inside of a container the topmost is its own. */
function groupsOf(read: Read): string[] {
  const folders = new Set([ROOT, `${ROOT}/memory`, `${ROOT}/cpu`])
  for (const line of (read('/proc/self/cgroup') ?? '').split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    const homes = controllers === '' ? [ROOT] : controllers.split(',').map((name) => `${ROOT}/${name}`)
    for (const home of homes)
      for (let at = path; at.length > 1; at = at.slice(0, at.lastIndexOf('/'))) folders.add(`${home}${at}`)
  }
  return [...folders]
}

function limitOf(folder: string, read: Read): number | undefined {
  const text = read(`${folder}/memory.max`) ?? read(`${folder}/memory.limit_in_bytes`)
  return text && /^\d+\s*$/.test(text) ? Number(text) : undefined
}

function quotaOf(folder: string, read: Read): number | undefined {
  const [quota, period] = read(`${folder}/cpu.max`)?.split(/\s+/) ?? [
    read(`${folder}/cpu.cfs_quota_us`),
    read(`${folder}/cpu.cfs_period_us`),
  ]
  const cores = Number(quota) / Number(period)
  return cores > 0 && Number.isFinite(cores) ? cores : undefined
}

/** Of the service itself, and of the two workers beyond the pool that split and render. */
const SERVICE_MB = 300
const MORE_WORKERS = 2

/** What a process needs if every scan is as hungry as it may be. */
export const memoryNeededMb = (workers: number, scanMemoryMb: number): number =>
  (workers + MORE_WORKERS) * scanMemoryMb + SERVICE_MB

/** As many workers as cores, and no more than fit. */
export function workersThatFit({ cores, memoryMb }: Machine, scanMemoryMb: number): number {
  const fitting = Math.floor((memoryMb - SERVICE_MB) / scanMemoryMb) - MORE_WORKERS
  return Math.max(1, Math.min(cores, fitting))
}
