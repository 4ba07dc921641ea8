import { z } from 'zod'
import { refuse } from '../core/errors.ts'
import type { Lifecycle } from '../core/lifecycle.ts'
import type { Log } from '../core/log.ts'
import { defineRoute } from '../http/define-route.ts'
import type { RefusalWatch } from '../http/refusal-watch.ts'

interface ReadyDeps {
  log: Log
  lifecycle: Lifecycle
  refusalWatch: Pick<RefusalWatch, 'isStuck'>
  /** Fails when the database does not answer. */
  checkDatabase(): Promise<void>
}

export default defineRoute({
  method: 'GET',
  url: '/ready',
  summary: 'Can requests be served? Also checks the database, and whether uploads are refused without a reason.',
  tag: 'Service',
  audience: 'operator',
  access: 'public',
  needsDatabase: false,
  noStore: true,
  responses: {
    200: { description: 'Yes.', schema: z.object({ status: z.literal('ready') }), example: { status: 'ready' } },
  },
  refusals: ['notReady'],
  async handle(deps: ReadyDeps) {
    if (deps.lifecycle.isStopping || deps.refusalWatch.isStuck) refuse('notReady')
    try {
      await deps.checkDatabase()
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready')
      refuse('notReady')
    }
    return { status: 'ready' }
  },
})
