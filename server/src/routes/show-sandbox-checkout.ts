import { z } from 'zod'
import { Refusal } from '../core/errors.ts'
import { defineRoute } from '../http/define-route.ts'
import { renderCheckout, renderOutcome } from '../http/sandbox-checkout-page.ts'
import { viewCheckout } from '../services/settle-checkout.ts'
import type { SweepBillingDeps } from '../services/sweep-billing.ts'

export default defineRoute({
  method: 'GET',
  url: '/sandbox/checkout/:id',
  summary: 'Checkout page of the embedded billing provider',
  tag: 'Plans',
  access: 'public',
  noStore: true,
  hidden: true,
  params: z.object({ id: z.string() }),
  responses: { 200: { description: 'A page with two buttons.', contentType: 'text/html' } },
  refusals: ['checkoutNotFound'],
  refusesAsPage: true,
  async handle(deps: SweepBillingDeps, { params, request, reply }) {
    try {
      const checkout = await viewCheckout(deps, params.id)
      return reply.type('text/html; charset=utf-8').send(renderCheckout(checkout))
    } catch (error) {
      if (!(error instanceof Refusal) || !request.headers.accept?.includes('text/html')) throw error
      const page = renderOutcome(error.message, `${deps.config.publicUrl}/plan`)
      return reply.code(error.status).type('text/html; charset=utf-8').send(page)
    }
  },
})
