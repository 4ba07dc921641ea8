import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { Crew, Memory } from '@assay/engine'
import type { Program } from './programs.ts'

/** What a thread gets that shares a program with another one. */
export interface CrewTask {
  /** The state of each partition; the first number says that the helpers have ended. */
  readonly states: SharedArrayBuffer
  /** Results of the helpers, from them and to the thread that makes the reports. */
  readonly ports: readonly MessagePort[]
  readonly isHelper: boolean
}

const free = 0
const begun = 1
const finished = 2
const over = 0

/** Partitions beyond it are left to the thread that makes the reports. */
const maxPartitions = 4096
/** A helper that fails says nothing: it is started so often. */
const lookMilliseconds = 50

/** Of code without comments; below it a helper takes as long to read the files as it saves. */
const leastLength = 600_000
const maxHelpers = 3

/** Cores that one thread uses: beside it run the compilers of the JavaScript engine and the garbage collection. */
const coresOfOne = 2

/** How many threads are worth helping with a program of which nothing is known, when so many have nothing else to do. */
export const countHelpers = ({ files }: Program, idle: number, cores = availableParallelism()): number =>
  files.reduce((sum, { text }) => sum + lengthOfCode(text), 0) < leastLength
    ? 0
    : Math.max(0, Math.min(idle, maxHelpers, cores - coresOfOne))

const lengthOfCode = (text: string): number => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/\s+/g, ' ').length

export interface CrewTasks {
  readonly main: CrewTask
  readonly helpers: readonly CrewTask[]
  /** The helpers begin nothing more, and nobody waits for them. */
  end(): void
}

export function formCrew(count: number): CrewTasks {
  const states = new SharedArrayBuffer((maxPartitions + 1) * Int32Array.BYTES_PER_ELEMENT)
  const channels = Array.from({ length: count }, () => new MessageChannel())
  return {
    main: { states, ports: channels.map(({ port1 }) => port1), isHelper: false },
    helpers: channels.map(({ port2 }) => ({ states, ports: [port2], isHelper: true })),
    end: () => void Atomics.store(new Int32Array(states), over, 1),
  }
}

type Entry = readonly [key: string, entry: string]

/** `add` puts a result of another thread into the memory of this one. */
export function joinCrew({ states, ports, isHelper }: CrewTask, add: (...entry: Entry) => void): Crew {
  const numbers = new Int32Array(states)
  const isOver = (): boolean => Atomics.load(numbers, over) !== 0
  const slotOf = (partition: number): number => partition + 1
  return {
    isHelper,
    claim(partition) {
      if (partition >= maxPartitions) return !isHelper
      if (isHelper && isOver()) return false
      return Atomics.compareExchange(numbers, slotOf(partition), free, begun) === free
    },
    finish(partition) {
      if (partition >= maxPartitions) return
      Atomics.store(numbers, slotOf(partition), finished)
      Atomics.notify(numbers, slotOf(partition))
    },
    waitFor(partition) {
      while (Atomics.load(numbers, slotOf(partition)) === begun && !isOver())
        Atomics.wait(numbers, slotOf(partition), begun, lookMilliseconds)
      for (const port of ports)
        for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) add(...(got.message as Entry))
    },
  }
}

/** The memory of a helper: what it finds out goes to the thread that makes the reports. */
export const sendTo = (memory: Memory, { ports }: CrewTask): Memory => ({
  digest: memory.digest,
  find: (key) => memory.find(key),
  keep(key, entry) {
    memory.keep(key, entry)
    for (const port of ports) port.postMessage([key, entry] satisfies Entry)
  },
})
