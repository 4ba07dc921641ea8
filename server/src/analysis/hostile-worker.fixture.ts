// Tasks that no honest worker would do, to see what the pool makes of them.
import { existsSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { serveTasks } from './serve-tasks.ts'

const kept: unknown[] = []

const deeds: Record<string, (n: number, flag: string) => unknown> = {
  double: (n) => n * 2,
  sleep: (n) => new Promise((resolve) => setTimeout(() => resolve('slept'), n)),
  loop: () => {
    for (;;);
  },
  compute: (n) => {
    const until = process.cpuUsage().user + 1000 * n
    while (process.cpuUsage().user < until);
    return 'computed'
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
  growArray: () => {
    for (const numbers: number[] = []; ; ) numbers.push(1.5)
  },
  growMap: () => {
    const map = new Map<number, object>()
    for (let i = 0; ; i++) map.set(i, { i })
  },
  priority: () => getPriority(),
  environment: () => Object.keys(process.env),
  recurse: () => {
    const deeper = (n: number): number => deeper(n + 1) + 1
    return deeper(0)
  },
  dieOnce: (_n, flag) => {
    if (existsSync(flag)) return 'done'
    writeFileSync(flag, '')
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  },
  exit: () => process.exit(3),
  fail: () => {
    throw new Error('an ordinary failure')
  },
}

serveTasks(({ deed, n = 0, flag = '' }: { deed: string; n?: number; flag?: string }) => deeds[deed]?.(n, flag))
