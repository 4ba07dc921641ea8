import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever its kernel ticks by. */
const MS_PER_TICK = 10
/** Of what follows the name, which may hold anything: the fields `utime` and `stime`. */
const USER_TIME = 11
const SYSTEM_TIME = 12

/** CPU time that a process has used so far; undefined when it is gone, or the system does not tell. */
export function readCpuMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * MS_PER_TICK
  } catch {
    return undefined
  }
}

/** CPU time that this process has used so far. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
