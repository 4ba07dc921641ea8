import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { listInvoices } from '../services/list-invoices.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'

const invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
    amountCents: z.int(),
    currency: z.string(),
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
    lines: z.array(z.object({ description: z.string(), amountCents: z.int() })),
    url: z.string().nullable(),
  })
  .meta({ id: 'Invoice' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/invoices',
  summary: 'Invoices, newest first',
  tag: 'Plans',
  access: 'session',
  organisation: 'owner',
  query: z.object({ userId: z.string().optional() }),
  list: 'invoices',
  responses: {
    200: {
      description: 'Every invoice of the account.',
      schema: z.object({ success: z.boolean(), data: z.object({ invoices: z.array(invoice), total: z.int() }) }),
      example: {
        success: true,
        data: {
          invoices: [
            {
              id: 'inv_4k7m2q',
              number: 'SANDBOX-0001',
              status: 'paid',
              amountCents: 999,
              currency: 'usd',
              createdAt: '2026-03-10T12:00:00.000Z',
              paidAt: '2026-03-10T12:00:00.000Z',
              lines: [{ description: 'Basic plan, one month', amountCents: 999 }],
              url: null,
            },
          ],
          total: 1,
        },
      },
    },
  },
  refusals: ['billingUnavailable'],
  async handle(deps: BillingDeps, { caller }) {
    const invoices = await listInvoices(deps, caller.accountId)
    return { success: true, data: { invoices, total: invoices.length } }
  },
})
