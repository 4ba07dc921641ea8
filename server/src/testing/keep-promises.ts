import { setTimeout as pause } from 'node:timers/promises'
import { heldBy } from '../core/gauges.ts'
import type { Deps } from '../deps.ts'
import { type BrokenPromises, findBroken } from './invariants.ts'

/** `held`: what the process still holds. `database`: it is gone, or its rows are made up. */
export type Leftover = keyof BrokenPromises | 'held' | 'database'

export interface PromiseCheck {
  /** From now on the test leaves this behind on purpose, for the reason given. */
  leaves(what: Leftover, reason: string): void
  /** What is broken now, and not left on purpose. */
  find(): Promise<string[]>
  /** Fails when the app or its store broke a promise, and goes on doing so for this long; the second call does nothing. */
  check(patienceMs?: number): Promise<void>
}

const PAUSE_MS = 25
const PATIENCE_MS = 20_000

/** Looks at what holds of every app that has nothing to do: whatever a test was about, it must hold at its end. */
export function watchPromises(deps: Deps): PromiseCheck {
  const left = new Set<Leftover>()
  let isChecked = false
  const broken = async (): Promise<string[]> => {
    const held = Object.entries(heldBy(deps.gauges)).map(([name, count]) => `${count} ${name} are held`)
    const { values } = await deps.metrics.swept.get()
    const swept = values.find(({ labels }) => labels.sweep === 'scans')?.value ?? 0
    const stored = left.has('database') ? {} : await findBroken(deps.db, { swept, mayWait: true })
    return Object.entries({ ...stored, held })
      .filter(([kind]) => !left.has(kind as Leftover))
      .flatMap(([, words]) => words as string[])
  }
  return {
    find: broken,
    leaves: (what) => void left.add(what),
    async check(patienceMs = PATIENCE_MS) {
      if (isChecked) return
      isChecked = true
      await deps.background.drain()
      let found = await broken()
      // What was answered may still be on its way out.
      for (let looks = 0; found.length > 0 && looks < patienceMs / PAUSE_MS; looks++) {
        await pause(PAUSE_MS)
        found = await broken()
      }
      if (found.length > 0) throw new Error(`the app has nothing to do, and ${found.join('; ')}`)
    },
  }
}
