import { expect, test } from 'vitest'
import type { ViewScan } from '../result/scan-view.ts'
import { createLiveScanner, type LiveAnswer, type ScanWorker } from './live-scanner.ts'

function stage() {
  const workers: (ScanWorker & { requests: string[]; isEnded: boolean })[] = []
  const answers: LiveAnswer[] = []
  const start = () => {
    const worker = {
      requests: [] as string[],
      isEnded: false,
      postMessage: (source: string) => void worker.requests.push(source),
      terminate: () => {
        worker.isEnded = true
      },
      onmessage: null as ScanWorker['onmessage'],
      onerror: null as ScanWorker['onerror'],
    }
    workers.push(worker)
    return worker
  }
  const scanner = createLiveScanner((answer) => answers.push(answer), start)
  const result = { message: 'done' } as ViewScan
  const finish = () => workers.at(-1)?.onmessage?.({ data: { ok: true, result: result as never } })
  return { scanner, workers, answers, finish }
}

test('no worker is started before there is something to scan', () => {
  expect(stage().workers).toEqual([])
})

test('while one scan runs only the newest text waits', () => {
  const { scanner, workers, answers, finish } = stage()
  for (const text of ['a', 'ab', 'abc']) scanner.scan(text)
  expect(workers[0]?.requests).toEqual(['a'])
  finish()
  expect(workers[0]?.requests).toEqual(['a', 'abc'])
  finish()
  expect(answers.map(({ source }) => source)).toEqual(['a', 'abc'])
  expect(workers).toHaveLength(1)
})

test('a worker that breaks is replaced for the next text', () => {
  const { scanner, workers, answers, finish } = stage()
  scanner.scan('a')
  scanner.scan('ab')
  workers[0]?.onerror?.(new Error('x'))
  expect(workers[0]?.isEnded).toBe(true)
  expect(workers[1]?.requests).toEqual(['ab'])
  finish()
  expect(answers.map(({ kind, source }) => [kind, source])).toEqual([
    ['unreadable', 'a'],
    ['result', 'ab'],
  ])
})

test('a closed one ends its worker', () => {
  const { scanner, workers } = stage()
  scanner.scan('a')
  scanner.close()
  expect(workers[0]?.isEnded).toBe(true)
})
