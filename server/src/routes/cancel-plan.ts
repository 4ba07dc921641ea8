import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { cancelPlan } from '../services/cancel-plan.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/cancel-plan',
  summary: 'Cancel the paid plan at the end of its period',
  tag: 'Plans',
  access: 'session',
  organisation: 'owner',
  body: z.object({ userId: z.string() }),
  responses: {
    200: {
      description: 'The plan stays as it is until `cancelsAt`, then it is free.',
      schema: z.object({ success: z.boolean(), message: z.string(), plan: z.string(), cancelsAt: timestamp }),
      example: {
        success: true,
        message: 'The plan stays active until 2026-04-10T12:00:00.000Z and is not renewed.',
        plan: 'basic',
        cancelsAt: '2026-04-10T12:00:00.000Z',
      },
    },
  },
  refusals: ['nothingToCancel', 'billingUnavailable'],
  async handle(deps: BillingDeps, { caller }) {
    const { plan, cancelsAt } = await cancelPlan(deps, caller.accountId)
    const message = `The plan stays active until ${cancelsAt} and is not renewed.`
    return { success: true, message, plan, cancelsAt }
  },
})
