import { refuse } from '../core/errors.ts'

export interface FairGateOptions {
  /** How many run at a time. */
  parallel: number
  /** How many of one lane may wait. */
  maxWaitingPerLane?: number
  maxWaiting?: number
}

export interface FairGate {
  run<Result>(lane: string, work: () => Promise<Result>): Promise<Result>
  /** How many run or wait. */
  readonly size: number
}

const RETRY_SECONDS = 2

/** Runs at most `parallel` at a time; lanes that wait take turns, and one that is too long is refused. */
export function createFairGate({ parallel, maxWaitingPerLane = 20, maxWaiting = 400 }: FairGateOptions): FairGate {
  /** In the order of their turns: a map keeps the order in which lanes were added. */
  const lanes = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0

  const enter = async (lane: string): Promise<void> => {
    if (running < parallel) {
      running += 1
      return
    }
    const line = lanes.get(lane) ?? []
    if (line.length >= maxWaitingPerLane || waiting >= maxWaiting) refuse('busy', RETRY_SECONDS)
    lanes.set(lane, line)
    waiting += 1
    await new Promise<void>((resolve) => line.push(resolve))
  }
  const leave = (): void => {
    const [turn] = lanes
    if (!turn) {
      running -= 1
      return
    }
    const [lane, line] = turn
    const next = line.shift()
    waiting -= 1
    lanes.delete(lane)
    if (line.length > 0) lanes.set(lane, line)
    next?.()
  }
  return {
    async run(lane, work) {
      await enter(lane)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    get size() {
      return running + waiting
    },
  }
}
