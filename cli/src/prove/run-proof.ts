import type { Evidence } from '@assay/engine'
import { runProof as texts } from '../messages/prove.ts'
import { isBundled } from '../version.ts'
import type { ProofMessage, ProofTask } from './worker.ts'

export type RunProof = (task: ProofTask, onEvidence: () => void) => Promise<Evidence[]>

/** Past its own budget by so much, the prover is ended from outside: a compiler that does not come back looks at no clock. */
export const grace = 1.3
export const lookMilliseconds = 200

/** One evidence per finding; of those that the prover did not come to, that they were not attempted. */
export const runProof: RunProof = (task, onEvidence) => (isBundled ? runInThread : runHere)(task, onEvidence)

/** Sources that run directly have no bundle that a thread could load. */
const runHere: RunProof = async ({ files, findings, options }, onEvidence) => {
  const { prove } = await import('@assay/prover')
  return prove(files, findings, { ...options, onEvidence })
}

const runInThread: RunProof = async (task, onEvidence) => {
  const [{ Worker }, { notAttempted }] = await Promise.all([import('node:worker_threads'), import('@assay/prover')])
  const evidence: Evidence[] = []
  const milliseconds = grace * (task.options.limits?.millisecondsPerScan ?? 60_000)
  const reason = await new Promise<string>((resolve) => {
    const worker = new Worker(new URL('./prove/worker.js', import.meta.url))
    const before = process.cpuUsage()
    // Nothing else is computed meanwhile, so the time of the process is that of the thread.
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 > milliseconds) end(texts.proverRanOutTime)
    }, lookMilliseconds)
    const end = (why: string) => {
      clearInterval(timer)
      void worker.terminate()
      resolve(why)
    }
    worker.on('message', (message: ProofMessage) => {
      if ('index' in message) {
        evidence[message.index] = message.evidence
        onEvidence()
      } else if ('all' in message) {
        // What it never came to, because it is not installed say, is among them too.
        evidence.splice(0, evidence.length, ...message.all)
        end(texts.proverEnded)
      } else end(texts.proverFailed(message.failure))
    })
    worker.once('error', (error) => end(texts.proverFailed2(error.message)))
    worker.postMessage(task)
  })
  return task.findings.map((_, index) => evidence[index] ?? notAttempted(reason))
}
