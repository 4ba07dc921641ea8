import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { setSandboxCard } from '../services/settle-checkout.ts'
import type { SweepBillingDeps } from '../services/sweep-billing.ts'

/** Lets someone who tries the service out see a renewal fail, and recover. */
export default defineRoute({
  method: 'POST',
  url: '/sandbox/card',
  summary: 'Make the card on file of the embedded billing provider pay or not',
  tag: 'Plans',
  access: 'session',
  hidden: true,
  body: z.object({ outcome: z.enum(['paid', 'declined']), userId: z.string().optional() }),
  responses: {
    200: { description: 'From now on payments end like this.', schema: z.object({ success: z.boolean() }) },
  },
  refusals: ['checkoutNotFound'],
  async handle(deps: SweepBillingDeps, { caller, body }) {
    await setSandboxCard(deps, caller.accountId, body.outcome)
    return { success: true }
  },
})
