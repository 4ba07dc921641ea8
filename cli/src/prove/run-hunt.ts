import type { HuntReport, HuntResult } from '@assay/prover'
import { Complaint } from '../io.ts'
import { runProof as texts } from '../messages/prove.ts'
import { isBundled } from '../version.ts'
import { grace, lookMilliseconds } from './run-proof.ts'
import type { HuntMessage, HuntTask } from './worker.ts'

export type RunHunt = (task: HuntTask, onProgress: (done: number, total: number) => void) => Promise<HuntResult>

/** What a search executed; where it does not come to an end, what it had reported until then. */
export const runHunt: RunHunt = (task, onProgress) => (isBundled ? runInThread : runHere)(task, onProgress)

/** Sources that run directly have no bundle that a thread could load. */
const runHere: RunHunt = async ({ units, options }, onProgress) => {
  const { hunt } = await import('@assay/prover')
  return hunt(units, { ...options, onProgress })
}

const runInThread: RunHunt = async (task, onProgress) => {
  const { Worker } = await import('node:worker_threads')
  const reports: HuntReport[] = []
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./prove/worker.js', import.meta.url))
    const before = process.cpuUsage()
    const end = (settle: () => void) => {
      clearInterval(timer)
      void worker.terminate()
      settle()
    }
    const endEarly = () => {
      const notSearched = task.units.map(({ path }) => ({ path, contract: null, reason: texts.proverRanOutTime }))
      end(() => resolve({ reports, searched: [], notSearched, calls: 0 }))
    }
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 > grace * task.options.milliseconds + startMilliseconds) endEarly()
    }, lookMilliseconds)
    worker.on('message', (message: HuntMessage) => {
      if ('report' in message) reports.push(message.report)
      else if ('done' in message) onProgress(message.done, message.total)
      else if ('result' in message) end(() => resolve(message.result))
      else end(() => reject(new Complaint(texts.proverFailed(message.failure))))
    })
    worker.once('error', (error) => end(() => reject(new Complaint(texts.proverFailed(error.message)))))
    worker.postMessage(task)
  })
}

/** Loading compilers and EVM. */
const startMilliseconds = 5_000
