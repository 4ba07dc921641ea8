import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { previewUpgrade } from '../services/preview-upgrade.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'

const preview = z.object({
  currentPlan: z.string(),
  newPlan: z.string(),
  currency: z.string(),
  monthlyPriceCents: z.int(),
  amountDueCents: z.int().meta({ description: 'Charged if the upgrade is made now.' }),
  proration: z
    .object({ creditCents: z.int(), chargeCents: z.int() })
    .nullable()
    .meta({ description: 'Credit for the unused time of the current plan, charge for the rest of the period.' }),
  renewsAt: timestamp,
})

export default defineRoute({
  method: 'GET',
  url: '/api/v1/upgrade-preview',
  summary: 'What an upgrade would cost now',
  tag: 'Plans',
  access: 'key-or-session',
  organisation: 'owner',
  query: z.object({ newPlan: z.string() }),
  responses: {
    200: {
      description: 'Nothing is charged by asking.',
      schema: z.object({ success: z.boolean(), data: preview }),
      example: {
        success: true,
        data: {
          currentPlan: 'basic',
          newPlan: 'pro',
          currency: 'usd',
          monthlyPriceCents: 2999,
          amountDueCents: 1000,
          proration: { creditCents: 500, chargeCents: 1500 },
          renewsAt: '2026-05-10T10:00:00.000Z',
        },
      },
    },
  },
  refusals: ['planUnknown', 'planNotHigher', 'billingUnavailable'],
  async handle(deps: BillingDeps, { caller, query }) {
    return { success: true, data: await previewUpgrade(deps, caller.accountId, query.newPlan) }
  },
})
