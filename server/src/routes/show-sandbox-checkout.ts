import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { renderCheckout } from '../http/sandbox-checkout-page.ts'
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
  async handle(deps: SweepBillingDeps, { params, reply }) {
    const checkout = await viewCheckout(deps, params.id)
    return reply.type('text/html; charset=utf-8').send(renderCheckout(checkout))
  },
})
