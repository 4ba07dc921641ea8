import { z } from 'zod'
import { Refusal } from '../core/errors.ts'
import { defineRoute } from '../http/define-route.ts'
import { renderOutcome } from '../http/sandbox-checkout-page.ts'
import { settleCheckout } from '../services/settle-checkout.ts'
import type { SweepBillingDeps } from '../services/sweep-billing.ts'

export default defineRoute({
  method: 'POST',
  url: '/sandbox/checkout/:id',
  summary: 'Pay or decline at the embedded billing provider',
  tag: 'Plans',
  access: 'public',
  bodyKind: 'json-or-form',
  noStore: true,
  hidden: true,
  params: z.object({ id: z.string() }),
  body: z.object({ outcome: z.enum(['paid', 'declined']) }),
  responses: {
    200: {
      description: 'Paid. A browser gets a page, a program gets JSON.',
      schema: z.object({ success: z.boolean(), message: z.string(), status: z.literal('active'), plan: z.string() }),
      alsoAs: { 'text/html': null },
    },
  },
  refusals: ['checkoutNotFound', 'checkoutClosed', 'paymentRefused'],
  refusesAsPage: true,
  async handle(deps: SweepBillingDeps, { params, body, request, reply }) {
    const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
    try {
      const { plan, returnUrl } = await settleCheckout(deps, params.id, body.outcome)
      const message = `Paid. The ${plan} plan is active.`
      if (isForm) return reply.type('text/html; charset=utf-8').send(renderOutcome(message, returnUrl))
      return { success: true, message, status: 'active', plan }
    } catch (error) {
      if (!isForm || !(error instanceof Refusal)) throw error
      const page = renderOutcome(error.message, `${deps.config.publicUrl}/plan`)
      return reply.code(error.status).type('text/html; charset=utf-8').send(page)
    }
  },
})
