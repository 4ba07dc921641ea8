import { z } from 'zod'
import { answerOnce, idempotencyHeader } from '../http/answer-once.ts'
import { defineRoute } from '../http/define-route.ts'
import type { IdempotencyDeps } from '../services/idempotency.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'
import { upgradePlan } from '../services/upgrade-plan.ts'

const messages = {
  payment_required: 'Complete the payment to start the plan.',
  active: 'The plan was changed. The difference was charged.',
}

export default defineRoute({
  method: 'POST',
  url: '/api/upgrade-plan',
  summary: 'Move to a higher plan',
  description:
    'From free, the answer holds the address of a checkout page; the plan starts when the payment is made. From basic, the subscription changes at once and the difference is charged, prorated.',
  tag: 'Plans',
  access: 'key-or-session',
  organisation: 'owner',
  body: z.object({ newPlan: z.string() }),
  requestHeaders: idempotencyHeader,
  responses: {
    200: {
      description: 'The plan is active, or a payment is needed first.',
      schema: z.object({
        success: z.boolean(),
        message: z.string(),
        status: z.enum(['payment_required', 'active']),
        plan: z.enum(['basic', 'pro']).meta({ description: 'The plan that was asked for.' }),
        checkoutUrl: z.string().optional(),
      }),
      example: {
        success: true,
        message: messages.payment_required,
        status: 'payment_required',
        plan: 'basic',
        checkoutUrl: 'http://127.0.0.1:3000/sandbox/checkout/chk_7m2k0q4w8v3x9r1t5y6n2p8s4d',
      },
    },
  },
  refusals: [
    'keyMissing',
    'keyInvalid',
    'crossSite',
    'hourSpent',
    'planUnknown',
    'planNotHigher',
    'paymentRefused',
    'idempotencyInFlight',
    'idempotencyMismatch',
    'billingUnavailable',
  ],
  handle(deps: BillingDeps & IdempotencyDeps, { caller, body, client, request, reply }) {
    const once = { accountId: caller.accountId, content: Object.entries(body), status: 200 }
    return answerOnce(deps, request, reply, once, async (keep) => {
      const result = await upgradePlan(deps, { caller, client }, body.newPlan)
      const answer = { success: true, message: messages[result.status], ...result }
      await keep(answer)
      return answer
    })
  },
})
