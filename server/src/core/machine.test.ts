import { expect, test } from 'vitest'
import { memoryNeededMb, readMachine, workersThatFit } from './machine.ts'

const big = { cores: 64, memoryMb: 256_000 }
const among = (files: Record<string, string>) => (path: string) => files[path]

test('without control groups it is the machine', () => {
  expect(readMachine(among({}), big)).toEqual(big)
})

test('version 2: of the container, and of any group around the process', () => {
  const root = { '/sys/fs/cgroup/memory.max': '1610612736\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' }
  expect(readMachine(among(root), big)).toEqual({ cores: 2, memoryMb: 1536 })
  const nested = {
    '/proc/self/cgroup': '0::/kubepods/pod1/app\n',
    '/sys/fs/cgroup/kubepods/memory.max': 'max\n',
    '/sys/fs/cgroup/kubepods/pod1/memory.max': '2147483648\n',
    '/sys/fs/cgroup/kubepods/pod1/cpu.max': 'max 100000\n',
    '/sys/fs/cgroup/kubepods/pod1/app/memory.max': 'max\n',
    '/sys/fs/cgroup/kubepods/pod1/app/cpu.max': '50000 100000\n',
  }
  expect(readMachine(among(nested), big)).toEqual({ cores: 1, memoryMb: 2048 })
})

test('version 1: an unlimited group has a number beyond all memory, and a quota below zero', () => {
  const files = {
    '/proc/self/cgroup': '9:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes': '1073741824\n',
    '/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us': '300000\n',
    '/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us': '100000\n',
  }
  expect(readMachine(among(files), big)).toEqual({ cores: 3, memoryMb: 1024 })
})

test('workers: as many as cores, as far as the memory goes, and one at least', () => {
  expect(workersThatFit({ cores: 4, memoryMb: 256_000 }, 512)).toBe(4)
  expect(workersThatFit({ cores: 64, memoryMb: 4_096 }, 512)).toBe(5)
  expect(workersThatFit({ cores: 8, memoryMb: 512 }, 512)).toBe(1)
  for (const workers of [1, 2, 7]) {
    const memoryMb = memoryNeededMb(workers, 512)
    expect(workersThatFit({ cores: 64, memoryMb }, 512)).toBe(workers)
  }
})
