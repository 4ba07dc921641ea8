import { liveScanner as texts } from '../messages/playground.ts'
import type { ViewScan } from '../result/scan-view.ts'
import type { PlaygroundAnswer } from './worker.ts'

/** The part of a worker that is used here; handed in, so that tests need no browser. */
export interface ScanWorker {
  postMessage(source: string): void
  terminate(): void
  onmessage: ((event: { data: PlaygroundAnswer }) => void) | null
  onerror: ((event: unknown) => void) | null
}

export interface LiveScanner {
  /** Scans this text once the one before is done; whatever waited in between is skipped. */
  scan(source: string): void
  close(): void
}

export type LiveAnswer =
  | { readonly kind: 'result'; readonly source: string; readonly result: ViewScan }
  | { readonly kind: 'unreadable'; readonly source: string; readonly problem: string }

const startWorker = (): ScanWorker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }) as unknown as ScanWorker

/** Scans a text while it is being written: one worker, one scan at a time, the newest text next. */
export function createLiveScanner(onAnswer: (answer: LiveAnswer) => void, start = startWorker): LiveScanner {
  let worker: ScanWorker | null = null
  let running: string | null = null
  let waiting: string | null = null

  const next = () => {
    if (running !== null || waiting === null) return
    running = waiting
    waiting = null
    worker ??= listenTo(start())
    worker.postMessage(running)
  }
  const listenTo = (fresh: ScanWorker): ScanWorker => {
    fresh.onmessage = ({ data }) => {
      const source = running ?? ''
      running = null
      onAnswer(
        data.ok ? { kind: 'result', source, result: data.result } : { kind: 'unreadable', source, problem: data.error },
      )
      next()
    }
    // What broke one scan must not break the next.
    fresh.onerror = () => {
      const source = running ?? ''
      end()
      onAnswer({ kind: 'unreadable', source, problem: texts.scannerCouldNotStarted })
      next()
    }
    return fresh
  }
  const end = () => {
    worker?.terminate()
    worker = null
    running = null
  }
  return {
    scan(source) {
      waiting = source
      next()
    },
    close() {
      waiting = null
      end()
    },
  }
}
