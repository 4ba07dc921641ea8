import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { resumePlan } from '../services/cancel-plan.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/resume-plan',
  summary: 'Take a cancellation back',
  tag: 'Plans',
  access: 'session',
  organisation: 'owner',
  body: z.object({ userId: z.string() }),
  responses: {
    200: {
      description: 'The plan is renewed again.',
      schema: z.object({ success: z.boolean(), message: z.string(), plan: z.string(), renewsAt: timestamp }),
      example: {
        success: true,
        message: 'The plan is renewed on 2026-04-10T12:00:00.000Z.',
        plan: 'basic',
        renewsAt: '2026-04-10T12:00:00.000Z',
      },
    },
  },
  refusals: ['nothingToResume', 'billingUnavailable'],
  async handle(deps: BillingDeps, { caller }) {
    const { plan, renewsAt } = await resumePlan(deps, caller.accountId)
    return { success: true, message: `The plan is renewed on ${renewsAt}.`, plan, renewsAt }
  },
})
