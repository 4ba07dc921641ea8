import { z } from 'zod'
import type { NoticeKind } from '../messages/mails.ts'

/** The notices an account can turn on and off, as they travel. */
export const mailPreferences = z.object({
  scanFindings: z.boolean().meta({ description: 'A scan found critical or high vulnerabilities.' }),
  quotaUsage: z.boolean().meta({ description: '80 % and 100 % of the daily quota.' }),
  keyExpiring: z.boolean().meta({ description: 'An API key is about to expire.' }),
  planChanged: z.boolean().meta({ description: 'The plan changed.' }),
  paymentFailed: z.boolean().meta({ description: 'A payment failed.' }),
  webhookDisabled: z.boolean().meta({ description: 'A webhook was disabled.' }),
  weeklyDigest: z.boolean().meta({ description: 'New and open findings, once a week. Off until you turn it on.' }),
} satisfies Record<NoticeKind, z.ZodType>)

export const exampleMailPreferences = {
  scanFindings: true,
  quotaUsage: true,
  keyExpiring: true,
  planChanged: true,
  paymentFailed: true,
  webhookDisabled: false,
  weeklyDigest: true,
} as const satisfies Record<NoticeKind, boolean>
