import { scanInBrowser as texts } from '../messages/playground.ts'
import type { ViewScan } from '../result/scan-view.ts'
import type { PlaygroundAnswer, PlaygroundQuestion } from './worker.ts'

const deadlineMs = 15_000

/** Runs the engine in a worker of its own; one that takes too long is ended, and the page stays alive. */
export function scanInBrowser(question: PlaygroundQuestion): Promise<ViewScan> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  return new Promise<ViewScan>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(texts.scanTookTooLong)), deadlineMs)
    worker.onmessage = ({ data }: MessageEvent<PlaygroundAnswer>) => {
      clearTimeout(deadline)
      if (data.ok) resolve(data.result)
      else reject(new Error(data.error))
    }
    worker.onerror = () => {
      clearTimeout(deadline)
      reject(new Error(texts.scannerCouldNotStarted))
    }
    worker.postMessage(question)
  }).finally(() => worker.terminate())
}
