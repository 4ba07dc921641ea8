// Tasks that no honest worker would do, to see what the pool makes of them.
import { workerData } from 'node:worker_threads'
import { guardBuffers } from './memory-guard.ts'

const { memoryMb } = workerData as { memoryMb: number }
guardBuffers(memoryMb * 1024 * 1024)

const kept: unknown[] = []

const deeds: Record<string, (n: number) => unknown> = {
  double: (n) => n * 2,
  sleep: (n) => new Promise((resolve) => setTimeout(() => resolve('slept'), n)),
  loop: () => {
    for (;;);
  },
  fillHeap: () => {
    for (let i = 0; ; i++) kept.push({ text: `${i}`.repeat(50) })
  },
  fillBuffers: () => {
    for (;;) kept.push(new Uint8Array(4 * 1024 * 1024).fill(1))
  },
  fillSmallBuffers: () => {
    for (;;) kept.push(new Uint32Array(1000).fill(1))
  },
  fillSlices: () => {
    const first = new Uint8Array(4 * 1024 * 1024).fill(1)
    for (;;) kept.push(first.slice())
  },
  useAndDropBuffers: (n) => {
    let total = 0
    for (let i = 0; i < n; i++) total += new Uint8Array(1024 * 1024).fill(1).length
    return total
  },
  recurse: () => {
    const deeper = (n: number): number => deeper(n + 1) + 1
    return deeper(0)
  },
  exit: () => process.exit(3),
  fail: () => {
    throw new Error('an ordinary failure')
  },
}

export default ({ deed, n = 0 }: { deed: string; n?: number }) => deeds[deed]?.(n)
