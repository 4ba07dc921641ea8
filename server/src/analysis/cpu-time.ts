import { readdirSync, readFileSync } from 'node:fs'

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

const NS_PER_MS = 1e6

export interface Waiting {
  /** Time that its threads were ready to run and had no core, together. */
  readonly waitedMs: number
  /** One of them runs or waits for a core at this moment; the present wait is not in the sum yet. */
  readonly isReady: boolean
}

/** Of all threads of a process, since the one that computes also waits for those that collect garbage; undefined where the system does not tell. */
export function readWaiting(pid: number | undefined): Waiting | undefined {
  if (pid === undefined) return undefined
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
    return {
      waitedMs: threads.reduce((sum, thread) => sum + waitedNs(thread), 0) / NS_PER_MS,
      isReady: threads.some((thread) => stateOf(thread) === 'R'),
    }
  } catch {
    return undefined
  }
}

/** Nanoseconds on a core, nanoseconds waiting for one, turns. */
const waitedNs = (thread: string): number => Number(readFileSync(`${thread}/schedstat`, 'latin1').split(' ')[1])

const stateOf = (thread: string): string | undefined => {
  const text = readFileSync(`${thread}/stat`, 'latin1')
  return text[text.lastIndexOf(')') + 2]
}
