// Answers one question about the guarded constructors, from a thread in which the guard is installed.
import { parentPort, workerData } from 'node:worker_threads'
import { guardBuffers } from './memory-guard.ts'

const original = Int32Array
guardBuffers(64 * 1024 * 1024)

const questions: Record<string, () => unknown> = {
  kinds: () => {
    class Own extends Uint8Array {}
    const own = new Own(3)
    return {
      isInstance: new Int32Array(4) instanceof original && new Int32Array(4) instanceof Int32Array,
      isBufferInstance: Buffer.from('x') instanceof Uint8Array,
      bytesPerElement: Int32Array.BYTES_PER_ELEMENT,
      from: [...Int32Array.from([1, 2, 3])],
      ofView: [...new Uint8Array(new Uint8Array([7, 8]))],
      overBuffer: new Uint8Array(new ArrayBuffer(8), 2, 2).length,
      name: Int32Array.name,
      subclass: [own instanceof Own, own instanceof Uint8Array, own.length],
      sharedPrototype: Int32Array.prototype === original.prototype,
    }
  },
  withoutNew: () => {
    try {
      return (Int32Array as unknown as (n: number) => unknown)(1)
    } catch (error) {
      return String(error)
    }
  },
}

parentPort?.postMessage(questions[workerData.question as string]?.())
