import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleMailPreferences, mailPreferences } from '../http/mail-preferences.ts'
import { changeMailPreferences, type MailPreferenceDeps } from '../services/mail-preferences.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/mail-preferences',
  summary: 'Turn notices on or off',
  tag: 'Accounts',
  access: 'session',
  body: mailPreferences.partial(),
  responses: {
    200: {
      description: 'The preferences as they are now.',
      schema: z.object({ success: z.literal(true), data: mailPreferences }),
      example: { success: true, data: exampleMailPreferences },
    },
  },
  refusals: [],
  async handle(deps: MailPreferenceDeps, { caller, body, client }) {
    return { success: true, data: await changeMailPreferences(deps, caller.accountId, body, client) }
  },
})
