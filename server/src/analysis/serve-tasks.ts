import { Worker } from 'node:worker_threads'

/** How a worker process answers; `rssBytes` is what it holds afterwards. */
export type Reply = { readonly rssBytes: number } & (
  | { readonly result: unknown }
  | { readonly failure: { readonly name: string; readonly message: string; readonly stack: string | undefined } }
)

/** What it says before that, of how far it got. */
export interface Interim {
  readonly progress: unknown
}

/** Does a task; may tell how far it got. */
type Work = (task: never, report: (progress: unknown) => void) => unknown

/** Ends a process that holds more memory than it may, or whose parent is gone, even while it is busy. */
export const MEMORY_SIGNAL = 'SIGUSR2'
const WATCH_MS = 50

const watchdog = `
const { workerData } = require('node:worker_threads')
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL')
  else if (process.memoryUsage.rss() > workerData.maxBytes) process.kill(process.pid, '${MEMORY_SIGNAL}')
}, ${WATCH_MS})
`

/** The work of this process from now on: one task at a time, by message. Its first argument is its memory limit in bytes. */
export function serveTasks(work: Work): void {
  new Worker(watchdog, {
    eval: true,
    workerData: { parent: process.ppid, maxBytes: Number(process.argv[2]) },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  }).unref()
  // A signal to the whole group is for the parent to answer: it lets running tasks finish.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', async (task) => {
    process.send?.(await answer(work, task as never))
  })
}

const report = (progress: unknown): void => void process.send?.({ progress } satisfies Interim)

async function answer(work: Work, task: never): Promise<Reply> {
  try {
    const result = await work(task, report)
    return { result, rssBytes: process.memoryUsage.rss() }
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    return { failure: { name, message, stack }, rssBytes: process.memoryUsage.rss() }
  }
}
