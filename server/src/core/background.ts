import type { Log } from './log.ts'

/** Work that an answer must not wait for, because its time would tell something, and that a stop must not lose. */
export interface Background {
  run(name: string, task: () => Promise<void>): void
  /** Runs what is still waiting and waits for all of it. */
  drain(): Promise<void>
  /** How many wait or run. */
  readonly size: number
}

const PAUSE_MS = 100

export function createBackground(log: Log): Background {
  const waiting = new Map<NodeJS.Timeout, () => Promise<void>>()
  const running = new Set<Promise<void>>()

  const start = (name: string, task: () => Promise<void>): void => {
    const run = task()
      .catch((error: unknown) => log.error({ err: error, task: name }, 'background task failed'))
      .finally(() => running.delete(run))
    running.add(run)
  }

  return {
    run(name, task) {
      const timer = setTimeout(() => {
        waiting.delete(timer)
        start(name, task)
      }, PAUSE_MS)
      waiting.set(timer, async () => start(name, task))
    },
    async drain() {
      for (const [timer, begin] of waiting) {
        clearTimeout(timer)
        await begin()
      }
      waiting.clear()
      await Promise.all(running)
    },
    get size() {
      return waiting.size + running.size
    },
  }
}
