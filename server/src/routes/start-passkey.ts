import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { currentPassword, examplePasskeyOffer, passkeyQuestion } from '../http/second-factor-fields.ts'
import { startPasskeyEnrolment } from '../services/passkeys.ts'
import type { SecondFactorDeps } from '../services/second-factors.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/second-factors/passkey-options',
  summary: 'Begin to use a passkey',
  tag: 'Accounts',
  access: 'session',
  noStore: true,
  body: z.object({ password: currentPassword }),
  responses: {
    200: {
      description: 'What to ask the authenticator, within five minutes.',
      schema: z.object({ success: z.literal(true), data: passkeyQuestion }),
      example: { success: true, data: examplePasskeyOffer },
    },
  },
  refusals: ['passwordWrong', 'passkeysUnavailable', 'tooManyFactors', 'tooManyLogins', 'busy'],
  async handle(deps: SecondFactorDeps, { caller, body, client }) {
    const enrolment = await startPasskeyEnrolment(deps, caller.accountId, body.password, client)
    return { success: true, data: { ...enrolment, expiresAt: enrolment.expiresAt.toISOString() } }
  },
})
