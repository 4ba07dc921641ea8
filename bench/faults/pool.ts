/** Processes that share tasks: a list of tasks runs in the first process that is free. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Task } from './worker.ts'

export interface Pool {
  /** All tasks of one call go to one process, in the order given. */
  run(tasks: readonly Task[]): Promise<Answer[]>
  close(): void
}

const runTask = (worker: ChildProcess, task: Task): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${task.fault.path}: the process ended with code ${code}`))
    worker.once('exit', onExit)
    worker.once('message', (answer) => {
      worker.off('exit', onExit)
      resolve(answer as Answer)
    })
    worker.send(task)
  })

export const startPool = (size: number, folders: readonly string[], isFresh: boolean): Pool => {
  const file = fileURLToPath(new URL('worker.ts', import.meta.url))
  const workers = Array.from({ length: size }, () =>
    fork(file, [isFresh ? 'fresh' : 'installed', ...folders], { execArgv: ['--import', 'tsx'] }),
  )
  const free = [...workers]
  const waiting: ((worker: ChildProcess) => void)[] = []
  const take = (): Promise<ChildProcess> => {
    const worker = free.pop()
    return worker ? Promise.resolve(worker) : new Promise((resolve) => waiting.push(resolve))
  }
  const release = (worker: ChildProcess): void => {
    const next = waiting.shift()
    if (next) next(worker)
    else free.push(worker)
  }
  return {
    async run(tasks) {
      const worker = await take()
      try {
        const answers: Answer[] = []
        for (const task of tasks) answers.push(await runTask(worker, task))
        return answers
      } finally {
        release(worker)
      }
    },
    close: () => {
      for (const worker of workers) worker.kill()
    },
  }
}
