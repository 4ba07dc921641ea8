import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleMailPreferences, mailPreferences } from '../http/mail-preferences.ts'
import { type MailPreferenceDeps, readMailPreferences } from '../services/mail-preferences.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/mail-preferences',
  summary: 'Which notices you get by mail',
  description:
    'Notices are sent on the basic plan and above. All are on by default, except for the weekly digest. Codes, resets, password changes and new keys are always mailed.',
  tag: 'Accounts',
  access: 'session',
  responses: {
    200: {
      description: 'Each kind of notice: true if it is wanted.',
      schema: z.object({ success: z.literal(true), data: mailPreferences }),
      example: { success: true, data: exampleMailPreferences },
    },
  },
  refusals: [],
  async handle(deps: MailPreferenceDeps, { caller }) {
    return { success: true, data: await readMailPreferences(deps, caller.accountId) }
  },
})
