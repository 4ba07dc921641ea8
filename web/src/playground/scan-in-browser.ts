import { scanInBrowser as texts } from '../messages/playground.ts'
import type { ViewScan } from '../result/scan-view.ts'
import type { DefinitionQuestion, FoundDefinition } from './find-definition.ts'
import type { FixQuestion, FoundFix } from './find-fix.ts'
import type { DefinitionAnswer, FixAnswer, PlaygroundAnswer, PlaygroundQuestion } from './worker.ts'

const deadlineMs = 15_000

export const scanInBrowser = (question: PlaygroundQuestion): Promise<ViewScan> =>
  runEngine<PlaygroundAnswer, ViewScan>(question)

export const findFixInBrowser = (question: FixQuestion, signal: AbortSignal): Promise<FoundFix | null> =>
  runEngine<FixAnswer, FoundFix | null>(question, signal)

export const findDefinitionsInBrowser = (question: DefinitionQuestion): Promise<readonly FoundDefinition[]> =>
  runEngine<DefinitionAnswer, readonly FoundDefinition[]>(question)

/** Runs the engine in a worker of its own; one that takes too long is ended, and the page stays alive. */
function runEngine<Answer extends PlaygroundAnswer | FixAnswer | DefinitionAnswer, T>(
  question: PlaygroundQuestion | FixQuestion | DefinitionQuestion,
  signal?: AbortSignal,
): Promise<T> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  return new Promise<T>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(texts.scanTookTooLong)), deadlineMs)
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      clearTimeout(deadline)
      if (data.ok) resolve(data.result as T)
      else reject(new Error(data.error))
    }
    worker.onerror = () => {
      clearTimeout(deadline)
      reject(new Error(texts.scannerCouldNotStarted))
    }
    signal?.addEventListener('abort', () => {
      clearTimeout(deadline)
      reject(signal.reason)
    })
    worker.postMessage(question)
  }).finally(() => worker.terminate())
}
