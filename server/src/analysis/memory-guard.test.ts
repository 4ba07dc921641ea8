import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { bundleWorker } from './worker-file.ts'

/** The guard stays for good in the thread it is installed in, so each question gets a thread of its own. */
const ask = (question: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(bundleWorker(fileURLToPath(new URL('./memory-guard.fixture.ts', import.meta.url))), {
      workerData: { question },
    })
    worker.once('message', resolve).once('error', reject)
  })

test('guarded constructors make what the originals make', async () => {
  expect(await ask('kinds')).toEqual({
    isInstance: true,
    isBufferInstance: true,
    bytesPerElement: 4,
    from: [1, 2, 3],
    ofView: [7, 8],
    overBuffer: 2,
    name: 'Int32Array',
    subclass: [true, true, 3],
    sharedPrototype: true,
  })
})

test('a guarded constructor called without new fails as the original does', async () => {
  expect(await ask('withoutNew')).toMatch(/requires 'new'/)
})
