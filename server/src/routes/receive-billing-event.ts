import { z } from 'zod'
import { refuse } from '../core/errors.ts'
import { defineRoute } from '../http/define-route.ts'
import { receiveBillingEvent } from '../services/receive-billing-event.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/billing/webhook',
  summary: 'Events of the billing provider',
  description: 'Signed over the exact bytes of the body. Each event is taken once; order does not matter.',
  tag: 'Plans',
  audience: 'operator',
  access: 'public',
  bodyKind: 'raw',
  maxBodyBytes: 512 * 1024,
  noStore: true,
  responses: {
    200: {
      description: 'Taken, now or before.',
      schema: z.object({ received: z.literal(true) }),
      example: { received: true },
    },
  },
  refusals: ['billingSignature'],
  async handle(deps: BillingDeps, { request }) {
    const signature = request.headers[deps.billing.signatureHeader]
    if (!Buffer.isBuffer(request.body) || Array.isArray(signature)) return refuse('billingSignature')
    await receiveBillingEvent(deps, request.body, signature)
    return { received: true }
  },
})
