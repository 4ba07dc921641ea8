import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { heldBy } from '../core/gauges.ts'
import type { Deps } from '../deps.ts'
import { type BrokenPromises, findBroken } from './invariants.ts'

/** `held`: what the process still holds. `database`: it is gone, so nobody can look. */
export type Leftover = keyof BrokenPromises | 'held' | 'database'

export interface PromiseCheck {
  /** From now on the test leaves this behind on purpose, for the reason given. */
  leaves(what: Leftover, reason: string): void
  /** What is broken now, and not left on purpose. */
  find(): Promise<string[]>
  /** Fails when the app or its store broke a promise; the second call does nothing. */
  check(): Promise<void>
}

/** Not every test says yet what it leaves behind on purpose: TEST_PROMISES=1 holds all of them to it. */
const isWanted = process.env.TEST_PROMISES === '1'

const PAUSE_MS = 25
const LOOKS = 800

/** Looks at what holds of every app that has nothing to do: whatever a test was about, it must hold at its end. */
export function watchPromises(app: FastifyInstance, deps: Deps): PromiseCheck {
  const left = new Set<Leftover>()
  let deleted = 0
  let isChecked = false
  app.addHook('onResponse', async ({ routeOptions }, { statusCode }) => {
    const { route } = routeOptions.config
    if (route?.method === 'DELETE' && route.url === '/api/v1/scans/:scanId' && statusCode === 200) deleted += 1
  })
  const broken = async (): Promise<string[]> => {
    const held = Object.entries(heldBy(deps.gauges)).map(([name, count]) => `${count} ${name} are held`)
    const { values } = await deps.metrics.swept.get()
    const swept = values.reduce((sum, { value }) => sum + value, 0)
    const stored = left.has('database') ? {} : await findBroken(deps.db, { deleted: deleted + swept, mayWait: true })
    return Object.entries({ ...stored, held })
      .filter(([kind]) => !left.has(kind as Leftover))
      .flatMap(([, words]) => words as string[])
  }
  return {
    find: broken,
    leaves: (what) => void left.add(what),
    async check() {
      if (isChecked || !isWanted) return
      isChecked = true
      await deps.background.drain()
      let found = await broken()
      // What was answered may still be on its way out.
      for (let looks = 0; found.length > 0 && looks < LOOKS; looks++) {
        await pause(PAUSE_MS)
        found = await broken()
      }
      if (found.length > 0) throw new Error(`the app has nothing to do, and ${found.join('; ')}`)
    },
  }
}
